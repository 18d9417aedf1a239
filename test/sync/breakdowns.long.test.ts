import { expect } from "chai";
import { DataFolder } from "../support/data.ts";
import { CAMPAIGNS, minute, rows, SHOP } from "../support/syncs.ts";

const insight = (spend: number, segments: object, day = "2025-02-01"): object => ({
  campaign_id: "1",
  campaign_name: "C",
  account_id: "9",
  date_start: day,
  date_stop: day,
  impressions: "1",
  clicks: "1",
  spend: String(spend),
  ...segments,
});
const insights = (...all: readonly object[]): string => JSON.stringify({ data: all });

describe("Spend that came in several breakdowns", () => {
  let data: DataFolder;

  beforeEach(async () => {
    data = await DataFolder.empty();
    await data.settings(SHOP);
  });

  afterEach(() => data.remove());

  const spends = async (): Promise<unknown> =>
    (await rows(data, "/v1/socialads/ads/campaigns")).map(({ date_start, spend }) => [date_start, spend]);

  it("is never added up: for each day the breakdown that landed last counts", async () => {
    const [first, second] = ["2025-02-01", "2025-02-02"];
    const byCountry = insights(
      insight(3, { country: "BR" }, first),
      insight(4, { country: "PT" }, first),
      insight(5, { country: "BR" }, second),
    );
    const byAge = insights(insight(6, { age: "18-24" }, first), insight(2, { age: "25-34" }, first));
    await data.write(`${CAMPAIGNS}/country.json`, byCountry, minute(1));
    await data.write(`${CAMPAIGNS}/age.json`, byAge, minute(2));
    await data.sync();
    expect(await spends()).to.deep.equal([
      [first, 8],
      [second, 5],
    ]);
    await data.write(`${CAMPAIGNS}/whole.json`, insights(insight(9, {}, first)), minute(3));
    await data.sync();
    expect(await spends()).to.deep.equal([
      [first, 9],
      [second, 5],
    ]);
    await data.write(`${CAMPAIGNS}/later.json`, byCountry, minute(4));
    await data.sync();
    expect(await spends()).to.deep.equal([
      [first, 7],
      [second, 5],
    ]);
  });

  it("is added up within one, also where rows of its file lack a segment", async () => {
    const some = insights(
      insight(1, { age: "18-24", gender: "female" }),
      insight(2, { age: "18-24" }),
      insight(4, { gender: "male" }),
    );
    await data.write(`${CAMPAIGNS}/some.json`, some, minute(1));
    await data.sync();
    expect(await spends()).to.deep.equal([["2025-02-01", 7]]);
  });
});
