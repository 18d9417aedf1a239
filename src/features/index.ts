import { addIntegrationRule } from "../core/organizations/settings.ts";
import { pullFaults } from "./pull/settings.ts";
import { addTools } from "./tools/index.ts";

// What features add to every process of Lucra; `src/commands` has what they add to a service.
addIntegrationRule((integration, place) => pullFaults(integration, `${place}.pull`));
addTools();
