import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { PROJECT } from "../files/paths.ts";

/** How a command ended: its output, and the last of its errors. */
interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

const LUCRA = path.join(PROJECT, "bin", "lucra.cjs");
/** A process that does not end on SIGTERM is killed after this. */
const PATIENCE_MS = 5_000;
const LAST_ERRORS = 2_000;
/** A report is at most a few MB: a command that writes more characters has failed. */
const MOST_OUTPUT = 16_000_000;

/** The message that asks a sync to end. */
const END_RUN = "end run";

/**
 * In a command: runs work that can ask whether the service wants it to end. The channel to the service keeps the
 * process running as long as the work listens to it.
 */
export async function untilAskedToEnd<T>(work: (isOver: () => boolean) => Promise<T>): Promise<T> {
  let isOver = false;
  const listen = (message: unknown): void => {
    isOver ||= message === END_RUN;
  };
  process.on("message", listen);
  try {
    return await work(() => isOver);
  } finally {
    process.off("message", listen);
  }
}

/** Runs Lucra commands in child processes, so that they do not use the service's memory and processor time. */
export class Children {
  readonly #dataDir: string;
  readonly #limitMs: number | undefined;
  readonly #mostOutput: number;
  readonly #running = new Map<ChildProcess, Promise<ChildEnd>>();
  #stopped = false;

  /** A command that runs longer than the limit is ended. The output of one that writes too much is not kept. */
  constructor(dataDir: string, limitMs?: number, mostOutput = MOST_OUTPUT) {
    this.#dataDir = dataDir;
    this.#limitMs = limitMs;
    this.#mostOutput = mostOutput;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** When the signal aborts, the command is asked to end. */
  async run(args: readonly string[], over?: AbortSignal): Promise<ChildEnd> {
    if (this.#stopped) throw new Error("the service is stopping");
    const child = spawn(process.execPath, [LUCRA, ...args], {
      env: { ...process.env, LUCRA_DATA_DIR: this.#dataDir },
      stdio: ["ignore", "pipe", "pipe", ...(over ? (["ipc"] as const) : [])],
    });
    // If the command is ending anyway, the message is lost.
    const ask = (): void => void (child.connected && child.send(END_RUN, () => {}));
    over?.addEventListener("abort", ask);
    const end = endOf(child, this.#mostOutput).finally(() => over?.removeEventListener("abort", ask));
    this.#running.set(child, end);
    return this.#withinLimit(child, end).finally(() => this.#running.delete(child));
  }

  async #withinLimit(child: ChildProcess, end: Promise<ChildEnd>): Promise<ChildEnd> {
    const limitMs = this.#limitMs;
    if (limitMs === undefined) return end;
    let isOverdue = false;
    const limit = setTimeout(() => {
      isOverdue = true;
      terminate(child, end).catch(() => {});
    }, limitMs);
    const result = await end.finally(() => clearTimeout(limit));
    if (!isOverdue) return result;
    const stderr = `was ended after ${limitMs / 1000} seconds (LUCRA_SYNC_TIMEOUT_MS)`;
    return { ...result, stdout: "", stderr };
  }

  /**
   * Ends all commands. Their files appear by rename, whole or not at all, so they need no time to finish: the next sync
   * does the rest.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.allSettled([...this.#running].map(([child, end]) => terminate(child, end)));
  }
}

function terminate(child: ChildProcess, end: Promise<ChildEnd>): Promise<ChildEnd> {
  child.kill("SIGTERM");
  const patience = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS).unref();
  return end.finally(() => clearTimeout(patience));
}

function endOf(child: ChildProcess, mostOutput: number): Promise<ChildEnd> {
  let stdout = "";
  let stderr = "";
  let written = 0;
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    written += chunk.length;
    stdout = written > mostOutput ? "" : stdout + chunk;
  });
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    stderr = `${stderr}${chunk}`.slice(-LAST_ERRORS);
  });
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code, signal) => {
      const tooMuch = written > mostOutput ? [`wrote a report of more than ${mostOutput} characters`] : [];
      done({ code, signal, stdout, stderr: [...tooMuch, stderr.trim()].filter(Boolean).join("; ") });
    });
  });
}
