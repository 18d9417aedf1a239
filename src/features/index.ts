import { hasErasures } from "../core/landing/ledger/erasures.ts";
import { addIntegrationRule } from "../core/organizations/settings.ts";
import { addErasing } from "../core/sync/erasing.ts";
import { pullFaults } from "./pull/settings.ts";
import { addTools } from "./tools/index.ts";

// What features add to every process of Lucra; `src/commands` has what they add to a service.
addIntegrationRule((integration, place) => pullFaults(integration, `${place}.pull`));
addTools();
// Loaded when there is something to keep erased: most organizations have nothing.
addErasing({
  resumed: async (writer) => {
    if (await hasErasures(writer.folders)) await (await import("./erasure/erase.ts")).resumed(writer);
  },
  beforeLanding: async (writer) =>
    (await hasErasures(writer.folders)) ? (await import("./erasure/erase.ts")).beforeLanding(writer) : undefined,
});
