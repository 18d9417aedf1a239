import type { Endpoint } from "../../src/core/contract/endpoint.ts";
import { isSent } from "../../src/core/contract/param.ts";
import { endpoints } from "../../src/core/endpoints/index.ts";

/** The server's limit of a request's head leaves so much for a parameter. */
const MOST_CHARACTERS = 15_000;

const UNITS = ["0", "a", "A", "-", ".", " ", ",", "%", "0.", "a-", "é", "00000000-", "2025-01-01", "1e"];

/** Texts that a pattern with two ways to match the same characters tries in all of them, until the last one fails. */
export const WORST: readonly string[] = UNITS.flatMap((unit) =>
  ["", "!", "\n"].map((end) => `${unit.repeat(MOST_CHARACTERS / encodeURIComponent(unit).length)}${end}`),
);

/** Each kind of parameter declaration, at one endpoint that has it. */
export const DECLARED: readonly { readonly endpoint: Endpoint; readonly name: string }[] = [
  ...new Map(
    endpoints.flatMap((endpoint) =>
      Object.entries(endpoint.params)
        .filter(([, param]) => isSent(param))
        .map(([name, param]) => [JSON.stringify([name, { ...param, description: "" }]), { endpoint, name }] as const),
    ),
  ).values(),
];
