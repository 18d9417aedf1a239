import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { AURORA, type DataFolder } from "../support/data.ts";
import { occurrences } from "../support/occurrences.ts";
import { openPlatformService, type Page, type PlatformService } from "../support/platform.ts";
import { landedFixtures } from "../support/shared.ts";

const WHO = "rui.teles@example.com";
const HOME = `/organizations/${AURORA}/customers`;
const DAY_MS = 86_400_000;

interface Found {
  readonly id: string;
  readonly isSearching: boolean;
  readonly places: readonly { readonly place: string; readonly files: number; readonly rows: number }[];
  readonly orders: readonly object[];
  readonly rows: number;
}

describe("The page of personal data [D98]", function () {
  this.timeout(600_000);
  let data: DataFolder;
  let platform: PlatformService;
  let admin: Page;

  before(async () => {
    data = await landedFixtures();
    platform = await openPlatformService(data);
    admin = await platform.as("admin");
  });

  after(async () => {
    await platform.close();
    await data.remove();
  });

  async function searched(value = WHO, by = "email", page = admin): Promise<Found> {
    let answer = await page.post(`${HOME}/searches`, { by, value });
    expect(answer.status, answer.text).to.equal(200);
    while (answer.body.isSearching) answer = await page.get(`${HOME}/searches/${answer.body.id}`);
    expect(answer.status, answer.text).to.equal(200);
    return answer.body;
  }

  async function erased(): Promise<{ readonly steps: ReadonlySet<string>; readonly last: Record<string, unknown> }> {
    const steps = new Set<string>();
    for (;;) {
      const { last } = (await admin.get(`${HOME}/erasures`)).body;
      if (last.progress) steps.add(last.progress.step);
      if (last.done || last.reason) return { steps, last };
      await sleep(50);
    }
  }

  it("is for admins of the organization, each with the own searches", async () => {
    const found = await searched();
    for (const page of [
      await platform.as("viewer"),
      await platform.as("admin", "0aaaaaaa-0000-4000-8000-000000000009"),
    ]) {
      expect((await page.post(`${HOME}/searches`, { by: "email", value: WHO })).status).to.equal(403);
      for (const place of ["erasures", `searches/${found.id}`, `searches/${found.id}/data`])
        expect((await page.get(`${HOME}/${place}`)).status, place).to.equal(403);
      expect((await page.post(`${HOME}/searches/${found.id}/erasure`, {})).status).to.equal(403);
      expect((await page.post(`${HOME}/erasures`, {})).status).to.equal(403);
    }
    const other = await platform.as("admin");
    for (const place of [`searches/${found.id}`, `searches/${found.id}/data`])
      expect((await other.get(`${HOME}/${place}`)).status, place).to.equal(404);
    expect((await other.post(`${HOME}/searches/${found.id}/erasure`, {})).status).to.equal(404);
    expect((await admin.remove(`${HOME}/searches/${found.id}`)).status).to.equal(200);
    expect((await admin.get(`${HOME}/searches/${found.id}`)).status).to.equal(404);
  });

  it("refuses what names nobody, or many people", async () => {
    for (const [by, value] of [
      ["email", "naoinformado@loja.com"],
      ["email", "   "],
      ["customer", "guest"],
      ["phone", "123"],
      ["document", "12"],
    ] as const) {
      const { status, body } = await admin.post(`${HOME}/searches`, { by, value });
      expect([status, body.details?.[0].parameter], `${by} ${value}`).to.deep.equal([400, "value"]);
    }
    expect((await admin.post(`${HOME}/searches`, { by: "name", value: "Rui" })).status).to.equal(400);
  });

  it("shows what there is, gives the data, and erases only after a sign-in of the last 12 hours", async () => {
    const found = await searched();
    expect(found.rows).to.be.greaterThan(0);
    expect(found.orders).to.have.length.greaterThan(0);
    expect(JSON.stringify(found)).to.not.match(/rui\.teles/i);
    const rows = (await admin.get(`${HOME}/searches/${found.id}/data`)).body;
    expect(rows.data).to.have.length(found.rows);
    expect(JSON.stringify(rows.data)).to.match(/rui\.teles@example\.com/i);
    const early = await platform.as("admin", AURORA, new Date(Date.now() - DAY_MS).toISOString());
    const theirs = await searched(WHO, "email", early);
    const refused = await early.post(`${HOME}/searches/${theirs.id}/erasure`, {});
    expect([refused.status, refused.body.kind]).to.deep.equal([403, "signInAgain"]);
    expect((await early.post(`${HOME}/erasures`, {})).body.kind).to.equal("signInAgain");
    expect((await admin.get(`${HOME}/erasures`)).body).to.deep.equal({ data: [], last: null });
    const before = Object.values(await occurrences(data.path, WHO)).reduce((sum, n) => sum + n, 0);
    expect(before).to.be.greaterThan(0);

    const begun = await admin.post(`${HOME}/searches/${found.id}/erasure`, {});
    expect(begun.status, begun.text).to.equal(200);
    // Sent twice, also with another key, it is one erasure.
    const again = await admin.post(`${HOME}/searches/${found.id}/erasure`, {});
    expect(again.body.last.id).to.equal(begun.body.last.id);
    expect((await admin.post(`${HOME}/erasures`, {})).status, "another one meanwhile").to.equal(409);
    const waits: number[] = [];
    const answered = setInterval(() => {
      const at = performance.now();
      void platform.service.get("/v1/organizations").then(() => waits.push(performance.now() - at));
    }, 100);
    const { steps, last } = await erased().finally(() => clearInterval(answered));
    expect(last).to.deep.include({ reason: null, progress: null });
    expect(last.done).to.deep.include({ numbers: [1], unread: [] });
    expect([...steps]).to.include.members(["copies"]);
    expect(waits.length).to.be.greaterThan(5);
    expect(Math.max(...waits), "milliseconds of other answers meanwhile").to.be.lessThan(3_000);

    expect(await occurrences(data.path, WHO)).to.deep.equal({});
    const { data: all } = (await admin.get(`${HOME}/erasures`)).body;
    expect(all.map(({ no }: { no: number }) => no)).to.deep.equal([1]);
    expect(all[0].doneAt).to.be.a("string");
    expect((await admin.get(`${HOME}/searches/${found.id}`)).status, "what was found is forgotten").to.equal(404);
    const entry = await platform.last();
    expect(entry).to.deep.include({ what: "customers.erase", after: { numbers: [1] }, outcome: "done" });
    expect(entry?.person).to.match(/^admin-.*@example\.com$/);
    expect(await data.text(`audit/${AURORA}.ndjson`)).to.not.match(/rui|teles/i);
    const left = await searched();
    expect([left.rows, left.orders.length]).to.deep.equal([0, 0]);
  });

  it("erases again what was erased before", async () => {
    expect((await admin.post(`${HOME}/erasures`, {})).status).to.equal(200);
    const { last } = await erased();
    expect(last.done).to.deep.include({ numbers: [1], unread: [] });
    expect(await platform.last()).to.deep.include({ what: "customers.eraseAgain", after: { numbers: [1] } });
  });
});
