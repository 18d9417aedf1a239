import type { Integration } from "../../src/core/contract/settings.ts";

/** A value as a reader finds it: a text, null for none, or a condition where several are right. */
export type Value = string | null | ((landed: string | null) => boolean);

/** A row of a file, as a reader finds it. */
export interface Found {
  readonly key: string;
  readonly values: Readonly<Record<string, Value>>;
  /** Whether the row is intact: then it has to land, unless the file is refused. */
  readonly isIntact: boolean;
  /** Whether it must not land, because what belongs to it is damaged. */
  readonly isBroken?: boolean;
}

/** The content of a file, as a reader finds it. */
export interface FoundRows {
  readonly rows: readonly Found[];
  /** How many lines have to land or to be rejected; absent if lines are not rows. */
  readonly lines?: number;
}

/** The files that belong together, by their names below the record's folder. The first has the rows, the others their parts. */
export type FileSet = Readonly<Record<string, Buffer>>;

export type Random = () => number;

/** One kind of file: what writes it, and how it is read without Lucra. */
export interface Kind {
  readonly name: string;
  /** `socialads/campaigns`. */
  readonly record: string;
  readonly settings?: Partial<Integration>;
  /** Valid files. `number` is different for each call. */
  make(random: Random, number: number): FileSet | Promise<FileSet>;
  /** The rows of these files after damage; undefined if nothing of them may land. `made`: before the damage. */
  read(files: FileSet, made: FileSet): FoundRows | undefined | Promise<FoundRows | undefined>;
  /** SQL of the key and of the values of a landed row. */
  readonly key: string;
  readonly values: Readonly<Record<string, string>>;
}

export const upTo = (random: Random, most: number): number => Math.floor(random() * most);
export const digits = (random: Random, count: number): string =>
  `${1 + upTo(random, 9)}${Array.from({ length: count - 1 }, () => upTo(random, 10)).join("")}`;

/** Characters that no text of a vendor has. */
export const CONTROL = /[\p{Cc}\ufffd]/u;

/** Whether a text is the code of another currency than the organization's: such a row is rejected. */
export const isForeign = (text: unknown): boolean =>
  typeof text === "string" && /^\s*[a-z]{3}\s*$/i.test(text) && text.trim().toUpperCase() !== "BRL";
