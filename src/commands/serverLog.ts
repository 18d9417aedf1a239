import { setTimeout as sleep } from "node:timers/promises";
import { type Logger, pino } from "pino";

/** Lines are written together: as soon as they have this many bytes, at the latest after this time. */
const TOGETHER = { minLength: 4096, periodicFlush: 100 };
/** How long an end waits for a reader of the log that has stalled. */
const PATIENCE_MS = 1_000;

/**
 * The log of the service, on the standard output. Writing it never blocks a request. When the process exits, also because
 * of an error, pino writes the lines that are left.
 */
export const serverLog = (level: string): Logger => pino({ level }, pino.destination(TOGETHER));

/** Resolves when the lines so far have been handed over in their order. */
export async function flushed(log: Logger): Promise<void> {
  await Promise.race([new Promise((done) => log.flush(done)), sleep(PATIENCE_MS)]);
}
