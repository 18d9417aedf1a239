import { spawn } from "node:child_process";
import { cp, rm } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import type { Organization } from "../../src/core/contract/settings.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { erasuresOf } from "../../src/core/landing/ledger/erasures.ts";
import { eraseAgain, eraseCustomer } from "../../src/features/erasure/erase.ts";
import { command } from "../support/command.ts";
import { AURORA, DataFolder, ended, exportsOf, NOW, ROOT, STOREA, storeaOrder } from "../support/data.ts";
import { occurrences } from "../support/occurrences.ts";
import { answersOf } from "../support/service.ts";
import { minute } from "../support/syncs.ts";

const CRM = "f62c1523-50a3-4e8f-9b66-73e49fb0c206";
const SHOP: Organization = {
  organizationId: AURORA,
  name: "Shop",
  integrations: [
    { id: STOREA, connector: "storea", name: "A" },
    { id: CRM, connector: "crm", name: "C" },
  ],
};
const WHO = "maria.souza@example.com";
const ORDERS = exportsOf(STOREA, "orders");
const FIGURES = [
  "/v1/profitability/cards",
  "/v1/profitability/cohort",
  "/v1/profitability/new-vs-recurring",
  "/v1/profitability/orders?counted=any",
  "/v1/storea/orders?limit=5000",
];

const order = (id: string, email: string, at: string, more: object = {}): object => ({
  ...storeaOrder({ id, value: 10, email, at }),
  clientProfileData: { email, firstName: "Maria", userProfileId: `profile of ${email}` },
  ...more,
});

const contact = JSON.stringify({
  results: [
    {
      id: "1",
      properties: { email: WHO, firstname: "Maria", createdate: "2025-01-01T00:00:00Z" },
      createdAt: "2025-01-01T00:00:00Z",
      updatedAt: "2025-01-01T00:00:00Z",
      archived: false,
    },
  ],
});

const answers = async (data: DataFolder): Promise<Record<string, string>> => {
  const all = await answersOf(data.config, AURORA, FIGURES, Number.POSITIVE_INFINITY);
  return Object.fromEntries(
    Object.entries(all).map(([probe, text]) => [
      probe,
      text.replaceAll(/"(follow_up_email|shipping_postal_code)":("[^"]*"|null)/g, ""),
    ]),
  );
};

const landed = (report: Awaited<ReturnType<DataFolder["sync"]>>): number =>
  report.outcomes.reduce((sum, one) => sum + one.files, 0);

describe("What was erased", function () {
  this.timeout(900_000);
  let data: DataFolder;

  beforeEach(async () => {
    data = await DataFolder.empty();
    await data.settings(SHOP);
    const first = [
      order("a1", WHO, "2025-01-10T10:00:00Z"),
      order("a2", "outra@example.com", "2025-01-11T10:00:00Z"),
      order("a3", WHO, "2025-02-10T10:00:00Z"),
    ];
    await data.write(`${ORDERS}/a.json`, JSON.stringify(first), minute(1));
    await data.write(`${exportsOf(CRM, "contacts")}/c.json`, contact, minute(1));
    expect((await data.sync()).failures).to.deep.equal([]);
  });

  afterEach(() => data.remove());

  it("is erased by the next sync, wherever the process was killed [D98]", async () => {
    const figures = await answers(data);
    let total = Number.POSITIVE_INFINITY;
    for (let writes = 1; writes <= total; writes++) {
      const copy = await DataFolder.copyOf(data);
      const child = spawn(
        process.execPath,
        [
          "--import",
          path.join(ROOT, "bin", "typescript.mjs"),
          path.join(ROOT, "test/support/erasingParent.ts"),
          copy.path,
          AURORA,
          WHO,
          String(writes),
        ],
        { env: { PATH: process.env.PATH, LUCRA_NOW: NOW }, stdio: ["ignore", "pipe", "pipe"] },
      );
      const end = await ended(child);
      if (end.stdout.trim() !== "") total = Number(end.stdout.trim());
      else expect((await erasuresOf(foldersOf(copy.path, AURORA)))[0]?.doneAt, String(writes)).to.equal(undefined);
      const report = await copy.sync();
      expect(report.failures, `after ${writes} writes`).to.deep.equal([]);
      expect(landed(report), `after ${writes} writes`).to.equal(0);
      expect(await occurrences(copy.path, WHO), `after ${writes} writes`).to.deep.equal({});
      expect(await occurrences(copy.path, `profile of ${WHO}`), `after ${writes} writes`).to.deep.equal({});
      expect((await erasuresOf(foldersOf(copy.path, AURORA)))[0]?.doneAt).to.be.a("string");
      expect(await answers(copy), `after ${writes} writes`).to.deep.equal(figures);
      await copy.remove();
    }
    expect(total).to.be.greaterThan(10).and.lessThan(100);
  });

  it("stays erased when the order lands again; a later order is a new customer's", async () => {
    const figures = await answers(data);
    await eraseCustomer(data.config, SHOP, { email: WHO });
    const again = [
      order("a1", WHO, "2025-01-10T10:00:00Z", { lastChange: "2025-03-01T00:00:00Z", openTextField: { value: WHO } }),
      // Without any e-mail, and with another one.
      {
        ...order("a3", WHO, "2025-02-10T10:00:00Z"),
        clientProfileData: { userProfileId: `profile of ${WHO}`, lastName: "Souza" },
      },
    ];
    await data.write(
      `${ORDERS}/pull-2025-03-0001.jsonl`,
      again.map((one) => JSON.stringify(one)).join("\n"),
      minute(20),
    );
    expect((await data.sync()).failures).to.deep.equal([]);
    expect(await occurrences(data.path, WHO)).to.deep.equal({});
    expect(await occurrences(data.path, 'Souza"')).to.deep.equal({});
    const withoutTimes = (all: Record<string, string>) =>
      JSON.stringify(all).replaceAll(/\\"(inserted_at|last_change|asOf|landedAt)\\":\\"[^"]*"/g, "");
    expect(withoutTimes(await answers(data))).to.equal(withoutTimes(figures));
    // The same bytes as the vendor writes them, once more: nothing lands.
    await data.write(
      `${ORDERS}/pull-2025-03-0001.jsonl`,
      again.map((one) => JSON.stringify(one)).join("\n"),
      minute(25),
    );
    const same = await data.sync();
    expect(landed(same)).to.equal(0);
    expect(await occurrences(data.path, WHO)).to.deep.equal({});

    const customers = async (): Promise<number> => {
      const { "/v1/profitability/cohort?view=logo": text = "" } = await answersOf(
        data.config,
        AURORA,
        ["/v1/profitability/cohort?view=logo"],
        Number.POSITIVE_INFINITY,
      );
      return JSON.parse(text.slice(4)).data.reduce(
        (sum: number, row: { firstPurchaseCustomers: number }) => sum + row.firstPurchaseCustomers,
        0,
      );
    };
    expect(await customers()).to.equal(2);
    await data.write(`${ORDERS}/b.json`, JSON.stringify([order("b1", WHO, "2025-04-02T10:00:00Z")]), minute(30));
    expect((await data.sync()).failures).to.deep.equal([]);
    expect(await customers()).to.equal(3);
    expect(Object.keys(await occurrences(data.path, WHO)).filter((file) => file.startsWith("exports/"))).to.deep.equal([
      `${ORDERS}/b.json`,
    ]);
  });

  it("is erased again after a restore, by what erasures/ and secrets/ keep", async () => {
    const backup = await DataFolder.copyOf(data);
    await eraseCustomer(data.config, SHOP, { email: WHO });
    const erased = await answers(data);
    for (const kept of [`erasures`, `secrets/${AURORA}/erasures`])
      await cp(path.join(data.path, kept), path.join(backup.path, kept), { recursive: true });
    await rm(path.join(backup.path, "marts"), { recursive: true });
    expect(await occurrences(backup.path, WHO)).to.not.deep.equal({});
    const said = await command(backup, "customers", "erase", "--again", "--organization", AURORA);
    expect(said.status, said.stderr).to.equal(0);
    expect(await occurrences(backup.path, WHO)).to.deep.equal({});
    expect(await answers(backup)).to.deep.equal(erased);
    expect(landed(await backup.sync())).to.equal(0);
    expect(await eraseAgain(backup.config, SHOP)).to.deep.equal({ erasures: 1, unread: [] });
    await backup.remove();
  });
});
