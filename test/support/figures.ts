import { answerFields } from "../../src/core/contract/answer.ts";
import type { Fields, Unit } from "../../src/core/contract/field.ts";
import { endpointAt } from "../../src/core/endpoints/index.ts";

const TEXTS = ["flag", "text", "texts", "day", "instant", "null", "values"];

const inside = (unit: Unit): Fields | undefined => {
  if (typeof unit !== "object") return undefined;
  if ("object" in unit) return unit.object;
  if ("array" in unit) return unit.array;
  if ("keyed" in unit) return unit.keyed;
  return "either" in unit ? unit.either[0] : undefined;
};

/** The figures of an answer, by their paths in it: of each list and object with data as keys the first and the last. */
export function figuresOf(address: string, body: object, isWhole = false): Map<string, number | null> {
  const endpoint = endpointAt(address);
  if (!endpoint) throw new Error(`no endpoint at ${address}`);
  const found = new Map<string, number | null>();
  const walk = (fields: Fields, value: object, above: string): void => {
    for (const [name, { unit }] of Object.entries(fields)) {
      if (!Object.hasOwn(value, name)) continue;
      const member = (value as Record<string, unknown>)[name];
      const path = `${above}${name}`;
      const members = inside(unit);
      if (!members) {
        if (typeof unit === "string" && !TEXTS.includes(unit)) found.set(path, member as number | null);
      } else if (typeof unit === "object" && ("array" in unit || "keyed" in unit)) {
        const keys = Object.keys(member ?? {});
        const chosen = isWhole ? keys : [...new Set([...keys.slice(0, 1), ...keys.slice(-1)])];
        for (const key of chosen) walk(members, (member as Record<string, object>)[key] ?? {}, `${path}.${key}.`);
      } else if (member !== null) {
        walk(members, member as object, `${path}.`);
      }
    }
  };
  walk(answerFields(endpoint), body, "");
  return found;
}

/** The value at a path of an answer. */
export const valueAt = (body: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((value, step) => (value as Record<string, unknown> | null | undefined)?.[step], body);
