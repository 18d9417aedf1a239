import { appendFile, cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import { exportTag } from "../../src/core/http/formats.ts";
import { ROOT } from "../support/data.ts";

describe("The tag of an export", () => {
  it("is another one for other data, settings or questions, and for another program", () => {
    const tags = [exportTag("a", "1"), exportTag("b", "1"), exportTag("a", "2"), exportTag("a")];
    expect(new Set(tags).size).to.equal(4);
    expect(exportTag("a", "1")).to.equal(tags[0]);
  });

  it("depends on the SQL that answers and on the program's own code", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "lucra-test-"));
    try {
      for (const part of ["sql", "src/core/files", "src/core/contract", "package.json"])
        await cp(path.join(ROOT, part), path.join(folder, part), { recursive: true });
      let loads = 0;
      const version = async (): Promise<string> => {
        const url = `${pathToFileURL(path.join(folder, "src/core/files/program.ts")).href}?${loads++}`;
        return ((await import(url)) as { programVersion(): string }).programVersion();
      };
      const versions = [await version(), await version()];
      await appendFile(path.join(folder, "sql/setup/rounding.sql"), "-- another formula\n");
      versions.push(await version());
      await appendFile(path.join(folder, "src/core/contract/format.ts"), "// another format\n");
      versions.push(await version());
      expect(versions[0]).to.equal(versions[1]);
      expect(new Set(versions).size).to.equal(3);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
