import { expect } from "chai";
import { commandIn, type Said } from "../support/command.ts";
import { AURORA, type DataFolder, NOW } from "../support/data.ts";
import { LATER, landedTwice } from "../support/histories.ts";
import { openService } from "../support/service.ts";

describe("lucra sql --known-at [D85]", () => {
  let data: DataFolder;

  before(async () => {
    data = await landedTwice();
  });
  after(() => data?.remove());

  const sql = (...args: string[]): Promise<Said> =>
    commandIn(data, { LUCRA_NOW: LATER }, ["sql", "--organization", AURORA, ...args]);

  it("derives what was known and reads it, by the clock of then", async () => {
    const query = ["--query", "select count(*) as n from orders"];
    const [now, then] = [await sql(...query), await sql(...query, "--known-at", NOW)];
    expect([then.status, then.stderr]).to.deep.equal([0, ""]);
    expect(Number(then.stdout.split("\r\n")[1]))
      .to.be.above(0)
      .and.below(Number(now.stdout.split("\r\n")[1]));
    const file = ["acquisition/new-customers", "--period", "30d"];
    const service = await openService(data.config, AURORA);
    try {
      const { body } = await service.get(`/v1/acquisition/new-customers?period=30d&knownAt=${NOW}`);
      const { stdout } = await sql(...file, "--known-at", NOW, "--format", "json");
      const [first] = stdout.split("\n");
      expect(JSON.parse(String(first)).date).to.equal((body.data as { date: string }[])[0]?.date);
    } finally {
      await service.close();
    }
  });
});
