import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { ROOT } from "../support/data.ts";

/** Makes folders and removes them again, and whatever no process holds. */
const SCRIPT = `
  import { mkdtemp, writeFile } from "node:fs/promises";
  import { ownedFolder, removeUnownedIn } from ${JSON.stringify(path.join(ROOT, "src/core/engine/ownedFolder.ts"))};
  for (let times = 0; times < 150; times++) {
    const { folder, remove } = await ownedFolder(() => mkdtemp(process.env.HOME_OF_FOLDERS + "/one-"));
    await writeFile(folder + "/file", "x");
    await removeUnownedIn(process.env.HOME_OF_FOLDERS);
    await writeFile(folder + "/file", "y");
    await remove();
  }`;

describe("Folders that a process holds", () => {
  it("are made, kept and removed beside other processes that clear what nobody holds", async () => {
    const home = await mkdtemp(path.join(tmpdir(), "lucra-owned-"));
    try {
      const args = ["--import", path.join(ROOT, "bin", "typescript.mjs"), "--input-type=module", "-e", SCRIPT];
      const run = () => promisify(execFile)(process.execPath, args, { env: { ...process.env, HOME_OF_FOLDERS: home } });
      const ended = await Promise.all([run(), run(), run()]);
      expect(ended.map(({ stderr }) => stderr)).to.deep.equal(["", "", ""]);
      expect(await readdir(home)).to.deep.equal([]);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });
});
