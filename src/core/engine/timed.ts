import type { OnQuery } from "../contract/endpoint.ts";

/** Starts to measure a query; the result, called at its end, reports its time. */
export function startTimer(name: string, onQuery: OnQuery): () => void {
  const began = performance.now();
  return () => onQuery(name, performance.now() - began);
}

/** Runs a query and reports its time. */
export async function timed<T>(name: string, onQuery: OnQuery, query: () => Promise<T>): Promise<T> {
  const end = startTimer(name, onQuery);
  try {
    return await query();
  } finally {
    end();
  }
}
