import path from "node:path";
import { ApiError, isOfBrokenEngine, isOutOfMemory, isOutOfSpace } from "../contract/error.ts";

/** The folder of an organization's derived files, and the state they were derived from. */
export interface Current {
  readonly folder: string;
  readonly state: string;
  /** The landed files that were lost when they were derived. */
  readonly missing?: readonly { readonly connector: string; readonly record: string }[] | undefined;
}

export interface Generations {
  /** `toRead`: false if only its name is needed. */
  current(organizationId: string, toRead?: boolean): Promise<Current>;
  /** A read failed, perhaps of a part of an answer only. Returns whether the files are damaged; these are then derived again. */
  recheck(organizationId: string, isPart?: boolean): Promise<boolean>;
  /** Keeps the files of an organization, if they are a copy that may be removed, until the result is called. */
  hold?(organizationId: string): () => void;
}

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
