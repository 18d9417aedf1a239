import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../core/config.ts";
import type { JobRun, Jobs, StateJob } from "../../core/coordination/coordination.ts";
import { removeSurplus } from "../../core/marts/stateRoom.ts";
import { type DeriveState, deriveStateInChild } from "../../core/marts/stateStore.ts";
import type { Children } from "../../core/processes/children.ts";

/** How often a job that was asked for is looked at. */
const LOOK_MS = 500;

interface Asking {
  readonly jobs: Pick<Jobs, "askForState" | "endOfState">;
  /** How long a job may take, with its wait for a worker. */
  readonly limitMs: number;
}

/** For a service that writes nothing: has workers derive a state, and waits for it [D82]. */
export const deriveByWorkers =
  ({ jobs, limitMs }: Asking): DeriveState =>
  async (organization, { landings, settings }) => {
    const deadline = performance.now() + limitMs;
    const id = await jobs.askForState({ organization, landings, settings });
    while (performance.now() < deadline) {
      const end = await jobs.endOfState(id);
      if (end?.reason !== undefined) throw new Error(end.reason);
      if (end) return;
      await sleep(LOOK_MS, undefined, { ref: false });
    }
    throw new Error(`no worker has derived it within ${limitMs / 1000} seconds: is \`lucra work\` running?`);
  };

/** Derives the states that services ask for which write nothing. `children`: of a low priority. */
export function stateRun(
  { dataDir, statesBytes }: Pick<Config, "dataDir" | "statesBytes">,
  children: Children,
): JobRun<StateJob> {
  const derive = deriveStateInChild(children);
  return async ({ organization, ...wanted }) => {
    await derive(organization, wanted, "");
    await removeSurplus(dataDir, { bytes: statesBytes });
    return undefined;
  };
}
