import { expect } from "chai";
import { prepare } from "../../src/commands/firstFiles.ts";
import { People } from "../../src/features/people/people.ts";
import { DataFolder } from "../support/data.ts";

describe("The files that serving needs", () => {
  let data: DataFolder;

  before(async () => {
    data = await DataFolder.empty();
  });
  after(() => data.remove());

  it("are made in an empty folder without the demo once an operator can sign in there", async () => {
    const failure = await prepare(data.config, false).then(
      () => undefined,
      (error: Error) => error.message,
    );
    expect(failure).to.match(/holds no organizations and no operator: .*`people add <e-mail> --operator`/);
    const people = new People(data.path);
    await people.add("ana@example.com", { organizations: [], role: "viewer", operator: false });
    expect(await prepare(data.config, false).catch(() => "refused")).to.equal("refused");
    await people.add("op@example.com", { organizations: [], role: "admin", operator: true });
    expect(await prepare(data.config, false)).to.include("organization_id=_empty");
    const off = { ...data.config, platform: false };
    expect(await prepare(off, false).catch(() => "refused")).to.equal("refused");
    expect(await data.files("organizations")).to.deep.equal([]);
  });
});
