import { isNumber } from "../../core/contract/field.ts";
import { type Found, follow, isObject, type Level } from "./tree.ts";

/** A figure that a formula names. */
export interface Input extends Found {
  /** As the formula names it, completed to a path from the row or the answer. */
  readonly figure: string;
}

/** The operands of a formula: what is between operators, brackets and clauses. */
export const operandsIn = (formula: string): string[] =>
  formula.split(/\s[+×/−≥=]\s|[(),;]|\s[+−]/).map((operand) => operand.trim());

const NAME = /^[A-Za-z]\w*(\.\w+)*$/;

/**
 * The figures that the formula of a figure names: members of its own object, then of those around it. An object is
 * named for its member `value`. `base`: how many steps of a path lead to the row.
 */
export function inputsOf(found: Found, base: number): Input[] {
  const inputs = new Map<string, Input>();
  for (const name of operandsIn(found.field.formula ?? "")) {
    const input = NAME.test(name) ? resolved(name, found) : undefined;
    if (!input) continue;
    const inRow =
      base > 0 && input.path.length > base && input.path.slice(0, base).join() === found.path.slice(0, base).join();
    const figure = input.path.slice(inRow ? base : 0).join(".");
    inputs.set(figure, { ...input, figure });
  }
  return [...inputs.values()];
}

function resolved(name: string, found: Found): Found | undefined {
  for (const level of found.levels.toReversed()) {
    const input = numberAt(level, name.split("."));
    if (input && input.path.join(".") !== found.path.join(".")) {
      return { ...input, levels: [...found.levels.slice(0, found.levels.indexOf(level)), ...input.levels] };
    }
  }
  return undefined;
}

function numberAt(level: Level, path: readonly string[]): Found | undefined {
  const input = follow(level, path);
  if (input && isObject(input.value)) return numberAt(level, [...path, "value"]);
  return input && isNumber(input.field) ? input : undefined;
}
