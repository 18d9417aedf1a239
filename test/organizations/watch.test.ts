import { mkdir, rename } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { paths } from "../../src/core/files/paths.ts";
import { openOrganizations } from "../../src/core/organizations/open.ts";
import { SettingsWatch } from "../../src/core/organizations/watch.ts";
import { DataFolder } from "../support/data.ts";

const id = (no: number): string => `00000000-0000-4000-8000-${String(no).padStart(12, "0")}`;
/** Well below the pause between two checks without an event. */
const SOON_MS = 3_000;

describe("The watch over settings", () => {
  let data: DataFolder;
  let watch: SettingsWatch;
  let changes: string[];
  let slow = 0;

  const write = (no: number, name: string): Promise<void> => data.settings({ organizationId: id(no), name });
  const noticed = async (no: number): Promise<void> => {
    const began = performance.now();
    while (!changes.includes(id(no))) {
      expect(performance.now() - began, `${no} was not noticed`).to.be.below(SOON_MS);
      await sleep(20);
    }
  };

  beforeEach(async () => {
    slow = 0;
    changes = [];
    data = await DataFolder.empty();
    for (const no of [1, 2]) await write(no, "before");
    const organizations = openOrganizations(data.path, () => {});
    watch = new SettingsWatch(
      organizations,
      async (changed) => {
        changes.push(...changed);
        await sleep(slow);
      },
      (error) => expect.fail(String(error)),
    );
    await watch.start();
  });

  afterEach(async () => {
    watch.stop();
    await data.remove();
  });

  it("notices what changes, appears and disappears", async () => {
    await write(1, "after");
    await noticed(1);
    await write(3, "new");
    await noticed(3);
    changes = [];
    await rename(path.join(paths.settings(data.path), `${id(2)}.json`), path.join(data.path, "gone.json"));
    await noticed(2);
    expect(changes).to.deep.equal([id(2)]);
  });

  it("notices changes while earlier changes are taken up", async () => {
    slow = 500;
    await write(1, "after");
    await noticed(1);
    await write(2, "after");
    await noticed(2);
  });

  it("does not wait for the changes to end", async () => {
    let under = true;
    const changing = (async () => {
      for (let no = 0; under; no++) {
        await write(1, `name ${no}`);
        await sleep(50);
      }
    })();
    try {
      await noticed(1);
    } finally {
      under = false;
      await changing;
    }
  });

  it("continues when another folder takes the place of the one it watches", async () => {
    await rename(paths.settings(data.path), path.join(data.path, "old"));
    await mkdir(paths.settings(data.path));
    await write(3, "new");
    await noticed(3);
    await sleep(500);
    await write(4, "new");
    await noticed(4);
  });
});
