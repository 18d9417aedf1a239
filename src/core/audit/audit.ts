import { randomBytes } from "node:crypto";
import { userInfo } from "node:os";
import { UUID } from "../contract/param.ts";
import { coordinationOf } from "../coordination/registry.ts";

/** The log of what concerns no organization. */
export const PLATFORM = "platform";

/** Who changes something: the e-mail of a person, the local operator, or what changes without one. */
interface Author {
  readonly person: string;
  /** Of a command: the system's user. */
  readonly user?: string;
}

/** A change, as the log describes it. It has no secret, and no address that is one. */
interface LoggedChange {
  /** Of the organization, or `PLATFORM`. */
  readonly organization: string;
  /** What is changed, such as `people.add`. */
  readonly what: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** A change of the log, the newest state of it. */
export interface AuditEntry extends LoggedChange, Author {
  readonly id: string;
  readonly at: string;
  /** Of a repeated request: the hash of its key. */
  readonly key?: string;
  /** Undefined: under way, or interrupted. */
  readonly outcome?: "done" | "failed";
  readonly reason?: string;
  /** What a repeated request is answered. */
  readonly result?: unknown;
}

type Begun = Omit<AuditEntry, "outcome" | "reason" | "result">;
type Ended = Pick<AuditEntry, "id" | "at" | "outcome" | "reason" | "result">;

const COMMAND = "command";

/** The author of what a command changes. */
const commandAuthor = (): Author => ({ person: COMMAND, user: systemUser() });

/** A user of a container may have a number only. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}

const LONGEST_REASON = 500;

/** Why a change failed, without what may be a secret: of an address only where it is, and no token. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .replaceAll(/\b([a-z][\w+.-]*:\/\/)(?:[^\s/?#@]*@)?([^\s/?#"')]*)[^\s"')]*/gi, "$1$2/…")
    .replaceAll(/[\w-]{32,}/g, (text) => (UUID.test(text) ? text : "…"))
    .slice(0, LONGEST_REASON);

/**
 * The log of changes [D91]: a line before a change, and one with its outcome after it. A change without an outcome was
 * interrupted.
 */
export class Audit {
  readonly #dataDir: string;
  /** What was read of each log so far. */
  readonly #read = new Map<string, { place: number; readonly entries: Map<string, AuditEntry> }>();
  #reading: Promise<unknown> = Promise.resolve();

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  /** Runs a change between its two lines. `resultOf`: what the log keeps of the result. */
  async run<T>(
    author: Author,
    described: LoggedChange & { readonly key?: string },
    change: () => Promise<T>,
    resultOf: (result: T) => unknown = () => undefined,
  ): Promise<T> {
    const { organization } = described;
    const id = randomBytes(9).toString("base64url");
    await this.#append(organization, { id, at: now(), ...author, ...described } satisfies Begun);
    let result: T;
    try {
      result = await change();
    } catch (error) {
      // The change may have been made although it failed to say so: only the reason is known.
      await this.#end(organization, { id, at: now(), outcome: "failed", reason: reasonOf(error) });
      throw error;
    }
    const kept = resultOf(result);
    await this.#end(organization, { id, at: now(), outcome: "done", ...(kept === undefined ? {} : { result: kept }) });
    return result;
  }

  /** A change that was found, such as that of a file by hand. */
  async found(author: Author, described: LoggedChange): Promise<void> {
    const { organization } = described;
    const id = randomBytes(9).toString("base64url");
    await this.#append(organization, { id, at: now(), ...author, ...described, outcome: "done" } as Begun);
  }

  /** The changes of an organization, the oldest first. */
  async entries(organization: string): Promise<readonly AuditEntry[]> {
    const reading = this.#reading.then(() => this.#readOn(organization));
    this.#reading = reading.catch(() => {});
    return [...(await reading).values()];
  }

  async #readOn(organization: string): Promise<ReadonlyMap<string, AuditEntry>> {
    const known = this.#read.get(organization) ?? { place: 0, entries: new Map<string, AuditEntry>() };
    const { lines, place } = await coordinationOf(this.#dataDir).logs.read(organization, known.place);
    // An older log that was restored has no longer what was read of the newer one.
    if (place < known.place) known.entries.clear();
    known.place = place;
    for (const line of lines as (Begun | Ended)[]) {
      const { at, ...more } = line;
      const begun = known.entries.get(line.id);
      known.entries.set(line.id, begun ? { ...begun, ...more } : (line as AuditEntry));
    }
    this.#read.set(organization, known);
    return known.entries;
  }

  #append(organization: string, line: Begun | Ended): Promise<void> {
    return coordinationOf(this.#dataDir).logs.append(organization, line);
  }

  /** The change is made: a disk that is full now must not make it look like one that failed. */
  #end(organization: string, line: Ended): Promise<void> {
    return this.#append(organization, line).catch(() => {});
  }
}

const now = (): string => new Date().toISOString();

/** Logs a change by a command, once for each organization that it concerns. */
export async function logged<T>(
  dataDir: string,
  organizations: readonly string[],
  described: Omit<LoggedChange, "organization">,
  change: () => Promise<T>,
): Promise<T> {
  const audit = new Audit(dataDir);
  const logs = organizations.length === 0 ? [PLATFORM] : [...new Set(organizations)];
  return logs.reduceRight<() => Promise<T>>(
    (inner, organization) => () => audit.run(commandAuthor(), { ...described, organization }, inner),
    change,
  )();
}
