import { addDays, daysBetween } from "../../core/time/days.ts";
import { PullError } from "./declaration.ts";

/**
 * Asks for some days at once; for each half of them if the vendor finds that too much, the later half first, as windows are.
 * `single`: for one day.
 */
export async function* inHalves<T>(
  from: string,
  to: string,
  ask: (from: string, to: string) => Promise<T>,
  single?: (day: string) => Promise<T>,
): AsyncGenerator<T> {
  const answer = await answered(from, to, ask, single);
  if (answer) {
    yield answer.value;
    return;
  }
  const middle = addDays(from, Math.floor(daysBetween(from, to) / 2));
  yield* inHalves(addDays(middle, 1), to, ask, single);
  yield* inHalves(from, middle, ask, single);
}

/** Undefined if it is too much, and more than a day. */
async function answered<T>(
  from: string,
  to: string,
  ask: (from: string, to: string) => Promise<T>,
  single: ((day: string) => Promise<T>) | undefined,
): Promise<{ readonly value: T } | undefined> {
  try {
    return { value: await ask(from, to) };
  } catch (error) {
    if (!(error instanceof PullError) || error.kind !== "tooMuch") throw error;
    if (from < to) return undefined;
    if (!single) throw error;
    return { value: await single(from) };
  }
}
