import { Worker } from "node:worker_threads";
import { ApiError } from "../contract/error.ts";
import { entryBeside } from "../files/entry.ts";
import { type Reduced, reduced } from "./reduce.ts";
import type { Question, Section } from "./tool.ts";

/** An answer, and what a section of a result takes of it. */
export interface Reducing {
  readonly body: Uint8Array;
  readonly name: string;
  readonly section: Section;
  readonly question: Question;
  readonly address: string;
}

/** An answer of more bytes is parsed in a thread of its own, because nothing else is answered while one is parsed. */
const LARGE = 500_000;
/** The heap of the thread: a parsed answer takes several times its bytes. */
const HEAP_MB = 1024;

const { file, execArgv } = entryBeside(import.meta.filename, "reducer");

export const reducedHere = ({ body, name, section, question, address }: Reducing): Reduced =>
  reduced(
    name,
    section,
    question,
    JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.length).toString()),
    address,
  );

/** The part of an answer that a section carries. Fails as timed out when the client is gone. */
export const reduce = async (asked: Reducing, leave: AbortSignal): Promise<Reduced> =>
  asked.body.length > LARGE ? inThread(asked, leave) : reducedHere(asked);

/** One thread at a time: what waits has taken its turn for the answer already. */
let last: Promise<unknown> = Promise.resolve();

function inThread(asked: Reducing, leave: AbortSignal): Promise<Reduced> {
  const mine = last.then(() => ended(asked, leave));
  last = mine.catch(() => {});
  return mine;
}

function ended(asked: Reducing, leave: AbortSignal): Promise<Reduced> {
  if (leave.aborted) return Promise.reject(new ApiError("timeout"));
  return new Promise((done, fail) => {
    const worker = new Worker(file, {
      workerData: asked,
      execArgv: [...execArgv],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    worker.once("message", done);
    worker.once("error", fail);
    const stop = () => void worker.terminate();
    leave.addEventListener("abort", stop);
    worker.once("exit", () => {
      leave.removeEventListener("abort", stop);
      fail(leave.aborted ? new ApiError("timeout") : new Error("the thread that shortens an answer ended"));
    });
  });
}
