import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { Audit } from "../../src/core/audit/audit.ts";
import { LOG } from "../../src/core/coordination/fileLogs.ts";
import { paths } from "../../src/core/files/paths.ts";
import { command } from "../support/command.ts";
import { AURORA, DataFolder } from "../support/data.ts";

interface Line {
  readonly what?: string;
  readonly outcome?: string;
  readonly reason?: string;
  readonly person?: string;
  readonly user?: string;
}

describe("The log of a command [D91]", () => {
  let data: DataFolder;

  const linesOf = async (name = AURORA): Promise<Line[]> =>
    (await readFile(path.join(paths.audit(data.path), `${name}${LOG}`), "utf8").catch(() => ""))
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));

  before(async () => {
    data = await DataFolder.empty();
    await data.settings({ organizationId: AURORA, name: "Aurora" });
  });
  after(() => data?.remove());

  it("of a failure has its reason, without the address or token that this repeats", async () => {
    const audit = new Audit(data.path);
    const failed = (message: string): Promise<void> =>
      audit
        .run({ person: "command" }, { organization: AURORA, what: "some.change" }, () =>
          Promise.reject(new Error(message)),
        )
        .then(
          () => expect.fail("nothing failed"),
          () => {},
        );
    await failed("webhook.url: https://user:pw@hooks.example.com/services/T0/B0/secret?x=1 is not public");
    await failed(`no session ${"s".repeat(43)} of ${AURORA}`);
    const reasons = (await linesOf()).flatMap(({ reason }) => reason ?? []);
    expect(reasons).to.deep.equal([
      "webhook.url: https://hooks.example.com/… is not public",
      `no session … of ${AURORA}`,
    ]);
    const said = await command(
      data,
      "webhooks",
      "set",
      "--organization",
      AURORA,
      "ftp://hooks.example.com/secret-path",
    );
    expect(said.status).to.equal(1);
    const [last] = (await linesOf()).slice(-1);
    expect(last).to.include({ outcome: "failed" });
    expect(JSON.stringify(await linesOf())).to.not.include("secret-path");
  });

  it("comes first: nothing changes if the line before it cannot be written", async () => {
    const blocked = await DataFolder.empty();
    try {
      await blocked.settings({ organizationId: AURORA, name: "Aurora" });
      await blocked.write("audit", "a file in the place of the folder");
      const said = await command(blocked, "organizations", "rename", AURORA, "Other");
      expect(said.status).to.equal(1);
      expect(await blocked.text(`organizations/${AURORA}.json`)).to.include("Aurora");
    } finally {
      await blocked.remove();
    }
  });
});
