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
 * the answer itself have none of their own, and changes have one in common.
 */
export function definitionsOf(
  section: string,
  fields: Fields,
  answer: unknown,
  currency?: string | null,
): Record<string, string> {
  const found: Record<string, string> = {};
  const known = new Set<string>();
  const walk = (within: Fields, value: unknown, path: string): void => {
    const sample = firstOf(value);
    if (sample === undefined) return;
    const members = Object.entries(within).filter(([name]) => Object.hasOwn(sample, name));
    if (members.length > 1 && members.every(([, field]) => isChange(field))) {
      found[under(section, `${path}.*`)] =
        `[percent] (value − value compared with) / value compared with × 100, of the figure of the same name`;
      return;
    }
    for (const [name, field] of members) {
      const at = under(path, name);
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

const isChange = ({ unit, description }: Field): boolean => unit === "percent" && description.startsWith("Change of ");

/** An object of the value: of a list the first element, of an object with data as keys its first value. */
function firstOf(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) return firstOf(value[0]);
  const object = value as Record<string, unknown>;
  const [key] = Object.keys(object);
  return key !== undefined && /^\d+$/.test(key) ? firstOf(object[key]) : object;
}
