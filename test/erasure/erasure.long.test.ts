import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { command } from "../support/command.ts";
import { AURORA, type DataFolder } from "../support/data.ts";
import { landedFixtures } from "../support/shared.ts";

describe("An erasure", () => {
  let data: DataFolder;

  before(async () => {
    data = await landedFixtures();
  });

  after(() => data.remove());

  it("is shown before, done only with --yes, and leaves nothing [D98]", async () => {
    const asked = ["--organization", AURORA, "--email", "rui.teles@example.com"];
    const found = await command(data, "customers", "find", ...asked, "--json");
    const { places, data: rows } = JSON.parse(found.stdout);
    expect(found.status).to.equal(0);
    expect(places.find(({ place }: { place: string }) => place === "lake").rows).to.be.greaterThan(0);
    expect(JSON.stringify(rows)).to.match(/rui\.teles@example\.com/i);

    const shown = await command(data, "customers", "erase", ...asked);
    expect(shown.status).to.equal(2);
    expect(shown.stderr).to.include("nothing was erased: --yes");
    expect((await command(data, "customers", "find", ...asked, "--json")).stdout).to.equal(found.stdout);

    const erased = await command(data, "customers", "erase", ...asked, "--yes");
    expect(erased.status, erased.stderr).to.equal(0);
    expect(erased.stdout).to.include("erased: number 1");
    const kept = await readFile(path.join(data.path, "erasures", `${AURORA}.json`), "utf8");
    expect(kept).to.not.match(/rui|teles|example/i);
    const left = JSON.parse((await command(data, "customers", "find", ...asked, "--json")).stdout);
    expect(left).to.include({ organizationId: AURORA }).and.to.have.property("files").that.deep.equals([]);
    expect(left.orders).to.deep.equal([]);
  });

  it("is refused for what stands for many people", async () => {
    for (const [option, value] of [
      ["--email", "naoinformado@loja.com"],
      ["--customer", "guest"],
      ["--phone", "123"],
    ] as const) {
      const said = await command(data, "customers", "erase", "--organization", AURORA, option, value, "--yes");
      expect(said.status, option).to.equal(2);
    }
  });
});
