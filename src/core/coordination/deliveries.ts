import { rename } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "../contract/error.ts";
import { paths } from "../files/paths.ts";
import type { Document } from "./coordination.ts";
import { coordinationOf } from "./registry.ts";

/**
 * What was sent, or is being sent, to somebody outside, of one organization, by name. What one service notes every other one
 * knows, on whichever machine it runs [D95].
 */
export type Deliveries = Readonly<Record<string, object>>;

const SCHEMA = { type: "object", additionalProperties: { type: "object" } } as const;

const documentOf = (dataDir: string, organization: string): Document<Deliveries> => {
  const file = paths.deliveries(dataDir, organization);
  return coordinationOf(dataDir).documents.open<Deliveries>({
    file,
    name: path.relative(dataDir, file),
    lock: paths.deliveriesLock(dataDir, organization),
    command: "letters",
    schema: SCHEMA,
    nothing: {},
  });
};

/** The deliveries of an organization now. Undefined if they are damaged: nobody knows what was sent. */
export async function readDeliveries(dataDir: string, organization: string): Promise<Deliveries | undefined> {
  try {
    return await documentOf(dataDir, organization).read();
  } catch (error) {
    if (error instanceof OperatorError) return undefined;
    throw error;
  }
}

/** Removes the deliveries of an organization: nothing is known of what was sent. */
export const removeDeliveries = (dataDir: string, organization: string): Promise<void> =>
  documentOf(dataDir, organization).remove();

/**
 * Changes one entry, or removes it with undefined: on disk, or committed, when this resolves. Damaged deliveries are put aside,
 * and begin again.
 */
export async function changeDelivery<T extends object, R>(
  dataDir: string,
  organization: string,
  name: string,
  change: (entry: T | undefined) => { readonly entry: T | undefined; readonly result: R },
): Promise<R> {
  const run = (): Promise<R> =>
    documentOf(dataDir, organization).change((all) => {
      const { entry, result } = change(all[name] as T | undefined);
      const { [name]: _, ...others } = all;
      return { content: entry === undefined ? others : { ...others, [name]: entry }, result };
    });
  if ((await readDeliveries(dataDir, organization)) === undefined) {
    const file = paths.deliveries(dataDir, organization);
    await rename(file, `${file}.damaged`).catch(() => {});
  }
  return run();
}
