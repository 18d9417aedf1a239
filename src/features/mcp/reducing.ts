import { entryOf } from "../../core/files/entry.ts";
import { OneThread } from "../../core/processes/oneThread.ts";
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

const thread = new OneThread(entryOf("features/mcp/reducer"), "that shortens a large answer");

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
  asked.body.length > LARGE ? thread.run(asked, leave) : reducedHere(asked);
