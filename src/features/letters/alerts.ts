import type { Organization } from "../../core/contract/settings.ts";
import type { Ask } from "./ask.ts";
import type { Language } from "./words.ts";

/** What an alert says in a letter: a sentence, whose texts of data are `named` (letter.ts) so that they make no links, and where the page explains it. */
interface AlertLine {
  readonly text: string;
  /** An address of the Explorer, after its `#`. */
  readonly address?: string;
}

/** What alerts are asked with. */
interface AlertsAsked {
  readonly settings: Organization;
  /** The day of the letter: alerts judge the days before it. */
  readonly day: string;
  readonly language: Language;
  readonly ask: Ask;
}

/** What the alerts of an organization say on a day, the most important first. */
export type AlertLines = (asked: AlertsAsked) => Promise<readonly AlertLine[]>;

export const noAlerts: AlertLines = async () => [];
