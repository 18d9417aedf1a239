import { add, ofOrganization, read } from "../../platform/request.ts";

/** A figure as it is answered now, and as it would be once the change is saved. */
export interface Moved {
  readonly now: number | null;
  readonly after: number | null;
  readonly change: number | null;
}

/** What a section would change in the figures of the last whole month that all sources cover; null: there is no such month. */
export interface Effect {
  readonly period: { readonly startDate: string; readonly endDate: string } | null;
  /** By family and figure. */
  readonly figures: Readonly<Record<string, Readonly<Record<string, Moved>>>>;
}

type Answered = Effect | { readonly isComputing: true; readonly id: string };

/** What a value of a section would change. It can take long; nobody waits any more once the signal aborts. */
export async function effectOf(section: string, value: unknown, signal: AbortSignal): Promise<Effect> {
  let answer = await add<Answered>(ofOrganization(`settings/${section}/effect`), { value });
  // Whoever edits on asks for another one, which the service computes instead of this one.
  while ("isComputing" in answer) {
    signal.throwIfAborted();
    ({ data: answer } = await read<Answered>(ofOrganization(`effects/${answer.id}`)));
  }
  return answer;
}
