import { wording } from "../contract/failures.ts";
import type { AskedMoment } from "../contract/generations.ts";
import { isDay, millisecondIn } from "./instant.ts";

/** The name of a pin: it cannot be taken for a date [D83]. */
export const PIN_NAME = /^(?!\d{4}-\d{2}-\d{2})[a-z0-9][a-z0-9-]{0,39}$/;

/** What `knownAt` asks for, or the message for a client that asks for nothing. */
type AskedState = AskedMoment | { readonly fault: string };

/** Reads `knownAt` [D80]. A day is its last millisecond in UTC, or now on the day of today. */
export function askedState(sent: unknown, now: Date): AskedState {
  if (Array.isArray(sent)) return { fault: wording.repeated };
  if (typeof sent !== "string" || sent === "") return { fault: wording.knownAt };
  if (PIN_NAME.test(sent)) return { pin: sent };
  const today = now.toISOString().slice(0, 10);
  const at = isDay(sent) ? (sent === today ? now.toISOString() : `${sent}T23:59:59.999Z`) : millisecondIn(sent);
  if (at === undefined) return { fault: wording.knownAt };
  return at > now.toISOString() ? { fault: wording.knownLater } : { at };
}
