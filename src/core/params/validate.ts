import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { AnyEndpoint, ExplainEndpoint } from "../contract/endpoint.ts";
import { ApiError, type Detail } from "../contract/error.ts";
import { wording } from "../contract/failures.ts";
import { nearest } from "../contract/nearest.ts";
import { type Accepted, type Comparison, isSent, type PeriodRule, type RangeRule } from "../contract/param.ts";
import { brief } from "../contract/text.ts";
import { DAY_MS } from "../time/days.ts";
import { addressed } from "./explained.ts";
import { addFormats } from "./formats.ts";
import { isDay } from "./instant.ts";
import { acceptedValue, faultOf, isFreeText, paramSchema, partsOf, readParam, type SentValue } from "./kinds.ts";

/** The parameters of a request, unparsed. */
export type Sent = Readonly<Record<string, SentValue | undefined>>;

const ajv = addFormats(new Ajv({ allErrors: true, allowUnionTypes: true }));

const validators = new WeakMap<AnyEndpoint, ValidateFunction>();

/** The endpoint's parameters as one schema, compiled once. */
function validatorOf(endpoint: AnyEndpoint): ValidateFunction {
  const kept = validators.get(endpoint);
  if (kept) return kept;
  const properties = Object.fromEntries(
    Object.entries(endpoint.params)
      .filter(([, param]) => isSent(param))
      .map(([name, param]) => [name, paramSchema(param)]),
  );
  const required = Object.entries(endpoint.params)
    .filter(([, param]) => param.required)
    .map(([name]) => name);
  const validator = ajv.compile({
    type: "object",
    properties,
    required,
    additionalProperties: endpoint.unknown === "ignored",
  });
  validators.set(endpoint, validator);
  return validator;
}

/** The accepted values, or one error that names every wrong parameter. */
export function validate(endpoint: AnyEndpoint, sent: Sent, now: Date): Accepted {
  return endpoint.by === "explain" ? validateExplained(endpoint, sent, now) : validateOwn(endpoint, sent, now);
}

/** Parameters of an explanation that hold for what it explains, too. */
const OF_BOTH = new Set(["organizationId", "knownAt"]);

/** The parameters of an explanation and those of the endpoint that it explains, all in one. */
function validateExplained(endpoint: ExplainEndpoint, sent: Sent, now: Date): Accepted {
  const isOwn = (name: string): boolean => Object.hasOwn(endpoint.params, name);
  const sentIf = (isWanted: (name: string) => boolean): Sent =>
    Object.fromEntries(Object.entries(sent).filter(([name]) => isWanted(name)));
  const own = outcomeOf(() => validateOwn(endpoint, sentIf(isOwn), now));
  const address = own.accepted?.endpoint ?? sent.endpoint;
  const found = typeof address === "string" && address !== "" ? addressed(endpoint.of, address) : undefined;
  if (!found) {
    const unknown = { parameter: "endpoint", message: unknownEndpoint(endpoint, String(address)) };
    throw new ApiError("invalid", distinct([...own.details, unknown]));
  }
  const explained = { ...sentIf((name) => !isOwn(name) || OF_BOTH.has(name)), ...found.values };
  const inner = outcomeOf(() => validateOwn(found.endpoint, explained, now));
  const details = distinct([...own.details, ...inner.details]);
  if (details.length > 0 || !inner.accepted) throw new ApiError("invalid", details);
  // Not a copy: its instant is not enumerable.
  return Object.assign(inner.accepted, { ...own.accepted, ...inner.accepted, format: own.accepted?.format ?? null });
}

function outcomeOf(work: () => Accepted): { accepted?: Accepted; details: readonly Detail[] } {
  try {
    return { accepted: work(), details: [] };
  } catch (error) {
    if (error instanceof ApiError && error.kind === "invalid") return { details: error.details };
    throw error;
  }
}

function unknownEndpoint({ of }: ExplainEndpoint, address: string): string {
  const [path = "", query] = address.split("?");
  if (query !== undefined && addressed(of, path))
    return `Só o caminho é esperado, como ${path}; os parâmetros dele são parâmetros deste pedido, ao lado de endpoint e figure.`;
  const known = of.map(({ path }) => path);
  const guess = nearest(address, known);
  return `Endpoint desconhecido.${guess ? ` Você quis dizer ${guess}?` : ""} Há: ${known.join(", ")}.`;
}

function validateOwn(endpoint: AnyEndpoint, sent: Sent, now: Date): Accepted {
  const values = present(endpoint, sent);
  const validator = validatorOf(endpoint);
  const errors = validator(values) ? [] : (validator.errors ?? []);
  const details = distinct([
    ...errors.filter((error) => !isUnknown(error)).map((error) => detailOf(endpoint, values, error)),
    ...unknownFaults(endpoint, errors.filter(isUnknown)),
    ...nulFaults(endpoint, values),
  ]).concat(crossedFaults(endpoint, values));
  const accepted: Record<string, string | number | null> = {};
  for (const [name, param] of Object.entries(endpoint.params)) accepted[name] = acceptedValue(param, values[name]);
  for (const rule of endpoint.periods ?? []) details.push(...periodFaults(rule, accepted, details, now));
  for (const rule of endpoint.ranges ?? []) details.push(...rangeFaults(rule, accepted, details));
  if (details.length > 0) throw new ApiError("invalid", details);
  setClock(endpoint, accepted, now);
  return accepted;
}

/**
 * Sets the time for queries that use it. The day is part of an answer's cache key; the instant is not enumerable, or
 * else no answer would ever be a cache hit.
 */
function setClock(endpoint: AnyEndpoint, accepted: Values, now: Date): void {
  for (const [name, { kind }] of Object.entries(endpoint.params)) {
    if (kind === "today") accepted[name] = now.toISOString().slice(0, 10);
    if (kind === "now") Object.defineProperty(accepted, name, { value: now.toISOString(), enumerable: false });
  }
}

/** The values that are not blank, read by their kinds. The object has no prototype, since a parameter may have any name. */
function present(endpoint: AnyEndpoint, sent: Sent): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(sent)) {
    const param = Object.hasOwn(endpoint.params, name) ? endpoint.params[name] : undefined;
    if (value === undefined || (value === "" && !param?.refusesEmpty && !param?.keepsEmpty)) continue;
    values[name] = param ? readParam(param, value) : value;
  }
  for (const [name, param] of Object.entries(endpoint.params)) {
    if (param.kind === "list" && param.including) include(values, name, param.including, param.maxLength);
  }
  return values;
}

const hasNul = (value: unknown): boolean =>
  typeof value === "string" ? value.includes("\0") : Array.isArray(value) && value.some(hasNul);

/** Adds the single value to the list, unless it is invalid by itself. */
function include(values: Record<string, unknown>, list: string, single: string, maxLength = Infinity): void {
  const value = values[single];
  if (typeof value !== "string" || [...value].length > maxLength || hasNul(value)) return;
  values[list] = partsOf([...((values[list] as string[] | undefined) ?? []), value]);
}

/** Free text may contain any character but NUL, at which the engine would end it. */
function nulFaults(endpoint: AnyEndpoint, values: Readonly<Record<string, unknown>>): Detail[] {
  return Object.entries(endpoint.params)
    .filter(([name, param]) => isFreeText(param) && hasNul(values[name]))
    .map(([parameter, param]) => ({ parameter, message: faultOf(param, "pattern") }));
}

/** Who repeats what a table is by wants two of them: that they are sent with a comma is said, too. */
const crossedFaults = (endpoint: AnyEndpoint, values: Readonly<Record<string, unknown>>): Detail[] =>
  Object.entries(endpoint.params)
    .filter(([name, param]) => param.kind === "crossing" && param.required && Array.isArray(values[name]))
    .map(([parameter, param]) => ({ parameter, message: faultOf(param, "pattern") }));

function detailOf(endpoint: AnyEndpoint, values: Readonly<Record<string, unknown>>, error: ErrorObject): Detail {
  if (error.keyword === "required") {
    const parameter = String(error.params.missingProperty);
    return { parameter, message: wording.missing(parameter) };
  }
  // For a list, the path continues with the part.
  const parameter = (error.instancePath.split("/")[1] ?? "").replaceAll("~1", "/").replaceAll("~0", "~");
  const param = endpoint.params[parameter];
  const isRepeated = Array.isArray(values[parameter]) && param?.kind !== "list";
  return { parameter, message: isRepeated || !param ? wording.repeated : faultOf(param, error.keyword) };
}

const isUnknown = ({ keyword }: ErrorObject): boolean => keyword === "additionalProperties";

/** The most unknown names of an answer, and the most characters of one: a body may have any number, of any length. */
const MOST_UNKNOWN = 20;
const MOST_CHARACTERS = 100;

/** One detail for each unknown name; the last one says how many more there are. */
function unknownFaults({ params }: AnyEndpoint, errors: readonly ErrorObject[]): Detail[] {
  if (errors.length === 0) return [];
  const known = Object.keys(params).filter((name) => params[name] && isSent(params[name]));
  const details = errors.slice(0, MOST_UNKNOWN).map(({ params: { additionalProperty } }): Detail => {
    const name = String(additionalProperty);
    return { parameter: brief(name, MOST_CHARACTERS), message: wording.unknown(nearest(name, known)) };
  });
  const last = details.at(-1);
  const further = errors.length - details.length;
  if (!last || further === 0) return details;
  return [...details.slice(0, -1), { ...last, message: `${last.message} ${wording.furtherUnknown(further)}` }];
}

/** Keeps the first detail of each parameter. */
function distinct(details: readonly Detail[]): Detail[] {
  const named = new Set<string>();
  return details.filter(({ parameter }) => !named.has(parameter) && named.add(parameter));
}

type Values = Record<string, string | number | null>;

/** The faults of a period. Completes it where the rule says so: drops a lone bound, or sets both from a preset. */
function periodFaults(rule: PeriodRule, accepted: Values, before: readonly Detail[], now: Date): Detail[] {
  const { start: startName, end: endName, bothOrNone } = rule;
  if (before.some(({ parameter }) => parameter === startName || parameter === endName)) return [];
  if (rule.days !== undefined) return completedFaults(rule, rule.days, accepted, now);
  const start = accepted[startName] ?? null;
  const end = accepted[endName] ?? null;
  if (start !== null && end !== null) return boundFaults(rule, String(start), String(end), accepted, now);
  if (start === null && end === null) {
    completePreset(rule, accepted, now);
    return [];
  }
  if (bothOrNone === "ignored") {
    accepted[startName] = null;
    accepted[endName] = null;
  }
  const parameter = start === null ? startName : endName;
  return bothOrNone === "refused"
    ? [{ parameter, message: wording.together(start === null ? endName : startName) }]
    : [];
}

/** Completes bounds that were not sent; only bounds that were sent can be at fault. */
function completedFaults(rule: PeriodRule, days: number, accepted: Values, now: Date): Detail[] {
  const sent = [rule.start, rule.end].filter((name) => accepted[name] !== null);
  const end = String(accepted[rule.end] ?? now.toISOString().slice(0, 10));
  const start = String(accepted[rule.start] ?? daysBefore(end, days - 1));
  accepted[rule.end] = end;
  accepted[rule.start] = start;
  return boundFaults(rule, start, end, accepted, now).filter(({ parameter }) => sent.includes(parameter));
}

const FIRST_DAY_MS = Date.parse("0001-01-01");

/** The day so many days before, from year 1 on. */
const daysBefore = (day: string, days: number): string =>
  new Date(Math.max(Date.parse(day) - days * DAY_MS, FIRST_DAY_MS)).toISOString().slice(0, 10);

/** Whether the day so many days before is before year 1. */
const isBeforeYear1 = (day: string, days: number): boolean => Date.parse(day) - days * DAY_MS < FIRST_DAY_MS;

/** A range is empty if its minimum is above its maximum. */
function rangeFaults({ least, most }: RangeRule, accepted: Values, before: readonly Detail[]): Detail[] {
  const [from, to] = [accepted[least] ?? null, accepted[most] ?? null];
  if (from === null || to === null || Number(from) <= Number(to)) return [];
  if (before.some(({ parameter }) => parameter === least || parameter === most)) return [];
  return [least, most].map((parameter) => ({ parameter, message: wording.range(least, most) }));
}

function boundFaults(rule: PeriodRule, start: string, end: string, accepted: Values, now: Date): Detail[] {
  const both = [rule.start, rule.end];
  const { mostDays, compared } = rule;
  // The end of a period of instants is exclusive: if it equals the start, the period is empty.
  if (start > end || (start === end && !isDay(start)))
    return both.map((parameter) => ({ parameter, message: wording.order(rule.start, rule.end) }));
  const today = now.toISOString().slice(0, 10);
  if (rule.notFuture && end > today) {
    return both
      .filter((_, n) => (n === 0 ? start : end) > today)
      .map((parameter) => ({ parameter, message: wording.future }));
  }
  const days = (Date.parse(end) - Date.parse(start)) / DAY_MS;
  if (mostDays !== undefined && days > mostDays) {
    return both.map((parameter) => ({ parameter, message: wording.tooLong(mostDays) }));
  }
  const compare = comparisonOf(compared, accepted);
  if (isTooEarly(start, days + 1, compare)) {
    return both.map((parameter) => ({ parameter, message: wording.tooEarly }));
  }
  if (compare === "none" && typeof compared === "object" && compared.always) {
    return [{ parameter: compared.by, message: wording.nothingCompared }];
  }
  return [];
}

/** The comparison of a period; undefined without one, or if its days were sent. */
function comparisonOf(compared: PeriodRule["compared"], accepted: Values): string | undefined {
  if (typeof compared !== "object") return compared && "previous";
  const { by, unless } = compared;
  const isBounded = unless && (accepted[unless.start] ?? null) !== null && (accepted[unless.end] ?? null) !== null;
  return isBounded ? undefined : String(accepted[by]);
}

/** Whether the period that it is compared with would begin before year 1; `days` is its length. */
function isTooEarly(start: string, days: number, compare: string | undefined): boolean {
  switch (compare as Comparison) {
    case "previous":
      return isBeforeYear1(start, days);
    case "year":
      return start < "0002";
    case "weekdays":
      return isBeforeYear1(start, 364);
    default:
      return false;
  }
}

/** Sets the days that a preset names, ending today. */
function completePreset({ start, end, preset }: PeriodRule, accepted: Values, now: Date): void {
  const chosen = preset && String(accepted[preset.parameter]);
  // A rejected value may be the name of a property that every object has.
  const days = chosen && Object.hasOwn(preset.days, chosen) ? preset.days[chosen] : undefined;
  if (days === undefined) return;
  accepted[end] = now.toISOString().slice(0, 10);
  accepted[start] = new Date(now.getTime() - (days - 1) * DAY_MS).toISOString().slice(0, 10);
}
