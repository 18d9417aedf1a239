import { CONNECTOR_KINDS } from "../../core/contract/record.ts";
import type { LetterSetting, Organization } from "../../core/contract/settings.ts";
import { daysBetween } from "../../core/time/days.ts";
import { unlinked } from "../mail/mail.ts";
import type { AlertLines } from "./alerts.ts";
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
  readonly change: string;
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

/** A text of the data: no control characters, and nothing that a program would make a link of. */
export const named = (text: string): string => unlinked(text.replace(/\p{C}+/gu, " ").slice(0, 100));

interface Cards {
  readonly revenue: number;
  readonly orders: number;
  readonly newCustomers: number;
  readonly cac: number | null;
  readonly investment: number;
  readonly unclassifiedInvestment: number;
  readonly hasAcquisitionClassification: boolean;
}

interface Lack {
  readonly integrationId: string;
  readonly lastDay: string | null;
}

interface Statement {
  readonly coverage: { readonly stores: readonly Lack[]; readonly accounts: readonly Lack[] };
  readonly statement: Readonly<Record<string, { readonly amount: number | null }>>;
  readonly previousPeriod: Readonly<Record<string, number | null>>;
  readonly changes: Readonly<Record<string, { readonly amount: number | null }>>;
  readonly missing: readonly {
    readonly item: string;
    readonly revenue: number | null;
    readonly units: number | null;
  }[];
}

interface Pace {
  readonly data: readonly {
    readonly figure: "revenue" | "contribution3" | "profit";
    readonly target: number;
    readonly toDate: number | null;
    readonly expected: number | null;
    readonly errorPct: number | null;
  }[];
}

interface Contribution {
  readonly data: readonly {
    readonly breakKey: string | null;
    readonly breakLabel: string | null;
    readonly investment: number;
    readonly revenue: number;
    readonly contributionAfterAds: number | null;
  }[];
}

interface Organizations {
  readonly data: readonly {
    readonly connectors: readonly {
      readonly integrationId: string;
      readonly connector: string;
      readonly name: string | null;
      readonly newestDay: string | null;
    }[];
  }[];
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
/** As the list of what needs action in the Explorer. */
const LEAST_SHARE = 0.01;
const STALE_DAYS = 2;

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
  const results = await ask<Contribution>(CONTRIBUTION, {
    startDate: spans.from,
    endDate: spans.to,
    breakBy: "campanha",
  });
  const explain = (endpoint: string, params: Readonly<Record<string, string>>, figure: string, row?: string): string =>
    explained(settings.organizationId, spans, { endpoint, params, figure, row });

  const figures = figureRows(asked, { cards, before, statement, days, daysBefore, compared, spans, explain });
  const names = await namesOf(ask, settings);
  const alertLines = await alerts({ settings, day, language, ask });
  const shown = formats.days(spans.from, spans.to, on);
  const shownBefore = formats.days(spans.beforeFrom, spans.beforeTo, on);
  const title = words.title[on](named(settings.name), shown);
  const blocks: Block[] = [
    { name: "pace", title: words.pace, lines: paceLines(asked, pace, explain) },
    { name: "changed", title: words.changed, lines: changedLines(asked, statement, compared, explain) },
    { name: "alerts", title: words.alerts, lines: alertLines },
    {
      name: "actions",
      title: words.actions,
      lines: actionLines(asked, { cards, statement, results, names, spans, days }),
    },
    { name: "missing", title: words.missing, lines: missingLines(asked, statement) },
  ];
  return {
    language,
    subject: title,
    title,
    beside: words.beside[on](shownBefore),
    first: firstLines(asked, statement, names),
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
  readonly explain: Explain;
}

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
  { cards, before, statement, days, daysBefore, compared, spans, explain }: Shown,
): FigureRow[] {
  const words = WORDS[language];
  const formats = formatsOf(language, settings.currency);
  const lacks = lacksOf(settings, statement.coverage, spans.from);
  const row = (
    name: Figure,
    unit: "currency" | "count",
    [answered, address]: readonly [number | null, string],
    [earlier, addressBefore]: readonly [number | null, string],
    remedy?: string,
  ): FigureRow => {
    const isUnknown = lacks.stores || (lacks.accounts && (name === "contribution3" || name === "cac"));
    const [value, note] = isUnknown ? [null, words.noData] : [answered, remedy];
    return {
      name,
      label: words.figures[name],
      value,
      shown: { text: value === null ? words.na : formats[unit](value), address },
      before: earlier,
      shownBefore: { text: earlier === null ? words.na : formats[unit](earlier), address: addressBefore },
      change:
        value === null || earlier === null || earlier <= 0 || lacks.some
          ? words.noChange
          : formats.change(value / earlier - 1),
      ...(value === null && note !== undefined ? { note } : {}),
    };
  };
  const ofCards = (name: "revenue" | "orders" | "newCustomers" | "cac", unit: "currency" | "count", note?: string) =>
    row(name, unit, [cards[name], explain(CARDS, days, name)], [before[name], explain(CARDS, daysBefore, name)], note);
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
    ofCards("cac", "currency", words.noCac),
  ];
}

interface Explained {
  readonly endpoint: string;
  readonly params: Readonly<Record<string, string>>;
  readonly figure: string;
  readonly row?: string | undefined;
}

/** The Explorer's address of these days, with what the page opens. */
const addressOf = (organization: string, { from, to }: Spans, args: Readonly<Record<string, string>>): string =>
  `/${organization}/overview?${new URLSearchParams({ from, to, ...args })}`;

const explained = (organization: string, spans: Spans, { endpoint, params, figure, row }: Explained): string => {
  const query = new URLSearchParams({ ...params, figure, ...(row === undefined ? {} : { row }) });
  return addressOf(organization, spans, { explain: `${endpoint}?${query}` });
};

function paceLines({ language, settings }: LetterAsked, { data }: Pace, explain: Explain): Linked[] {
  const words = WORDS[language];
  const formats = formatsOf(language, settings.currency);
  return data.map(({ figure, target, toDate, expected, errorPct }) => {
    const [aim, soFar] = [formats.currency(target), toDate === null ? words.na : formats.currency(toDate)];
    const what =
      expected === null
        ? words.paceToDate(soFar, aim)
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
  { language, settings, on, day }: LetterAsked,
  { changes, coverage }: Statement,
  compared: Readonly<Record<string, string>>,
  explain: Explain,
): Linked[] {
  const words = WORDS[language];
  const formats = formatsOf(language, settings.currency);
  if (lacksOf(settings, coverage, spansOf(on, day).from).stores) return [];
  return CHANGED.map((line) => ({ line, amount: changes[line]?.amount ?? null }))
    .filter((one): one is { line: string; amount: number } => one.amount !== null && one.amount !== 0)
    .toSorted((a, b) => Math.abs(b.amount) - Math.abs(a.amount))
    .slice(0, MOST_CHANGED)
    .map(({ line, amount }) => ({
      text: `${words.lines[line] ?? line}: ${formats.difference(amount)}`,
      address: explain(STATEMENT, compared, `changes.${line}.amount`),
    }));
}

interface Found {
  readonly cards: Cards;
  readonly statement: Statement;
  readonly results: Contribution;
  readonly names: Names;
  readonly spans: Spans;
  readonly days: Readonly<Record<string, string>>;
}

/** What the Explorer lists as what needs action, by the same rules, as far as a letter has its answers. */
function actionLines({ language, settings, on }: LetterAsked, found: Found): Linked[] {
  const words = WORDS[language];
  const formats = formatsOf(language, settings.currency);
  const { cards, statement, results, names, spans } = found;
  const spend = results.data.reduce((sum, { investment }) => sum + investment, 0);
  const lossOf = ({ revenue, investment, contributionAfterAds }: Contribution["data"][number]): number =>
    Math.max(0, -(contributionAfterAds ?? (revenue === 0 ? -investment : 0)));
  const losing = results.data
    .filter((one) => one.breakKey !== null && one.investment > 0 && lossOf(one) > 0)
    .filter((one) => lossOf(one) >= spend * LEAST_SHARE)
    .toSorted((a, b) => lossOf(b) - lossOf(a));
  const [worst] = losing;
  const nameOf = ({ breakLabel, breakKey }: Contribution["data"][number]): string =>
    named(breakLabel ?? breakKey ?? "");
  const at = (view: string, args: Readonly<Record<string, string>>): string =>
    addressOf(settings.organizationId, spans, args).replace("/overview?", `/${view}?`);
  const stale = names.list
    .filter(({ connector, newestDay }) => connector !== "finance" && newestDay !== null)
    .map((one) => ({ ...one, days: daysBetween(one.newestDay ?? "", spans.to) }))
    .filter(({ days }) => days > STALE_DAYS);
  const share = cards.investment > 0 ? cards.unclassifiedInvestment / cards.investment : 0;
  const targets = (["revenue", "contribution3", "profit"] as const).flatMap((name) => {
    const monthly = settings.targets?.[name];
    const value = statement.statement[name]?.amount ?? null;
    // A month's target is that of a month: the pace says how a day or a week is on the way to it.
    if (on !== "monthly" || monthly === undefined || value === null || value >= monthly) return [];
    return [
      {
        text: words.target[name](formats.currency(value), formats.currency(monthly)),
        address: at("overview", { at: "statement" }),
      },
    ];
  });
  return [
    ...(worst
      ? [
          {
            text:
              losing.length === 1
                ? words.losing(nameOf(worst), formats.currency(lossOf(worst)))
                : words.losingMany(formats.count(losing.length), nameOf(worst), formats.currency(lossOf(worst))),
            address: at("acquisition", { result: "loss", at: "results" }),
          },
        ]
      : []),
    ...targets,
    ...stale.map(({ name, days }) => ({
      text: words.stale(name, formats.count(days)),
      address: at("data", { at: "integrations" }),
    })),
    ...(cards.hasAcquisitionClassification && share >= LEAST_SHARE
      ? [
          {
            text: words.unclassified(formats.percent(100 * share), formats.currency(cards.unclassifiedInvestment)),
            address: at("acquisition", { strategy: "unclassified", at: "campaigns" }),
          },
        ]
      : []),
  ];
}

/** What is not known of the costs. */
function missingLines({ language, settings }: LetterAsked, { missing, statement }: Statement): Linked[] {
  const words = WORDS[language];
  const formats = formatsOf(language, settings.currency);
  const goods = missing.find(({ item }) => item === "goods");
  const revenue = statement.revenue?.amount ?? 0;
  const others = missing.filter(
    (one) => one.item !== "goods" && (one.revenue === null || one.revenue >= revenue * LEAST_SHARE),
  );
  const address = `/${settings.organizationId}/settings/costs`;
  return [
    ...(goods
      ? [{ text: words.missingGoods(formats.count(goods.units ?? 0), formats.currency(goods.revenue ?? 0)), address }]
      : []),
    ...(others.length > 0
      ? [{ text: words.missingCosts(others.map(({ item }) => words.lines[item] ?? item).join(", ")), address }]
      : []),
  ];
}

interface Names {
  readonly of: (integration: string) => string;
  readonly list: readonly { readonly name: string; readonly connector: string; readonly newestDay: string | null }[];
}

async function namesOf(ask: Ask, { integrations = [] }: Organization): Promise<Names> {
  const { data } = await ask<Organizations>("/v1/organizations", {});
  const connectors = data[0]?.connectors ?? [];
  const nameOf = (id: string): string => {
    const known = integrations.find((one) => one.id === id);
    return named(known?.name ?? known?.connector ?? id);
  };
  return {
    of: nameOf,
    list: connectors.map(({ integrationId, connector, newestDay }) => ({
      name: nameOf(integrationId),
      connector,
      newestDay,
    })),
  };
}

/** What is late, and which days had no letter. */
function firstLines(
  { language, settings, missed = [], notRun = [] }: LetterAsked,
  { coverage }: Statement,
  names: Names,
) {
  const words = WORDS[language];
  const formats = formatsOf(language, settings.currency);
  const lacks = [...coverage.stores, ...coverage.accounts].map(({ integrationId, lastDay }) =>
    lastDay === null
      ? words.noDay(names.of(integrationId))
      : words.lastDay(names.of(integrationId), formats.day(lastDay)),
  );
  const late = [...lacks, ...(notRun.length > 0 ? [words.notRun(notRun.map(names.of).join(", "))] : [])];
  return [
    ...(late.length > 0 ? [words.late(late.join("; "))] : []),
    ...(missed.length > 0 ? [words.missed(missed.map(formats.day).join(", "))] : []),
  ];
}
