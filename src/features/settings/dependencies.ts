import type { Credentials } from "../../core/access/credentials.ts";
import type { LastUses } from "../../core/access/lastUses.ts";
import type { Audit } from "../../core/audit/audit.ts";
import type { Config } from "../../core/config.ts";
import type { Generations, States } from "../../core/contract/generations.ts";
import type { Organization } from "../../core/contract/settings.ts";
import type { Database } from "../../core/engine/database.ts";
import type { Organizations } from "../../core/organizations/organizations.ts";
import type { Children } from "../../core/processes/children.ts";
import type { Links } from "../links/links.ts";

/** What the rooms of the settings read and change. */
export interface SettingsDependencies {
  readonly config: Config;
  readonly organizations: Pick<Organizations, "get" | "ids">;
  readonly credentials: Credentials;
  readonly lastUses: Pick<LastUses, "all">;
  readonly log: Audit;
  readonly links: Links;
  readonly states: States;
  /** The engine that answers, and the files in force. */
  readonly database: Pick<Database, "useUntil">;
  readonly generations: Generations;
  readonly quality: { of(settings: Organization, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> };
  /** Their processes have a low priority. */
  readonly children: Children;
  /** As `children`, with less time. */
  readonly effectChildren: Pick<Children, "run">;
}
