import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import addFormatsModule from "ajv-formats";
import type { Endpoint } from "../contract/endpoint.ts";
import { ApiError, type Detail } from "../contract/error.ts";
import type { Accepted, Param, PeriodRule } from "../contract/param.ts";
import { nearest } from "../nearest.ts";
import { wording } from "./messages.ts";

/** A request's parameters as they came: a repeated one is a list. */
export type Sent = Readonly<Record<string, string | readonly string[] | undefined>>;

const ajv = new Ajv({ allErrors: true });
addFormatsModule.default(ajv);
ajv.addFormat("existing-day", (value: string) => isDay(value));
ajv.addFormat("day-or-instant", (value: string) => isDay(value) || instantOf(value) !== undefined);

function schemaOf(param: Param): object {
  switch (param.kind) {
    case "text":
      return {
        type: "string",
        ...(param.maxLength ? { maxLength: param.maxLength } : {}),
        ...(param.pattern ? { pattern: param.pattern } : {}),
      };
    case "uuid":
      return { type: "string", format: "uuid" };
    case "day":
      return { type: "string", format: "existing-day" };
    case "from":
    case "to":
      return { type: "string", format: "day-or-instant" };
    case "choice":
      return { type: "string", enum: param.anyCase ? param.of.flatMap((v) => [v, v.toLowerCase()]) : param.of };
    case "paging":
      return {};
  }
}

const validators = new WeakMap<Endpoint, ValidateFunction>();

/** The endpoint's parameters as one schema, compiled once; a value that is no text was sent more than once. */
function validatorOf(endpoint: Endpoint): ValidateFunction {
  const kept = validators.get(endpoint);
  if (kept) return kept;
  const properties = Object.fromEntries(
    Object.entries(endpoint.params).map(([name, param]) => [name, schemaOf(param)]),
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
  if (details.length > 0) throw new ApiError("invalid", details);
  return accepted;
}

/** What was sent and is not blank, without a prototype: a parameter may have any name. */
function present(endpoint: Endpoint, sent: Sent): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(sent)) {
    const param = Object.hasOwn(endpoint.params, name) ? endpoint.params[name] : undefined;
    if (param?.kind === "choice" && param.anyCase && typeof value === "string" && value)
      values[name] = value.toUpperCase();
    else if (value !== undefined && value !== "") values[name] = value;
  }
  return values;
}

function detailOf(endpoint: Endpoint, error: ErrorObject): Detail {
  if (error.keyword === "required") {
    const parameter = String(error.params.missingProperty);
    return { parameter, message: wording.missing(parameter) };
  }
  if (error.keyword === "additionalProperties") {
    const parameter = String(error.params.additionalProperty);
    return { parameter, message: wording.unknown(nearest(parameter, Object.keys(endpoint.params))) };
  }
  const parameter = error.instancePath.slice(1).replaceAll("~1", "/").replaceAll("~0", "~");
  const param = endpoint.params[parameter];
  if (error.keyword === "type" || !param) return { parameter, message: wording.repeated };
  return { parameter, message: wording.rule(param) };
}

/** One detail a parameter: the first says enough. */
function distinct(details: readonly Detail[]): Detail[] {
  return details.filter(({ parameter }, n) => details.findIndex((other) => other.parameter === parameter) === n);
}

function acceptedValue(param: Param, value: unknown): string | number | null {
  if (param.kind === "paging") return clamp(value, param);
  if (typeof value !== "string") return "fallback" in param ? (param.fallback ?? null) : null;
  if (param.kind === "from") return firstIn(value);
  return param.kind === "to" ? firstOut(value) : value;
}

/** Never an error: not a number becomes the fallback, the rest is rounded down and kept within bounds. */
function clamp(value: unknown, { least, most, fallback }: { least: number; most: number; fallback: number }): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
  return Number.isNaN(number) ? fallback : Math.min(most, Math.max(least, Math.floor(number)));
}

type Values = Record<string, string | number | null>;

/** What is wrong with a period. Where the rule says so it is completed: both bounds or none, or a preset one. */
function periodFaults(rule: PeriodRule, accepted: Values, before: readonly Detail[], now: Date): Detail[] {
  const { start: startName, end: endName, bothOrNone } = rule;
  if (before.some(({ parameter }) => parameter === startName || parameter === endName)) return [];
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

function boundFaults(rule: PeriodRule, start: string, end: string, now: Date): Detail[] {
  const both = [rule.start, rule.end];
  if (start > end) return both.map((parameter) => ({ parameter, message: wording.order(rule.start, rule.end) }));
  const today = now.toISOString().slice(0, 10);
  if (rule.notFuture && end > today) {
    return both
      .filter((_, n) => (n === 0 ? start : end) > today)
      .map((parameter) => ({ parameter, message: wording.future }));
  }
  const days = (Date.parse(end) - Date.parse(start)) / 86_400_000;
  if (rule.mostDays !== undefined && days > rule.mostDays) {
    return both.map((parameter) => ({ parameter, message: wording.tooLong(rule.mostDays ?? 0) }));
  }
  return [];
}

/** The days that a preset names, today being the last of them. */
function completePreset({ start, end, preset }: PeriodRule, accepted: Values, now: Date): void {
  const days = preset?.days[String(accepted[preset.parameter])];
  if (days === undefined) return;
  accepted[end] = now.toISOString().slice(0, 10);
  accepted[start] = new Date(now.getTime() - (days - 1) * 86_400_000).toISOString().slice(0, 10);
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s*([Zz]|[+-]\d{2}:?\d{2})?$/;

function isDay(value: string): boolean {
  if (!DAY.test(value)) return false;
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value) && value >= "0001-01-01";
}

/** Microseconds since 1970 of an ISO 8601 instant; without an offset it is UTC. */
function instantOf(value: string): bigint | undefined {
  const parts = INSTANT.exec(value);
  if (!parts) return undefined;
  const [, day = "", hour = "", minute = "", second = "00", fraction = "", offset = "Z"] = parts;
  if (!isDay(day) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const zone = offset.toUpperCase() === "Z" ? "Z" : `${offset.slice(0, 3)}:${offset.slice(-2)}`;
  const time = Date.parse(`${day}T${hour}:${minute}:${second}${zone}`);
  if (Number.isNaN(time)) return undefined;
  return BigInt(time) * 1000n + BigInt(fraction.padEnd(6, "0").slice(0, 6));
}

function instantText(microseconds: bigint): string {
  const milliseconds = microseconds / 1000n - (microseconds % 1000n < 0n ? 1n : 0n);
  const rest = microseconds - milliseconds * 1000n;
  return new Date(Number(milliseconds)).toISOString().replace("Z", `${String(rest).padStart(3, "0")}Z`);
}

function firstIn(value: string): string | null {
  if (isDay(value)) return `${value}T00:00:00.000000Z`;
  const instant = instantOf(value);
  return instant === undefined ? null : instantText(instant);
}

function firstOut(value: string): string | null {
  if (isDay(value)) return instantText(BigInt(Date.parse(`${value}T00:00:00Z`) + 86_400_000) * 1000n);
  const instant = instantOf(value);
  return instant === undefined ? null : instantText(instant + 1n);
}
