import path from "node:path";
import { ApiError, isOfBrokenEngine, isOutOfMemory, isOutOfSpace } from "../contract/error.ts";
import type { Current, Generations } from "../contract/generations.ts";

/** Does work that reads an organization's files, which stay meanwhile. */
export async function held<T>(
  generations: Pick<Generations, "hold">,
  organization: string,
  work: () => Promise<T>,
): Promise<T> {
  const release = generations.hold?.(organization);
  try {
    return await work();
  } finally {
    release?.();
  }
}

/** Names the generation. */
export const versionOf = ({ folder, state }: Current): string => `${path.basename(folder)}-${state}`;

/** The records that lack rows. */
export const incompleteRecords = ({ missing = [] }: Current): string[] => [
  ...new Set(missing.map(({ connector, record }) => `${connector}/${record}`)),
];

const isInvalidated = (error: unknown): boolean =>
  isOfBrokenEngine(error) && (error as Error).message.includes("has been invalidated");

/** Runs the work; an unexpected error of the engine becomes an `ApiError`. */
export async function withEngineErrors<T>(
  generations: Generations,
  organization: string,
  work: () => Promise<T>,
  isPart = false,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw await apiErrorOf(error, generations, organization, isPart);
  }
}

/** Returns the error to report for an error of the engine: `damaged` if the files fail their checksums, `tooLarge` if it is out of memory. */
export async function apiErrorOf(
  error: unknown,
  generations: Generations,
  organization: string,
  isPart = false,
): Promise<unknown> {
  if (error instanceof ApiError) return error;
  if (isOutOfSpace(error as Error)) return new ApiError("full");
  if (await generations.recheck(organization, isPart)) return new ApiError("damaged");
  if (isOutOfMemory(error)) return new ApiError("tooLarge");
  // Another statement broke the engine, which is being replaced.
  return isInvalidated(error) ? new ApiError("busy") : error;
}
