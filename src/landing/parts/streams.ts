import { namesOf, type Stream, type StreamSet, streamsIn, type Tool } from "../../contract/stream.ts";
import type { Row } from "./part.ts";
import { canonical } from "./shape.ts";
import { isFilled } from "./values.ts";

/** A stream of a tool. */
export interface Found {
  readonly set: StreamSet;
  readonly stream: Stream;
  /** The name under which its rows land. */
  readonly name: string;
}

/** Tools that may write rows without columns of their own, the likeliest first. */
const UNMARKED: readonly Tool[] = ["singer", "fivetran", "airbyte"];

/** The sets of a tool; of any tool, if it is not known. */
export const setsOf = (sets: readonly StreamSet[], tool: Tool | undefined): readonly StreamSet[] =>
  tool ? sets.filter((set) => set.tool === tool) : UNMARKED.flatMap((one) => sets.filter((set) => set.tool === one));

/** A list of the vendor's objects that no mapping reads: its rows are passed over. */
export const NOT_READ: Stream = { name: "" };

export function streamNamed(sets: readonly StreamSet[], name: string): Found | undefined {
  for (const set of sets) {
    for (const stream of streamsIn(set.root)) if (namesOf(stream).includes(name)) return { set, stream, name };
  }
  const set = sets.find(({ tool, root }) => tool === "dlt" && name.startsWith(`${root.name}__`));
  return set && { set, stream: NOT_READ, name };
}

/** The stream that the path of a file names: one of its folders, or the file itself as some tools name it. */
export function streamInPath(sets: readonly StreamSet[], file: string): Found | undefined {
  const folders = file.split("/");
  const base = folders.pop() ?? "";
  for (const folder of folders.reverse()) {
    const found = streamNamed(sets, folder);
    if (found) return found;
  }
  const named =
    /^_airbyte_raw_(.+?)\.jsonl/.exec(base)?.[1] ?? /^(?:\w+\.)?(\w+)\.\d{9,10}\.\d+\.\w+\./.exec(base)?.[1];
  return named === undefined ? undefined : streamNamed(sets, named);
}

/** The load that a dlt file belongs to: `1740830400.123456.0a1b2c3d4e.jsonl.gz`. */
export const loadOf = (file: string): string | undefined => /(?:^|[./])(\d{9,10}\.\d+)\./.exec(file)?.[1];

/** The columns of rows, and those of the objects in them, without case and separators. */
export function columnsOf(columns: readonly string[], rows: readonly Row[]): ReadonlySet<string> {
  const found = new Set(columns.map(canonical));
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      found.add(canonical(name));
      if (typeof value !== "object" || value === null || Array.isArray(value)) continue;
      for (const member of Object.keys(value)) found.add(canonical(name + member));
    }
  }
  return found;
}

const names = (alternatives: string): string[] => alternatives.split("|");

/** Whether the columns are those of a signature. */
export const hasSignature = (columns: ReadonlySet<string>, signature: readonly string[]): boolean =>
  signature.every((one) =>
    one.startsWith("!")
      ? !columns.has(canonical(one)) && !columns.has(canonical(one.slice(1)))
      : names(one).some((name) => columns.has(canonical(name))),
  );

/** The stream whose signature the columns have: the longest one decides. */
export function streamOfColumns(sets: readonly StreamSet[], columns: ReadonlySet<string>): Found | undefined {
  const found = sets
    .flatMap((set) => streamsIn(set.root).map((stream) => ({ set, stream, name: stream.name })))
    .filter(({ stream }) => stream.signature !== undefined && hasSignature(columns, stream.signature));
  return found.sort((a, b) => (b.stream.signature?.length ?? 0) - (a.stream.signature?.length ?? 0))[0];
}

/** The stream that a line names: a known one, or one of the user's own with the columns of a known one. */
export function streamOfLine(sets: readonly StreamSet[], name: string, row: Row): Found | undefined {
  const found = streamNamed(sets, name);
  if (found) return found;
  const columns = columnsOf([], [row]);
  for (const set of sets) {
    const { root } = set;
    if (root.custom && hasSignature(columns, root.signature ?? [])) return { set, stream: root, name: root.name };
  }
  return undefined;
}

/** What a refusal says of the streams that a record has. */
export function knownStreams(sets: readonly StreamSet[]): string {
  const known = [...new Set(sets.flatMap((set) => streamsIn(set.root).flatMap(namesOf)))];
  const custom = sets.find(({ root }) => root.custom && (root.signature ?? []).length > 0)?.root.signature;
  const columns = custom?.filter((one) => !one.startsWith("!")).map((one) => names(one)[0]);
  return `${known.join(", ")}${columns ? `, or any with the columns ${columns.join(", ")}` : ""}`;
}

/** The value of a column; `a|b`: b where a is blank; `a.b`: a member. */
export function cellOf(row: Row, column: string): unknown {
  for (const name of names(column)) {
    let value: unknown = row[name];
    if (value === undefined && name.includes(".")) {
      value = name.split(".").reduce<unknown>((at, part) => (at as Row | undefined)?.[part], row);
    }
    if (isFilled(value)) return value;
  }
  return undefined;
}
