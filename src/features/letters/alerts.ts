import type { Organization } from "../../core/contract/settings.ts";
import type { Ask } from "./ask.ts";
import type { Language } from "./words.ts";

/** What an alert says in a letter: a sentence, whose texts of data are `named` (letter.ts) so that they make no links, and where the page explains it. */
export interface AlertLine {
  readonly text: string;
  /** An address of the Explorer, after its `#`. */
  readonly address: string;
  /** The name of the alert, for people. */
  readonly name: string;
  /** The alert and what it is about: the same for each of its causes. */
  readonly about: string;
  /** The built-in alert that it is, and the integration or product that it is about. */
  readonly builtIn: string | null;
  readonly subject: string | null;
  /** The first and the last day beyond the limit. */
  readonly since: string;
  readonly to: string;
  readonly isOver: boolean;
  /** Whether it is to be sent when it begins. */
  readonly atOnce: boolean;
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
