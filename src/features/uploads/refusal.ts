/** Why a request about a file is refused. */
export type RefusalKind =
  /** There is no such file, integration or export. */
  | "unknown"
  /** A name, a number or a body that is none. */
  | "invalid"
  /** The file, or a piece, is larger than is taken. */
  | "tooLarge"
  /** Too many files, or bytes, wait. */
  | "tooMany"
  /** The disk has no room for more. */
  | "noRoom"
  /** The piece does not begin where the file broke off. */
  | "offset"
  /** The piece differs from what was received. */
  | "differs"
  /** It is not in a state in which this can be done. */
  | "state"
  /** Somebody looked at it in another way meanwhile. */
  | "look"
  /** The look showed nothing that could land. */
  | "notReady";

export class UploadRefusal extends Error {
  readonly kind: RefusalKind;
  /** What the page needs to go on. */
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(kind: RefusalKind, facts: Readonly<Record<string, unknown>> = {}) {
    super(kind);
    this.kind = kind;
    this.facts = facts;
  }
}
