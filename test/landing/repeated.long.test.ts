import { expect } from "chai";
import fc from "fast-check";
import { land } from "../support/landing.ts";
import { parquet } from "../support/parquet.ts";

const object = (spend: string, others: object = {}): object => ({
  campaign_id: "1",
  campaign_name: "A",
  spend,
  impressions: "1",
  date_start: "2025-05-01",
  date_stop: "2025-05-01",
  ...others,
});

const row = (spend: string, audience_tier: string): string => `1,A,${spend},2025-05-01,2025-05-01,${audience_tier}`;
const table = (...rows: readonly string[]): string =>
  ["campaign_id,campaign_name,spend,date_start,date_stop,audience_tier", ...rows].join("\n");
const select = (spend: string, audience_tier: string): string =>
  `select '1' as campaign_id, ${spend}::double as spend, date '2025-05-01' as date_start, '${audience_tier}' as audience_tier`;

const campaigns = async (name: string, content: string | Buffer) => {
  const { outcome } = await land("socialads", "campaigns", { [name]: content });
  return { landed: outcome.landed, replaced: outcome.replaced, reason: outcome.refused[0]?.reason };
};

describe("Rows of one key in one file of a report", () => {
  const refused: Readonly<Record<string, () => Promise<[name: string, content: string | Buffer]>>> = {
    "a table": async () => ["a.csv", table(row("3", "SP"), row("4", "RJ"))],
    "a table with equal amounts": async () => ["a.csv", table(row("3", "SP"), row("3", "RJ"))],
    NDJSON: async () => [
      "a.ndjson",
      [object("3", { audience_tier: "SP" }), object("4", { audience_tier: "RJ" })]
        .map((one) => JSON.stringify(one))
        .join("\n"),
    ],
    "the vendor's objects": async () => [
      "a.json",
      JSON.stringify({ data: [object("3", { audience_tier: "SP" }), object("4", { audience_tier: "RJ" })] }),
    ],
    "the vendor's objects with equal amounts": async () => [
      "a.json",
      JSON.stringify({ data: [object("3", { audience_tier: "SP" }), object("3", { audience_tier: "RJ" })] }),
    ],
    Parquet: async () => ["a.parquet", await parquet(`${select("3", "SP")} union all ${select("3", "RJ")}`)],
  };
  for (const [kind, make] of Object.entries(refused)) {
    it(`which a column that is not read tells apart refuse it: ${kind}`, async () => {
      const { landed, reason } = await campaigns(...(await make()));
      expect(landed).to.equal(0);
      expect(reason).to.match(/^has two rows, \d+ and \d+, of one account_id, campaign_id, /);
      expect(reason).to.contain("audience_tier");
    });
  }

  it("refuse only that file", async () => {
    const { outcome } = await land("socialads", "campaigns", {
      "a.csv": table(row("3", "SP"), row("4", "RJ")),
      "b.csv": table("2,B,5,2025-05-01,2025-05-01,SP"),
    });
    expect([outcome.landed, outcome.refused.map(({ file }) => file)]).to.deep.equal([1, ["a.csv"]]);
  });

  it("that are copies are one row", async () => {
    const text = JSON.stringify(object("3", { audience_tier: "SP" }));
    const copies = await campaigns("a.json", `{"data": [${text}, ${text}]}`);
    expect(copies).to.deep.equal({ landed: 2, replaced: 1, reason: undefined });
    const plain = "campaign_id,campaign_name,spend,date_start,date_stop\n1,A,3,2025-05-01,2025-05-01\n";
    const rows = await campaigns("a.csv", plain + plain.split("\n")[1]);
    expect(rows).to.deep.equal({ landed: 2, replaced: 1, reason: undefined });
  });

  it("never lose an amount: what lands is what the file has", async () => {
    const cell = fc.record({
      campaign: fc.constantFrom("1", "2"),
      day: fc.constantFrom("2025-05-01", "2025-05-02"),
      spend: fc.integer({ min: 0, max: 3 }),
      age: fc.constantFrom("18-24", "25-34"),
      region: fc.constantFrom("SP", "RJ"),
      audience_tier: fc.constantFrom("a", "b"),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(cell, { minLength: 1, maxLength: 6, selector: (one) => JSON.stringify(one) }),
        async (cells) => {
          const lines = cells.map(({ campaign, day, spend, age, region, audience_tier }) =>
            [campaign, "A", spend, day, day, age, region, audience_tier].join(","),
          );
          const csv = ["campaign_id,campaign_name,spend,date_start,date_stop,age,region,audience_tier", ...lines].join(
            "\n",
          );
          const { landed, replaced, reason } = await campaigns("a.csv", csv);
          if (reason === undefined) expect([landed, replaced]).to.deep.equal([cells.length, 0]);
          else expect([landed, reason]).to.satisfy(() => landed === 0 && reason.includes("audience_tier"));
        },
      ),
      { numRuns: 15 },
    );
  });
});
