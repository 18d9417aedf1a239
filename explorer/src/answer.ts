import { useEffect, useState } from "preact/hooks";
import { type Asked, addressOf, ask, Failure, generation } from "./api.ts";

/** What is known of an answer. While the next is on its way, what it replaces may be shown. */
export type Answer<T> =
  | { readonly state: "waiting"; readonly data: T | undefined }
  | { readonly state: "ready"; readonly data: T }
  | { readonly state: "failed"; readonly failure: Failure; readonly retry: () => void };

/** The answer to a question, asked anew when the question changes, or when the tab is told to forget. */
export function useAnswer<T>(asked: Asked | undefined): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T>>({ state: "waiting", data: undefined });
  const [attempts, setAttempts] = useState(0);
  const key = asked && addressOf(asked, "");
  const state = generation.value;
  // The address is the question.
  useEffect(() => {
    if (!asked) return;
    let isCurrent = true;
    setAnswer((before) => ({ state: "waiting", data: before.state === "failed" ? undefined : before.data }));
    ask<T>(asked).then(
      (data) => isCurrent && setAnswer({ state: "ready", data }),
      (error: unknown) => {
        if (!isCurrent) return;
        const failure = error instanceof Failure ? error : new Failure("unforeseen", String(error));
        setAnswer({ state: "failed", failure, retry: () => setAttempts((count) => count + 1) });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [key, attempts, state]);
  return answer;
}
