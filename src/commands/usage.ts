import { OperatorError } from "../contract/error.ts";
import { canonicalId } from "../contract/param.ts";

/** The command was called wrongly: told in one line, with an exit status of its own [D49]. */
export class UsageError extends OperatorError {}

/** An option that may be repeated. */
export const many = (value: string, before: string[] = []): string[] => [...before, value];

/** Ids, in capitals or not. */
export const manyIds = (value: string, before: string[] = []): string[] => many(canonicalId(value), before);
export const onceId = (value: string, before: string | undefined): string => once(canonicalId(value), before);

/** An option that is given once: of two values the first would be lost without a word. */
export function once(value: string, before: string | undefined): string {
  if (before !== undefined) throw new UsageError(`${before} and ${value}: the option takes one of them`);
  return value;
}
