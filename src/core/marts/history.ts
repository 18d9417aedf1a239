import { mkdir, open, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { LRUCache } from "lru-cache";
import { OperatorError } from "../contract/error.ts";
import { knownSettings, type Organization } from "../contract/settings.ts";
import { coordinationOf } from "../coordination/registry.ts";
import { sha256OfText } from "../files/checksum.ts";
import { flushToDisk } from "../files/durable.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";
import type { LandedPlace } from "../landing/ledger/revocations.ts";
import type { Pulled } from "./pulledUntil.ts";

/** What derived files are made of. */
export interface Inputs {
  /** The landed files in force [D47], as `placeText` writes them, sorted; also lost ones. */
  readonly landings: readonly string[];
  readonly settings: Organization;
  /** What complete pulls had asked for, which `coverage` depends on. */
  readonly pulled: Pulled;
}

/** From when on the derived files were made of these. */
export interface StateEntry extends Inputs {
  /** From 1 on. */
  readonly no: number;
  readonly at: string;
}

/** A line of the history: what differs from the entry before it. */
interface Change {
  readonly at: string;
  readonly added?: readonly string[];
  readonly removed?: readonly string[];
  readonly settings?: Organization;
  readonly pulled?: Pulled;
}

export const placeText = ({ connector, record, integration, landing }: LandedPlace): string =>
  `${connector}/${record}/${integration}.${String(landing).padStart(6, "0")}`;

/** The number of the landing in the text of a place, or in the name of a landed file. */
export const landingIn = (text: string): number => Number(/\.(\d+)(\.|$)/.exec(text)?.[1]);

/** The same text for the same value, in whatever order its members were written. */
export const canonicalText = (value: unknown): string =>
  JSON.stringify(value, (_, one) =>
    one !== null && typeof one === "object" && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );

/**
 * When the derived files of an organization came to be made of other landings or settings [D80]: a file to which lines are
 * added. Each line ends in a hash of itself and of the hash before it, so that none is lost or changed unnoticed.
 */
export class History {
  readonly #changes: readonly Change[];
  /** The end of the last whole line, in bytes, and its hash. */
  readonly end: number;
  readonly hash: string;
  #last: { readonly no: number; readonly inputs: Inputs } | undefined;

  private constructor(changes: readonly Change[], end: number, hash: string) {
    this.#changes = changes;
    this.end = end;
    this.hash = hash;
  }

  static async of(folders: OrganizationFolders): Promise<History> {
    const file = folders.history;
    const found = await stat(file).catch(() => undefined);
    if (!found) return new History([], 0, "");
    const version = `${found.ino} ${found.size} ${found.mtimeMs}`;
    const known = read.get(file);
    if (known?.version === version) return known.history;
    const history = History.parsed(await readFile(file, "utf8"), path.relative(folders.dataDir, file));
    read.set(file, { version, history });
    return history;
  }

  /** A last line that was not written to its end, as by a process that was killed, is no entry. */
  static parsed(text: string, file: string): History {
    const changes: Change[] = [];
    let [end, hash] = [0, ""];
    for (const line of text.split("\n").slice(0, -1)) {
      const [json = "", written] = line.split("\t");
      const expected = sha256OfText(hash + json);
      if (written !== expected) throw new OperatorError(damagedText(file, changes.length + 1));
      changes.push(JSON.parse(json));
      hash = expected;
      end += Buffer.byteLength(line) + 1;
    }
    return new History(changes, end, hash);
  }

  get length(): number {
    return this.#changes.length;
  }

  /** When the first entry was written; undefined without one. */
  get since(): string | undefined {
    return this.#changes[0]?.at;
  }

  /** The number of the last entry at or before an instant; 0 without one. */
  numberAt(at: string): number {
    const later = this.#changes.findIndex((change) => change.at > at);
    return later < 0 ? this.#changes.length : later;
  }

  /** The settings of the entries, each when it came into force, the newest last. */
  get settings(): readonly Organization[] {
    return this.#changes.flatMap(({ settings }) => settings ?? []);
  }

  entry(no: number): StateEntry {
    const at = this.#changes[no - 1]?.at;
    if (at === undefined)
      throw new OperatorError(`the history has no entry ${no}: it is not the one that was there before`);
    return { no, at, ...this.#inputs(no) };
  }

  #inputs(no: number): Inputs {
    const from = this.#last && this.#last.no <= no ? this.#last : undefined;
    const landings = new Set(from?.inputs.landings);
    let { settings, pulled = {} }: Partial<Inputs> = from?.inputs ?? {};
    for (const change of this.#changes.slice(from?.no ?? 0, no)) {
      for (const place of change.removed ?? []) landings.delete(place);
      for (const place of change.added ?? []) landings.add(place);
      settings = change.settings ?? settings;
      pulled = change.pulled ?? pulled;
    }
    if (!settings) throw new Error("the first entry of a history has settings");
    const inputs = { landings: [...landings].sort(), settings, pulled };
    this.#last = { no, inputs };
    return inputs;
  }
}

/** The histories read last: requests about earlier states ask for the same ones. */
const read = new LRUCache<string, { readonly version: string; readonly history: History }>({ max: 20 });

const damagedText = (file: string, line: number): string =>
  `${file} is damaged in line ${line}, so it is not known what was known when: put it back from a backup, or move it away ` +
  "and run sync, which begins a new one";

/**
 * Adds an entry unless the last one has the same landings and settings; its time is never before that of the last one. The
 * caller is the only writer of the organization.
 */
export async function recordInputs(folders: OrganizationFolders, inputs: Inputs, now: Date): Promise<void> {
  const history = await History.of(folders);
  const last = history.length > 0 ? history.entry(history.length) : undefined;
  const change = changeOf(last, { ...inputs, settings: knownSettings(inputs.settings) });
  if (last && Object.keys(change).length === 0) return;
  const time = now.toISOString();
  const line = JSON.stringify({ at: last && last.at > time ? last.at : time, ...change });
  await coordinationOf(folders.dataDir).turns.assertHeld(folders.organization);
  await append(folders.history, `${line}\t${sha256OfText(history.hash + line)}\n`, history.end);
}

function changeOf(last: StateEntry | undefined, { landings, settings, pulled }: Inputs): Omit<Change, "at"> {
  const [before, after] = [new Set(last?.landings), new Set(landings)];
  const added = landings.filter((place) => !before.has(place));
  const removed = [...before].filter((place) => !after.has(place));
  const isSame = (a: unknown, b: unknown): boolean => canonicalText(a) === canonicalText(b);
  return {
    ...(added.length > 0 ? { added } : {}),
    ...(removed.length > 0 ? { removed } : {}),
    ...(isSame(last?.settings ?? null, settings) ? {} : { settings }),
    ...(isSame(last?.pulled ?? {}, pulled) ? {} : { pulled }),
  };
}

/** Writes after the last whole line, over what is left of one that was not written to its end. */
async function append(file: string, line: string, end: number): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const handle = await open(file, "a+", 0o600);
  try {
    const left = (await handle.stat()).size - end;
    if (left > 0) {
      const { buffer } = await handle.read(Buffer.alloc(left), 0, left, end);
      if (buffer.includes("\n")) throw new Error("another process has written the history meanwhile");
      await handle.truncate(end);
    }
    await handle.writeFile(line);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await flushToDisk(path.dirname(file));
}
