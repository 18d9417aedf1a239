import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { zipSync } from "fflate";
import { eraseCustomer, findCustomer } from "../../src/features/erasure/erase.ts";
import { AURORA, STOREA } from "../support/data.ts";
import { occurrences } from "../support/occurrences.ts";
import { BY, Page, refusal } from "../support/uploads.ts";

const SHOP = {
  organizationId: AURORA,
  name: "Shop",
  currency: "BRL",
  integrations: [{ id: STOREA, connector: "storea", name: "Loja", timezone: "America/Sao_Paulo" }],
} as const;
const WHO = "maria.souza@example.com";
const HEAD = "order_id,status,value,creation_date,email";
const table = (...emails: string[]): Buffer =>
  Buffer.from([HEAD, ...emails.map((email, n) => `${n + 1},invoiced,10.00,2025-02-1${n},${email}`)].join("\n"));

describe("An erasure and files that wait [D233]", function () {
  this.timeout(300_000);
  let page: Page;

  beforeEach(async () => {
    page = await Page.open(SHOP);
  });
  afterEach(() => page.remove());

  const announced = async (name: string, bytes: Buffer): Promise<string> =>
    (await page.work.create(AURORA, { name, bytes: bytes.length, by: BY })).id;
  /** The first half of a file. */
  async function halfOf(name: string, bytes: Buffer, part = bytes.length >> 1): Promise<string> {
    const id = await announced(name, bytes);
    await page.work.piece(AURORA, id, 0, bytes.subarray(0, part));
    return id;
  }
  const known = async (): Promise<string[]> => (await page.work.list(AURORA)).map(({ id }) => id);

  it("removes one that has half arrived if it has the customer, or cannot be read", async () => {
    const full = table(WHO, "a@example.com", "b@example.com", "c@example.com");
    const ids = [
      await halfOf("a.csv", full),
      await halfOf("b.csv.gz", gzipSync(full)),
      await halfOf("c.zip", Buffer.from(zipSync({ "c.csv": full }))),
    ];
    const other = await halfOf("d.csv", table("a@example.com", "b@example.com", "c@example.com"));
    const before = await findCustomer(page.data.config, SHOP, { email: WHO });
    expect(before.files.map(({ place }) => place)).to.deep.equal(["uploads"]);
    expect(before.unread.map(({ reason }) => reason)).to.deep.equal(
      Array(2).fill("has not wholly arrived: an erasure removes it"),
    );
    expect(await known()).to.have.members([...ids, other]);

    const { unread } = await eraseCustomer(page.data.config, SHOP, { email: WHO });
    expect(unread).to.deep.equal([]);
    expect(await known()).to.deep.equal([other]);
    expect(await occurrences(page.data.path, WHO)).to.deep.equal({});
    expect(await refusal(page.work.piece(AURORA, ids[0] ?? "", 10, Buffer.from("x")))).to.deep.include("unknown");
  });

  it("leaves one that brings the customer later: it is emptied before it lands", async () => {
    const full = table("a@example.com", "b@example.com", WHO);
    const part = full.indexOf(WHO) + 5;
    const id = await halfOf("a.csv", full, part);
    await eraseCustomer(page.data.config, SHOP, { email: WHO });
    await page.work.piece(AURORA, id, part, full.subarray(part));
    expect(await page.preview(id)).to.have.nested.property("look.outcome", "ready");
    expect((await page.land(id)).state).to.equal("landed");
    expect(await occurrences(page.data.path, WHO)).to.deep.equal({});
    expect(Object.keys(await occurrences(page.data.path, "a@example.com"))).to.have.length.greaterThan(1);
  });

  it("empties one that has wholly arrived, which lands all the same", async () => {
    const id = await page.drop("a.csv", table("a@example.com", WHO));
    await page.preview(id);
    await eraseCustomer(page.data.config, SHOP, { email: WHO });
    expect(await occurrences(page.data.path, WHO)).to.deep.equal({});
    await page.preview(id);
    expect((await page.land(id)).landed?.rows).to.equal(2);
  });
});
