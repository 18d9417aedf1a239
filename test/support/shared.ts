import { cpSync } from "node:fs";
import { access, cp, mkdir, mkdtemp, rename, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Config, readConfig } from "../../src/core/config.ts";
import type { Organization } from "../../src/core/contract/settings.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { StateStore } from "../../src/core/marts/stateStore.ts";
import { changeLandings } from "../../src/core/sync/revoke.ts";
import { deriveAll, deriveStateAlone, failed } from "../../src/core/sync/sync.ts";
import { AURORA, DataFolder, FIXTURES, KNOTS_FOLDER, NOW, ROOT } from "./data.ts";

/*
 * Data with which many tests begin and which no test may change. The first test that needs it makes it, once a run; the
 * others copy it:
 *
 * - `landedFixtures`, `landedKnots`: a data folder in which the fixtures, or those of `test/knots`, have landed,
 * - `deriveNobody`: the derived files of an empty organization, to which the engine's views are bound.
 *
 * Several processes run the tests; their common folder is made and removed by `environment.ts`.
 */

/** The folder to which an engine's views are bound before any request. */
export const NOBODY = { organizationId: "_empty", name: "" };

export const landedFixtures = (environment: Readonly<Record<string, string>> = {}): Promise<DataFolder> =>
  landedFrom(FIXTURES, environment);

export const landedKnots = (): Promise<DataFolder> => landedFrom(KNOTS_FOLDER, {});

async function landedFrom(fixtures: string, environment: Readonly<Record<string, string>>): Promise<DataFolder> {
  const landed = await once(path.basename(fixtures), async () => {
    const data = await DataFolder.fixtures({}, fixtures);
    const report = await data.sync();
    if (failed(report)) throw new Error(`the fixtures did not land whole: ${JSON.stringify(report)}`);
    return data.path;
  });
  return DataFolder.copyOf({ path: landed }, environment);
}

/** Puts the derived files of an empty organization into a data folder. */
export async function deriveNobody({ dataDir }: Config): Promise<void> {
  const place = foldersOf(dataDir, NOBODY.organizationId).mart;
  if (await isThere(place)) return;
  const derived = await once("nobody", async () => {
    const data = await DataFolder.empty();
    await deriveAll(data.config, [NOBODY]);
    return data.path;
  });
  cpSync(foldersOf(derived, NOBODY.organizationId).mart, place, { recursive: true });
}

/** The folder of that name; the first caller makes it, the others wait. */
async function once(name: string, make: () => Promise<string>): Promise<string> {
  process.env.LUCRA_TESTS_SHARED ??= await mkdtemp(path.join(tmpdir(), "lucra-shared-"));
  const place = path.join(process.env.LUCRA_TESTS_SHARED, name);
  const lock = `${place}.lock`;
  for (;;) {
    if (await isThere(place)) return place;
    const mine = await mkdir(lock).then(
      () => true,
      () => false,
    );
    if (!mine) {
      await sleep(50);
      continue;
    }
    try {
      if (!(await isThere(place))) await rename(await make(), place);
    } finally {
      await rm(lock, { recursive: true });
    }
  }
}

const isThere = (place: string): Promise<boolean> =>
  access(place).then(
    () => true,
    () => false,
  );

/** When the later files of `landedHistory` landed. It is asked at the last of these times. */
const LATER = ["2025-04-02T12:00:00.000Z", "2025-04-08T12:00:00.000Z"];

/**
 * The landed fixtures with a history: the files of `test/history/later/1` landed the day after, by mistake. A week later
 * they were revoked, and those of `2` landed, with other settings.
 */
export async function landedHistory(): Promise<DataFolder> {
  const landed = await once("history", async () => {
    const data = await landedFixtures();
    for (const [round, now] of LATER.entries()) {
      await cp(path.join(ROOT, "test", "history", "later", String(round + 1)), data.path, { recursive: true });
      for (const name of (await data.files("exports")).filter((file) => file.includes("2025-04-0"))) {
        await utimes(path.join(data.path, "exports", name), new Date(NOW), new Date(NOW));
      }
      if (round === 1) await revokeLast(data, now);
      const report = await data.syncAt(now);
      if (failed(report)) throw new Error(`the later files did not land whole: ${JSON.stringify(report)}`);
    }
    await deriveStates(data);
    return data.path;
  });
  return DataFolder.copyOf({ path: landed }, { LUCRA_NOW: LATER.at(-1) as string });
}

/** Derives what is compared, as on a busy machine that takes longer than a request waits. */
async function deriveStates({ path: folder, config }: DataFolder): Promise<void> {
  const states = new StateStore(folder, {
    bytes: config.statesBytes,
    derive: (id, wanted) => deriveStateAlone(config, id, wanted),
    onFailure: (_, error) => {
      throw error;
    },
    waitMs: 600_000,
  });
  const [before, after] = [
    await states.known(AURORA, { at: "2025-04-02T23:59:59.999Z" }),
    await states.known(AURORA, { at: LATER.at(-1) as string }),
  ];
  for (const state of [before, after, await states.between(AURORA, before, after)]) await state.ready();
}

/** Revokes the last landing of orders. */
async function revokeLast(data: DataFolder, now: string): Promise<void> {
  const landed = (await data.files("lake")).filter(
    (file) => file.includes("/orders/") || file.includes("record=orders"),
  );
  const numbers = landed.map((file) => Number(/\.(\d+)\.[^/]*$/.exec(file)?.[1] ?? 0));
  const settings = JSON.parse(await data.text(`organizations/${AURORA}.json`)) as Organization;
  const config = readConfig({ LUCRA_THREADS: "1", LUCRA_DATA_DIR: data.path, LUCRA_NOW: now });
  await changeLandings(config, settings, { action: "revoke", landings: [Math.max(...numbers)] });
}
