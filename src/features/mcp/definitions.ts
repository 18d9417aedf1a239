import { type Field, type Fields, isNumber, membersOf } from "../../core/contract/field.ts";
import { under } from "./sections.ts";

/** A formula that is longer is left to `describe_metrics`. */
const LONGEST_FORMULA = 160;

/** The unit as an agent reads it: amounts are in the organization's currency. */
export const unitOf = ({ unit }: Field, currency?: string | null): string =>
  unit === "currency" && currency ? currency : String(unit);

/** The unit, the meaning, the formula and the null rule of a figure, in a line. */
export function definition(field: Field, currency?: string | null): string {
  const { description, formula, nullWhen } = field;
  const shown = formula && formula.length <= LONGEST_FORMULA ? ` = ${formula}.` : "";
  return `[${unitOf(field, currency)}] ${description}${shown}${nullWhen ? ` Null: ${nullWhen}.` : ""}`;
}

/**
 * The definitions of the figures that an answer carries, by path. The figures of an object that have the meaning of those of
 * the answer itself have none of their own, changes have one in common, and so have figures of neighboring objects whose
 * definitions differ only in the names of these.
 */
export function definitionsOf(
  section: string,
  fields: Fields,
  answer: unknown,
  currency?: string | null,
): Record<string, string> {
  const found: Record<string, string> = {};
  const known = new Set<string>();
  const inCommon = new Set<string>();
  const walk = (within: Fields, value: unknown, path: string): void => {
    const sample = firstOf(value);
    if (sample === undefined) return;
    const members = Object.entries(within).filter(([name]) => Object.hasOwn(sample, name));
    if (members.length > 1 && members.every(([, field]) => isChange(field))) {
      found[under(section, `${path}.*`)] =
        `[percent] (value − value compared with) / value compared with × 100, of the figure of the same name`;
      return;
    }
    for (const [figure, text] of commonOf(members, currency)) {
      found[under(section, under(path, `*.${figure}`))] = text;
      for (const [name] of members) inCommon.add(`${under(path, name)}.${figure}`);
    }
    for (const [name, field] of members) {
      const at = under(path, name);
      if (inCommon.has(at)) continue;
      if (isNumber(field)) {
        const text = definition(field, currency);
        if (known.has(`${name} ${text}`)) continue;
        known.add(`${name} ${text}`);
        found[under(section, at)] = text;
      } else {
        const inner = membersOf(field.unit);
        if (inner) walk(inner, sample[name], at);
      }
    }
  };
  walk(fields, answer, "");
  return found;
}

/** The figures that several objects have, with what is said of them in each but for the object's own name. */
function commonOf(members: readonly (readonly [string, Field])[], currency?: string | null): [string, string][] {
  const objects = members.flatMap(([name, { unit }]) => {
    const inner = typeof unit === "object" && "object" in unit ? unit.object : undefined;
    return inner ? [{ name, inner }] : [];
  });
  const [first] = objects;
  if (!first || objects.length < 2) return [];
  const textIn = ({ name, inner }: (typeof objects)[number], figure: string): string | undefined => {
    const field = inner[figure];
    return field && isNumber(field) ? definition(field, currency).replaceAll(name, "*") : undefined;
  };
  return Object.keys(first.inner).flatMap((figure): [string, string][] => {
    const text = textIn(first, figure);
    return text !== undefined && objects.every((one) => textIn(one, figure) === text) ? [[figure, text]] : [];
  });
}

const isChange = ({ unit, description }: Field): boolean => unit === "percent" && description.startsWith("Change of ");

/** An object of the value: of a list the first element, of an object with data as keys its first value. */
function firstOf(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) return firstOf(value[0]);
  const object = value as Record<string, unknown>;
  const [key] = Object.keys(object);
  return key !== undefined && /^\d+$/.test(key) ? firstOf(object[key]) : object;
}
