import path from "node:path";
import type { Config } from "../../../core/config.ts";
import { useReplicas } from "../../../core/marts/replication.ts";
import type { ObjectStore } from "./store.ts";
import type { Uploads } from "./uploads.ts";

const installed = new Map<string, Uploads>();

/** Where the writer of a data folder puts derived files for replicas; undefined if they stay in the folder. */
export const uploadsOf = (dataDir: string): Uploads | undefined => installed.get(path.resolve(dataDir));

/** Only for the composition root, and for tests. */
export function useUploads(dataDir: string, uploads: Uploads | undefined): void {
  if (uploads) installed.set(path.resolve(dataDir), uploads);
  else installed.delete(path.resolve(dataDir));
  useReplicas(dataDir, uploads);
}

/** The storage of the settings; undefined without any. Its client is loaded only here. */
export async function openStore({ storage }: Pick<Config, "storage">): Promise<ObjectStore | undefined> {
  if (storage === undefined) return undefined;
  const { S3 } = await import("./s3.ts");
  return new S3(storage);
}
