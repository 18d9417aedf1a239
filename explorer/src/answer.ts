import { useEffect, useState } from "preact/hooks";
import { addressOf, Failure, fetchAnswer, generation, limitedUntil, type Query } from "./api.ts";

/**
 * The state of an answer. While a new answer loads, `data` holds the previous one: for a moment, so that a quick answer does not
 * flash, or as long as the page waits at the limit of requests. After that, old figures would pass for those of the new choice.
 */
export type Answer<T> =
  | { readonly state: "waiting"; readonly data: T | undefined }
  | { readonly state: "ready"; readonly data: T }
  | { readonly state: "failed"; readonly failure: Failure; readonly retry: () => void };

/** The data of an answer to what is asked now: those of an earlier question would get its name. */
export const dataOf = <T>(answer: Answer<T>): T | undefined => (answer.state === "ready" ? answer.data : undefined);

/** How long the previous answer stays while a new one loads. */
const KEPT_MS = 400;

/** An answer that is shown together with another one, which adds lines to it: nothing moves then. */
export function shownWith<T>(answer: Answer<T>, other: Answer<unknown> | undefined): Answer<T> {
  if (other?.state !== "waiting" || answer.state === "failed") return answer;
  return { state: "waiting", data: other.data === undefined ? undefined : answer.data };
}

/** The latest result and the key of its query. */
interface Result<T> {
  readonly key: string;
  readonly data?: T;
  readonly failure?: Failure;
}

/** Requests the answer to a query, and again when the query changes or the tab clears its answers. */
export const useAnswer = <T>(query: Query | undefined): Answer<T> =>
  useFetched(query && [query], () => fetchAnswer<T>(query as Query));

/** The answers to several queries, in their order, when all are there. */
export const useAnswers = <T>(queries: readonly Query[]): Answer<readonly T[]> =>
  useFetched(queries, () => Promise.all(queries.map((query) => fetchAnswer<T>(query))));

/** The questions whose answers the page shows now. */
export const shownQueries = new Set<Query>();

function useFetched<T>(queries: readonly Query[] | undefined, fetched: () => Promise<T>): Answer<T> {
  const asked = queries?.map((query) => addressOf(query, "")).join(" ");
  const [result, setResult] = useState<Result<T> | undefined>();
  const [attempts, setAttempts] = useState(0);
  const [overdue, setOverdue] = useState<string | undefined>();
  const key = `${generation.value} ${attempts} ${asked}`;
  useEffect(() => {
    if (asked === undefined) return;
    let isCurrent = true;
    for (const query of queries ?? []) shownQueries.add(query);
    // At the limit of requests the wait is long, and each card says under its title of which question its picture is.
    const late = result && setTimeout(() => limitedUntil.peek() === undefined && setOverdue(key), KEPT_MS);
    fetched()
      .finally(() => clearTimeout(late))
      .then(
        (data) => isCurrent && setResult({ key, data }),
        (error: unknown) => {
          const failure = error instanceof Failure ? error : new Failure("unforeseen", String(error));
          if (isCurrent) setResult({ key, failure });
        },
      );
    return () => {
      isCurrent = false;
      for (const query of queries ?? []) shownQueries.delete(query);
      clearTimeout(late);
    };
    // The key identifies what is asked.
  }, [key]);
  // A question may be refused after it became overdue: its picture comes back for the whole wait.
  const isLimited = limitedUntil.value !== undefined;
  useEffect(() => {
    if (isLimited) setOverdue(undefined);
  }, [isLimited]);
  if (result?.key !== key) return { state: "waiting", data: overdue === key ? undefined : result?.data };
  const { failure, data } = result;
  if (failure) return { state: "failed", failure, retry: () => setAttempts((count) => count + 1) };
  return { state: "ready", data: data as T };
}
