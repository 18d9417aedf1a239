import { writeFile } from "node:fs/promises";
import { expect } from "chai";
import type { Organization } from "../../src/core/contract/settings.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { pullFindings } from "../../src/features/doctor/pulls.ts";
import { keepSecrets, keptSecrets } from "../../src/features/pull/secrets.ts";
import { keepState, type PullState } from "../../src/features/pull/state.ts";
import { commandIn } from "../support/command.ts";
import { AURORA, DataFolder, SOCIALADS } from "../support/data.ts";

const NOW = new Date("2025-06-30T12:00:00Z");
const TOKEN = "token-of-the-test";
const complete = { completeAt: "2025-06-30T06:00:00.000Z" };

const SETTINGS: Organization = {
  organizationId: AURORA,
  name: "Shop",
  integrations: [
    {
      id: SOCIALADS,
      connector: "socialads",
      name: "Social",
      pull: { since: "2025-01-01", account: { adAccountId: "1" }, records: ["adset-config", "campaigns"] },
    },
  ],
};

describe("The doctor on pulls", () => {
  let data: DataFolder;

  beforeEach(async () => {
    data = await DataFolder.empty();
    await data.settings(SETTINGS);
    await keepSecrets(foldersOf(data.path, AURORA), SOCIALADS, { accessToken: TOKEN });
  });

  afterEach(() => data.remove());

  const keep = (records: PullState["records"], more: Partial<PullState> = {}): Promise<void> =>
    keepState(foldersOf(data.path, AURORA), SOCIALADS, { version: 1, records, ...more });
  const whole = { "adset-config": complete, campaigns: complete };

  /** The kinds and levels, with the rows. */
  const found = async (): Promise<Record<string, readonly object[]>> =>
    Object.fromEntries(
      (await pullFindings(foldersOf(data.path, AURORA), SETTINGS, NOW)).map(({ kind, level, rows }) => [
        `${level} ${kind}`,
        rows,
      ]),
    );

  it("finds nothing where everything was pulled today", async () => {
    await keep(whole);
    expect(await found()).to.deep.equal({});
  });

  it("finds nothing about integrations without `pull`", async () => {
    const integrations = (SETTINGS.integrations ?? []).map(({ pull: _, ...one }) => one);
    expect(await pullFindings(foldersOf(data.path, AURORA), { ...SETTINGS, integrations }, NOW)).to.deep.equal([]);
  });

  it("names records that were never pulled, and none while the secrets are missing", async () => {
    await keep({ campaigns: complete });
    const row = { integration: "Social", record: "adset-config", at: "", reason: "never pulled: lucra sync --pull" };
    expect(await found()).to.deep.equal({ "wrong pullIncomplete": [row] });
    const file = foldersOf(data.path, AURORA).pullSecrets(SOCIALADS);
    for (const [text, reason] of [
      ['{"appKey": "x"}', "keys are missing"],
      ["{", `${file} is damaged: lucra secrets set`],
    ] as const) {
      await writeFile(file, text);
      const { "wrong pullSecrets": rows } = await found();
      expect(rows, text).to.deep.equal([{ integration: "Social", reason }]);
    }
  });

  it("repeats why a record is not complete, or says that a pull was ended", async () => {
    const failure = { at: "2025-06-30T06:00:00.000Z", message: "the vendor does not answer: answered 503" };
    const sweep = { began: "2025-06-30T07:00:00.000Z", from: "2025-01-01", to: "2025-06-30", first: true };
    await keep({ "adset-config": { ...complete, failure }, campaigns: { ...complete, sweep } });
    expect(await found()).to.deep.equal({
      "wrong pullIncomplete": [
        { integration: "Social", record: "adset-config", at: failure.at, reason: failure.message },
        { integration: "Social", record: "campaigns", at: sweep.began, reason: "a pull was ended: run it again" },
      ],
    });
  });

  it("says since when the credentials are refused", async () => {
    const refused = { at: "2025-06-29T06:00:00.000Z", message: "the credentials are refused: answered 401" };
    await keep(whole, { refused });
    const row = { integration: "Social", since: refused.at, reason: refused.message };
    expect(await found()).to.deep.equal({ "wrong pullRefused": [row] });
  });

  it("notices after two days that nothing was pulled, and finds it wrong after seven", async () => {
    for (const [completeAt, level] of [
      ["2025-06-28T11:00:00.000Z", "notice"],
      ["2025-06-23T11:00:00.000Z", "wrong"],
    ] as const) {
      await keep({ ...whole, campaigns: { completeAt } });
      const row = { integration: "Social", record: "campaigns", completeAt };
      expect(await found()).to.deep.equal({ [`${level} pullOverdue`]: [row] });
    }
  });

  it("notices secrets that end within 14 days, finds it wrong within two, and forgets it with new secrets", async () => {
    const { setAt = "" } = (await keptSecrets(foldersOf(data.path, AURORA), SOCIALADS)) ?? {};
    for (const [endAt, kind] of [
      ["2025-07-15T12:00:00.000Z", undefined],
      ["2025-07-10T12:00:00.000Z", "notice pullExpiring"],
      ["2025-07-01T12:00:00.000Z", "wrong pullExpiring"],
      ["2025-06-01T12:00:00.000Z", "wrong pullExpiring"],
    ] as const) {
      await keep(whole, { secrets: { setAt, endAt } });
      expect(await found()).to.deep.equal(kind ? { [kind]: [{ integration: "Social", ends: endAt }] } : {});
    }
    await keep(whole, { secrets: { setAt: "2025-01-01T00:00:00.000Z", endAt: "2025-06-01T12:00:00.000Z" } });
    expect(await found()).to.deep.equal({});
  });

  it("`secrets list` shows when they end, and no value", async () => {
    const { setAt = "" } = (await keptSecrets(foldersOf(data.path, AURORA), SOCIALADS)) ?? {};
    await keep(whole, { secrets: { setAt, endAt: "2025-07-10T12:00:00.000Z" } });
    const { stdout } = await commandIn(data, {}, ["secrets", "list"]);
    expect(stdout).to.include("accessToken").and.include("2025-07-10 12:00:00").and.not.include(TOKEN);
    const [row] = JSON.parse((await commandIn(data, {}, ["secrets", "list", "--json"])).stdout);
    expect([row.setAt, row.endsAt, row.complete]).to.deep.equal([setAt, "2025-07-10T12:00:00.000Z", true]);
  });
});
