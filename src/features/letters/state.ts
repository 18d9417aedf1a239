import type { LetterSetting } from "../../core/contract/settings.ts";
import { changeDelivery, readDeliveries } from "../../core/coordination/deliveries.ts";
import { sha256OfText } from "../../core/files/checksum.ts";
import type { OrganizationFolders } from "../../core/files/organizationFolders.ts";

/** A letter as it goes out, every time that it does. */
export interface Content {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** For Slack or the webhook. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * `waiting`: nothing of it was sent. `sending`: from before its text until the answer; a process that finds it so cannot
 * know whether it arrived. `failed`: given up. `unknown`: it may have arrived, and is not sent again.
 */
type Stage = "waiting" | "sending" | "sent" | "failed" | "unknown";

/** The newest letter of one kind to one receiver. */
export interface LetterState {
  /** Since when the letter is in the settings. */
  readonly since: string;
  /** The day of the newest one; null before the first. */
  readonly day: string | null;
  readonly stage: Stage;
  /** Made of whom it is for, its kind and its day. */
  readonly messageId?: string;
  /** Kept until it is sent. */
  readonly content?: Content;
  readonly begunAt?: string;
  readonly sendingAt?: string;
  readonly nextAt?: string;
  readonly attempts?: number;
  /** How often nobody could know whether it arrived. */
  readonly unknowns?: number;
  readonly reason?: string;
  readonly sentAt?: string;
  /** The day of the newest one that was sent. */
  readonly sentDay?: string;
  /** Of alerts that are sent at once: what they were about, and the last day beyond the limit of its newest cause. */
  readonly spoken?: Readonly<Record<string, string>>;
}

/** Who gets a letter, or alerts when they begin. */
export type Receiver = Pick<LetterSetting, "to" | "channel" | "language"> & {
  readonly on: LetterSetting["on"] | "alert";
};

type Identity = Pick<Receiver, "to" | "on" | "channel">;

const hashOf = (parts: readonly unknown[]): string => sha256OfText(JSON.stringify(parts)).slice(0, 32);

/** Its name among the deliveries: it has no address. */
export const nameOf = ({ to = "", on, channel }: Identity): string =>
  `letter ${hashOf([channel, to.toLowerCase(), on])}`;

/** The same for the same organization, receiver, kind and day. */
export const messageIdOf = (organization: string, { to = "", on, channel }: Identity, day: string): string =>
  `letter.${day}.${hashOf([organization, channel, to.toLowerCase(), on, day])}`;

/** The same for the same organization, receiver and causes. */
export const alertIdOf = (organization: string, { to = "", channel }: Identity, causes: readonly unknown[]): string =>
  `alert.${hashOf([organization, channel, to.toLowerCase(), causes])}`;

/** What is known of the letters; undefined if it is damaged. */
export async function letterStates({
  dataDir,
  organization,
}: OrganizationFolders): Promise<Readonly<Record<string, LetterState>> | undefined> {
  const all = await readDeliveries(dataDir, organization);
  return all as Readonly<Record<string, LetterState>> | undefined;
}

/** Changes what is known of a letter, unless it is not as expected any more: another process was faster. */
export function changeState(
  { dataDir, organization }: OrganizationFolders,
  letter: Identity,
  next: (now: LetterState | undefined) => LetterState | undefined,
): Promise<boolean> {
  return changeDelivery<LetterState, boolean>(dataDir, organization, nameOf(letter), (now) => {
    const entry = next(now);
    return entry === undefined ? { entry: now, result: false } : { entry, result: true };
  });
}
