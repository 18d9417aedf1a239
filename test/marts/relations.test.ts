import { expect } from "chai";
import { CHANNELS } from "../../src/core/contract/channel.ts";
import { connectorsOf } from "../../src/core/contract/record.ts";
import { coreSql } from "../../src/core/marts/build.ts";
import { CORE, inOrder, outdatedBy, PER_CUSTOMER, PER_ROW, relationIn } from "../../src/core/marts/relations.ts";
import { planOf, withCatalog } from "../../src/documents/lineage/catalog.ts";
import { tablesOf } from "../../src/documents/lineage/plan.ts";

describe("The core relations", () => {
  /** What the engine says of a relation. */
  interface Planned {
    /** Tables that the plan of its SQL reads. */
    readonly tables: readonly string[];
    /** Columns of its SQL, of itself, and of its key. */
    readonly made: readonly string[];
    readonly columns: readonly string[];
    readonly key: readonly string[];
  }
  const planned = new Map<string, Planned>();
  const plannedOf = (name: string): Planned => planned.get(name) ?? expect.fail(name);
  const summed = CORE.filter(({ sums }) => sums.length > 0);

  before(() =>
    withCatalog(async (session) => {
      const names = async (sql: string): Promise<string[]> => (await session.columns(sql)).map(({ name }) => name);
      for (const { name, key = [], sums } of CORE) {
        const tables = tablesOf(await planOf(session, coreSql(name)));
        const [made, columns, ofKey] =
          sums.length > 0
            ? [
                await names(`(${coreSql(name)})`),
                await names(`from ${name}`),
                await names(`select ${key.join(", ")} from ${name}`),
              ]
            : [[], [], []];
        planned.set(name, { tables, made, columns, key: ofKey });
      }
    }),
  );

  it("read what the engine's plan of their SQL reads", () => {
    const declared = CORE.map(({ name, reads, records }) => [
      name,
      [...reads, ...records.map((one) => `staging.${one}`)].sort(),
    ]);
    const given = new Set(["known_customers"]);
    expect(declared).to.deep.equal(
      CORE.map(({ name }) => [
        name,
        plannedOf(name)
          .tables.filter((one) => !given.has(one))
          .sort(),
      ]),
    );
  });

  it("unite every ad platform and every store, and each platform has the channel of its name [D15]", () => {
    const readBy = (relation: string): readonly string[] => CORE.find(({ name }) => name === relation)?.records ?? [];
    expect(readBy("ad_records")).to.have.members(connectorsOf("ads").map((connector) => `${connector}_campaigns`));
    for (const relation of ["store_orders", "order_lines"])
      expect(readBy(relation), relation).to.include.members(
        connectorsOf("store").map((connector) => `${connector}_orders`),
      );
    // A store's catalog is a record of its own, or is part of its orders.
    for (const relation of ["products", "categories", "product_items"])
      for (const store of connectorsOf("store"))
        expect(
          readBy(relation).some((record) => record.startsWith(`${store}_`)),
          `${relation} of ${store}`,
        ).to.equal(true);
    expect(CHANNELS).to.include.members(connectorsOf("ads"));
  });

  it("come after those that they read", () => {
    for (const [no, { name, reads }] of CORE.entries()) {
      const before = CORE.slice(0, no).map((one) => one.name);
      expect(before, name).to.include.members([...reads]);
    }
  });

  it("declare sums only of columns that they have", () => {
    expect(summed.map(({ name }) => name)).to.include.members(["daily_orders", "daily_acquisitions", "daily_cohorts"]);
    for (const { name, sums } of summed) expect(plannedOf(name).made, name).to.include.members([...sums]);
  });

  it("are outdated by new files of the records they read, directly or not, and by the time of a landing", () => {
    const names = (record: string): string[] => [...outdatedBy(new Set([record]))].map(({ name }) => name);
    const byLanding = ["organization", "daily_paybacks", "daily_totals", "product_stores", "storeb_product_rows"];
    expect(names("crm_contacts")).to.have.members(byLanding);
    expect(names("storea_inventory")).to.have.members(["inventory", "product_identities", ...byLanding]);
    expect(names("socialads_campaigns")).to.include.members(["media_spend", "orders", "daily_cohorts"]);
    expect(names("storea_orders")).to.not.include.members(["media_spend"]);
  });

  it("have, if they are sums, no columns but their key and the sums", () => {
    for (const { name, sums } of summed) {
      const { key, columns } = plannedOf(name);
      // A column that follows from the key.
      const follows = name === "order_statuses" ? ["is_known"] : [];
      expect([...key, ...sums, ...follows], name).to.have.members([...columns]);
    }
  });

  it("have, if they are sums over several that change row by row, only rows of customers to sum", () => {
    const names = (relations: readonly { name: string }[]): string[] => relations.map(({ name }) => name);
    const changing = (reads: readonly string[]): string[] => reads.filter((one) => names(PER_ROW).includes(one));
    const joined = CORE.filter(({ sums, reads }) => sums.length > 0 && changing(reads).length > 1);
    expect(names(joined)).to.deep.equal(["daily_category_cohorts"]);
    for (const { name, reads } of joined) expect(names(PER_CUSTOMER), name).to.include.members(changing(reads));
  });

  it("are rejected when they read each other", () => {
    const names = new Set(["a", "b"]);
    const head = "-- Key: none\n-- Kept for: nothing\n";
    const circle = [relationIn("a", `${head}select 1 from b`, names), relationIn("b", `${head}select 1 from a`, names)];
    expect(() => inOrder(circle)).to.throw("these read each other: a, b");
  });

  it("have a key of all columns but the sums, which may be in several lines", () => {
    const head = "-- Key: all but the sums\n-- Kept for: analyses\n-- Sums: b, c,\n--   d\nselect 1";
    const { key, sums } = relationIn("a", head, new Set());
    expect(sums).to.deep.equal(["b", "c", "d"]);
    expect(key).to.deep.equal(["* exclude (b, c, d)"]);
  });

  it("are rejected when the head of the file declares no key, or something unknown", () => {
    const none = new Set<string>();
    expect(() => relationIn("a", "-- Kept for: analyses\nselect 1", none)).to.throw("sql/core/a.sql declares no key");
    expect(() => relationIn("a", "-- Key: b\n-- Kept for: fun\nselect 1", none)).to.throw("Kept for: one of analyses,");
  });
});
