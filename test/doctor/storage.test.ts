import { readdir } from "node:fs/promises";
import { expect } from "chai";
import { findingsOf, storageFindings } from "../../src/features/doctor/storage.ts";
import { DataFolder } from "../support/data.ts";

const GOOD = { locks: true, links: true, replaces: true, isFresh: true };

describe("The doctor on the file system of the data folder", () => {
  it("tries it with a second process, and leaves nothing there", async () => {
    const data = await DataFolder.empty();
    try {
      expect((await storageFindings(data.path)).filter(({ level }) => level === "wrong")).to.deep.equal([]);
      expect(await readdir(data.path)).to.deep.equal([]);
    } finally {
      await data.remove();
    }
  });

  it("says what it cannot be used for", () => {
    const titles = (tried: Partial<typeof GOOD>): string[] =>
      findingsOf({ ...GOOD, ...tried }).map(({ level, title }) => `${level} ${title.split(":")[1]}`);
    expect(titles({})).to.deep.equal([]);
    expect(titles({ links: false })).to.deep.equal(["wrong  nothing can land or be derived here"]);
    expect(titles({ locks: false })[0]).to.match(/only one process may write/);
    expect(titles({ replaces: false })[0]).to.match(/cannot answer during a sync/);
    expect(titles({ isFresh: false })[0]).to.match(/revoked credentials/);
    expect(findingsOf({ ...GOOD, shared: "NFS" })).to.have.lengthOf(1);
  });
});
