import type { Database } from "../core/engine/database.ts";
import type { Explain } from "../core/engine/parts.ts";
import { explanation } from "../features/explain/explain.ts";
import { FittedModels } from "../features/forecast/fitted.ts";

/** What the features add to the answers of the engine. */
export const engineFeatures = (
  database: Database,
  options?: ConstructorParameters<typeof FittedModels>[1],
): { readonly models: FittedModels; readonly explain: Explain } => ({
  models: new FittedModels(database, options),
  explain: explanation,
});
