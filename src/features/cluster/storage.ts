import type { Logger } from "pino";
import type { Config } from "../../core/config.ts";
import { codeVersion } from "../../core/marts/codeVersion.ts";
import { sendDocuments } from "./objects/documents.ts";
import type { Replica } from "./objects/replica.ts";
import type { ObjectStore } from "./objects/store.ts";

/** How often the documents are compared with those in the storage. */
const DOCUMENTS_MS = 1_000;

/** Parts of the storage that a read-only service copies into its data folder. */
export async function openReplica(config: Config, store: ObjectStore, log: Logger): Promise<Replica> {
  // Loaded only here: a service without storage starts without it.
  const { Replica } = await import("./objects/replica.ts");
  return Replica.open(config, {
    store,
    codeVersion: codeVersion(),
    onProblem: ({ organization, error }) =>
      log.error({ organization, err: error }, "the storage: what is here goes on answering"),
    onRecovery: () => log.info("the storage answers again"),
  });
}

/** Sends changed settings, credentials and share links to the replicas, whoever changed them. */
export function followDocuments({ dataDir }: Config, store: ObjectStore, log: Logger): { stop(): Promise<void> } {
  const work = repeated(
    async () => void (await sendDocuments(store, dataDir)),
    DOCUMENTS_MS,
    (error) => log.error({ err: error }, "settings and credentials could not be sent to the storage"),
  );
  return {
    stop: async () => {
      await work.stop();
      await store.close();
    },
  };
}

/** Runs work again and again, with pauses. A failure that lasts is reported once. */
function repeated(work: () => Promise<void>, pauseMs: number, onFailure: (error: unknown) => void) {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let isFailing = false;
  const turn = async (): Promise<void> => {
    try {
      await work();
      isFailing = false;
    } catch (error) {
      if (!isFailing) onFailure(error);
      isFailing = true;
    }
    if (!stopped) timer = setTimeout(begin, pauseMs).unref();
  };
  let running = turn();
  const begin = (): void => {
    running = turn();
  };
  return {
    stop: async (): Promise<void> => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
