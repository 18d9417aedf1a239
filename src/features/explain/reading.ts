import { answerFields } from "../../core/contract/answer.ts";
import type { Endpoint } from "../../core/contract/endpoint.ts";
import { ApiError, type Detail } from "../../core/contract/error.ts";
import type { Field } from "../../core/contract/field.ts";
import { encoded, type Text } from "../../core/contract/longText.ts";
import type { Accepted } from "../../core/contract/param.ts";
import { entryOf } from "../../core/files/entry.ts";
import { OneThread } from "../../core/processes/oneThread.ts";
import { setsOf } from "./basis.ts";
import { inputsOf } from "./formula.ts";
import { type Located, locate, type Sources } from "./locate.ts";
import type { Sets } from "./sets.ts";

/** The figure of an answer that is explained. */
export interface Asking {
  readonly endpoint: Endpoint;
  readonly accepted: Accepted;
  readonly figure: string;
  readonly row: string | null;
  readonly sources: Sources;
}

/** A figure as it is read from an answer. */
export interface Reading {
  /** The figure as it was requested. */
  readonly figure: string;
  readonly value: unknown;
  readonly field: Field;
  /** The member of the answer that it is in. */
  readonly member: string;
  readonly inputs: readonly { readonly figure: string; readonly value: unknown }[];
  readonly sets: Sets;
  /** The `asOf` next to the figure, or that of the answer. */
  readonly asOf: string | undefined;
}

/** A refusal, as it passes from a thread to another. */
export type Outcome = { readonly reading: Reading } | Pick<ApiError, "kind" | "details">;

/** Reads an answer. Fails with the names that there are if it does not have the figure. */
export function readHere({ endpoint, accepted, figure, row, sources }: Asking, answer: string): Reading {
  const body = JSON.parse(answer) as Record<string, unknown>;
  const root = { at: [], fields: answerFields(endpoint), value: body };
  const located = locate(endpoint, root, figure, row, sources);
  const { found, base, source } = located;
  // A block that could not be read is read again by the next request: there is nothing to explain yet.
  if (found.levels.some(({ value }) => value.state === "error")) throw new ApiError("damaged");
  return {
    figure: located.figure,
    value: found.value,
    field: found.field,
    member: found.path[0] ?? "",
    inputs: inputsOf(found, base).map((input) => ({ figure: input.figure, value: input.value })),
    sets: setsOf(found, { endpoint, accepted, body, source }),
    asOf: asOfIn(located),
  };
}

/** The same as a value, so that a thread can return it. */
export function outcomeOf(asking: Asking, answer: string): Outcome {
  try {
    return { reading: readHere(asking, answer) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { kind: error.kind, details: error.details as Detail[] };
  }
}

/** Message to the thread. */
export interface Task {
  readonly asking: Asking;
  /** The answer, in UTF-8. */
  readonly bytes: Uint8Array;
}

/** A longer answer is read in a thread of its own, because nothing else is answered while one is parsed. */
const LARGE = 500_000;

const thread = new OneThread(entryOf("features/explain/reader"), "that reads a large answer");

/** Reads an answer. Fails as timed out when the signal aborts. */
export async function readAnswer(asking: Asking, answer: Text, signal: AbortSignal): Promise<Reading> {
  const bytes = await encoded(answer);
  if (bytes.length <= LARGE) return readHere(asking, bytes.toString());
  const outcome = await thread.run<Outcome>({ asking, bytes } satisfies Task, signal, [bytes.buffer as ArrayBuffer]);
  if ("reading" in outcome) return outcome.reading;
  throw new ApiError(outcome.kind, outcome.details);
}

function asOfIn({ found }: Located): string | undefined {
  const level = found.levels.findLast(({ value }) => typeof value.asOf === "string");
  return level && String(level.value.asOf);
}
