import type { RequestContext } from "../contract/endpoint.ts";
import type { Current, Generations } from "../contract/generations.ts";
import type { Database, Session } from "./database.ts";
import { apiErrorOf } from "./generations.ts";
import { setVariables } from "./parameters.ts";

/** A request that is answered from one generation, which stays until it is released. */
export interface Reading extends RequestContext {
  /** Those of the newest data, or of what was known. */
  readonly generations: Generations;
  /** Rejects if there is none, or if it cannot be read. */
  readonly generation: Promise<Current>;
  readonly release: () => void;
}

/** The engine and the files that answer requests. */
export interface Source {
  readonly database: Database;
  readonly generations: Generations;
}

/** Begins to read the files that answer the request; the caller releases them. */
export const openReading = (source: Source, context: RequestContext): Reading => {
  const generations = context.known?.files ?? source.generations;
  const release = generations.hold?.(context.organizationId) ?? (() => {});
  const generation = generations.current(context.organizationId);
  // A request that fails before it reads the generation does not wait for it.
  generation.catch(() => {});
  return { ...context, generations, generation, release };
};

/**
 * Runs work on a session of its own that reads the request's generation and has its parameters. When the signal aborts,
 * what runs is interrupted; every failure is an `ApiError`, or a fault of the program.
 */
export async function inSession<T>(
  { database }: Pick<Source, "database">,
  reading: Reading,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { signal, organizationId, generation, generations } = reading;
  try {
    const { folder } = await generation;
    return await database.useUntil(signal, async (session) => {
      await setVariables(session, folder, reading);
      return work(session);
    });
  } catch (error) {
    throw await apiErrorOf(error, generations, organizationId);
  }
}
