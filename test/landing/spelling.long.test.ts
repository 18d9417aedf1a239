import { expect } from "chai";
import fc from "fast-check";
import { land } from "../support/landing.ts";

type Json = Record<string, unknown>;

const DAY = { segments: { date: "2025-06-01" } };
const CAMPAIGN = { campaign: { id: "77", name: "Spring", advertisingChannelType: "SEARCH" } };
const FIGURES = { impressions: "40", clicks: "3", costMicros: "12300000" };

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camel = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The same object with its names written in another way. */
function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, rename));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [rename(name), renamed(inner, rename)]));
}

const lines = (...rows: unknown[]): string => rows.map((row) => JSON.stringify(row)).join("\n");

describe("Names of vendors' members", () => {
  const row = { ...CAMPAIGN, metrics: FIGURES, ...DAY };
  const mask = "campaign.id,metrics.costMicros,metrics.clicks";

  for (const [shape, of] of [
    ["an answer", (object: unknown) => JSON.stringify({ results: [object] })],
    ["an answer with a field mask", (object: unknown) => JSON.stringify({ results: [object], fieldMask: mask })],
    [
      "an answer with both in snake case",
      (object: unknown) => JSON.stringify({ results: [object], field_mask: snake(mask) }),
    ],
    ["a list", (object: unknown) => JSON.stringify([object])],
    ["lines", (object: unknown) => lines(object, object)],
  ] as const)
    it(`are the same in camelCase and snake_case, in ${shape} [V0.5]`, async () => {
      const [one, other] = await Promise.all(
        [row, renamed(row, snake)].map((object) => land("searchads", "campaigns", { "a.json": of(object) })),
      );
      expect(other?.rejects).to.deep.equal([]);
      expect(other?.rows[0]).to.deep.include({ campaign_id: "77", cost: "12.300000", clicks: "3", impressions: "40" });
      const shown = (found: typeof one) => found?.rows.map(({ _content: _, ...fields }) => fields);
      expect(shown(other)).to.deep.equal(shown(one));
    });

  it("are the same in reports on keywords and places, and below the campaign", async () => {
    const keyword = {
      ...row,
      adGroup: { id: "5", name: "G" },
      adGroupCriterion: {
        resourceName: "customers/1/adGroupCriteria/5~9",
        criterionId: "9",
        keyword: { text: "a", matchType: "EXACT" },
      },
      keywordView: { resourceName: "customers/1/keywordViews/5~9" },
    };
    const found = await land("searchads", "keywords", { "a.json": lines(renamed(keyword, snake)) });
    expect(found.rejects).to.deep.equal([]);
    expect(found.rows[0]).to.include({ cost: "12.300000" });
    const place = {
      ...row,
      geographicView: {
        resourceName: "customers/1/geographicViews/2076~AREA_OF_INTEREST",
        locationType: "AREA_OF_INTEREST",
      },
    };
    expect((await land("searchads", "geographic", { "a.json": lines(renamed(place, snake)) })).rows[0]).to.include({
      cost: "12.300000",
    });
    const below = await land("searchads", "campaigns", {
      "a.json": lines(renamed({ ...row, adGroup: { id: "5" } }, snake)),
    });
    expect(below.rejects[0]?.reason).to.match(/a report below campaign level/);
  });

  it("are the same in both forms in reports of social ads", async () => {
    const insight = {
      campaign_id: "1",
      campaign_name: "a_b",
      spend: "3.50",
      inline_link_clicks: "2",
      date_start: "2025-05-01",
      date_stop: "2025-05-01",
    };
    const { rows, rejects } = await land("socialads", "campaigns", {
      "a.json": JSON.stringify({ data: [renamed(insight, camel)] }),
    });
    expect(rejects).to.deep.equal([]);
    expect(rows[0]).to.include({ campaign_id: "1", campaign_name: "a_b", spend: "3.500000", inline_link_clicks: "2" });
  });

  it("are changed, and no value is, whatever it holds", async () => {
    const text = fc.string({ unit: fc.constantFrom(...'"\\ :_aB,{}'), minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(text, async (name) => {
        const named = { ...row, campaign: { id: "1", name: `x${name}x`, resourceName: "customers/1/campaigns/1" } };
        const { rows } = await land("searchads", "campaigns", { "a.json": lines(renamed(named, snake)) });
        expect(rows[0]?.campaign_name).to.equal(`x${name}x`);
      }),
      { numRuns: 15, examples: [['"cost_micros": 1'], ['\\"a_b\\":']] },
    );
  });
});

describe("A cost that no row of a file has", () => {
  const day = (metrics: Json, date = "2025-06-01"): Json => ({ ...CAMPAIGN, metrics, segments: { date } });
  const refusals = async (content: string): Promise<[number, number]> => {
    const { rows, rejects } = await land("searchads", "campaigns", { "a.json": content });
    return [rows.length, rejects.filter(({ reason }) => /cost: missing/.test(reason)).length];
  };

  it("is missing, never 0, also if the field mask has it [V0.5]", async () => {
    const mask = "metrics.costMicros,metrics.clicks";
    for (const metrics of [
      { clicks: "3" },
      { clicks: "3", cost: "12.3" },
      { clicks: "3", spend: 12.3 },
      { clicks: "3", costmicros: "1" },
    ]) {
      expect(await refusals(JSON.stringify({ results: [day(metrics)], fieldMask: mask })), "mask").to.deep.equal([
        0, 1,
      ]);
      expect(await refusals(lines(day(metrics), day(metrics, "2025-06-02")))).to.deep.equal([0, 2]);
    }
  });

  it("is 0 in the rows that lack it if others have it, except under another name", async () => {
    const [has, lacks, other] = [day(FIGURES), day({ clicks: "1" }, "2025-06-02"), day({ cost: "5" }, "2025-06-03")];
    expect(await refusals(lines(has, lacks))).to.deep.equal([2, 0]);
    expect(await refusals(lines(has, lacks, other))).to.deep.equal([2, 1]);
  });
});
