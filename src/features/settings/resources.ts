import type { Resource } from "../platform/resource.ts";
import { connectionResources } from "./connections.ts";
import { credentialResources } from "./credentials.ts";
import { dataResources } from "./data.ts";
import type { SettingsDependencies } from "./dependencies.ts";
import { effectResources } from "./effectResources.ts";
import { organizationResources } from "./organizations.ts";
import { pinResources } from "./pins.ts";
import { sectionResource } from "./sections.ts";
import { linkResources } from "./shareLinks.ts";
import { vendorKeysResource } from "./vendorKeys.ts";

/** What admins see and change of their organization, and operators of all [D92]. */
export const settingsResources = (deps: SettingsDependencies): Resource[] => [
  sectionResource(deps),
  ...effectResources(deps),
  ...credentialResources(deps),
  ...connectionResources(deps),
  vendorKeysResource(deps),
  ...dataResources(deps),
  ...linkResources(deps),
  ...pinResources(deps),
  ...organizationResources(deps),
];
