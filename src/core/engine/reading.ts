import type { RequestContext } from "../contract/endpoint.ts";
import type { Compared, Current, Generations, Known } from "../contract/generations.ts";
import { type ComparedFolders, openStates } from "./comparedStates.ts";
import type { Session } from "./database.ts";
import { type Engines, engineFor } from "./engines.ts";
import { apiErrorOf } from "./generations.ts";
import { setVariables } from "./parameters.ts";

/** A request that is answered from one generation, which stays until it is released. */
export interface Reading extends RequestContext {
  /** Those of the newest data, or of what was known. */
  readonly generations: Generations;
  /** Rejects if there is none, or if it cannot be read. Of states that are compared, the later one. */
  readonly generation: Promise<Current>;
  /** The other states that are compared. */
  readonly others?: Promise<Pick<ComparedFolders, "before" | "between">>;
  readonly release: () => void;
}

/** The engines and the files that answer requests. */
export interface Source extends Engines {
  readonly generations: Generations;
}

/** Begins to read the files that answer the request; the caller releases them. */
export const openReading = (source: Source, context: RequestContext): Reading => {
  const { known, compared, organizationId } = context;
  if (known && compared) return openComparison(source, { ...context, known, compared });
  const generations = known?.files ?? source.generations;
  const release = generations.hold?.(organizationId) ?? (() => {});
  const generation = generations.current(organizationId);
  // A request that fails before it reads the generation does not wait for it.
  generation.catch(() => {});
  return { ...context, generations, generation, release };
};

function openComparison(
  source: Source,
  context: RequestContext & { readonly known: Known; readonly compared: Compared },
): Reading {
  const { known, compared, organizationId } = context;
  const filesOf = (one: Known): Generations =>
    compared.isInForce && one === compared.after ? source.generations : one.files;
  const states = [known, compared.between, compared.after].map(filesOf);
  const [before, between, after] = states.map((one) => one.current(organizationId));
  const releases = states.map((one) => one.hold?.(organizationId));
  const others = Promise.all([before, between]).then(([earlier, mixed]) => ({
    before: earlier?.folder ?? "",
    between: mixed?.folder ?? "",
  }));
  const generation = after as Promise<Current>;
  generation.catch(() => {});
  others.catch(() => {});
  const recheck: Generations["recheck"] = async (organization, isPart) => {
    const damaged: boolean[] = [];
    for (const one of new Set(states)) damaged.push(await one.recheck(organization, isPart));
    return damaged.includes(true);
  };
  const release = (): void => {
    for (const one of releases) one?.();
  };
  return { ...context, generations: { current: () => generation, recheck }, generation, others, release };
}

/**
 * Runs work on a session of its own that reads the request's generation and has its parameters. When the signal aborts,
 * what runs is interrupted; every failure is an `ApiError`, or a fault of the program.
 */
export async function inSession<T>(
  engines: Engines,
  reading: Reading,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { signal, organizationId, generation, generations } = reading;
  try {
    const { folder } = await generation;
    const others = await reading.others;
    const database = await engineFor(engines, folder);
    return await database.useUntil(signal, async (session) => {
      await setVariables(session, folder, reading);
      if (others) await openStates(session, reading, { ...others, after: folder });
      return work(session);
    });
  } catch (error) {
    throw await apiErrorOf(error, generations, organizationId);
  }
}
