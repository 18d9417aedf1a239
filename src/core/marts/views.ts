import { CORE } from "./relations.ts";
import { LANDED_RECORDS } from "./staging.ts";

/** The views that analyses read, by name, each with what a row of it is. */
export const analysisViews = (): { readonly name: string; readonly grain: string }[] =>
  [
    ...CORE.filter(({ keptFor }) => keptFor === "analyses").map(({ name, grain }) => ({ name, grain })),
    { name: LANDED_RECORDS.name, grain: "integration and record that has landed rows" },
  ].sort((a, b) => (a.name < b.name ? -1 : 1));
