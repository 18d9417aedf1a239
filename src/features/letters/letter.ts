import { CONNECTOR_KINDS } from "../../core/contract/record.ts";
import type { LetterSetting, Organization } from "../../core/contract/settings.ts";
import {
  type Advice,
  adviceOn,
  type CardFacts,
  type SourceFacts,
  type StatementFacts,
  type Targets,
  targetsOf,
} from "../actions/advice.ts";
import { bestSellersOf, type SellingStore, sellingOf, soldIn } from "../actions/bestSellers.ts";
import type { Result } from "../actions/loss.ts";
import { type ActionFormats, namedIn, sentenceOf } from "../actions/sentence.ts";
import { ACTION_WORDS } from "../actions/words.ts";
import { named } from "../mail/mail.ts";
import type { AlertLine, AlertLines } from "./alerts.ts";
import type { Ask } from "./ask.ts";
import { type Spans, spansOf } from "./due.ts";
import { formatsOf } from "./formats.ts";
import { type Figure, type Language, WORDS } from "./words.ts";

/** A text, and where the page explains it: an address of the Explorer, after its `#`. */
export interface Linked {
  readonly text: string;
  readonly address?: string | undefined;
}

/** A figure beside that of the days before. */
export interface FigureRow {
  readonly name: Figure;
  readonly label: string;
  readonly value: number | null;
  readonly shown: Linked;
  readonly before: number | null;
  readonly shownBefore: Linked;
  /** Undefined where it is not known. */
  readonly change?: string | undefined;
  /** Why it is not known, and what to do. */
  readonly note?: string | undefined;
}

export interface Block {
  readonly name: "pace" | "changed" | "actions" | "alerts" | "missing";
  readonly title: string;
  readonly lines: readonly Linked[];
}

/** A letter, before it is made a mail, a message or an event. */
export interface Letter {
  readonly language: Language;
  readonly subject: string;
  readonly title: string;
  readonly beside: string;
  /** What is missing, and the days without a letter: before everything else. */
  readonly first: readonly string[];
  readonly figures: readonly FigureRow[];
  readonly blocks: readonly Block[];
  /** The overview of its days. */
  readonly address: string;
  /** What stands below it, if not that its numbers are explained. */
  readonly foot?: string;
  /** Its address ends all letters of the person, not this one. */
  readonly endsAll?: boolean;
}

interface LetterAsked {
  readonly settings: Organization;
  readonly on: LetterSetting["on"];
  readonly day: string;
  readonly language: Language;
  readonly ask: Ask;
  readonly alerts: AlertLines;
  /** The days of letters that were not sent. */
  readonly missed?: readonly string[];
  /** Integrations whose scheduled sync has not run since midnight. */
  readonly notRun?: readonly string[];
}

interface Cards extends CardFacts {
  readonly orders: number;
}

interface OrganizationFacts {
  readonly connectors: readonly SourceFacts[];
  readonly targets: Targets;
  /** The first day with an order or spend. */
  readonly firstDay: string | null;
}

interface Lack {
  readonly integrationId: string;
  readonly lastDay: string | null;
}

interface Statement extends StatementFacts {
  readonly statement: StatementFacts["statement"] & Readonly<Record<string, { readonly amount: number | null }>>;
  readonly coverage: { readonly stores: readonly Lack[]; readonly accounts: readonly Lack[] };
  readonly previousPeriod: Readonly<Record<string, number | null>>;
  readonly changes: Readonly<Record<string, { readonly amount: number | null }>>;
}

interface Pace {
  /** From the first of the month to yesterday. */
  readonly period: { readonly startDate: string; readonly endDate: string };
  readonly data: readonly {
    readonly figure: "revenue" | "contribution3" | "profit";
    readonly target: number;
    readonly toDate: number | null;
    readonly expected: number | null;
    readonly errorPct: number | null;
  }[];
}

interface Contribution {
  readonly data: readonly Result[];
  readonly total: { readonly investment: number | null };
}

interface Organizations {
  readonly data: readonly OrganizationFacts[];
}

const CARDS = "/v1/profitability/cards";
const STATEMENT = "/v1/profit/statement";
const PACE = "/v1/profit/pace";
const CONTRIBUTION = "/v1/acquisition/contribution";

/** The lines that are no totals, up to `contribution3`. */
const CHANGED = [
  "revenue",
  "giftCards",
  "refunds",
  "salesTax",
  "goods",
  "payment",
  "shipping",
  "fulfilment",
  "commission",
  "other",
  "media",
];
const MOST_CHANGED = 3;
/** What the figures lack is a part of its own. */
const LACKS: readonly Advice["name"][] = ["goods", "costs", "margin", "media", "funnel", "unclassifiable"];
const DAILY_LACKS: readonly Advice["name"][] = ["goods", "costs"];
/** A letter names so many things to do; the Explorer lists all. */
const MOST_ACTIONS = 5;

/** Asks for everything that a letter says. Every number in it is one of an answer. */
export async function letterOf(asked: LetterAsked): Promise<Letter> {
  const { settings, on, day, language, ask, alerts } = asked;
  const words = WORDS[language];
  const formats = formatsOf(language, settings.currency);
  const spans = spansOf(on, day);
  const days = { startDate: spans.from, endDate: spans.to, compare: "none" };
  const daysBefore = { startDate: spans.beforeFrom, endDate: spans.beforeTo, compare: "none" };
  const compared = {
    startDate: spans.from,
    endDate: spans.to,
    compareStartDate: spans.beforeFrom,
    compareEndDate: spans.beforeTo,
  };
  const cards = await ask<Cards>(CARDS, days);
  const before = await ask<Cards>(CARDS, daysBefore);
  const statement = await ask<Statement>(STATEMENT, compared);
  const pace = await ask<Pace>(PACE, {});
  const { data } = await ask<Organizations>("/v1/organizations", {});
  const [organization] = data;
  if (!organization) throw new Error("the organization is not listed");
  const explain = (endpoint: string, params: Readonly<Record<string, string>>, figure: string, row?: string): string =>
    explained(settings.organizationId, spans, { endpoint, params, figure, row });

  const history = historyOf(spans, organization);
  const late = [...statement.coverage.stores, ...statement.coverage.accounts].map(({ integrationId }) => integrationId);
  const figures = figureRows(asked, { cards, before, statement, days, daysBefore, compared, spans, history, explain });
  const { startDate } = pace.period;
  const paceFrom = startDate < spans.from ? startDate : spans.from;
  const left = figures.find(({ name }) => name === "contribution3");
  const isLeftKnown = history === "whole" && left?.value !== null && left?.before !== null;
  const advice = await adviceIn(asked, spans, { cards, statement, organization });
  const actions = advice.filter((one) => !isLack(one));
  const isSaid = saidBy(actions.slice(0, MOST_ACTIONS), late);
  const alertLines = (await alerts({ settings, day, language, ask })).filter((one) => one.isOver || !isSaid(one));
  const shown = formats.days(spans.from, spans.to, on);
  const shownBefore = formats.days(spans.beforeFrom, spans.beforeTo, on);
  const title = words.title[on](named(settings.name), shown);
  const blocks: Block[] = [
    {
      name: "pace",
      title: words.pace(formats.month(pace.period.startDate)),
      lines: paceLines(asked, pace, lacksOf(settings, statement.coverage, paceFrom), explain),
    },
    {
      name: "changed",
      title: words.changed,
      lines: isLeftKnown ? changedLines(asked, statement, compared, explain) : [],
    },
    { name: "alerts", title: words.alerts, lines: alertLines },
    { name: "actions", title: words.actions, lines: actionLines(asked, spans, actions) },
    { name: "missing", title: words.missing, lines: lackLines(asked, spans, advice) },
  ];
  return {
    language,
    subject: title,
    title,
    beside: words.beside[on](shownBefore),
    first: firstLines(asked, statement),
    figures,
    blocks: blocks.filter(({ lines }) => lines.length > 0),
    address: addressOf(settings.organizationId, spans, {}),
  };
}

type Explain = (endpoint: string, params: Readonly<Record<string, string>>, figure: string, row?: string) => string;

interface Shown {
  readonly cards: Cards;
  readonly before: Cards;
  readonly statement: Statement;
  readonly days: Readonly<Record<string, string>>;
  readonly daysBefore: Readonly<Record<string, string>>;
  readonly compared: Readonly<Record<string, string>>;
  readonly spans: Spans;
  readonly history: History;
  readonly explain: Explain;
}

/** How much of the days before has data: before the first of them a 0 means nothing. */
type History = "none" | "part" | "whole";

const historyOf = ({ beforeFrom, beforeTo }: Spans, { firstDay }: OrganizationFacts): History =>
  firstDay === null || firstDay > beforeTo ? "none" : firstDay > beforeFrom ? "part" : "whole";

/** The CAC, and why there is none: without spend, or new customers, the answer's 0 is not known. */
const cacOf = ({ investment, newCustomers, cac }: Cards): { cac: number | null; why?: "noMedia" | "noCustomers" } => {
  if (investment === null) return { cac: null };
  if (investment === 0) return { cac: null, why: "noMedia" };
  return newCustomers === 0 ? { cac: null, why: "noCustomers" } : { cac };
};

type Lacks = ReturnType<typeof lacksOf>;

/** Whether no store, or no ad account, has data of the days, and whether any lacks some: without data nothing is 0. */
function lacksOf({ integrations = [] }: Organization, { stores, accounts }: Statement["coverage"], from: string) {
  const hasNone = (kind: "store" | "ads", lacking: readonly Lack[]): boolean => {
    const all = integrations.filter(({ connector }) => CONNECTOR_KINDS[connector] === kind).length;
    return all > 0 && lacking.filter(({ lastDay }) => lastDay === null || lastDay < from).length === all;
  };
  return {
    stores: hasNone("store", stores),
    accounts: hasNone("ads", accounts),
    some: stores.length + accounts.length > 0,
  };
}

function figureRows(
  { language, settings }: LetterAsked,
  { cards, before, statement, days, daysBefore, compared, spans, history, explain }: Shown,
): FigureRow[] {
  const words = WORDS[language];
  const formats = formatsOf(language, settings.currency);
  const lacks = lacksOf(settings, statement.coverage, spans.from);
  const lacksBefore = lacksOf(settings, statement.coverage, spans.beforeFrom);
  const isUnknown = (name: Figure, { stores, accounts }: Lacks): boolean =>
    stores || (accounts && (name === "contribution3" || name === "cac"));
  const row = (
    name: Figure,
    unit: "currency" | "count",
    [answered, address]: readonly [number | null, string],
    [answeredBefore, addressBefore]: readonly [number | null, string],
    remedy?: string,
  ): FigureRow => {
    const earlier = history === "none" || isUnknown(name, lacksBefore) ? null : answeredBefore;
    const [value, note] = isUnknown(name, lacks)
      ? [null, lacks.stores ? words.noData : words.noAdData]
      : [answered, remedy];
    return {
      name,
      label: words.figures[name],
      value,
      shown: { text: value === null ? words.na : formats[unit](value), address },
      before: earlier,
      shownBefore: { text: earlier === null ? words.na : formats[unit](earlier), address: addressBefore },
      change:
        value === null || earlier === null || history === "part" || lacks.some
          ? undefined
          : changeOf(formats, unit, value, earlier),
      ...(value === null && note !== undefined ? { note } : {}),
    };
  };
  const ofCards = (name: "revenue" | "orders" | "newCustomers", unit: "currency" | "count") =>
    row(name, unit, [cards[name], explain(CARDS, days, name)], [before[name], explain(CARDS, daysBefore, name)]);
  const { cac, why } = cacOf(cards);
  return [
    ofCards("revenue", "currency"),
    ofCards("orders", "count"),
    row(
      "contribution3",
      "currency",
      [
        statement.statement.contribution3?.amount ?? null,
        explain(STATEMENT, compared, "statement.contribution3.amount"),
      ],
      [statement.previousPeriod.contribution3 ?? null, explain(STATEMENT, compared, "previousPeriod.contribution3")],
      words.remedy,
    ),
    ofCards("newCustomers", "count"),
    row(
      "cac",
      "currency",
      [cac, explain(CARDS, days, "cac")],
      [cacOf(before).cac, explain(CARDS, daysBefore, "cac")],
      why && words.noCac[why],
    ),
  ];
}

/** More than this, and a percentage of little says little. */
const MOST_CHANGE = 10;

/** In percent; where that says little, as an amount. */
const changeOf = (
  formats: ReturnType<typeof formatsOf>,
  unit: "currency" | "count",
  value: number,
  earlier: number,
): string => {
  if (value === earlier) return formats.change(0);
  const part = earlier > 0 ? value / earlier - 1 : Number.POSITIVE_INFINITY;
  if (Math.abs(part) < MOST_CHANGE) return formats.change(part);
  return unit === "count" ? formats.countDifference(value - earlier) : formats.difference(value - earlier);
};

interface Explained {
  readonly endpoint: string;
  readonly params: Readonly<Record<string, string>>;
  readonly figure: string;
  readonly row?: string | undefined;
}

/** The Explorer's address of these days, with what the page opens. */
const addressOf = (
  organization: string,
  { from, to }: Spans,
  args: Readonly<Record<string, string>>,
  view = "overview",
): string => `/${organization}/${view}?${new URLSearchParams({ from, to, ...args })}`;

const explained = (organization: string, spans: Spans, { endpoint, params, figure, row }: Explained): string => {
  const query = new URLSearchParams({ ...params, figure, ...(row === undefined ? {} : { row }) });
  return addressOf(organization, spans, { explain: `${endpoint}?${query}` });
};

const NO_PACE = { toDate: null, expected: null, errorPct: null };

function paceLines(
  { language, settings }: LetterAsked,
  { period, data }: Pace,
  lacks: Lacks,
  explain: Explain,
): Linked[] {
  const words = WORDS[language];
  const formats = formatsOf(language, settings.currency);
  return data.map((one) => {
    const { figure, target } = one;
    const isUnknown = lacks.stores || (lacks.accounts && figure !== "revenue");
    const { toDate, expected, errorPct } = isUnknown ? NO_PACE : one;
    const aim = formats.currency(target);
    const isFirst = period.endDate < period.startDate;
    const what =
      expected === null
        ? isFirst || toDate === null
          ? words.paceUnknown(aim)
          : words.paceToDate(formats.currency(toDate), aim)
        : expected <= 0
          ? words.paceBelow(formats.currency(expected), aim)
          : words.paceOf(formats.currency(expected), aim, formats.percent((100 * expected) / target));
    const error = errorPct === null ? "" : ` (${words.paceError(formats.percent(errorPct))})`;
    const name = expected === null ? "toDate" : "expected";
    return { text: `${words.figures[figure]}: ${what}${error}`, address: explain(PACE, {}, name, figure) };
  });
}

/** The lines of the statement that changed what is left after ads most. */
function changedLines(
  { language, settings }: LetterAsked,
  { statement, changes, coverage }: Statement,
  compared: Readonly<Record<string, string>>,
  explain: Explain,
): Linked[] {
  const words = WORDS[language];
  const formats = formatsOf(language, settings.currency);
  if (coverage.stores.length > 0) return [];
  return CHANGED.filter((line) => line !== "media" || coverage.accounts.length === 0)
    .map((line) => ({ line, amount: changes[line]?.amount ?? null }))
    .filter((one): one is { line: string; amount: number } => one.amount !== null && one.amount !== 0)
    .toSorted((a, b) => Math.abs(b.amount) - Math.abs(a.amount))
    .slice(0, MOST_CHANGED)
    .map(({ line, amount }) => {
      const now = statement[line]?.amount ?? 0;
      // A cost is negative, so that less of it is a rise.
      const isCost = now <= 0 && now - amount <= 0;
      const more = isCost ? ` (${amount < 0 ? words.costsMore : words.costsLess})` : "";
      return {
        text: `${words.lines[line] ?? line}: ${formats.difference(amount)}${more}`,
        address: explain(STATEMENT, compared, `changes.${line}.amount`),
      };
    });
}

/** What needs action, by the rules of the Explorer, over the answers that its overview of these days asks for. */
async function adviceIn(
  { ask, settings }: LetterAsked,
  spans: Spans,
  {
    organization,
    ...facts
  }: { readonly cards: Cards; readonly statement: Statement; readonly organization: OrganizationFacts },
): Promise<readonly Advice[]> {
  const { from, to } = spans;
  const results = await ask<Contribution>(CONTRIBUTION, { startDate: from, endDate: to, breakBy: "campanha" });
  const { data: stores } = await ask<{ data: SellingStore[] }>("/v1/products/integrations", {});
  const selling = sellingOf(stores);
  const lists: { data: unknown[] }[] = [];
  for (const store of selling) {
    const { path, params } = bestSellersOf(store, spans);
    lists.push(await ask(path, Object.fromEntries(Object.entries(params).map(([name, value]) => [name, `${value}`]))));
  }
  const lacks = lacksOf(settings, facts.statement.coverage, from);
  const advice = adviceOn({
    ...facts,
    results: lacks.stores ? undefined : { rows: results.data, investment: results.total.investment },
    products: lacks.stores ? undefined : soldIn(selling, lists, spans),
    connectors: organization.connectors,
    targets: knownIn(lacks, targetsOf(organization.targets, from, to)),
    yesterday: to,
  });
  return advice.filter(({ name }) => name !== "media" || !lacks.accounts);
}

/** What is not known misses no target. */
function knownIn(lacks: Lacks, targets: Targets): Targets {
  const ofMedia =
    lacks.stores || lacks.accounts ? { contribution3: null, profit: null, cac: null, ltvCacRatio: null } : {};
  return { ...targets, ...ofMedia, ...(lacks.stores ? { revenue: null, margin: null } : {}) };
}

const actionFormats = ({ language, settings }: LetterAsked): ActionFormats => {
  const formats = formatsOf(language, settings.currency);
  return {
    money: formats.currency,
    count: formats.count,
    days: formats.daysCount,
    share: (part) => formats.percent(100 * part),
    target: (value, figure) =>
      figure === "ltvCacRatio"
        ? formats.times(value)
        : figure === "margin"
          ? formats.percent(value)
          : formats.currency(value),
    line: (item) => (WORDS[language].lines[item] ?? item).toLocaleLowerCase(language),
    named,
  };
};

function linesOf(asked: LetterAsked, spans: Spans, advice: readonly Advice[]): Linked[] {
  const formats = actionFormats(asked);
  return advice.map((one) => ({
    text: sentenceOf(one, ACTION_WORDS[asked.language], formats),
    address: addressOf(asked.settings.organizationId, spans, one.args ?? {}, one.view),
  }));
}

const isLack = ({ name }: Advice): boolean => LACKS.includes(name);

/** Whether what needs action, with the sources that the first sentence names, already says what an alert does. */
function saidBy(advice: readonly Advice[], late: readonly string[]): (line: AlertLine) => boolean {
  const stale = advice.find(({ name }) => name === "stale");
  const products = advice.flatMap((one) => (one.name === "stock" ? namedIn(one) : []));
  return ({ builtIn, subject }) =>
    (builtIn === "lateData" && stale !== undefined && subject !== null && late.includes(subject)) ||
    (builtIn === "stock" && products.some(({ productId }) => productId === subject));
}

/** What needs action, the most urgent first. */
function actionLines(asked: LetterAsked, spans: Spans, advice: readonly Advice[]): Linked[] {
  const all = linesOf(asked, spans, advice);
  const rest = all.length - MOST_ACTIONS;
  if (rest <= 0) return all;
  const text = ACTION_WORDS[asked.language].more(actionFormats(asked).count(rest));
  return [...all.slice(0, MOST_ACTIONS), { text, address: addressOf(asked.settings.organizationId, spans, {}) }];
}

/** What is not known of the figures; every day only what those of the letter itself lack. */
const lackLines = (asked: LetterAsked, spans: Spans, advice: readonly Advice[]): Linked[] =>
  linesOf(
    asked,
    spans,
    advice.filter((one) => isLack(one) && (asked.on !== "daily" || DAILY_LACKS.includes(one.name))),
  );

const nameOf = ({ integrations = [] }: Organization, id: string): string => {
  const known = integrations.find((one) => one.id === id);
  return named(known?.name ?? known?.connector ?? id);
};

/** What is late, and which days had no letter. */
function firstLines({ language, settings, missed = [], notRun = [] }: LetterAsked, { coverage }: Statement) {
  const words = WORDS[language];
  const formats = formatsOf(language, settings.currency);
  const lacks = [...coverage.stores, ...coverage.accounts].map(({ integrationId, lastDay }) =>
    lastDay === null
      ? words.noDay(nameOf(settings, integrationId))
      : words.lastDay(nameOf(settings, integrationId), formats.day(lastDay)),
  );
  const late = [
    ...lacks,
    ...(notRun.length > 0 ? [words.notRun(notRun.map((id) => nameOf(settings, id)).join(", "))] : []),
  ];
  return [
    ...(late.length > 0 ? [words.late(late.join("; "))] : []),
    ...(missed.length > 0 ? [words.missed(missed.map(formats.day).join(", "))] : []),
  ];
}
