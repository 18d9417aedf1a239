import { clearAnswers, resume } from "../api.ts";
import { send } from "./request.ts";

/** What a one-time link would do. */
export interface Link {
  readonly person: string;
  readonly kind: "link" | "invitation";
  readonly expiresAt: string;
  readonly needsCode: boolean;
  /** Names of organizations, at most 20. */
  readonly organizations: readonly string[];
}

const SIGN_IN = "/platform/sign-in";

/** Asks for a link by mail. The answer does not tell whether the address is known. */
export async function askForLink(email: string): Promise<void> {
  await send("POST", SIGN_IN, { body: { email } });
}

export const look = async (token: string): Promise<Link> =>
  (await send("POST", `${SIGN_IN}/look`, { body: { token } })).json();

interface Entered {
  readonly signedIn: boolean;
  readonly person?: string;
  /** The code was missing or wrong: further tries. */
  readonly triesLeft?: number;
}

/** Uses a link, its code, or both. */
export const useLink = async (sent: { token?: string; code?: string }): Promise<Entered> =>
  (await send("POST", `${SIGN_IN}/enter`, { body: sent })).json();

/** Shows the page to who has just signed in. */
export async function goOn(): Promise<void> {
  clearAnswers();
  await resume();
}
