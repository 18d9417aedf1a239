import { useEffect, useState } from "preact/hooks";
import { type Asked, addressOf, ask, Failure, generation } from "./api.ts";

/** What is known of an answer. While the next is on its way, what it replaces may be shown. */
export type Answer<T> =
  | { readonly state: "waiting"; readonly data: T | undefined }
  | { readonly state: "ready"; readonly data: T }
  | { readonly state: "failed"; readonly failure: Failure; readonly retry: () => void };

/** What came, and of which question. */
interface Came<T> {
  readonly key: string;
  readonly data?: T;
  readonly failure?: Failure;
}

/** The answer to a question, requested again when the question changes or the tab forgets its answers. */
export function useAnswer<T>(asked: Asked | undefined): Answer<T> {
  const [came, setCame] = useState<Came<T> | undefined>();
  const [attempts, setAttempts] = useState(0);
  const key = `${generation.value} ${attempts} ${asked && addressOf(asked, "")}`;
  useEffect(() => {
    if (!asked) return;
    let isCurrent = true;
    ask<T>(asked).then(
      (data) => isCurrent && setCame({ key, data }),
      (error: unknown) => {
        const failure = error instanceof Failure ? error : new Failure("unforeseen", String(error));
        if (isCurrent) setCame({ key, failure });
      },
    );
    return () => {
      isCurrent = false;
    };
    // The key is the question.
  }, [key]);
  if (came?.key !== key) return { state: "waiting", data: came?.data };
  const { failure, data } = came;
  if (failure) return { state: "failed", failure, retry: () => setAttempts((count) => count + 1) };
  return { state: "ready", data: data as T };
}
