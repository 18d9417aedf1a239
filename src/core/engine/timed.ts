import type { OnQuery } from "../contract/endpoint.ts";

/** Runs a query and reports its time. */
export async function timed<T>(name: string, onQuery: OnQuery, query: () => Promise<T>): Promise<T> {
  const began = performance.now();
  try {
    return await query();
  } finally {
    onQuery(name, performance.now() - began);
  }
}
