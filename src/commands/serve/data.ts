import { tmpdir } from "node:os";
import type { Logger } from "pino";
import type { Config } from "../../core/config.ts";
import { isOutOfSpace } from "../../core/contract/error.ts";
import type { Organization } from "../../core/contract/settings.ts";
import { coordinationOf } from "../../core/coordination/registry.ts";
import { Spool } from "../../core/engine/spool.ts";
import { paths } from "../../core/files/paths.ts";
import { Storage } from "../../core/files/storage.ts";
import { GenerationStore } from "../../core/marts/current.ts";
import { deriveInChild, deriveNothing } from "../../core/marts/derivations.ts";
import { deriveStateInChild, StateStore } from "../../core/marts/stateStore.ts";
import { openOrganizations } from "../../core/organizations/open.ts";
import type { Organizations } from "../../core/organizations/organizations.ts";
import { Children } from "../../core/processes/children.ts";
import { openStore, useUploads } from "../../features/cluster/objects/open.ts";
import type { Replica } from "../../features/cluster/objects/replica.ts";
import { Uploads } from "../../features/cluster/objects/uploads.ts";
import { deriveByWorkers } from "../../features/cluster/stateJobs.ts";
import { followDocuments, openReplica } from "../../features/cluster/storage.ts";
import { derivedOne, type Own, prepare } from "../firstFiles.ts";
import type { Base, Running } from "./part.ts";

/** The data folder: settings, derived files and what derives them. */
export interface Data {
  readonly storage: Storage;
  readonly organizations: Organizations;
  readonly settingsOf: (id: string) => Promise<Organization | undefined>;
  readonly allSettings: () => Promise<Organization[]>;
  readonly replica: Replica | undefined;
  readonly spool: Spool;
  readonly children: Children;
  /** Their processes have a low priority. */
  readonly stateChildren: Children;
  readonly generations: GenerationStore;
  readonly states: StateStore;
  /** The folder of derived files that the views of an engine are bound to. */
  readonly bound: () => Promise<string>;
}

/** `demo`: an empty data folder gets the demo organization. */
export async function startData({ config, log, readOnly }: Base, demo: boolean): Promise<Running<Data>> {
  const { dataDir } = config;
  const organizations = openOrganizations(dataDir, (problem) =>
    log.error({ problem }, "settings refused, the last good ones stay in force"),
  );
  const storage = new Storage(dataDir);
  const settingsOf = async (id: string) => (await organizations.get(id, { storage }))?.settings;
  const store = await openStore(config);
  if (store && !readOnly) useUploads(dataDir, new Uploads(store, dataDir));
  const replica = store && readOnly ? await openReplica(config, store, log) : undefined;
  const prepared = readOnly ? undefined : await prepare(config, demo);
  const spool = await openSpool(config, readOnly, log);
  const oneOf = async (own: Own): Promise<string> =>
    derivedOne(config, await organizations.ids(), own, replica !== undefined);
  let first: string | undefined = prepared ?? (await oneOf(spool));
  const children = new Children(dataDir, config.syncTimeoutMs);
  const generations = new GenerationStore(
    dataDir,
    settingsOf,
    (organization, error) => children.stopped || log.error({ organization, err: error }, "could not derive"),
    readOnly ? deriveNothing : deriveInChild(children),
    { storage, mirror: replica?.mirror },
  );
  // Of its own: their processes have a low priority.
  const stateChildren = new Children(dataDir, config.syncTimeoutMs);
  const { jobs } = coordinationOf(dataDir);
  const byWorkers = jobs && deriveByWorkers({ jobs, limitMs: config.syncTimeoutMs });
  const states = new StateStore(dataDir, {
    bytes: config.statesBytes,
    derive: readOnly ? byWorkers : deriveStateInChild(stateChildren),
    readOnly,
    copies: replica?.mirror,
    onFailure: (organization, error) =>
      stateChildren.stopped || log.error({ organization, err: error }, "an earlier state could not be derived"),
  });
  const documents = store && !readOnly ? followDocuments(config, store, log) : undefined;
  // The second engine, and one that replaces a broken one, are bound to files that exist by then.
  const bound = async (): Promise<string> => {
    const folder = first ?? (await oneOf({ folder: spool.folder, close: async () => {} }));
    first = undefined;
    return folder;
  };
  return {
    value: {
      storage,
      organizations,
      settingsOf,
      allSettings: () => organizations.all(),
      replica,
      spool,
      children,
      stateChildren,
      generations,
      states,
      bound,
    },
    leave: () => {
      states.stop();
      void stateChildren.stop();
    },
    stop: async () => {
      await Promise.all([documents?.stop(), replica?.stop()]);
      await spool.close();
    },
  };
}

/** On a full disk the service starts all the same, and spools elsewhere. */
async function openSpool(config: Config, readOnly: boolean, log: Logger): Promise<Spool> {
  const home = spoolHome(config, readOnly);
  return Spool.open(home, config.dataDir).catch((error: Error) => {
    if (!isOutOfSpace(error)) throw error;
    log.error({ err: error, spool: tmpdir() }, "the disk is full: exports are spooled in the temporary folder");
    return Spool.open(tmpdir());
  });
}

/** Where exports are spooled: with `--read-only` this is outside the data folder. */
function spoolHome({ spoolDir, dataDir }: Config, readOnly: boolean): string {
  return spoolDir ?? (readOnly ? tmpdir() : paths.spool(dataDir));
}
