import { rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import type { Organization } from "../../src/core/contract/settings.ts";
import { literal } from "../../src/core/engine/database.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { GenerationStore } from "../../src/core/marts/current.ts";
import { customerSecret, makeCustomerSecret } from "../../src/core/marts/customerSecret.ts";
import { currentGeneration } from "../../src/core/marts/generations.ts";
import { deriveAll } from "../../src/core/sync/sync.ts";
import { AURORA, DataFolder, exportsOf, oneStore, STOREA, storeaOrder } from "../support/data.ts";
import { Laboratory, Landed } from "../support/exports.ts";
import type { Settings } from "../support/world.ts";

const EMAIL = "ana@example.com";
const OTHER = "0fffffff-0000-4000-8000-000000000001";

describe("The id of a customer in answers [D51]", () => {
  let laboratory: Laboratory;
  let landed: DataFolder;
  let data: DataFolder;

  before(async () => {
    laboratory = await Laboratory.open();
    landed = await DataFolder.empty();
    for (const id of [AURORA, OTHER]) {
      const settings: Organization = { ...oneStore(), organizationId: id };
      await landed.settings(settings);
      const orders = [
        storeaOrder({ id: "a", value: 10, email: EMAIL }),
        storeaOrder({ id: "b", value: 10, email: EMAIL }),
        storeaOrder({ id: "c", value: 10, email: "bia@example.com" }),
      ];
      await landed.write(`${exportsOf(STOREA, "orders", id)}/a.json`, JSON.stringify(orders));
    }
    await landed.sync();
  });

  beforeEach(async () => {
    data = await DataFolder.copyOf(landed);
  });

  afterEach(() => data?.remove());

  after(() => landed?.remove());

  const secret = (id = AURORA): string => foldersOf(data.path, id).customerSecret;

  /** The ids of the customers of orders a, b and c. */
  async function ids(organization = AURORA): Promise<string[]> {
    const settings = { ...oneStore(), organizationId: organization, currency: "BRL" } as Settings;
    const { data: rows } = await new Landed(laboratory.database, data.path).ask(
      { settings, syncs: [] },
      "/v1/profitability/orders",
    );
    return (rows as { customerId: string }[]).map(({ customerId }) => customerId);
  }

  it("is one per customer and organization", async () => {
    const [a, b, c] = await ids();
    expect(b).to.equal(a);
    expect(c).to.be.a("string").and.not.equal(a);
    expect(await ids(OTHER)).to.not.include.members([a]);
  });

  it("stays the same when everything is derived again", async () => {
    const before = await ids();
    await rm(path.join(data.path, "marts"), { recursive: true });
    await data.sync();
    expect(await ids()).to.deep.equal(before);
  });

  it("cannot be computed from the e-mail and what derived files hold", async () => {
    const [id = ""] = await ids();
    const texts = [EMAIL, `e:${EMAIL}`, `${AURORA} e:${EMAIL}`].map(literal).join(", ");
    const known = await laboratory.database.use((session) =>
      session.texts(`with texts as (select unnest([${texts}]) as text),
        keys as (select left(sha256(text), 32)::uuid::varchar as text from texts)
        select unnest([left(md5(text), 32), left(sha256(text), 32)])::uuid::varchar
        from (from texts union all from keys union all select ${literal(`${AURORA} `)} || text from keys)`),
    );
    expect(known).to.not.include(id);
  });

  it("is under a secret that only the owner of the data folder can read", async () => {
    const { mode, size } = await stat(secret());
    expect(mode & 0o777).to.equal(0o600);
    expect(size).to.equal(65);
    expect(await data.text(path.relative(data.path, secret()))).to.not.equal(
      await data.text(path.relative(data.path, secret(OTHER))),
    );
  });

  it("is another one for all customers once the secret is gone", async () => {
    const before = await ids();
    await rm(secret());
    await data.sync();
    const now = await ids();
    expect(now[0]).to.equal(now[1]);
    expect(new Set([...before, ...now]).size).to.equal(4);
  });

  it("is under one secret, however often it is made at once", async () => {
    await rm(secret());
    await Promise.all(Array.from({ length: 4 }, () => makeCustomerSecret(foldersOf(data.path, AURORA))));
    expect(await customerSecret(foldersOf(data.path, AURORA))).to.match(/^[0-9a-f]{64}$/);
    expect(await data.files(path.relative(data.path, path.dirname(secret())))).to.deep.equal(["customers"]);
  });

  it("keeps no other organization from being served while its secret is damaged", async () => {
    const before = await ids();
    await writeFile(secret(), "\n");
    await rm(foldersOf(data.path, OTHER).mart, { recursive: true });
    const settingsOf = async (id: string): Promise<Organization> =>
      JSON.parse(await data.text(`organizations/${id}.json`));
    const problems: [string, string][] = [];
    const generations = new GenerationStore(
      data.path,
      settingsOf,
      (id, error) => problems.push([id, String(error)]),
      async (id) => deriveAll(data.config, [await settingsOf(id)]),
    );
    await generations.refresh([AURORA, OTHER]);
    expect(problems.map(([id]) => id)).to.deep.equal([AURORA]);
    expect(problems[0]?.[1]).to.include(secret());
    expect((await currentGeneration(foldersOf(data.path, OTHER)))?.settings.organizationId).to.equal(OTHER);
    expect(await ids()).to.deep.equal(before);
  });

  it("is not made under a damaged secret: the derivation fails and names the file", async () => {
    const before = await ids();
    await writeFile(secret(), "\n");
    const { failures } = await data.sync();
    expect(JSON.stringify(failures)).to.include(secret());
    expect(await ids()).to.deep.equal(before);
  });
});
