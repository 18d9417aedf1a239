import { useEffect, useState } from "preact/hooks";
import { addressOf, Failure, fetchAnswer, generation, type Query } from "./api.ts";

/** The state of an answer. While a new answer loads, `data` holds the previous one. */
export type Answer<T> =
  | { readonly state: "waiting"; readonly data: T | undefined }
  | { readonly state: "ready"; readonly data: T }
  | { readonly state: "failed"; readonly failure: Failure; readonly retry: () => void };

/** The latest data of an answer, if it has any. */
export const dataOf = <T>(answer: Answer<T>): T | undefined => (answer.state === "failed" ? undefined : answer.data);

/** An answer that is first shown together with another one, which adds lines to it: nothing moves then. */
export const shownWith = <T>(answer: Answer<T>, other: Answer<unknown>): Answer<T> =>
  other.state === "waiting" && other.data === undefined ? { state: "waiting", data: undefined } : answer;

/** The latest result and the key of its query. */
interface Result<T> {
  readonly key: string;
  readonly data?: T;
  readonly failure?: Failure;
}

/** Requests the answer to a query, and again when the query changes or the tab clears its answers. */
export function useAnswer<T>(query: Query | undefined): Answer<T> {
  const [result, setResult] = useState<Result<T> | undefined>();
  const [attempts, setAttempts] = useState(0);
  const key = `${generation.value} ${attempts} ${query && addressOf(query, "")}`;
  useEffect(() => {
    if (!query) return;
    let isCurrent = true;
    fetchAnswer<T>(query).then(
      (data) => isCurrent && setResult({ key, data }),
      (error: unknown) => {
        const failure = error instanceof Failure ? error : new Failure("unforeseen", String(error));
        if (isCurrent) setResult({ key, failure });
      },
    );
    return () => {
      isCurrent = false;
    };
    // The key identifies the query.
  }, [key]);
  if (result?.key !== key) return { state: "waiting", data: result?.data };
  const { failure, data } = result;
  if (failure) return { state: "failed", failure, retry: () => setAttempts((count) => count + 1) };
  return { state: "ready", data: data as T };
}
