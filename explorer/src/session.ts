import { signal } from "@preact/signals";

/** The credentials of every request. They are only in this variable, until the tab is closed. */
export interface Session {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly organizationId: string;
}

export const session = signal<Session | undefined>(undefined);

/** Why the form for the credentials is shown again. */
export const refused = signal<"unauthorized" | "forbidden" | undefined>(undefined);

/** Ends the session, and forgets what it fetched. */
export function signOut(why?: "unauthorized" | "forbidden"): void {
  session.value = undefined;
  refused.value = why;
}
