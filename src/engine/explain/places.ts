import type { Attribute, Basis, Days, OrdersOf, SalesOf, SpendOf } from "../../contract/basis.ts";
import type { Endpoint, RowNames } from "../../contract/endpoint.ts";
import type { Accepted } from "../../contract/param.ts";
import { inputsOf } from "./formula.ts";
import { namesOf } from "./rows.ts";
import { type Found, isObject, type Level } from "./tree.ts";

/** First and last day; null where there is no bound. */
export interface Span {
  readonly from: string | null;
  readonly to: string | null;
}

/** A value of an attribute of orders. */
export interface Value {
  readonly attribute: "strategy" | "channel" | "campaign" | "integration" | "cupom" | "produto" | "categoria";
  readonly is: string | null;
  /** The connector or the integration of a campaign, product or category; undefined if it is not known. */
  readonly source?: string | null | undefined;
}

/** A set of orders, with its days and values. */
export interface Orders extends Pick<OrdersOf, "purchase" | "cost" | "isLater"> {
  /** Only orders in the months from the customer's first order up to this one. */
  readonly months?: number;
  readonly order?: { readonly integrationId: string; readonly orderId: string };
  /** Whether the customer is unknown, or acquired after these days. */
  readonly after?: Span;
  readonly ordered?: Span;
  /** Whether an order that is earlier by day than the customer's first one has the day of that. */
  readonly isStep?: true;
  readonly acquired?: Span;
  readonly before?: Span;
  readonly own?: Value;
  readonly first?: Value;
}

export interface Spend {
  readonly spent: Span;
  readonly of?: Value;
}

export interface Sales {
  readonly of: SalesOf;
  readonly span: Span;
  readonly product: string | null;
  readonly category: string | null;
  readonly coupon: string | null;
  readonly channel: string | null;
  readonly integration: string | null;
}

/** Everything that a figure is computed from. */
export interface Made {
  readonly orders: readonly Orders[];
  readonly spend: readonly Spend[];
  readonly sales: readonly Sales[];
  readonly also: readonly ("analytics" | "store")[];
  /** Whether it compares two periods. */
  readonly isCompared: boolean;
}

/** An answer to explain, as it was asked for. */
export interface Answered {
  readonly endpoint: Endpoint;
  readonly accepted: Accepted;
  readonly body: Readonly<Record<string, unknown>>;
  /** What tells the row apart from others of its key. */
  readonly source: string | null | undefined;
}

const ALL: Span = { from: null, to: null };

/** What a figure is computed from: what its declaration says, otherwise what the figures are that its formula names. */
export function madeOf(found: Found, answered: Answered, isCompared = false): Made {
  const { basis } = found.field;
  const periods = basis?.of === "both" ? [false, true] : [isCompared || basis?.of === "compared"];
  const own = basis ? periods.map((compared) => ofBasis(basis, placeOf(found, answered, compared))) : [];
  const inputs = basis && basis.of !== "both" ? [] : inputsOf(found, 0);
  const inherited = periods.flatMap((compared) => inputs.map((input) => madeOf(input, answered, compared)));
  const all = [...own, ...inherited];
  return {
    orders: withoutParts(all.flatMap(({ orders }) => orders)),
    spend: withoutParts(all.flatMap(({ spend }) => spend)),
    sales: withoutParts(all.flatMap(({ sales }) => sales)),
    also: [...new Set(all.flatMap(({ also }) => also))],
    isCompared: basis?.of === "both" || inherited.some((one) => one.isCompared),
  };
}

/** Without those that another one includes: it has no restriction that they lack. */
function withoutParts<T extends object>(sets: readonly T[]): T[] {
  const texts = sets.map((set) => new Set(Object.entries(set).map((member) => JSON.stringify(member))));
  const includes = (one: number, other: number): boolean =>
    [...(texts[one] ?? [])].every((member) => texts[other]?.has(member)) &&
    (texts[one]?.size !== texts[other]?.size || one < other);
  return sets.filter((_, no) => !sets.some((_, other) => other !== no && includes(other, no)));
}

/** What the words of a basis mean for one figure. */
interface Place {
  readonly days: (days: Days) => Span | undefined;
  readonly value: (attribute: Attribute) => Value | undefined;
  readonly sales: Omit<Sales, "of">;
  /** The number of its step, and the order that its row is. */
  readonly step: number | undefined;
  readonly order: Orders["order"];
}

function ofBasis(basis: Basis, { days, value, sales, step, order }: Place): Made {
  const orders = (basis.orders ?? []).flatMap((set): Orders[] => {
    const { ordered, acquired, customer, own, first, isWithinSteps, isRow, ...others } = set;
    const spans = { ordered: ordered && days(ordered), acquired: acquired && days(acquired) };
    // There is no period to compare with, or no such step.
    if ((ordered && !spans.ordered) || (acquired && !spans.acquired)) return [];
    const of = { own: own && value(own), first: first && value(first) };
    return [
      {
        ...others,
        ...(spans.ordered ? { ordered: spans.ordered } : {}),
        ...(ordered?.toLowerCase().endsWith("step") ? { isStep: true as const } : {}),
        ...(spans.acquired ? { acquired: spans.acquired } : {}),
        ...(customer && spans.ordered ? { [customer === "recurring" ? "before" : "after"]: spans.ordered } : {}),
        ...(isWithinSteps && step !== undefined ? { months: step } : {}),
        ...(isRow && order ? { order } : {}),
        ...(of.own ? { own: of.own } : {}),
        ...(of.first ? { first: of.first } : {}),
      },
    ];
  });
  const spend = (basis.spend ?? []).flatMap((set: SpendOf): Spend[] => {
    const spent = days(set.spent);
    const of = set.of && value(set.of);
    return spent ? [{ spent, ...(of ? { of } : {}) }] : [];
  });
  return {
    orders,
    spend,
    sales: (basis.sales ?? []).map((of) => ({ of, ...sales })),
    also: basis.also ? [basis.also] : [],
    isCompared: basis.of === "both",
  };
}

function placeOf(found: Found, answered: Answered, isCompared: boolean): Place {
  const { accepted, body } = answered;
  const compared = comparedIn(body);
  const whole = isCompared || isOfCompared(found) ? compared : hasOwnDays(found) ? ALL : periodOf(answered);
  const row = rowOf(found, answered);
  const span = row?.span ? within(row.span, whole ?? ALL) : whole;
  const until = (days: Span | undefined): Span | undefined => days && { from: null, to: days.to };
  const step = stepIn(found);
  const steps = row?.first === undefined || step === undefined ? undefined : stepsOf(row.first, row.months, step);
  const texts = (name: string): string | null => {
    const level = found.levels.findLast(({ value }) => typeof value[name] === "string");
    return level ? String(level.value[name]) : null;
  };
  const product =
    accepted.productId === undefined || accepted.productId === null ? texts("productId") : String(accepted.productId);
  const orderId = texts("orderId");
  const integrationId = texts("integrationId");
  return {
    days: (days) => {
      if (days === "all") return ALL;
      if (days === "complete") return step === undefined ? undefined : within(completeAt(step, body), whole ?? ALL);
      if (days === "cutoff") return cutoffIn(body);
      if (days === "until") return until(span);
      if (days === "step" || days === "untilStep") return steps?.[days];
      if (days === "firstStep") return row?.first === undefined ? undefined : stepOf(row.first, row.months, 0);
      return span;
    },
    step,
    order: orderId === null || integrationId === null ? undefined : { integrationId, orderId },
    value: (attribute) => (attribute === "row" ? row?.value : constant(attribute)),
    sales: {
      span: span ?? ALL,
      product,
      category: product === null ? texts("categoryId") : null,
      coupon: texts("couponCode"),
      channel: texts("channel"),
      integration: integrationId,
    },
  };
}

const constant = (attribute: Exclude<Attribute, "row">): Value =>
  "strategy" in attribute
    ? { attribute: "strategy", is: attribute.strategy === "unclassified" ? null : attribute.strategy }
    : { attribute: "channel", is: attribute.channel };

/** The period of the request; without bounds for the whole history. */
function periodOf({ endpoint, accepted }: Answered): Span {
  const [rule] = endpoint.periods ?? [];
  const bound = (name: string | undefined): string | null => {
    const value = name === undefined ? undefined : accepted[name];
    return value === undefined || value === null ? null : String(value);
  };
  return { from: bound(rule?.start), to: bound(rule?.end) };
}

/** The period that the answer compares with, as it says itself. */
function comparedIn(body: Answered["body"]): Span | undefined {
  const { previousPeriod, previous, comparedWith } = body;
  const places = [
    isObject(previousPeriod) ? (previousPeriod.period ?? previousPeriod) : undefined,
    comparedWith,
    isObject(previous) ? previous.window : undefined,
  ];
  for (const place of places) {
    if (!isObject(place)) continue;
    const from = place.startDate ?? place.from;
    const to = place.endDate ?? place.to;
    if (typeof from === "string" && typeof to === "string") return { from, to };
  }
  return undefined;
}

const isOfCompared = ({ path: [first = ""] }: Found): boolean => ["previousPeriod", "previous"].includes(first);

/** Whether a block covers days of its own. */
const hasOwnDays = ({ levels }: Found): boolean =>
  levels.some(({ value: { periodApplied } }) => isObject(periodApplied) && periodApplied.basis === "source_window");

const within = (span: Span, period: Span): Span => ({
  from: [span.from, period.from].reduce((a, b) => (a === null ? b : b === null ? a : a > b ? a : b), null),
  to: [span.to, period.to].reduce((a, b) => (a === null ? b : b === null ? a : a < b ? a : b), null),
});

/** The row that a figure is in. */
interface Row {
  readonly span?: Span | undefined;
  /** The first day of its month, quarter or year, before that is cut to the period. */
  readonly first?: string | undefined;
  readonly months: number;
  readonly value?: Value | undefined;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

function rowOf(found: Found, answered: Answered): Row | undefined {
  const { endpoint, accepted, body, source } = answered;
  for (const level of found.levels) {
    const table = tableOf(level);
    if (table === undefined) continue;
    const names = namesOf(level.fields, endpoint.tables?.[table]);
    const value = attributeOf(names, level, accepted, source);
    const { from, to } = level.value;
    if (typeof from === "string" && typeof to === "string") return { span: { from, to }, months: 1, value };
    const first = level.value[names.key[0] ?? ""];
    if (typeof first !== "string" || !DAY.test(first)) return { months: 1, value };
    const length = lengthOf(names, accepted, body);
    const months = { month: 1, quarter: 3, year: 12 }[length] ?? 0;
    return {
      span: { from: first, to: months === 0 ? first : dayBefore(monthsAfter(first, months)) },
      first,
      months,
      value,
    };
  }
  return undefined;
}

/** The table that a level is a row of; undefined if it is none. */
export function tableOf({ at }: Level): string | undefined {
  const no = at.findIndex((step) => /^\d+$/.test(step));
  return no > 0 && no === at.length - 1 ? at.slice(0, no).join(".") : undefined;
}

function lengthOf({ key: [first], days }: RowNames, accepted: Accepted, body: Answered["body"]): string {
  if (typeof days === "string") return days;
  const by = days?.by ?? (first === "date" ? "granularity" : "groupBy");
  return String(accepted[by] ?? body[by] ?? (first === "date" ? "day" : "month"));
}

const ATTRIBUTES: Readonly<Record<string, Value["attribute"]>> = { origem: "channel", campanha: "campaign" };

function attributeOf(
  { of }: RowNames,
  { value }: Level,
  accepted: Accepted,
  source: Answered["source"],
): Value | undefined {
  if (!of || !Object.hasOwn(value, of.field)) return undefined;
  const chosen = "parameter" in of ? accepted[of.parameter] : of.attribute;
  if (chosen === null || chosen === undefined) return undefined;
  const attribute = ATTRIBUTES[chosen] ?? (chosen as Value["attribute"]);
  const is = value[of.field] ?? value.campaignName;
  const from =
    source === undefined && typeof value.connector !== "undefined" ? (value.connector as string | null) : source;
  return { attribute, is: typeof is === "string" ? is : null, ...(from === undefined ? {} : { source: from }) };
}

/** The number of the step that a figure is of: the key, or the `month` of the element. */
function stepIn({ levels }: Found): number | undefined {
  for (const { at, value } of levels.toReversed()) {
    if (typeof value.month === "number") return value.month;
    const key = /^\d+$/.exec(at.at(-1) ?? "")?.[0];
    if (key !== undefined && tableOf({ at, value, fields: {} }) === undefined) return Number(key);
  }
  return undefined;
}

/** The days of a step of a cohort, and of all steps up to it. */
function stepsOf(first: string, months: number, no: number): { readonly step: Span; readonly untilStep: Span } {
  const step = stepOf(first, months, no);
  return { step, untilStep: { from: null, to: step.to } };
}

/** The days of the cohorts that have completed a month. */
function completeAt(month: number, { data }: Answered["body"]): Span {
  const cohorts = (Array.isArray(data) ? data : []).filter(
    ({ points }) => Array.isArray(points) && points.some((point) => point.month === month && point.complete),
  );
  const last = cohorts
    .map(({ cohortMonth }) => String(cohortMonth))
    .sort()
    .at(-1);
  return last === undefined ? { from: "9999-12-31", to: null } : { from: null, to: dayBefore(monthsAfter(last, 1)) };
}

function cutoffIn({ holdOut }: Answered["body"]): Span | undefined {
  return isObject(holdOut) && typeof holdOut.cutoff === "string" ? { from: null, to: holdOut.cutoff } : undefined;
}

const stepOf = (first: string, months: number, no: number): Span => ({
  from: monthsAfter(first, no * months),
  to: dayBefore(monthsAfter(first, (no + 1) * months)),
});

function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 1] = day.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
}

const dayBefore = (day: string): string => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
