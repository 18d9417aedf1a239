import type { Logger } from "pino";
import type { Config } from "../../core/config.ts";
import type { Organization } from "../../core/contract/settings.ts";
import type { Networks } from "../webhooks/networks.ts";
import type { AlertLines } from "./alerts.ts";
import type { Ask } from "./ask.ts";
import type { Language } from "./words.ts";

/** What sending letters needs. */
export interface LettersDependencies {
  readonly config: Pick<Config, "dataDir" | "now" | "smtp" | "publicUrl">;
  readonly organizations: () => Promise<readonly Organization[]>;
  /** The person of an address who has a role in the organization; undefined if there is none. */
  readonly personOf: (
    organization: string,
    email: string,
  ) => Promise<{ readonly language?: Language | undefined } | undefined>;
  readonly askOf: (organization: string, signal: AbortSignal) => Ask;
  readonly alerts: AlertLines;
  /** What the answers of an organization are made of now: with the same, alerts say the same of a day. Undefined without data. */
  readonly stateOf: (organization: string) => Promise<string | undefined>;
  readonly networks: Networks;
  /** Ends the letters of a person who has no role any more. */
  readonly end: (organization: string, letter: { readonly to: string }) => Promise<void>;
  readonly log: Logger;
  readonly lookMs?: number;
}
