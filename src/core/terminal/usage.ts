import { OperatorError } from "../contract/error.ts";

/** Wrong usage of a command: printed in one line, with its own exit status [D49]. */
export class UsageError extends OperatorError {}

/** Whether an output was closed by its reader, such as `head`. */
export const isClosed = ({ code }: NodeJS.ErrnoException): boolean =>
  code === "EPIPE" || code === "ERR_STREAM_DESTROYED";

/** An option that may be repeated. */
export const many = (value: string, before: string[] = []): string[] => [...before, value];

/** An option that may be given only once: of two values, the first would be lost silently. */
export function once(value: string, before: string | undefined): string {
  if (before !== undefined) throw new UsageError(`${before} and ${value}: the option takes one of them`);
  return value;
}
