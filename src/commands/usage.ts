import { OperatorError } from "../contract/error.ts";
import { canonicalId } from "../contract/param.ts";

/** Wrong usage of a command: printed in one line, with its own exit status [D49]. */
export class UsageError extends OperatorError {}

/** An option that may be repeated. */
export const many = (value: string, before: string[] = []): string[] => [...before, value];

/** Ids, in capitals or not. */
export const manyIds = (value: string, before: string[] = []): string[] => many(canonicalId(value), before);
export const onceId = (value: string, before: string | undefined): string => once(canonicalId(value), before);

/** An option that may be given only once: of two values, the first would be lost silently. */
export function once(value: string, before: string | undefined): string {
  if (before !== undefined) throw new UsageError(`${before} and ${value}: the option takes one of them`);
  return value;
}
