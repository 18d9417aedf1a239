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
