/** What can go wrong with a request. No status and no wording here: `http/messages.ts` gives both. */
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
  | "tooLarge"
  | "timeout";

/** One wrong parameter: which, and which of its rules. */
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

/** A failure the operator can mend: told in one line, without a stack. */
export class OperatorError extends Error {}

/** A full disk, one that cannot be written, too many open files: no input is to blame, and trying it in parts is no use. */
export function isOfTheMachine({ code = "", message }: NodeJS.ErrnoException): boolean {
  return (
    ["ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EIO", "EMFILE", "ENFILE", "EACCES", "EPERM"].includes(code) ||
    /No space left|File too large|Read-only file system|Too many open files|Input\/output error/.test(message)
  );
}

/** A query needed more than the engine's memory limit lets it have, and could not spill. Other queries share the limit. */
export const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && /^Out of Memory Error/.test(error.message);

/** Why something failed, for the operator. The engine's own advice on memory names settings that an operator cannot reach. */
export function failureText(error: unknown): string {
  const { message } = error as Error;
  if (!isOutOfMemory(error)) return message;
  return /max_temp_directory_size/.test(message)
    ? "out of memory, and the disk that takes what does not fit is full: free some of it, or set LUCRA_MEMORY_LIMIT higher"
    : "out of memory: more is needed than LUCRA_MEMORY_LIMIT allows; set it higher";
}
