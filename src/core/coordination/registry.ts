import path from "node:path";
import type { Coordination } from "./coordination.ts";
import { fileCoordination } from "./fileCoordination.ts";

const installed = new Map<string, Coordination>();

/** The coordination of a data folder. */
export function coordinationOf(dataDir: string): Coordination {
  const place = path.resolve(dataDir);
  const known = installed.get(place) ?? fileCoordination(place);
  installed.set(place, known);
  return known;
}

/** Only for the composition root, and for tests: from now on the data folder has this coordination. */
export function useCoordination(dataDir: string, coordination: Coordination | undefined): void {
  if (coordination) installed.set(path.resolve(dataDir), coordination);
  else installed.delete(path.resolve(dataDir));
}
