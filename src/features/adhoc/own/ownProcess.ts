import type { ChildProcess } from "node:child_process";
import { QueryError } from "../../../core/contract/error.ts";
import { entryOf } from "../../../core/files/entry.ts";
import { startBounded } from "../../../core/processes/bounded.ts";
import type { Ask, OwnResult, OwnText, Said, Start } from "./messages.ts";

/** A process that does not take queries after this is ended. */
const START_MS = 60_000;
/** Memory of the process beside that of its engine: Node, texts that the engine does not count, the result. */
const BESIDE_MB = 640;
const HEAP_MB = 192;
/** A process that has worked so long is not used again. */
const WORKED_MS = 300_000;
/** The system ends one that uses more: it would be one that lost its service and hears nothing. */
const CPU_SECONDS = 480;

/** A process with an engine of its own for the queries of others over one generation. It runs one at a time. */
export class OwnProcess {
  readonly folder: string;
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  #ready: Promise<void>;
  #isAlive = true;
  #workedMs = 0;
  #hear: (said: Said) => void = () => {};

  constructor(folder: string, megabytes: number) {
    this.folder = folder;
    const bounds = { megabytes: megabytes + BESIDE_MB, cpuSeconds: CPU_SECONDS, heapMegabytes: HEAP_MB };
    const start: Start = { memory: `${megabytes}MB` };
    const entry = entryOf("features/adhoc/own/child");
    this.#child = startBounded(entry, [JSON.stringify(start)], folder, bounds);
    this.ended = new Promise((done) => {
      const end = (): void => {
        this.#isAlive = false;
        done();
      };
      // A process that could not be started has no other event.
      this.#child.once("error", end).once("exit", end);
    });
    this.#child.on("message", (said: Said) => this.#hear(said));
    this.#ready = this.#said(START_MS).then((said) => {
      if (said && "ready" in said) return;
      throw new Error(said && "broken" in said ? said.broken : "the process of own queries did not start");
    });
    // It may fail before anybody waits for it.
    this.#ready.catch(() => this.end());
  }

  /** Whether it may get another query. */
  get isUsable(): boolean {
    return this.#isAlive && this.#workedMs < WORKED_MS;
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Whether it takes queries. Fails if it cannot. */
  ready(): Promise<void> {
    return this.#ready;
  }

  /** Fails with a `QueryError` where the query is the cause; the process may have ended then. */
  async ask(asked: Ask, timeoutMs: number): Promise<OwnResult | OwnText> {
    const began = performance.now();
    const answer = this.#said(timeoutMs);
    this.#child.send(asked, () => {});
    const said = await answer;
    this.#workedMs += performance.now() - began;
    if (said && "result" in said) return said.result;
    if (said && "failure" in said) {
      // The engine keeps the memory that it took.
      if (said.failure.kind === "memory" || said.failure.isBroken) this.end();
      throw new QueryError(said.failure.kind, said.failure.message);
    }
    if (said === undefined) throw new QueryError("timeout", `the query takes longer than ${timeoutMs / 1000} seconds`);
    throw new QueryError("memory", ENDED);
  }

  /** Its next message: undefined if there is none in time, and `broken` if it ends. Then it is not used again. */
  #said(timeoutMs: number): Promise<Said | undefined> {
    return new Promise((done) => {
      const timer = setTimeout(() => {
        this.end();
        done(undefined);
      }, timeoutMs);
      const hear = (said: Said): void => {
        clearTimeout(timer);
        done(said);
      };
      this.#hear = hear;
      this.ended.then(() => hear({ broken: "the process of own queries ended" }));
    });
  }

  /** At once, whatever it does: it holds nothing that could be lost. */
  end(): void {
    this.#isAlive = false;
    this.#child.kill("SIGKILL");
  }
}

const ENDED =
  "the query needs more memory than it may use, or fails in the engine: read fewer rows, or shorter texts and lists";
