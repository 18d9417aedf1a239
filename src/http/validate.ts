import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { Endpoint } from "../contract/endpoint.ts";
import { ApiError, type Detail } from "../contract/error.ts";
import {
  type Accepted,
  canonicalId,
  isSent,
  type Param,
  type PeriodRule,
  type RangeRule,
  UUID,
} from "../contract/param.ts";
import { nearest } from "../nearest.ts";
import { firstIn, firstOut, isDay, isInstant } from "./instant.ts";
import { wording } from "./messages.ts";

/** The parameters of a request, unparsed: a repeated one is a list. */
export type Sent = Readonly<Record<string, string | readonly string[] | undefined>>;

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

const ajv = new Ajv({ allErrors: true });
ajv.addFormat("without-nul", (value: string) => !value.includes("\0"));
ajv.addFormat("decimal", (value: string) => DECIMAL.test(value) && Number.isFinite(Number(value)));
ajv.addFormat("existing-day", (value: string) => isDay(value));
ajv.addFormat("day-or-instant", (value: string) => isDay(value) || isInstant(value));

function schemaOf(param: Param): object {
  switch (param.kind) {
    case "text":
      return {
        type: "string",
        format: "without-nul",
        ...(param.maxLength ? { maxLength: param.maxLength } : {}),
        ...(param.pattern ? { pattern: param.pattern } : {}),
      };
    case "uuid":
      return { type: "string", pattern: UUID.source };
    case "day":
      return { type: "string", format: "existing-day" };
    case "from":
    case "to":
      return { type: "string", format: "day-or-instant" };
    case "choice":
      return { type: "string", enum: param.anyCase ? param.of.flatMap((v) => [v, v.toLowerCase()]) : param.of };
    case "number":
      return { type: "string", format: "decimal" };
    case "flag":
      return { type: "string", enum: ["true", "false"] };
    case "list":
      return {
        type: "array",
        ...(param.most ? { maxItems: param.most } : {}),
        items: {
          type: "string",
          format: "without-nul",
          ...(param.of ? { enum: param.of } : {}),
          ...(param.maxLength ? { maxLength: param.maxLength } : {}),
        },
      };
    case "today":
    case "now":
    case "paging":
      return {};
  }
}

const validators = new WeakMap<Endpoint, ValidateFunction>();

/** The endpoint's parameters as one schema, compiled once. A value that is not a text was sent more than once. */
function validatorOf(endpoint: Endpoint): ValidateFunction {
  const kept = validators.get(endpoint);
  if (kept) return kept;
  const properties = Object.fromEntries(
    Object.entries(endpoint.params)
      .filter(([, param]) => isSent(param))
      .map(([name, param]) => [name, schemaOf(param)]),
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
export function validate(endpoint: Endpoint, sent: Sent, now: Date): Accepted {
  const values = present(endpoint, sent);
  const validator = validatorOf(endpoint);
  const details = validator(values) ? [] : distinct((validator.errors ?? []).map((error) => detailOf(endpoint, error)));
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
function setClock(endpoint: Endpoint, accepted: Values, now: Date): void {
  for (const [name, { kind }] of Object.entries(endpoint.params)) {
    if (kind === "today") accepted[name] = now.toISOString().slice(0, 10);
    if (kind === "now") Object.defineProperty(accepted, name, { value: now.toISOString(), enumerable: false });
  }
}

/** The values that are not blank. The object has no prototype, since a parameter may have any name. */
function present(endpoint: Endpoint, sent: Sent): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(sent)) {
    const param = Object.hasOwn(endpoint.params, name) ? endpoint.params[name] : undefined;
    if (param?.kind === "list") values[name] = parts(value ?? "");
    else if (param?.kind === "choice" && param.anyCase && typeof value === "string" && value)
      values[name] = value.toUpperCase();
    else if (value !== undefined && value !== "") values[name] = value;
  }
  for (const [name, param] of Object.entries(endpoint.params)) {
    if (param.kind === "list" && param.including) include(values, name, param.including, param.maxLength);
  }
  return values;
}

/** The distinct parts of a list. */
function parts(value: string | readonly string[]): string[] {
  const all = [value].flat().flatMap((text) => text.split(","));
  return [...new Set(all.map((part) => part.trim()).filter((part) => part !== ""))];
}

/** Adds the single value to the list, unless it is invalid by itself. */
function include(values: Record<string, unknown>, list: string, single: string, maxLength = Infinity): void {
  const value = values[single];
  if (typeof value !== "string" || [...value].length > maxLength || value.includes("\0")) return;
  values[list] = parts([...((values[list] as string[] | undefined) ?? []), value]);
}

function detailOf(endpoint: Endpoint, error: ErrorObject): Detail {
  if (error.keyword === "required") {
    const parameter = String(error.params.missingProperty);
    return { parameter, message: wording.missing(parameter) };
  }
  if (error.keyword === "additionalProperties") {
    const parameter = String(error.params.additionalProperty);
    const known = Object.keys(endpoint.params).filter((name) => endpoint.params[name] && isSent(endpoint.params[name]));
    return { parameter, message: wording.unknown(nearest(parameter, known)) };
  }
  // For a list, the path continues with the part.
  const parameter = (error.instancePath.split("/")[1] ?? "").replaceAll("~1", "/").replaceAll("~0", "~");
  const param = endpoint.params[parameter];
  if (error.keyword === "type" || !param) return { parameter, message: wording.repeated };
  return { parameter, message: wording.rule(param, error.keyword) };
}

/** Keeps the first detail of each parameter. */
function distinct(details: readonly Detail[]): Detail[] {
  return details.filter(({ parameter }, n) => details.findIndex((other) => other.parameter === parameter) === n);
}

function acceptedValue(param: Param, value: unknown): string | number | null {
  if (param.kind === "paging") return clamp(value, param);
  if (param.kind === "list") return Array.isArray(value) && value.length > 0 ? value.join(",") : null;
  if (typeof value !== "string") return "fallback" in param ? (param.fallback ?? null) : null;
  if (param.kind === "from") return firstIn(value);
  if (param.kind === "number") return String(Number(value));
  if (param.kind === "uuid") return canonicalId(value);
  return param.kind === "to" ? firstOut(value) : value;
}

/** Never an error: a value that is not a number becomes the fallback, others are rounded down and clamped. */
function clamp(value: unknown, { least, most, fallback }: { least: number; most: number; fallback: number }): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
  return Number.isNaN(number) ? fallback : Math.min(most, Math.max(least, Math.floor(number)));
}

type Values = Record<string, string | number | null>;

/** The faults of a period. Completes it where the rule says so: drops a lone bound, or sets both from a preset. */
function periodFaults(rule: PeriodRule, accepted: Values, before: readonly Detail[], now: Date): Detail[] {
  const { start: startName, end: endName, bothOrNone } = rule;
  if (before.some(({ parameter }) => parameter === startName || parameter === endName)) return [];
  if (rule.days !== undefined) return completedFaults(rule, rule.days, accepted, now);
  const start = accepted[startName] ?? null;
  const end = accepted[endName] ?? null;
  if (start !== null && end !== null) return boundFaults(rule, String(start), String(end), now);
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
  return boundFaults(rule, start, end, now).filter(({ parameter }) => sent.includes(parameter));
}

const daysBefore = (day: string, days: number): string =>
  new Date(Math.max(Date.parse(day) - days * 86_400_000, Date.parse("0001-01-01"))).toISOString().slice(0, 10);

/** A range is empty if its minimum is above its maximum. */
function rangeFaults({ least, most }: RangeRule, accepted: Values, before: readonly Detail[]): Detail[] {
  const [from, to] = [accepted[least] ?? null, accepted[most] ?? null];
  if (from === null || to === null || Number(from) <= Number(to)) return [];
  if (before.some(({ parameter }) => parameter === least || parameter === most)) return [];
  return [least, most].map((parameter) => ({ parameter, message: wording.range(least, most) }));
}

function boundFaults(rule: PeriodRule, start: string, end: string, now: Date): Detail[] {
  const both = [rule.start, rule.end];
  const { mostDays } = rule;
  // The end of a period of instants is exclusive: if it equals the start, the period is empty.
  if (start > end || (start === end && !isDay(start)))
    return both.map((parameter) => ({ parameter, message: wording.order(rule.start, rule.end) }));
  const today = now.toISOString().slice(0, 10);
  if (rule.notFuture && end > today) {
    return both
      .filter((_, n) => (n === 0 ? start : end) > today)
      .map((parameter) => ({ parameter, message: wording.future }));
  }
  const days = (Date.parse(end) - Date.parse(start)) / 86_400_000;
  if (mostDays !== undefined && days > mostDays) {
    return both.map((parameter) => ({ parameter, message: wording.tooLong(mostDays) }));
  }
  if (rule.compared && Date.parse(start) - (days + 1) * 86_400_000 < Date.parse("0001-01-01")) {
    return both.map((parameter) => ({ parameter, message: wording.tooEarly }));
  }
  return [];
}

/** Sets the days that a preset names, ending today. */
function completePreset({ start, end, preset }: PeriodRule, accepted: Values, now: Date): void {
  const chosen = preset && String(accepted[preset.parameter]);
  // A rejected value may be the name of a property that every object has.
  const days = chosen && Object.hasOwn(preset.days, chosen) ? preset.days[chosen] : undefined;
  if (days === undefined) return;
  accepted[end] = now.toISOString().slice(0, 10);
  accepted[start] = new Date(now.getTime() - (days - 1) * 86_400_000).toISOString().slice(0, 10);
}
