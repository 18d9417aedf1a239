/**
 * The streams of a record: how a tool or a download spreads the vendor's object over several tables. A tree says how
 * their rows join to the object again; the vendor's mapping then reads it like any other export.
 */
export interface Stream {
  /** The name of the table or stream, as the tool writes it. */
  readonly name: string;
  /** Other names that the tool gives it, such as those of older versions. */
  readonly aliases?: readonly string[];
  /** The row's own key. Rows of one key are versions of one row; absent: each row counts. */
  readonly key?: string;
  /** Columns whose name differs from the vendor's path: `{ customer_id: "customer.id" }`. */
  readonly rename?: Readonly<Record<string, string>>;
  /** Columns that identify a file of this stream whose folder has no stream's name. */
  readonly signature?: readonly string[];
  /** Rows that keep the newest of several versions by this column, ahead of the time of extraction. */
  readonly version?: string;
  /** Streams whose rows belong to a row of this one. */
  readonly children?: readonly Child[];
}

export interface Child extends Stream {
  /** The column with the key of the parent's row. */
  readonly parent?: string;
  /** The list of the parent's object that its rows become. Absent: its row is merged into the parent's object. */
  readonly into?: string;
  /** The path in the parent's object with the key of this stream's row, which is merged: a lookup. */
  readonly by?: string;
  /** Nothing of the record lands until the stream has rows. */
  readonly required?: boolean;
}

export type Tool = "airbyte" | "fivetran" | "dlt" | "singer" | "bigquery" | "download";

/** The streams with which one tool exports one record. */
export interface StreamSet {
  readonly tool: Tool;
  /** `storeb/orders`. */
  readonly record: string;
  /** Without its rows no row of another stream lands. */
  readonly root: Stream;
}

/** A stream and all streams below it. */
export const streamsIn = (stream: Stream): readonly (Stream | Child)[] => [
  stream,
  ...(stream.children ?? []).flatMap(streamsIn),
];

/** The streams without which nothing lands: the root and those that are required. */
export const requiredIn = ({ root }: StreamSet): readonly string[] => [
  root.name,
  ...streamsIn(root).flatMap((stream) => ("required" in stream && stream.required ? [stream.name] : [])),
];

/** The name of a stream in the lake: names of several tools may be the same. */
export const streamId = ({ tool }: Pick<StreamSet, "tool">, { name }: Pick<Stream, "name">): string =>
  `${tool}:${name}`;
