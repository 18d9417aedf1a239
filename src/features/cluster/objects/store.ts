import { OperatorError } from "../../../core/contract/error.ts";

/** An object of the storage, and the tag of its content. */
export interface Got {
  readonly body: Buffer;
  readonly etag: string;
}

export interface Listed {
  readonly key: string;
  readonly etag: string;
  readonly bytes: number;
  /** By the clock of the storage, in milliseconds. */
  readonly modified: number;
}

/** Conditions of a write: the object still has this tag, or does not exist. */
export type Condition = { readonly match: string } | "new";

/**
 * Objects by key, as S3 has them: written whole or not at all, and seen by every reader as soon as the write has ended.
 * Every method fails with a `StoreError` if the storage does not answer.
 */
export interface ObjectStore {
  /** Undefined if there is no object; "same" if it still has the tag. */
  get(key: string, etag?: string): Promise<Got | "same" | undefined>;
  /** Writes the object into a new file; returns the SHA-256 of what came; undefined if there is no object. */
  download(key: string, file: string): Promise<string | undefined>;
  /** Returns the tag; undefined if the condition does not hold. */
  put(key: string, body: string, condition?: Condition): Promise<string | undefined>;
  /** `sha256`: of the file; the storage refuses other content. */
  upload(key: string, file: string, sha256: string): Promise<void>;
  list(prefix: string): Promise<Listed[]>;
  remove(key: string): Promise<void>;
  close(): Promise<void>;
}

/** The storage does not answer, or refuses what it is asked. */
export class StoreError extends OperatorError {
  /** Undefined if there was no answer. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}
