import { Children } from "../../core/processes/children.ts";
import type { Resource } from "../../features/platform/resource.ts";
import { uploadResources } from "../../features/uploads/resources.ts";
import { Uploads } from "../../features/uploads/store.ts";
import { READING_MS, UploadWork } from "../../features/uploads/work.ts";
import type { Data } from "./data.ts";
import type { Base } from "./part.ts";

/** Files that are dropped on the page: their resources, and what goes on beside requests. */
export function openUploads(
  { config, log, readOnly }: Base,
  { children, settingsOf: settings }: Data,
): { readonly resources: readonly Resource[]; stop(): Promise<void> } {
  const { dataDir, syncTimeoutMs } = config;
  const readers = new Children(dataDir, Math.min(READING_MS, syncTimeoutMs));
  const work = new UploadWork({ uploads: new Uploads(dataDir), children, readers, settings, log });
  if (!readOnly) work.start();
  return {
    resources: uploadResources(work),
    stop: async () => {
      work.stop();
      await readers.stop();
    },
  };
}
