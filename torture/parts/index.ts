import type { Part } from "../part.ts";

/**
 * Every part by its name on the command line, in the order of the page. A part is loaded when it is run or described.
 */
export const PARTS: Readonly<Record<string, () => Promise<Part>>> = {
  kills: async () => (await import("./kills.ts")).kills,
  replays: async () => (await import("./replays.ts")).replays,
  brokenExports: async () => (await import("./brokenExports.ts")).brokenExports,
  poisonedTables: async () => (await import("./poisonedTables.ts")).poisonedTables,
  damagedLake: async () => (await import("./damagedLake.ts")).damagedLake,
  states: async () => (await import("./states.ts")).states,
  badMachine: async () => (await import("./badMachine.ts")).badMachine,
  hostileRequests: async () => (await import("./hostileRequests.ts")).hostileRequests,
  tenants: async () => (await import("./tenants.ts")).tenancy,
  foreignQueries: async () => (await import("./foreignQueries.ts")).foreignQueries,
  crowd: async () => (await import("./crowd.ts")).crowd,
  credentials: async () => (await import("./credentials.ts")).credentials,
  rateLimit: async () => (await import("./rateLimit.ts")).rateLimit,
  overload: async () => (await import("./overload.ts")).overload,
  soak: async () => (await import("./soak.ts")).soak,
  pulls: async () => (await import("./pulls.ts")).pulls,
  cluster: async () => (await import("./cluster.ts")).cluster,
  mutation: async () => (await import("./mutation.ts")).mutation,
};
