import { expect } from "chai";
import type { Organization } from "../../src/core/contract/settings.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { addPin } from "../../src/core/marts/pinFiles.ts";
import { pinNamed } from "../../src/core/marts/pins.ts";
import { MonthlyPins } from "../../src/features/pins/monthly.ts";
import { AURORA, DataFolder } from "../support/data.ts";
import { minute, ORDERS, orders, SHOP } from "../support/syncs.ts";

const KEPT = { version: "", state: "", landings: "", lacking: [], relations: {}, figures: [] };

describe("Months [D83]", function () {
  this.timeout(30_000);
  let landed: DataFolder;
  let data: DataFolder;
  let problems: string[];
  const settings = (monthly: number | undefined, more: Partial<Organization> = {}): Organization => {
    const [store, ads] = SHOP.integrations ?? [];
    const integrations = [ads, { ...store, timezone: "America/Sao_Paulo" }] as Organization["integrations"];
    return { ...SHOP, integrations: integrations ?? [], ...more, ...(monthly ? { pins: { monthly } } : {}) };
  };

  before(async () => {
    landed = await DataFolder.empty();
    await landed.settings(SHOP);
    await landed.write(`${ORDERS}/a.json`, orders({ id: "a", value: 100 }), minute(1));
    await landed.syncAt("2025-03-02T10:00:00.000Z");
  });
  after(() => landed?.remove());
  beforeEach(async () => {
    problems = [];
    data = await DataFolder.copyOf(landed);
  });
  afterEach(() => data.remove());

  /** What a service pins that looks at a time; as a new process, unless it is the same. */
  async function pinnedAt(now: string, organization: Organization, failing = false): Promise<string[]> {
    const pinned: string[] = [];
    const folders = foldersOf(data.path, AURORA);
    const months = new MonthlyPins({
      dataDir: data.path,
      organizations: async () => [organization],
      now: () => new Date(now),
      pin: async ({ name, at }) => {
        if (failing) throw new Error("the disk is full");
        const pin = { name, knownAt: at, moment: "1", createdAt: now, createdBy: "monthly" as const, kept: KEPT };
        await addPin(folders, pin);
      },
      onPinned: ({ name, at }) => pinned.push(`${name} ${at}`),
      onFailure: (_, error) => problems.push((error as Error).message),
    });
    await months.look();
    await months.look();
    return pinned;
  }

  it("are pinned on their day at 6 in the zone of the first store, once", async () => {
    expect(await pinnedAt("2025-03-02T12:00:00.000Z", settings(3))).to.deep.equal([]);
    expect(await pinnedAt("2025-03-03T08:59:59.999Z", settings(3))).to.deep.equal([]);
    expect(await pinnedAt("2025-03-03T09:00:00.000Z", settings(3))).to.deep.equal(["2025-02 2025-03-03T09:00:00.000Z"]);
    expect(await pinnedAt("2025-03-20T09:00:00.000Z", settings(3))).to.deep.equal([]);
    expect(problems).to.deep.equal([]);
  });

  it("are pinned later when no service ran on the day, as known then", async () => {
    await pinnedAt("2025-03-02T12:00:00.000Z", settings(3));
    expect(await pinnedAt("2025-05-10T00:00:00.000Z", settings(3))).to.deep.equal([
      "2025-02 2025-03-03T09:00:00.000Z",
      "2025-03 2025-04-03T09:00:00.000Z",
      "2025-04 2025-05-03T09:00:00.000Z",
    ]);
  });

  it("are not pinned for a day before a service first saw the key", async () => {
    expect(await pinnedAt("2025-04-20T00:00:00.000Z", settings(3))).to.deep.equal([]);
    expect(await pinnedAt("2025-05-03T09:00:00.000Z", settings(3))).to.deep.equal(["2025-04 2025-05-03T09:00:00.000Z"]);
    expect(await pinnedAt("2025-06-20T00:00:00.000Z", settings(undefined))).to.deep.equal([]);
  });

  it("are in UTC without a store, and follow a changed day", async () => {
    const adsOnly = { integrations: settings(1).integrations?.slice(0, 1) ?? [] };
    await pinnedAt("2025-03-30T00:00:00.000Z", settings(28));
    expect(await pinnedAt("2025-04-28T06:00:00.000Z", settings(28, adsOnly))).to.deep.equal([
      "2025-03 2025-04-28T06:00:00.000Z",
    ]);
    expect(await pinnedAt("2025-05-01T09:00:00.000Z", settings(1))).to.deep.equal(["2025-04 2025-05-01T09:00:00.000Z"]);
  });

  it("are not pinned under a name that was ever taken, nor before anything was known", async () => {
    await pinnedAt("2025-02-01T00:00:00.000Z", settings(3));
    const folders = foldersOf(data.path, AURORA);
    const pin = { name: "2025-02", knownAt: "2025-03-02T11:00:00.000Z", moment: "1", createdBy: "command" as const };
    await addPin(folders, { ...pin, createdAt: pin.knownAt, removedAt: pin.knownAt, kept: KEPT });
    expect(await pinnedAt("2025-04-03T09:00:00.000Z", settings(3))).to.deep.equal(["2025-03 2025-04-03T09:00:00.000Z"]);
    expect(await pinNamed(folders, "2025-02")).to.equal(undefined);
    expect(problems).to.deep.equal([]);
  });

  it("that fail are reported, and not tried again at once", async () => {
    await pinnedAt("2025-03-02T12:00:00.000Z", settings(3));
    expect(await pinnedAt("2025-03-03T09:00:00.000Z", settings(3), true)).to.deep.equal([]);
    expect(problems).to.deep.equal(["the disk is full"]);
    expect(await pinnedAt("2025-03-03T10:00:00.000Z", settings(3))).to.deep.equal(["2025-02 2025-03-03T09:00:00.000Z"]);
  });
});
