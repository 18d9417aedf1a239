import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import path from "node:path";
import { finished } from "node:stream/promises";
import { PROJECT } from "../files/paths.ts";
import { COMMANDS_OF_PARENT, END_RUN, endIn } from "./commandsOfParent.ts";

/** How a command ended: its output, and the last of its errors. Without a code a signal ended the process. */
export interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

const LUCRA = path.join(PROJECT, "bin", "lucra.cjs");
const LAST_ERRORS = 2_000;
/** How long it waits for another command. */
const IDLE_MS = 60_000;
/** It runs no further command after so many, or with so much memory: what a large sync took may never be given back. */
const MOST_COMMANDS = 200;
const MOST_BYTES = 300_000_000;

interface Handle {
  ref(): void;
  unref(): void;
}

/** A child process that runs Lucra commands, one after the other. */
export class LastingChild {
  readonly #child: ChildProcess;
  /** Settles when the process has ended. */
  readonly closed: Promise<void>;
  readonly #mostOutput: number;
  #output: Output;
  #commands = 0;
  #bytes = 0;
  #isOpen = true;
  #isEnding = false;
  #idle: NodeJS.Timeout | undefined;

  /** The output of a command that writes more characters is not kept. */
  constructor(dataDir: string, mostOutput: number) {
    this.#mostOutput = mostOutput;
    this.#output = new Output(mostOutput);
    this.#child = spawn(process.execPath, [LUCRA, COMMANDS_OF_PARENT], {
      env: { ...process.env, LUCRA_DATA_DIR: dataDir },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => this.#output.wrote(text));
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => this.#output.failed(text));
    this.#child.once("error", (error) => this.#output.end({ error }));
    this.closed = this.#end();
  }

  /** Resolves when the process has ended and what it wrote has arrived. Node does not emit `close` after `disconnect`. */
  async #end(): Promise<void> {
    const exit = once(this.#child, "exit").catch(() => [null, null]);
    const streams = [this.#child.stdout, this.#child.stderr].filter((stream) => stream !== null);
    await Promise.allSettled([exit, ...streams.map((stream) => finished(stream))]);
    this.#isOpen = false;
    const [code, signal] = await exit;
    this.#output.end({ code, signal });
  }

  async run(args: readonly string[]): Promise<ChildEnd> {
    this.#commands++;
    this.#output = new Output(this.#mostOutput);
    // If the process is ending, its end is that of the command.
    this.#child.send({ args }, () => {});
    const { bytes = 0, ...end } = await this.#output.ended;
    this.#bytes = bytes;
    return end;
  }

  /** Asks the command to end. If it is ending anyway, the message is lost. */
  askToEnd(): void {
    if (this.#child.connected) this.#child.send(END_RUN, () => {});
  }

  /** Waits for the next command; false if it shall not run another. */
  rest(): boolean {
    // A pull takes a signal as the end of its command only.
    if (!this.#isOpen || this.#isEnding || !this.#child.connected) return false;
    if (this.#commands >= MOST_COMMANDS || this.#bytes > MOST_BYTES) return false;
    this.#idle = setTimeout(() => this.end(), IDLE_MS).unref();
    for (const handle of this.#handles()) handle?.unref();
    return true;
  }

  /** Whether it can run another command. */
  wake(): boolean {
    clearTimeout(this.#idle);
    if (!this.#isOpen || !this.#child.connected) return false;
    for (const handle of this.#handles()) handle?.ref();
    return true;
  }

  /** What keeps this process running while the child runs a command. */
  #handles(): readonly (Handle | null | undefined)[] {
    const { channel, stdout, stderr } = this.#child;
    return [this.#child, channel, stdout as Socket | null, stderr as Socket | null];
  }

  /** Ends it after its command. */
  end(): void {
    clearTimeout(this.#idle);
    if (this.#child.connected) this.#child.disconnect();
  }

  /** Ends it now; after some patience it is killed. */
  async terminate(patienceMs: number): Promise<void> {
    if (!this.#isOpen) return;
    this.#isEnding = true;
    // This process must not end before it.
    for (const handle of this.#handles()) handle?.ref();
    this.#child.kill("SIGTERM");
    const patience = setTimeout(() => this.#child.kill("SIGKILL"), patienceMs).unref();
    await this.closed.finally(() => clearTimeout(patience));
  }
}

type End = ChildEnd & { readonly bytes?: number };

/** What a command writes, until its end. */
class Output {
  readonly ended: Promise<End>;
  readonly #most: number;
  #stdout = "";
  #stderr = "";
  #written = 0;
  #settle: { readonly done: (end: End) => void; readonly fail: (error: Error) => void } | undefined;

  constructor(most: number) {
    this.#most = most;
    this.ended = new Promise((done, fail) => {
      this.#settle = { done, fail };
    });
    this.ended.catch(() => {});
  }

  wrote(text: string): void {
    this.#written += text.length;
    // The end of the command is in the last characters.
    this.#stdout = `${this.#stdout}${text}`.slice(this.#written > this.#most ? -100 : 0);
    this.#look();
  }

  failed(text: string): void {
    this.#stderr = `${this.#stderr}${text}`.slice(-LAST_ERRORS);
    this.#look();
  }

  /** Both streams say so. */
  #look(): void {
    const [stdout, stderr] = [endIn(this.#stdout), endIn(this.#stderr)];
    if (!stdout || !stderr) return;
    this.#stdout = this.#stdout.slice(0, stdout.at);
    this.#written -= stdout.length;
    this.#stderr = this.#stderr.slice(0, stderr.at);
    this.end({ code: stdout.code, signal: null, bytes: stdout.bytes });
  }

  /** The command ended, its process did, or that could not be started. */
  end(how: Pick<End, "code" | "signal" | "bytes"> | { readonly error: Error }): void {
    if ("error" in how) {
      this.#settle?.fail(how.error);
      return;
    }
    const isTooMuch = this.#written > this.#most;
    const stderr = [
      ...(isTooMuch ? [`wrote a report of more than ${this.#most} characters`] : []),
      this.#stderr.trim(),
    ];
    this.#settle?.done({ ...how, stdout: isTooMuch ? "" : this.#stdout, stderr: stderr.filter(Boolean).join("; ") });
  }
}
