import type { Endpoint, ExplainEndpoint } from "../contract/endpoint.ts";
import { type Accepted, isSent } from "../contract/param.ts";

/** The endpoint of an address, and the values of the parameters in its path. */
interface Addressed<E extends Endpoint = Endpoint> {
  readonly endpoint: E;
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Finds the endpoint of an address without a query. A value in the path may be percent-encoded or not: ids of products
 * contain slashes.
 */
export function addressed<E extends Endpoint>(endpoints: readonly E[], address: string): Addressed<E> | undefined {
  const fixed = endpoints.find(({ path }) => path === address);
  if (fixed) return { endpoint: fixed, values: {} };
  for (const value of ["([^/]+)", "(.+)"]) {
    for (const endpoint of endpoints.filter(({ path }) => path.includes(":"))) {
      const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
      const found = new RegExp(`^${endpoint.path.replaceAll(/:\w+/g, value)}$`).exec(address);
      const texts = found?.slice(1).map(decoded);
      if (texts && !texts.includes(undefined)) {
        return { endpoint, values: Object.fromEntries(names.map((name, no) => [name, texts[no] ?? ""])) };
      }
    }
  }
  return undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** A request for an explanation: the endpoint with its own parameters as they were accepted, the figure and its row. */
export interface Explained {
  readonly endpoint: ExplainEndpoint["of"][number];
  readonly accepted: Accepted;
  readonly figure: string;
  readonly row: string | null;
}

/** The parameters that decide only how an answer is sent, with the values that are the same for every address. */
const SENDING: Accepted = { format: null, all: "false", locale: null, headings: "names" };

/** The parts of the accepted parameters of an explanation. */
export function explained({ of }: ExplainEndpoint, accepted: Accepted): Explained {
  const found = addressed(of, String(accepted.endpoint));
  if (!found) throw new Error(`no endpoint ${accepted.endpoint}`);
  const { endpoint } = found;
  const own: Record<string, string | number | null> = {};
  for (const [name, param] of Object.entries(endpoint.params)) {
    const value = (Object.hasOwn(SENDING, name) ? SENDING : accepted)[name] ?? null;
    // As after the validation, the instant is not a part of cache keys.
    Object.defineProperty(own, name, { value, enumerable: param.kind !== "now", configurable: true, writable: true });
  }
  const row = accepted.row ?? null;
  return { endpoint, accepted: own, figure: String(accepted.figure), row: row === null ? null : String(row) };
}

/** The parameters as they were understood, for the answer. */
export const understood = ({ endpoint, accepted }: Explained): Record<string, string | number | null> =>
  Object.fromEntries(
    Object.entries(endpoint.params)
      .filter(([name, param]) => isSent(param) && !Object.hasOwn(SENDING, name))
      // The newest data are known at no instant.
      .filter(([name, { kind }]) => kind !== "known" || (accepted[name] ?? null) !== null)
      .map(([name]) => [name, accepted[name] ?? null]),
  );
