import { expect } from "chai";
import { answerFields } from "../../src/core/contract/answer.ts";
import { type Fields, membersOf } from "../../src/core/contract/field.ts";
import type { Organization } from "../../src/core/contract/settings.ts";
import { endpoints } from "../../src/core/endpoints/index.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { keepState, type RecordState } from "../../src/features/pull/state.ts";
import {
  AURORA,
  type DataFolder,
  NOW,
  OTHER_STOREA,
  SOCIALADS,
  STOREA,
  withData,
  writeOrders,
} from "../support/data.ts";
import { asked } from "../support/service.ts";

const CARDS = "/v1/profitability/cards";
const since = "2025-01-01";
const SETTINGS: Organization = {
  organizationId: AURORA,
  name: "x",
  integrations: [
    {
      id: STOREA,
      connector: "storea",
      name: "store",
      timezone: "America/Sao_Paulo",
      pull: { since, account: { account: "a" } },
    },
    { id: SOCIALADS, connector: "socialads", name: "ads", pull: { since, account: { adAccountId: "1" } } },
  ],
};

const keep = (data: DataFolder, integration: string, record: string, state: RecordState): Promise<void> =>
  keepState(foldersOf(data.path, AURORA), integration, { version: 1, records: { [record]: state } });

const coverage = async (data: DataFolder, question = "", path = CARDS): Promise<unknown> =>
  (await asked(data, `${path}${question}`)).coverage;

const until = (day: string): string => `?startDate=2025-02-01&endDate=${day}`;
const store = (lastDay: string | null) => ({ integrationId: STOREA, lastDay });
const ads = (lastDay: string | null) => ({ integrationId: SOCIALADS, lastDay });

/** Whether any figure is computed from spend. */
const hasSpend = (fields: Fields): boolean =>
  Object.values(fields).some(({ basis, unit }) => (basis?.spend?.length ?? 0) > 0 || hasSpend(membersOf(unit) ?? {}));

describe("Coverage [D23]", () => {
  it("names stores and ad accounts without data for the last day, null for those without any", () =>
    withData(SETTINGS, async (data) => {
      await writeOrders(data, [
        ["ana", "2025-02-03", 10],
        ["bia", "2025-02-10", 20],
      ]);
      await data.sync();
      expect(await coverage(data, until("2025-02-10"))).to.deep.equal({ stores: [], accounts: [ads(null)] });
      expect(await coverage(data, until("2025-02-11"))).to.deep.equal({
        stores: [store("2025-02-10")],
        accounts: [ads(null)],
      });
      // The whole history needs data up to the last counted order.
      expect(await coverage(data)).to.deep.equal({ stores: [], accounts: [ads(null)] });
    }));

  it("of the whole history compares with the newest counted order of any store", () =>
    withData(
      {
        ...SETTINGS,
        integrations: [{ id: OTHER_STOREA, connector: "storea", name: "new" }, ...(SETTINGS.integrations ?? [])],
      },
      async (data) => {
        await writeOrders(data, [["ana", "2025-02-10", 10]]);
        await data.sync();
        expect(await coverage(data)).to.deep.equal({
          stores: [{ integrationId: OTHER_STOREA, lastDay: null }],
          accounts: [ads(null)],
        });
      },
    ));

  it("counts an order that does not count as data of its day", () =>
    withData(SETTINGS, async (data) => {
      await writeOrders(data, [["ana", "2025-02-10", 10]], { status: "canceled" });
      await data.sync();
      expect(await coverage(data, until("2025-02-10"))).to.deep.equal({ stores: [], accounts: [ads(null)] });
      // Without a counted order there is no last day to compare with.
      expect(await coverage(data)).to.deep.equal({ stores: [], accounts: [] });
    }));

  it("has no ad accounts in answers without spend", () =>
    withData(SETTINGS, async (data) => {
      await data.sync();
      const none = await coverage(data, until("2025-02-11"), "/v1/profitability/new-vs-recurring");
      expect(none).to.deep.equal({ stores: [store(null)], accounts: [] });
    }));

  it("ends on the last whole day that a complete pull asked for, in the account's zone, once it is synced", () =>
    withData(SETTINGS, async (data) => {
      await writeOrders(data, [["ana", "2025-02-10", 10]]);
      await data.sync();
      // 01:00 UTC is still the day before in São Paulo.
      await keep(data, STOREA, "orders", { completeAt: "2025-02-15T01:00:00.000Z" });
      await keep(data, SOCIALADS, "campaigns", { completeAt: "2025-02-15T01:00:00.000Z" });
      await data.sync();
      expect(await coverage(data, until("2025-02-13"))).to.deep.equal({ stores: [], accounts: [] });
      expect(await coverage(data, until("2025-02-14"))).to.deep.equal({ stores: [store("2025-02-13")], accounts: [] });
      expect(await coverage(data, until("2025-02-15"))).to.deep.equal({
        stores: [store("2025-02-13")],
        accounts: [ads("2025-02-14")],
      });
    }));

  it("ignores pulls that were not complete, of other records, and days before the newest row", () =>
    withData(SETTINGS, async (data) => {
      await writeOrders(data, [["ana", "2025-02-10", 10]]);
      const sweep = { began: NOW, from: "2025-01-01", to: "2025-04-01", first: true };
      await keep(data, STOREA, "orders", { completeAt: "2025-02-05T12:00:00.000Z", sweep });
      await keep(data, SOCIALADS, "adset-config", { completeAt: NOW });
      await data.sync();
      expect(await coverage(data, until("2025-02-11"))).to.deep.equal({
        stores: [store("2025-02-10")],
        accounts: [ads(null)],
      });
    }));

  it("ends earlier where the vendor had shown its changes only until then", () =>
    withData(SETTINGS, async (data) => {
      await keep(data, STOREA, "orders", { completeAt: NOW, until: "2025-02-12T15:00:00.000Z" });
      await data.sync();
      expect(await coverage(data, until("2025-02-12"))).to.deep.equal({
        stores: [store("2025-02-11")],
        accounts: [ads(null)],
      });
    }));

  for (const endpoint of endpoints) {
    if (!/^\/v1\/(profitability|acquisition)\//.test(endpoint.path)) continue;
    it(`is in ${endpoint.path}, with ad accounts exactly if a figure is computed from spend`, () => {
      expect(endpoint.envelope).to.include("coverage");
      expect(hasSpend(answerFields(endpoint))).to.equal(endpoint.withoutSpend !== true);
    });
  }
});
