import type { RecordDeclaration } from "../../contract/record.ts";
import type { StreamSet } from "../../contract/stream.ts";
import { eventSource } from "./events.ts";
import type { FileSample, PartSource, ReadSettings, Recognizer } from "./part.ts";

/** A kind of files whose rows are parts of a vendor's objects, such as the tables of a tool. Features add them. */
interface PartKind {
  /** The streams of every record, and how they are joined; those of another kind may be listed together with them. */
  readonly streamSets?: readonly StreamSet[];
  /** Recognizes the writer of a file; undefined if it is not of this kind. */
  readonly recognize: Recognizer;
  /** Whether lines above the heading are a part of such files. */
  readonly hasLinesAbove?: boolean;
  /** Why a table with these headings, which are almost those of such a file, is not read as one. */
  readonly almost?: (headings: readonly string[]) => string | undefined;
  /** Why a table without any field of the record is refused, if it is such a file in a language that is not known. */
  readonly foreign?: (names: readonly string[]) => string | undefined;
}

/** In the order in which they are asked. */
const kinds: PartKind[] = [];

/** Adds a kind, once per process. */
export const addPartKind = (kind: PartKind): void => void kinds.push(kind);

/** Recognizes the writer of a file; undefined for the vendor's own objects and for plain tables. */
export const sourceOf: Recognizer = (record, sample, settings) =>
  firstOf([eventSource, ...kinds.map(({ recognize }) => recognize)], (recognize) =>
    recognize(record, sample, settings),
  );

/** Recognizes the writer of a file whose heading is not its first line. */
export const sourceBelow = (
  record: RecordDeclaration,
  sample: FileSample,
  settings: ReadSettings,
): PartSource | undefined =>
  firstOf(kinds, ({ hasLinesAbove, recognize }) => (hasLinesAbove ? recognize(record, sample, settings) : undefined));

/** Why a table that is almost a file of some kind is not read as one. */
export const almostOf = (headings: readonly string[]): string | undefined =>
  firstOf(kinds, ({ almost }) => almost?.(headings));

/** Why a table is refused, if it is a file of some kind in a language that is not known. */
export const foreignOf = (names: readonly string[]): string | undefined =>
  firstOf(kinds, ({ foreign }) => foreign?.(names));

function firstOf<T, R>(all: readonly T[], ask: (one: T) => R | undefined): R | undefined {
  for (const one of all) {
    const answer = ask(one);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/** The streams of every record and kind. */
export const streamSets = (): readonly StreamSet[] => kinds.flatMap((kind) => kind.streamSets ?? []);

/** The streams of one record. */
export const streamSetsOf = ({
  connector,
  name,
  own = [],
}: Pick<RecordDeclaration, "connector" | "name" | "own">): readonly StreamSet[] => {
  const sets = streamSets().filter(({ record }) => record === `${connector}/${name}`);
  return sets.length > 0 ? sets : unchanged(`${connector}/${name}`, name, own);
};

/** Users pass on the vendor's objects where no tool has a connector of its own. */
const unchanged = (record: string, name: string, own: readonly string[]): readonly StreamSet[] =>
  (["airbyte", "singer", "dlt"] as const).map((tool) => ({
    tool,
    record,
    root: { name, custom: true, signature: [own.join("|")] },
  }));
