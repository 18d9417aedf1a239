import { type Field, type Fields, isMany, isNumber, membersOf } from "../../core/contract/field.ts";

/** A declared field and its value in an answer. */
export interface Node {
  readonly field: Field;
  readonly value: unknown;
}

/** A value on the way to a figure, with the fields that it declares; `at`: its path in the answer. */
export interface Level {
  readonly at: readonly string[];
  readonly fields: Fields;
  readonly value: Readonly<Record<string, unknown>>;
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const own = (value: object, name: string): unknown =>
  Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;

/** The member of a level; undefined if the answer does not have it. */
export function memberOf({ fields, value }: Level, name: string): Node | undefined {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  const member = own(value, name);
  return field && member !== undefined ? { field, value: member } : undefined;
}

/** A figure of an answer, and the levels that lead to it from the outermost. */
export interface Found extends Node {
  readonly path: readonly string[];
  readonly levels: readonly Level[];
}

/** The value at the end of a path; undefined if the answer has none. */
export function follow(from: Level, path: readonly string[]): Found | undefined {
  const levels: Level[] = [from];
  let level = from;
  for (let step = 0; step < path.length; step++) {
    const found = memberOf(level, path[step] ?? "");
    if (!found) return undefined;
    let { value } = found;
    if (isMany(found.field) && step + 1 < path.length) {
      step += 1;
      const key = path[step] ?? "";
      if (typeof value !== "object" || value === null) return undefined;
      if (Array.isArray(value) && !/^(0|[1-9]\d{0,8})$/.test(key)) return undefined;
      value = own(value, key);
    } else if (step + 1 === path.length) {
      return { ...found, path: [...from.at, ...path], levels };
    }
    const fields = membersOf(found.field.unit);
    if (!fields || !isObject(value)) return undefined;
    level = { at: [...from.at, ...path.slice(0, step + 1)], fields, value };
    levels.push(level);
  }
  return undefined;
}

/** The paths of all declared numbers, with `{…}` for numbers and keys. */
export function figuresIn(fields: Fields, above = ""): string[] {
  return Object.entries(fields).flatMap(([name, field]): string[] => {
    if (isNumber(field)) return [above + name];
    const members = membersOf(field.unit);
    if (!members) return [];
    const { unit } = field;
    const key = typeof unit === "object" && "keyed" in unit ? Object.keys(unit.key)[0] : "n";
    return figuresIn(members, `${above}${name}.${isMany(field) ? `{${key}}.` : ""}`);
  });
}

/** The lists in an answer's declaration, by their paths. */
export function tablesIn(fields: Fields, above = ""): [path: string, fields: Fields][] {
  return Object.entries(fields).flatMap(([name, field]): [string, Fields][] => {
    const members = membersOf(field.unit);
    if (!members) return [];
    if (!isMany(field)) return tablesIn(members, `${above}${name}.`);
    return isList(field) ? [[above + name, members]] : [];
  });
}

const isList = ({ unit }: Field): boolean => typeof unit === "object" && "array" in unit;
