import type { Part } from "../part.ts";

/** Every part, by the name it is called by, in the order of the page. A part is loaded when it is run or described. */
export const PARTS: Readonly<Record<string, () => Promise<Part>>> = {
  hostileRequests: async () => (await import("./hostileRequests.ts")).hostileRequests,
  tenants: async () => (await import("./tenants.ts")).tenancy,
  credentials: async () => (await import("./credentials.ts")).credentials,
  rateLimit: async () => (await import("./rateLimit.ts")).rateLimit,
  overload: async () => (await import("./overload.ts")).overload,
  soak: async () => (await import("./soak.ts")).soak,
  mutation: async () => (await import("./mutation.ts")).mutation,
};
