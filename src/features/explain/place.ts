import { BROKEN_DOWN_BY, ORDER_ATTRIBUTE_NAMES } from "../../core/contract/attributes.ts";
import type { Attribute, Days } from "../../core/contract/basis.ts";
import { type Endpoint, type RowNames, sentFilters } from "../../core/contract/endpoint.ts";
import { type Fields, membersOf } from "../../core/contract/field.ts";
import { type Accepted, crossedIn } from "../../core/contract/param.ts";
import { addDays } from "../../core/time/days.ts";
import { ALL, monthsAfter, monthsFrom, within } from "./days.ts";
import { namesOf } from "./rowNames.ts";
import type { OrderKey, SaleSet, Span, Value } from "./sets.ts";
import { type Found, isObject, type Level } from "./tree.ts";

/** An answer to explain, as it was asked for. */
export interface Answered {
  readonly endpoint: Endpoint;
  readonly accepted: Accepted;
  readonly body: Readonly<Record<string, unknown>>;
  /** Distinguishes the figure's row from others of the same key. */
  readonly source: string | null | undefined;
}

/** The meaning of a basis for one figure. */
export interface Place {
  /** Undefined if there are no such days. */
  readonly days: (days: Days) => Span | undefined;
  /** One, or two of a row that is of two. */
  readonly value: (attribute: Attribute) => readonly Value[] | undefined;
  readonly sales: Omit<SaleSet, "of">;
  /** The number of its step. */
  readonly step: number | undefined;
  /** The order that its row is. */
  readonly order: OrderKey | undefined;
  /** The campaign that the request names. */
  readonly requested: readonly Value[];
  /** The store and the channel that the request filters by. */
  readonly filters: readonly Value[];
}

export function placeOf(found: Found, answered: Answered, isCompared: boolean): Place {
  const row = rowOf(found, answered);
  const step = stepOf(found);
  const period = daysOf(found, answered, isCompared);
  const span = row?.span ? (row.isWhole ? row.span : within(row.span, period ?? ALL)) : period;
  const orderId = textIn(found, "orderId");
  const integrationId = textIn(found, "integrationId");
  const filters = filtersIn(answered);
  return {
    days: (days) => spanOf(days, { period, span, steps: row?.steps, step, body: answered.body }),
    value: (attribute) => (attribute === "row" ? row?.values?.map(inDays(span)) : [constant(attribute)]),
    sales: { span: span ?? ALL, ...subjectOf(found, answered), integration: integrationId, filters },
    step,
    order: orderId === null || integrationId === null ? undefined : { integrationId, orderId },
    requested: requestedIn(answered),
    filters,
  };
}

/** A value of an attribute that depends on the days of the figure. */
const inDays =
  (days: Span | undefined) =>
  (value: Value): Value =>
    value.attribute === "new_or_recurring" ? { ...value, days: days ?? ALL } : value;

/** A connector that is sent distinguishes campaigns of one id. */
function requestedIn({ accepted: { campaignId, connector } }: Answered): Value[] {
  const source = typeof connector === "string" ? connector : undefined;
  return [
    ...(typeof campaignId === "string" ? [{ attribute: "campaign", is: campaignId, source } as const] : []),
    ...(source !== undefined ? [{ attribute: "campaign_connector", is: source } as const] : []),
  ];
}

function filtersIn({ endpoint, accepted }: Answered): Value[] {
  const { integrationId = null, channel = null } = sentFilters(endpoint, accepted) ?? {};
  return [
    ...(integrationId === null ? [] : [{ attribute: "store", is: String(integrationId) } as const]),
    ...(channel === null ? [] : [{ attribute: "channel", is: String(channel) } as const]),
  ];
}

/** The sales that a figure of products is about. */
function subjectOf(found: Found, { accepted }: Answered): Pick<SaleSet, "product" | "category" | "coupon" | "channel"> {
  const requested = accepted.productId ?? null;
  const product = requested === null ? textIn(found, "productId") : String(requested);
  return {
    product,
    category: product === null ? textIn(found, "categoryId") : null,
    coupon: textIn(found, "couponCode"),
    channel: textIn(found, "channel"),
  };
}

/** The text of this name that is nearest to the figure. */
function textIn({ levels }: Found, name: string): string | null {
  const level = levels.findLast(({ value }) => typeof value[name] === "string");
  return level ? String(level.value[name]) : null;
}

const constant = (attribute: Exclude<Attribute, "row">): Value =>
  "strategy" in attribute
    ? { attribute: "strategy", is: attribute.strategy === "unclassified" ? null : attribute.strategy }
    : { attribute: "channel", is: attribute.channel };

/** The days of a figure's answer, block or member; undefined if there is no period to compare with. */
function daysOf(found: Found, answered: Answered, isCompared: boolean): Span | undefined {
  if (isCompared || isOfCompared(found)) return found.levels[0] && comparedIn(found.levels[0]);
  return hasOwnDays(found) ? ALL : periodOf(answered);
}

/** Whether the figure is in the figures of the period compared with. */
const isOfCompared = ({ path: [first = ""], levels: [root] }: Found): boolean =>
  root?.fields[first]?.compared === "figures";

/** Whether a block covers days of its own. */
const hasOwnDays = ({ levels }: Found): boolean =>
  levels.some(({ value: { periodApplied } }) => isObject(periodApplied) && periodApplied.basis === "source_window");

/** The period of the request; without bounds for the whole history, undefined for one without days. */
function periodOf({ endpoint, accepted }: Answered): Span | undefined {
  const [rule] = endpoint.periods ?? [];
  const bound = (name: string | undefined): string | null => {
    const value = name === undefined ? null : (accepted[name] ?? null);
    return value === null ? null : String(value);
  };
  const [from, to] = [bound(rule?.start), bound(rule?.end)];
  return from !== null && to !== null && from > to ? undefined : { from, to };
}

/** The period that the answer compares with: the days that are declared as such. */
function comparedIn({ fields, value }: Pick<Level, "fields" | "value">): Span | undefined {
  for (const [name, field] of Object.entries(fields)) {
    const member = value[name];
    const members = membersOf(field.unit);
    if (!field.compared || !members || !isObject(member)) continue;
    const span = field.compared === "days" ? spanIn(members, member) : comparedIn({ fields: members, value: member });
    if (span) return span;
  }
  return undefined;
}

/** The first and the last day of a period. */
function spanIn(fields: Fields, value: Level["value"]): Span | undefined {
  const [from, to] = Object.keys(fields)
    .filter((name) => fields[name]?.unit === "day")
    .map((name) => value[name]);
  return typeof from === "string" && typeof to === "string" ? { from, to } : undefined;
}

/** The steps of a cohort: months, or weeks where `months` is 0, from a first day on, which is not cut to the period. */
interface Steps {
  readonly first: string;
  readonly months: number;
}

/** The days that a basis is relative to. */
interface Context {
  /** Those of the answer. */
  readonly period: Span | undefined;
  /** Those of the figure. */
  readonly span: Span | undefined;
  readonly steps: Steps | undefined;
  readonly step: number | undefined;
  readonly body: Answered["body"];
}

function spanOf(days: Days, { period, span, steps, step, body }: Context): Span | undefined {
  switch (days) {
    case "span":
      return span;
    case "until":
      return untilEnd(span);
    case "step":
      return daysOfStep(steps, step);
    case "firstStep":
      return daysOfStep(steps, 0);
    case "untilStep":
      return untilEnd(daysOfStep(steps, step));
    case "complete":
      return step === undefined ? undefined : within(completeAt(step, body), period ?? ALL);
    case "cutoff":
      return cutoffIn(body);
    case "all":
      return ALL;
  }
}

const untilEnd = (span: Span | undefined): Span | undefined => span && { from: null, to: span.to };

function daysOfStep(steps: Steps | undefined, no: number | undefined): Span | undefined {
  if (!steps || no === undefined) return undefined;
  const { first, months } = steps;
  // Months of no length are weeks.
  if (months === 0) return { from: addDays(first, 7 * no), to: addDays(first, 7 * no + 6) };
  return monthsFrom(monthsAfter(first, no * months), months);
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
  return last === undefined ? { from: "9999-12-31", to: null } : { from: null, to: monthsFrom(last, 1).to };
}

function cutoffIn({ holdOut }: Answered["body"]): Span | undefined {
  return isObject(holdOut) && typeof holdOut.cutoff === "string" ? { from: null, to: holdOut.cutoff } : undefined;
}

/** The row that a figure is in. */
interface Row {
  readonly span?: Span;
  /** It says its days itself: they may begin before the period of the request. */
  readonly isWhole?: boolean;
  readonly steps?: Steps;
  readonly values: readonly Value[] | undefined;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

function rowOf({ levels }: Found, answered: Answered): Row | undefined {
  const level = levels.find((one) => tableOf(one) !== undefined);
  if (!level) return undefined;
  const names = namesOf(level.fields, answered.endpoint.tables?.[tableOf(level) ?? ""]);
  const values = valuesOfRow(names, level, answered);
  const { from, to } = level.value;
  if (typeof from === "string" && typeof to === "string") return { span: { from, to }, isWhole: true, values };
  const first = level.value[names.key[0] ?? ""];
  if (typeof first !== "string" || !DAY.test(first)) return { values };
  const length = lengthOf(names, answered);
  const months = { month: 1, quarter: 3, year: 12 }[length] ?? 0;
  const lastDay = length === "week" ? addDays(first, 6) : first;
  const span = months === 0 ? { from: first, to: lastDay } : monthsFrom(first, months);
  return { span, steps: { first, months }, values };
}

/** The table that a level is a row of; undefined if it is none. */
function tableOf({ at }: Pick<Level, "at">): string | undefined {
  const no = at.findIndex((step) => /^\d+$/.test(step));
  return no > 0 && no === at.length - 1 ? at.slice(0, no).join(".") : undefined;
}

/** The length of a row's days: `day`, `week`, `month`, `quarter` or `year`. */
function lengthOf({ key: [first], days }: RowNames, { accepted, body }: Answered): string {
  if (typeof days === "string") return days;
  const by = days?.by ?? (first === "date" ? "granularity" : "groupBy");
  return String(accepted[by] ?? body[by] ?? (first === "date" ? "day" : "month"));
}

/** The attributes by which answers break their rows down, by the values of parameters and declarations. */
export const ATTRIBUTES: Readonly<Record<string, Value["attribute"]>> = {
  ...Object.fromEntries(ORDER_ATTRIBUTE_NAMES.map((name) => [name, name])),
  ...BROKEN_DOWN_BY,
  integration: "store",
};

function valuesOfRow({ of }: RowNames, level: Level, answered: Answered): Value[] | undefined {
  if (!of || !Object.hasOwn(level.value, of.field)) return undefined;
  const chosen = "parameter" in of ? answered.accepted[of.parameter] : of.attribute;
  if (chosen === null || chosen === undefined) return undefined;
  const names = crossedIn(chosen);
  const key = level.value[of.field];
  return names.map((name, no) => ({
    ...valueIn(
      name,
      Array.isArray(key) ? key[no] : key,
      level,
      { ...answered, source: sourceOf(answered, no, names) },
      of.field,
    ),
    ...(of.unlisted?.includes(name) ? { isUnlisted: true } : {}),
  }));
}

/** What distinguishes one of the row's values; that of a pair is a text with a bar between both. */
const sourceOf = ({ source }: Answered, no: number, { length }: readonly string[]): Answered["source"] =>
  length === 2 && source ? source.split("|")[no] || null : source;

function valueIn(name: string, key: unknown, { value }: Level, { source: known }: Answered, field: string): Value {
  const attribute = ATTRIBUTES[name];
  if (!attribute) throw new Error(`${field}: no orders are known to be of a ${name}`);
  const is = key ?? value.campaignName;
  const named = attribute === "produto" ? value.integrationId : value.connector;
  const source = known === undefined ? (named as string | null | undefined) : known;
  return { attribute, is: is === null || is === undefined ? null : String(is), source };
}

/** The number of the step that a figure is of: the key, or the `month` of the element. */
function stepOf({ levels }: Found): number | undefined {
  for (const { at, value } of levels.toReversed()) {
    if (typeof value.month === "number") return value.month;
    const key = /^\d+$/.exec(at.at(-1) ?? "")?.[0];
    if (key !== undefined && tableOf({ at }) === undefined) return Number(key);
  }
  return undefined;
}
