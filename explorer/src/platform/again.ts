import { signal } from "@preact/signals";

/** A change waits for a sign-in. */
interface Asked {
  readonly why: "again" | "ended";
  readonly done: (isSignedIn: boolean) => void;
}

export const asked = signal<Asked | undefined>(undefined);

/** Asks for a sign-in over the page. False if the person closes the box. */
export function askToSignIn(why: Asked["why"]): Promise<boolean> {
  // Two changes at once wait for one sign-in.
  const earlier = asked.peek();
  return new Promise((answer) => {
    asked.value = {
      why,
      done: (isSignedIn) => {
        earlier?.done(isSignedIn);
        asked.value = undefined;
        answer(isSignedIn);
      },
    };
  });
}
