import { expect } from "chai";
import { commandIn } from "../support/command.ts";
import type { DataFolder } from "../support/data.ts";
import { landedFixtures } from "../support/shared.ts";

describe("lucra alerts [D96]", function () {
  this.timeout(300_000);
  let data: DataFolder;

  before(async () => {
    data = await landedFixtures();
  });

  after(() => data?.remove());

  const lucra = (...args: string[]) => commandIn(data, { LUCRA_THREADS: "1" }, ["alerts", ...args]);

  it("replay prints what the API answers, and refuses what it refuses", async () => {
    const rule = ["--rule", "above", "--value", "150", "--figure", "revenue"];
    const { stdout, status, stderr } = await lucra("replay", ...rule);
    expect(status, stderr).to.equal(0);
    expect(stdout).to.include("Carnaval").and.to.include("8 times in 63 judged days");
    const json = JSON.parse((await lucra("replay", ...rule, "--json")).stdout);
    expect([json.causes, json.judgedDays]).to.deep.equal([8, 63]);
    const unlimited = await lucra("replay", "--figure", "revenue");
    expect([unlimited.status, unlimited.stderr]).to.deep.equal([
      2,
      "lucra: --value or --built-in is needed: without a limit nothing is judged\n",
    ]);
    const unknown = await lucra("replay", "--figure", "luck", "--value", "1");
    expect(unknown.status).to.equal(2);
    expect(unknown.stderr).to.include("metric");
  });

  it("list says which alerts cannot tell their event from chance", async () => {
    const { stdout } = await lucra("list", "--start-date", "2025-03-01", "--end-date", "2025-03-26");
    expect(stdout).to.match(/lateData +Aurora Outlet +2025-03-22 +holds/);
    expect(stdout).to.match(/returnRate .*off: it cannot tell/);
  });
});
