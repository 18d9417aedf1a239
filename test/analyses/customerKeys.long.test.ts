import { expect } from "chai";
import type { Organization } from "../../src/core/contract/settings.ts";
import { literal } from "../../src/core/engine/database.ts";
import { DataFolder, exportsOf, oneStore, STOREA, storeaOrder } from "../support/data.ts";
import { Laboratory, Landed } from "../support/exports.ts";

const EMAIL = "ana@example.com";

describe("The key of a customer in derived files [D5]", () => {
  let laboratory: Laboratory;

  before(async () => {
    laboratory = await Laboratory.open();
  });

  /** The values in the key columns of the derived files of an organization with one order. */
  async function keysIn(settings: Organization): Promise<string[]> {
    const data = await DataFolder.empty();
    try {
      await data.settings(settings);
      const order = JSON.stringify([storeaOrder({ id: "a", value: 10, email: EMAIL })]);
      await data.write(`${exportsOf(STOREA, "orders", settings.organizationId)}/a.json`, order);
      await data.sync();
      const { folder } = await new Landed(laboratory.database, data.path).generation(settings.organizationId);
      return await laboratory.database.use((session) =>
        session.texts(`select email_id::varchar from read_parquet(${literal(`${folder}/identified_orders*.parquet`)})`),
      );
    } finally {
      await data.remove();
    }
  }

  it("differs between organizations, and is no plain hash of the e-mail", async () => {
    const settings = oneStore();
    const [ours] = await keysIn(settings);
    const [again] = await keysIn(settings);
    const [theirs] = await keysIn({ ...settings, organizationId: "0fffffff-0000-4000-8000-000000000001" });
    expect(ours).to.be.a("string");
    expect(again).to.equal(ours);
    expect(theirs).to.not.equal(ours);
    const plain = await laboratory.database.use((session) =>
      session.texts(`select unnest([md5(e), left(sha256(e), 32)])::uuid::varchar
        from (select unnest([${literal(EMAIL)}, ${literal(`e:${EMAIL}`)}]) as e)`),
    );
    expect(plain).to.not.include(ours);
  });
});
