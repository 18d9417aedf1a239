/** The kinds of failed requests. `failures.ts` has their status and wording. */
export type ApiErrorKind =
  | "invalid"
  | "unauthorized"
  | "forbidden"
  | "notFound"
  | "methodNotAllowed"
  | "notAcceptable"
  | "doesNotFit"
  | "tooMany"
  | "tooManyFailures"
  | "busy"
  | "damaged"
  | "underived"
  | "stateUnderived"
  | "stateBusy"
  | "stateElsewhere"
  | "stateFailed"
  | "storage"
  | "full"
  | "computing"
  | "tooLarge"
  | "timeout";

/** One wrong parameter, and the rule that it violates. */
export interface Detail {
  readonly parameter: string;
  readonly message: string;
}

export class ApiError extends Error {
  readonly kind: ApiErrorKind;
  readonly details: readonly Detail[];

  constructor(kind: ApiErrorKind, details: readonly Detail[] = []) {
    super(kind);
    this.kind = kind;
    this.details = details;
  }
}

/** The kinds of failures of a client's query. */
export type QueryFailure =
  /** It is no query that reads the organization's relations. */
  | "refused"
  /** The engine cannot run it: a wrong name, a value that cannot be cast. */
  | "failed"
  | "memory"
  | "timeout"
  /** One row is larger than a result may be. */
  | "size";

/** A foreign query has no result. The message is for its author, who can act on it; it contains no paths. */
export class QueryError extends Error {
  readonly kind: QueryFailure;

  constructor(kind: QueryFailure, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** A failure that the operator can fix: printed in one line, without a stack. */
export class OperatorError extends Error {}

/** A full or read-only disk, or too many open files: the input is not the cause, and smaller parts would fail too. */
export function isOfTheMachine({ code = "", message }: NodeJS.ErrnoException): boolean {
  return (
    ["ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EIO", "EMFILE", "ENFILE", "EACCES", "EPERM"].includes(code) ||
    /No space left|File too large|Read-only file system|Too many open files|Input\/output error/.test(message)
  );
}

/** No room for a file that is written: a smaller one may still fit. */
export const isOutOfSpace = ({ code = "", message }: NodeJS.ErrnoException): boolean =>
  ["ENOSPC", "EDQUOT", "EFBIG"].includes(code) || /No space left|File too large|Disk quota exceeded/.test(message);

/** After such an error the engine may refuse every further statement. */
export const isOfBrokenEngine = (error: unknown): boolean =>
  error instanceof Error && /^(INTERNAL|FATAL) Error/.test(error.message);

/** A query exceeded the engine's memory limit and could not spill. The queries of an engine share its limit. */
export const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && /^Out of Memory Error/.test(error.message);

/** The same, and not because the disk that takes what does not fit is full. */
export const isOverMemoryLimit = (error: unknown): boolean => isOutOfMemory(error) && !isSpillDiskFull(error as Error);

const isSpillDiskFull = ({ message }: Error): boolean => /max_temp_directory_size/.test(message);

/** The operator's error text. The engine's own advice on memory names settings that an operator cannot change. */
export function failureText(error: unknown): string {
  const { message } = error as Error;
  if (!isOutOfMemory(error)) return message;
  return isSpillDiskFull(error as Error)
    ? "out of memory, and the disk that takes what does not fit is full: free some of it, or set LUCRA_MEMORY_LIMIT higher"
    : "out of memory: more is needed than LUCRA_MEMORY_LIMIT allows; set it higher";
}
