import { signal } from "@preact/signals";
import { Failure, resume, signIn } from "./api.ts";
import { state } from "./session.ts";
import { token } from "./token.ts";

/** Why the page could not find out whether the browser is signed in. */
export const startProblem = signal<Failure | undefined>(undefined);

export async function start(): Promise<void> {
  startProblem.value = undefined;
  try {
    await (token === undefined ? resume() : signIn({ token }));
  } catch (error) {
    const failure = error instanceof Failure ? error : new Failure("unforeseen", String(error));
    if (failure.kind !== "unauthorized") startProblem.value = failure;
    else if (token === undefined) state.value = { is: "out", why: "first" };
    // A link that was used may have been used here.
    else
      await resume()
        .catch(() => undefined)
        .then(linkFailed);
  }
}

function linkFailed(): void {
  if (state.peek().is !== "in") state.value = { is: "out", why: "usedLink" };
}
