import { namesOf, type Stream, type StreamSet, streamsIn, type Tool } from "../../core/contract/stream.ts";
import { canonical } from "../../core/landing/map/shape.ts";
import { parseJson } from "../../core/landing/read/json.ts";
import type { SourceRow } from "../../core/landing/read/part.ts";
import { isFilled } from "../../core/landing/read/values.ts";
import { camel } from "./names.ts";

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

function streamNamed(sets: readonly StreamSet[], name: string): Found | undefined {
  for (const set of sets) {
    for (const stream of streamsIn(set.root)) if (namesOf(stream).includes(name)) return { set, stream, name };
  }
  const set = sets.find(({ tool, root }) => tool === "dlt" && name.startsWith(`${root.name}__`));
  return set && { set, stream: NOT_READ, name };
}

/** The stream that the path of a file names: one of its folders, or the file itself as some tools name it. */
export function streamInPath(sets: readonly StreamSet[], file: string): Found | undefined {
  for (const name of namesInPath(file)) {
    const found = streamNamed(sets, name);
    if (found) return found;
  }
  return undefined;
}

/** The names in a path that may be those of streams, the likeliest first. */
export function namesInPath(file: string): readonly string[] {
  const folders = file.split("/");
  const base = folders.pop() ?? "";
  const named =
    /^_airbyte_raw_(.+?)\.jsonl/.exec(base)?.[1] ?? /^(?:\w+\.)?(\w+)\.\d{9,10}\.\d+\.\w+\./.exec(base)?.[1];
  return [...folders.reverse(), ...(named === undefined ? [] : [named])];
}

/** The load that a dlt file belongs to: `1740830400.123456.0a1b2c3d4e.jsonl.gz`. */
export const loadOf = (file: string): string | undefined => /(?:^|[./])(\d{9,10}\.\d+)\./.exec(file)?.[1];

/** The columns of rows, and those of the objects in them, without case and separators. */
export function columnsOf(columns: readonly string[], rows: readonly SourceRow[]): ReadonlySet<string> {
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
export function streamOfLine(sets: readonly StreamSet[], name: string, row: SourceRow): Found | undefined {
  const found = streamNamed(sets, name);
  if (found) return found;
  const columns = columnsOf([], [row]);
  for (const set of sets) {
    const { root } = set;
    if (root.custom && hasSignature(columns, root.signature ?? [])) return { set, stream: root, name: root.name };
  }
  return undefined;
}

/** Text of a refusal about the streams of a record. */
export function knownStreams(sets: readonly StreamSet[]): string {
  const known = [...new Set(sets.flatMap((set) => streamsIn(set.root).flatMap(namesOf)))];
  const custom = sets.find(({ root }) => root.custom && (root.signature ?? []).length > 0)?.root.signature;
  const columns = custom?.filter((one) => !one.startsWith("!")).map((one) => names(one)[0]);
  return `${known.join(", ")}${columns ? `, or any with the columns ${columns.join(", ")}` : ""}`;
}

/** The value of a column; `a|b`: b where a is blank; `a.b`: a member. Names may be spelled in each way that tools have. */
export function cellOf(row: SourceRow, column: string): unknown {
  for (const { name, path } of spellingsOf(column)) {
    const value = row[name] ?? path?.reduce<unknown>(memberOf, row);
    if (isFilled(value)) return value;
  }
  return undefined;
}

/** An object may be a text in a cell. */
function memberOf(value: unknown, name: string): unknown {
  const object = typeof value === "string" && value.trimStart().startsWith("{") ? tryParse(value) : value;
  return typeof object === "object" && object !== null ? (object as SourceRow)[name] : undefined;
}

function tryParse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

interface Spelling {
  readonly name: string;
  readonly path?: readonly string[];
}

const spellings = new Map<string, readonly Spelling[]>();

/** `order.id`: also `order__id`, `order_id` and `orderId`. The names that are given come first. */
function spellingsOf(column: string): readonly Spelling[] {
  const known = spellings.get(column);
  if (known) return known;
  const found = new Map<string, Spelling>();
  const add = (name: string): void => {
    if (!found.has(name)) found.set(name, name.includes(".") ? { name, path: name.split(".") } : { name });
  };
  for (const name of names(column)) add(name);
  for (const name of names(column)) {
    // A tool's own column has one name.
    if (name.startsWith("_")) continue;
    const parts = name.split(/\.|__/);
    for (const separator of [".", "__", "_"]) add(parts.join(separator));
    add(camel(parts.join("_")));
    add(parts.map(camel).join("."));
  }
  spellings.set(column, [...found.values()]);
  return [...found.values()];
}
