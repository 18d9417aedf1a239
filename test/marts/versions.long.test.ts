import { readdir, utimes } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { currentGeneration } from "../../src/core/marts/generations.ts";
import { AURORA, type DataFolder, type Ended, ended } from "../support/data.ts";
import { shopOfVersion1, version } from "../support/generations.ts";
import { OTHER_COLUMN, type OtherVersion, otherVersion } from "../support/otherVersion.ts";
import { type Serving, startServing } from "../support/serving.ts";

describe("Two versions of Lucra with one data folder", function () {
  this.timeout(120_000);
  let other: OtherVersion;
  let data: DataFolder;

  before(async () => {
    other = await otherVersion();
  });

  beforeEach(async () => {
    data = await shopOfVersion1();
  });

  afterEach(() => data.remove());
  after(() => other.remove());

  const withOther = (args: readonly string[]): Promise<Ended> => ended(data.start(args, {}, other.instead));
  /** Without those of states, which what was replaced is kept as. */
  const folders = async (): Promise<string[]> =>
    (await readdir(foldersOf(data.path, AURORA).mart)).filter((name) => !name.startsWith("state=")).sort();

  it("each answer from what they derived, in a rolling upgrade and back", async () => {
    const before = await startServing(data, ["--read-only"]);
    let after: Serving | undefined;
    const textOf = async (service: Serving | undefined): Promise<string> => {
      const { status, body } = (await service?.get(OTHER_COLUMN)) ?? expect.fail();
      return `${status} ${JSON.stringify(body)}`;
    };
    try {
      const old = await textOf(before);
      expect(old).to.match(/^200 /);
      // The new version starts on files that it does not know.
      after = await startServing(data, ["--read-only"], other.instead);
      const unknown = await after.get(OTHER_COLUMN);
      expect([unknown.status, unknown.headers.get("retry-after")]).to.deep.equal([503, "5"]);
      expect((await withOther(["derive"])).status).to.equal(0);
      await until(async () => (await textOf(after)).startsWith("200"));
      expect([await textOf(after), await textOf(before)]).to.deep.equal([old, old]);
      expect((await folders()).filter((name) => name.startsWith("current."))).to.have.lengthOf(1);
      // Data that only the new version derives: the old one answers what it has.
      await version(data, 2);
      expect((await withOther(["sync"])).status).to.equal(0);
      await until(async () => (await textOf(after)) !== old);
      expect(await textOf(before)).to.equal(old);
      // And back: the old version derives what it lacks, and the new one keeps its own.
      const latest = await textOf(after);
      expect(latest).to.match(/^200 /);
      expect((await data.lucra(["sync"])).status).to.equal(0);
      await until(async () => (await textOf(before)) === latest);
      expect(await textOf(after)).to.equal(latest);
    } finally {
      await before.stop();
      await after?.stop();
    }
  });

  it("keep the newest generation of the other one for a day", async () => {
    const own = await currentGeneration(foldersOf(data.path, AURORA));
    expect((await withOther(["derive"])).status).to.equal(0);
    expect(await currentGeneration(foldersOf(data.path, AURORA))).to.deep.equal(own);
    const age = async (milliseconds: number): Promise<void> => {
      const then = new Date(Date.now() - milliseconds);
      for (const name of await folders()) await utimes(path.join(foldersOf(data.path, AURORA).mart, name), then, then);
    };
    await age(23 * 3_600_000);
    for (const number of [2, 3]) {
      await version(data, number);
      expect((await withOther(["sync"])).status).to.equal(0);
    }
    expect((await currentGeneration(foldersOf(data.path, AURORA)))?.folder).to.equal(own?.folder);
    await age(25 * 3_600_000);
    expect((await withOther(["sync"])).status).to.equal(0);
    expect(await currentGeneration(foldersOf(data.path, AURORA))).to.equal(undefined);
    expect(await folders()).to.deep.equal(["current", "gen=000003", "gen=000004"]);
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((done) => setTimeout(done, 100));
}
