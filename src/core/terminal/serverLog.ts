import { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { type Logger, pino } from "pino";
import { printable } from "./table.ts";

/** Lines are written together: as soon as they have this many bytes, at the latest after this time. */
const TOGETHER = { minLength: 4096, periodicFlush: 100 };
/** How long an end waits for a reader of the log that has stalled. */
const PATIENCE_MS = 1_000;

/**
 * The log of the service, on the standard output: lines for people on a terminal, otherwise JSON. Writing it never blocks a
 * request. When the process exits, also because of an error, pino writes the lines that are left.
 */
export async function serverLog(level: string): Promise<Logger> {
  if (!process.stdout.isTTY) return pino({ level }, pino.destination(TOGETHER));
  const { default: pretty } = await import("pino-pretty");
  const shown = { ignore: "pid,hostname", translateTime: "HH:MM:ss", colorize: false, singleLine: true };
  return pino({ level }, pretty({ ...shown, destination: printableOutput() }));
}

/** Texts of clients may contain control characters of a terminal. */
const printableOutput = (): Writable =>
  new Writable({
    write(chunk, _encoding, done) {
      process.stdout.write(String(chunk).split("\n").map(printable).join("\n"), () => done());
    },
  });

/** Resolves when the lines so far have been handed over in their order. */
export async function flushed(log: Logger): Promise<void> {
  await Promise.race([new Promise((done) => log.flush(done)), sleep(PATIENCE_MS)]);
}
