import { signal } from "@preact/signals";
import { Failure, resume } from "./api.ts";
import { state } from "./session.ts";
import { shareToken, token } from "./token.ts";

/** Why the page could not find out whether the browser is signed in. */
export const startProblem = signal<Failure | undefined>(undefined);

export async function start(): Promise<void> {
  // A share needs no account, and its page begins by itself.
  if (shareToken !== undefined) return;
  startProblem.value = undefined;
  try {
    await resume(token);
  } catch (error) {
    const failure = error instanceof Failure ? error : new Failure("unforeseen", String(error));
    if (failure.kind === "unauthorized") state.value = { is: "out", why: "first" };
    else startProblem.value = failure;
  }
}
