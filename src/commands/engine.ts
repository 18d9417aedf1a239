import type { Database } from "../core/engine/database.ts";
import type { Explain, Workbooks } from "../core/engine/ports.ts";
import { explanation } from "../features/explain/explain.ts";
import { FittedModels } from "../features/forecast/fitted.ts";
import { workbooks } from "../features/workbooks/book.ts";

/** The features of the engine's answers. */
export const engineFeatures = (
  database: Database,
  options?: ConstructorParameters<typeof FittedModels>[1],
): { readonly models: FittedModels; readonly explain: Explain; readonly workbooks: Workbooks } => ({
  models: new FittedModels(database, options),
  explain: explanation,
  workbooks,
});
