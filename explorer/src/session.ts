import { signal } from "@preact/signals";

/** The credentials and the organization of every request. They are only in memory, until the tab is closed. */
export interface Session {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly organizationId: string;
}

export const session = signal<Session | undefined>(undefined);

/** The reason why the page asks for the credentials again. */
export const refused = signal<"unauthorized" | "forbidden" | undefined>(undefined);

/** Ends the session, which also clears its answers. */
export function signOut(why?: "unauthorized" | "forbidden"): void {
  session.value = undefined;
  refused.value = why;
}
