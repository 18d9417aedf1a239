/**
 * The streams of a record: how a tool or a download spreads the vendor's object over several tables. A tree says how
 * their rows join to the object again; the vendor's mapping then reads it like any other export.
 *
 * Columns are named as the tool writes them; `a|b` is b where a is absent, and `a.b` a member. Paths are the vendor's.
 */
export interface Stream {
  /** The name of the table or stream, as the tool writes it. */
  readonly name: string;
  /** Other names that the tool gives it, such as those of older versions. */
  readonly aliases?: readonly string[];
  /** Whether users name such streams themselves: a file with the columns of the signature is one of them. */
  readonly custom?: boolean;
  /** Streams that list the deleted rows of this one. */
  readonly tombstones?: readonly string[];
  /** The columns of the row's own key. Rows of one key are versions of one row; absent: each row counts. */
  readonly key?: readonly string[];
  /** The vendor's paths of columns that have another name: `{ id: "campaign.id" }`. */
  readonly rename?: Readonly<Record<string, string>>;
  /** Only these columns are read, as these paths: the others are members of an object of its own. */
  readonly take?: Readonly<Record<string, string>>;
  /** Rows that are members: their names in one column, their values in another. */
  readonly members?: {
    readonly name: string;
    readonly value: string;
    readonly paths: Readonly<Record<string, string>>;
  };
  /** Only rows with this value count; the others are rows of the stream `others` of the same set, if it is given. */
  readonly only?: { readonly column: string; readonly value: string; readonly others?: string };
  /** A column that is true in a row that no longer counts. */
  readonly deleted?: string;
  /** Members that the tool leaves out where they are null, although null has a meaning. */
  readonly nulls?: readonly string[];
  /** Members that the stream always has. */
  readonly constants?: Readonly<Record<string, unknown>>;
  /** Members that rows of a table have: it has a column for each figure that is known. */
  readonly ofTables?: Readonly<Record<string, unknown>>;
  /** Paths that stand in for another one where it is absent. */
  readonly fallback?: Readonly<Record<string, string>>;
  /** Columns that identify a file of this stream whose folder has no stream's name; `!a`: a is absent. */
  readonly signature?: readonly string[];
  /** Rows that keep the newest of several versions by this column, ahead of the time of extraction. */
  readonly version?: string;
  /** Streams whose rows belong to a row of this one. */
  readonly children?: readonly Child[];
}

export interface Child extends Stream {
  /** The columns with the key of the parent's row. */
  readonly parent?: readonly string[];
  /** The list of the parent's object that its rows become. Absent: its row is merged into the parent's object. */
  readonly into?: string;
  /** The column with the place in that list. */
  readonly sort?: string;
  /** Whether the list holds the values of the column `value`, not objects. */
  readonly scalars?: boolean;
  /** Whether the list is empty, not unknown, if the stream is not exported at all. */
  readonly optional?: boolean;
  /** The path in the parent's object with the key of this stream's row, which is merged: a lookup. */
  readonly by?: string;
  /** Nothing of the record lands until the stream has rows. */
  readonly required?: boolean;
  /** Paths in the parent's object: an object that has one of them does not need the stream. */
  readonly unless?: string;
}

export type Tool = "airbyte" | "fivetran" | "dlt" | "singer" | "bigquery" | "download";

/** The streams with which one tool exports one record. */
export interface StreamSet {
  readonly tool: Tool;
  /** `storeb/orders`. */
  readonly record: string;
  /** Without its rows no row of another stream lands. */
  readonly root: Stream;
  /** Whether its objects have personal data of which a list of rejects shows no more than the key. */
  readonly personal?: boolean;
  /** Replacements in column names. */
  readonly rewrite?: readonly (readonly [find: RegExp, by: string])[];
  /** Objects whose members may be columns without the object's name. */
  readonly within?: readonly string[];
}

/** A stream and all streams below it. */
export const streamsIn = (stream: Stream): readonly (Stream | Child)[] => [
  stream,
  ...(stream.children ?? []).flatMap(streamsIn),
];

/** The names of a stream in files. */
export const namesOf = ({ name, aliases = [], tombstones = [] }: Stream): readonly string[] => [
  name,
  ...aliases,
  ...tombstones,
];

/** The name of a stream in the lake: names of several tools may be the same. */
export const streamId = ({ tool }: Pick<StreamSet, "tool">, name: string): string => `${tool}:${name}`;

/** The names in the lake of the rows of a stream. */
export const idsOf = (set: Pick<StreamSet, "tool">, stream: Stream): readonly string[] =>
  namesOf(stream).map((name) => streamId(set, name));

/** The streams that are missing: those that are required, and those above one that is present. */
export function missingStreams(set: StreamSet, present: ReadonlySet<string>): readonly Stream[] {
  const has = (stream: Stream): boolean => idsOf(set, stream).some((id) => present.has(id));
  const hasBelow = (stream: Stream): boolean => (stream.children ?? []).some((child) => has(child) || hasBelow(child));
  return streamsIn(set.root).filter(
    (stream) =>
      !has(stream) && (stream === set.root || hasBelow(stream) || ("required" in stream && stream.required === true)),
  );
}
