import { once } from "node:events";
import { cp } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect } from "chai";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { keepSecrets } from "../../src/features/pull/secrets.ts";
import { type Order, Store } from "../pull/store.ts";
import { AURORA, DataFolder, type Ended, STOREA, storeaOrder } from "../support/data.ts";
import { occurrences } from "../support/occurrences.ts";
import { startServing } from "../support/serving.ts";

const WHO = "maria.souza@example.com";
const NOW = "2025-06-30T12:00:00Z";
/** The same address as stores write it. */
const SPELLINGS = [
  "Maria.Souza@Example.com",
  "maria.souza@example.com-263547896542b.ct.vtex.com.br",
  "MARIA.SOUZA@EXAMPLE.COM",
];

describe("An erasure and a vendor that brings the orders again [D98]", function () {
  this.timeout(600_000);
  let store: Store;
  let server: Server;
  let data: DataFolder;

  const place = (n: number, email: string): void => {
    const at = `2025-06-2${n}T10:00:00.000Z`;
    const profile = { email, firstName: "Maria", userProfileId: `profile-${email.slice(0, 5).toLowerCase()}` };
    const text = { openTextField: { value: `write to https://x.example/?e=${encodeURIComponent(email)}` } };
    const order = { ...storeaOrder({ id: `${n}-01`, value: 10 * n, email, at }), clientProfileData: profile, ...text };
    store.orders.push({ ...order, orderId: `${n}-01`, creationDate: at, status: "handling" } as unknown as Order);
  };

  before(async () => {
    store = new Store();
    for (const [n, email] of SPELLINGS.entries()) place(n + 1, email);
    place(4, "outra@example.com");
    server = createServer((request, response) => {
      const url = new URL(request.url ?? "", "http://x");
      const { method = "", headers } = request;
      const asked = { method, path: decodeURIComponent(url.pathname), query: url.searchParams, body: "", headers };
      const { status = 200, body } = store.answer(asked);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    data = await DataFolder.empty({ LUCRA_NOW: NOW });
    const pull = { since: "2025-06-01", account: { account: "mystore" }, records: ["orders"] as const, baseUrl };
    await data.settings({
      organizationId: AURORA,
      name: "Shop",
      currency: "BRL",
      integrations: [{ id: STOREA, connector: "storea", name: "A", timezone: "America/Sao_Paulo", pull }],
    } as Parameters<DataFolder["settings"]>[0]);
    await keepSecrets(foldersOf(data.path, AURORA), STOREA, {
      appKey: "key-of-the-test",
      appToken: "token-of-the-test",
    });
  });

  after(async () => {
    server.closeAllConnections();
    server.close();
    await data.remove();
  });

  const lucra = async (folder: DataFolder, ...args: string[]): Promise<Ended> => {
    const end = await folder.lucra(args, { LUCRA_NOW: NOW });
    expect(end.status, `${args.join(" ")}: ${end.stderr}`).to.equal(0);
    return end;
  };
  const found = async (folder = data): Promise<number> =>
    Object.values(await occurrences(folder.path, WHO)).reduce((sum, n) => sum + n, 0);
  const figures = async (folder = data): Promise<string> => {
    const days = ["--start-date", "2025-06-01", "--end-date", "2025-06-30"];
    const end = await lucra(folder, "sql", "profitability/cards", ...days, "--organization", AURORA);
    return end.stdout;
  };

  it("leaves nothing after another pull, a sync, a restart, and a restore with --again", async () => {
    await lucra(data, "sync", "--pull");
    const before = await found();
    expect(before).to.be.greaterThan(6);
    const sums = await figures();
    const backup = await DataFolder.copyOf(data);
    await lucra(data, "customers", "erase", "--organization", AURORA, "--email", WHO, "--yes");
    expect(await found(), "after the erasure").to.equal(0);
    expect(await figures()).to.deep.equal(sums);

    // The vendor has them all, and one has changed.
    for (const order of store.orders) order.status = "invoiced";
    await lucra(data, "pull");
    const between = await occurrences(data.path, WHO);
    expect(Object.keys(between)).to.not.be.empty;
    expect(
      Object.keys(between).every((file) => file.startsWith(`exports${path.sep}`)),
      "only until the sync",
    ).to.equal(true);
    await lucra(data, "sync");
    expect(await found(), "after a pull and a sync").to.equal(0);
    await lucra(data, "sync", "--pull");
    expect(await found(), "after a sync that pulls").to.equal(0);
    expect(await figures(), "the sums").to.deep.equal(sums);

    for (let starts = 1; starts <= 2; starts++) {
      const serving = await startServing(data, [], undefined, { LUCRA_NOW: NOW });
      const { body } = await serving.get("/v1/storea/orders");
      expect(JSON.stringify(body)).to.not.match(/maria/i);
      expect((body.data as unknown[]).length).to.equal(4);
      await serving.stop();
      expect(await found(), `after start ${starts}`).to.equal(0);
    }

    expect(await found(backup), "in the backup").to.equal(before);
    for (const kept of ["erasures", `secrets/${AURORA}/erasures`])
      await cp(path.join(data.path, kept), path.join(backup.path, kept), { recursive: true });
    await lucra(backup, "customers", "erase", "--again", "--organization", AURORA);
    expect(await found(backup), "after the restore").to.equal(0);
    expect(await figures(backup)).to.deep.equal(sums);
    await lucra(backup, "sync", "--pull");
    expect(await found(backup), "after the restore, and a pull").to.equal(0);
    console.log(
      `      found ${before} times before, 0 after each step; ${Object.keys(between).length} export between pull and sync`,
    );
    await backup.remove();
  });
});
