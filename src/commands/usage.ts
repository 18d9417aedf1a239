import { OperatorError } from "../contract/error.ts";

/** The command was called wrongly: told in one line, with an exit status of its own [D49]. */
export class UsageError extends OperatorError {}

/** An option that may be repeated. */
export const many = (value: string, before: string[] = []): string[] => [...before, value];
