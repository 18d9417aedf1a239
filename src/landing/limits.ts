import type { Session } from "../engine/database.ts";
import { FileError } from "./scan.ts";

/** A file that costs more than an export may. It is refused without being read until it changes. */
export class LimitError extends FileError {}

/** Exports shrink to a fifth or a thirtieth. What unpacks to more than this, and is not small, is made to fill a disk. */
const UNPACKED = { times: 100, bytes: 256_000_000 };
/** A row costs as much as so many bytes more, whatever it holds. */
export const ROW = 32;
/** Of a table. The widest that a vendor exports has a few hundred. */
const MOST_COLUMNS = 2_000;
/** Of what stands beside an envelope's rows and is looked up for each of them: headers, a field mask. */
const LARGEST_CONTEXT = 16_000;
/** Rejected rows are held until their file has landed. */
export const MOST_REJECTED = 250_000;
/** Of so many bytes of rejected rows the text is kept, of those after them the beginning. */
export const KEPT_TEXT = 64 * 1024 * 1024;
export const SHORT_TEXT = 60;

/** To how many bytes a file may unpack, whether it is gzip or Parquet. */
export const mostUnpacked = (bytes: number): number => Math.max(UNPACKED.bytes, UNPACKED.times * bytes);

export const unpacksTooFar = (bytes: number, to = `more than ${megabytes(mostUnpacked(bytes))}`): LimitError =>
  new LimitError(
    `unpacks to ${to}, from ${megabytes(bytes)}: at most ${UNPACKED.times} times its size is read, or ` +
      `${megabytes(UNPACKED.bytes)} where that is more; split it into several files`,
  );

export function refuseTooWide(columns: number): void {
  if (columns <= MOST_COLUMNS) return;
  throw new LimitError(
    `has ${count(columns)} columns, and at most ${count(MOST_COLUMNS)} are read: export it without those that it need not have`,
  );
}

export function contextTooLarge(key: string, bytes: number): LimitError | undefined {
  if (bytes <= LARGEST_CONTEXT) return undefined;
  return new LimitError(`has a ${key} of ${megabytes(bytes)}, and at most ${megabytes(LARGEST_CONTEXT)} are read`);
}

export const rejectsTooMuch = (first: string): LimitError =>
  new LimitError(
    `has more than ${count(MOST_REJECTED)} rows that cannot land, ${first}: export it again, or split it into several files`,
  );

/** How long the engine may work on a file. Landing takes a tenth of a second for each MB, a few tenths on a busy machine. */
export interface Deadline {
  readonly ms: number;
  /** For each MB that the file unpacks to. */
  readonly msPerMB: number;
}

export const DEADLINE: Deadline = { ms: 120_000, msPerMB: 2_000 };

/** Work of the engine on files that unpack to so many bytes, stopped at the deadline. */
export async function withinDeadline<T>(
  session: Session,
  { ms, msPerMB }: Deadline,
  bytes: number,
  work: () => Promise<T>,
): Promise<T> {
  const most = ms + (msPerMB * bytes) / 1e6;
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), most);
  try {
    return await session.until(over.signal, work);
  } catch (error) {
    if (!over.signal.aborted) throw error;
    throw new LimitError(
      `was not read after ${count(Math.ceil(most / 1000))} seconds, many times what an export takes that unpacks to ` +
        `${megabytes(bytes)}; split it into several files`,
    );
  } finally {
    clearTimeout(timer);
  }
}

const count = (number: number): string => number.toLocaleString("en-US");

export const megabytes = (bytes: number): string =>
  `${(bytes / 1e6).toLocaleString("en-US", { maximumFractionDigits: bytes < 1e6 ? 3 : 0 })} MB`;
