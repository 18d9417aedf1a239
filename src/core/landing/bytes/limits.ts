import type { Session } from "../../engine/database.ts";
import { FileError } from "./scan.ts";

/** A file exceeds a limit: it is refused, and not read again until it changes. */
export class LimitError extends FileError {}

/** Exports compress 5 to 30 times. A file that exceeds both limits was made to fill a disk. */
const UNPACKED = { times: 100, bytes: 256_000_000 };
/** The fixed cost of a row, in bytes, in addition to its content. */
export const ROW = 32;
/** The columns of a table. The widest table that a vendor exports has a few hundred. */
const MOST_COLUMNS = 2_000;
/** The bytes of a column's name in a CSV file. */
const LONGEST_HEADING = 300;
/** The bytes of a value next to an envelope's rows that is looked up for each row: headers, a field mask. */
const LARGEST_CONTEXT = 16_000;
/** If more rows of a file cannot land, the file itself is wrong. */
export const MOST_REJECTED = 250_000;
/** How many bytes the list of a file's rejected rows may have. The others are counted. */
export const LISTED_REJECTS = 4_000_000;

/** How many bytes a gzip or Parquet file may unpack to. */
export const mostUnpacked = (bytes: number): number => Math.max(UNPACKED.bytes, UNPACKED.times * bytes);

export const unpacksTooFar = (bytes: number, to = `more than ${megabytes(mostUnpacked(bytes))}`): LimitError =>
  new LimitError(
    `unpacks to ${to}, from ${megabytes(bytes)}: at most ${UNPACKED.times} times its size is read, or ` +
      `${megabytes(UNPACKED.bytes)} where that is more; split it into several files`,
  );

export const writesTooMuch = (bytes: number, written: number): LimitError =>
  new LimitError(
    `has rows that become more than ${megabytes(written)} as JSON, from ${megabytes(bytes)}: at most ${UNPACKED.times} ` +
      `times its size is written, or ${megabytes(UNPACKED.bytes)} where that is more; split it into several files`,
  );

export function headingTooLong(column: number, bytes: number): LimitError | undefined {
  if (bytes <= LONGEST_HEADING) return undefined;
  return new LimitError(
    `CSV: the name of column ${column} has ${countText(bytes)} bytes, and at most ${LONGEST_HEADING} are read: shorten it`,
  );
}

export function refuseTooWide(columns: number): void {
  if (columns <= MOST_COLUMNS) return;
  throw new LimitError(
    `has ${countText(columns)} columns, and at most ${countText(MOST_COLUMNS)} are read: export it without those that are not needed`,
  );
}

export function contextTooLarge(key: string, bytes: number): LimitError | undefined {
  if (bytes <= LARGEST_CONTEXT) return undefined;
  return new LimitError(`has a ${key} of ${megabytes(bytes)}, and at most ${megabytes(LARGEST_CONTEXT)} are read`);
}

export const rejectsTooMuch = (first: string): LimitError =>
  new LimitError(
    `has more than ${countText(MOST_REJECTED)} rows that cannot land, ${first}: export it again, or split it into several files`,
  );

/** How long the engine may work on a file. Landing takes 0.1 seconds per MB, a few tenths on a busy machine. */
export interface Deadline {
  readonly ms: number;
  /** In addition, for each MB that the file unpacks to. */
  readonly msPerMB: number;
}

export const DEADLINE: Deadline = { ms: 120_000, msPerMB: 2_000 };

/**
 * The deadline of what this process does to read a file, which the engine's does not cover. It counts processor time: a
 * suspended process, or a busy machine, does not make a file too slow.
 */
export class ReadingDeadline {
  readonly #deadline: Deadline;
  readonly #began = process.cpuUsage();

  constructor(deadline: Deadline = DEADLINE) {
    this.#deadline = deadline;
  }

  /** The refusal of the file once it is over. `bytes`: how many the file has unpacked to so far. */
  overdue(bytes: number): LimitError | undefined {
    const { ms, msPerMB } = this.#deadline;
    const { user, system } = process.cpuUsage(this.#began);
    const most = ms + (msPerMB * bytes) / 1e6;
    return (user + system) / 1000 > most ? tooSlow(most, bytes) : undefined;
  }
}

const tooSlow = (ms: number, bytes: number): LimitError =>
  new LimitError(
    `was not read after ${countText(Math.ceil(ms / 1000))} seconds, many times what an export takes that unpacks to ` +
      `${megabytes(bytes)}; split it into several files`,
  );

/** Runs work of the engine on files that unpack to `bytes`, and stops it at the deadline. */
export async function withinDeadline<T>(
  session: Session,
  { ms, msPerMB }: Deadline,
  bytes: number,
  work: () => Promise<T>,
): Promise<T> {
  const most = ms + (msPerMB * bytes) / 1e6;
  const tick = Math.min(1_000, most);
  const over = new AbortController();
  // Counted in ticks: while the process or the machine is suspended there are none.
  let passed = 0;
  const timer = setInterval(() => {
    passed += tick;
    if (passed >= most) over.abort();
  }, tick);
  try {
    return await session.until(over.signal, work);
  } catch (error) {
    if (!over.signal.aborted) throw error;
    throw tooSlow(most, bytes);
  } finally {
    clearInterval(timer);
  }
}

export const countText = (number: number): string => number.toLocaleString("en-US");

export const megabytes = (bytes: number): string =>
  `${(bytes / 1e6).toLocaleString("en-US", { maximumFractionDigits: bytes < 1e6 ? 3 : 0 })} MB`;
