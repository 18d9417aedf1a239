import { mkdir, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import type { Organization as OrganizationSettings } from "../../src/core/contract/settings.ts";
import { Database, literal, type Row, type Session } from "../../src/core/engine/database.ts";
import { foldersOf, type OrganizationFolders } from "../../src/core/files/organizationFolders.ts";
import type { LandingStamp } from "../../src/core/landing/lake/built.ts";
import { landRecord } from "../../src/core/landing/land.ts";
import { derive } from "../../src/core/marts/derive.ts";
import { PARTITION_POLICY, type PartitionPolicy } from "../../src/core/marts/partitions.ts";
import { exportedBy } from "../../src/core/records/index.ts";
import { relationChecks } from "../../src/features/pins/relations.ts";
import { costedWorld, tablesOf } from "../independent/randomCosts.ts";
import { DataFolder } from "./data.ts";
import { Laboratory, Landed, type Organization, writeExports } from "./exports.ts";
import { type Market, market } from "./market.ts";
import { writeMarket } from "./marketExports.ts";
import { type World, world } from "./world.ts";

const SEED = Number(process.env.SEED ?? 7);

/** A partition is a few orders, and every increment is worthwhile. */
const SMALL: PartitionPolicy = { partOrders: 48, mostTouched: 1, mostGrown: 2, mostDivided: Number.POSITIVE_INFINITY };

const ASKED: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["/v1/profitability/cards", {}],
  ["/v1/profitability/cohort", { view: "logo", breakBy: "produto" }],
  ["/v1/acquisition/campaigns", { startDate: "2025-01-15", endDate: "2025-03-20" }],
  ["/v1/profit/statement", { granularity: "month" }],
  ["/v1/storea/orders", { limit: "3", page: "2" }],
  ["/v1/storea/orders/items", { limit: "5", page: "2" }],
  ["/v1/storea/orders", { limit: "100", orderBy: "order_id", orderDirection: "DESC" }],
];

/** A random organization with tables of costs: `landed` has those of each sync, by their paths. */
interface CostedOrganization extends World {
  readonly landed: readonly ReadonlyMap<string, string>[];
}

const rowsOf = (folder: string, relation: string): string =>
  `read_parquet(${literal(path.join(folder, `${relation}*.parquet`))}, hive_partitioning = false)`;

/** A relation's rows; the numbers of customers have no meaning. */
function rowsSql(folder: string, relation: string): string {
  const rows = `select columns(name -> name <> 'customer_no') from ${rowsOf(folder, relation)} as rows`;
  // UTM parameters that no order has any more may still be there.
  return relation === "order_sources"
    ? `${rows} semi join ${rowsOf(folder, "identified_orders")} as orders
        on orders.utm_source is not distinct from rows.utm_source
        and orders.utm_medium is not distinct from rows.utm_medium
        and orders.utm_campaign is not distinct from rows.utm_campaign`
    : rows;
}

/** Purchases of the same products identify the customers. */
const customers = (folder: string, relation: string): string =>
  `select list((integration_id, order_id) order by integration_id, order_id) from ${rowsOf(folder, relation)}
    where customer_no is not null group by customer_no`;

/** The columns of every relation. */
const columnsOf = (session: Session, folder: string): Promise<Row[]> =>
  session.rows(
    `select distinct string_split(parse_filename(file_name), '.')[1] as relation, name, type, converted_type
      from parquet_schema(${literal(path.join(folder, "*.parquet"))}) order by all`,
  );

async function expectSame(session: Session, whole: string, increment: string): Promise<void> {
  const columns = await columnsOf(session, whole);
  expect(await columnsOf(session, increment)).to.deep.equal(columns);
  const compare = async (of: typeof rowsSql, relation: string): Promise<void> => {
    const [expected, found] = [of(whole, relation), of(increment, relation)];
    const different = await session.rows(
      `select 'missing' as is, missing::varchar as row from ((${expected}) except all (${found})) as missing
        union all select 'too much', more::varchar from ((${found}) except all (${expected})) as more`,
    );
    expect(different, relation).to.deep.equal([]);
  };
  for (const relation of new Set(columns.map((column) => String(column.relation)))) {
    await compare(rowsSql, relation);
  }
  for (const relation of ["orders", "sales", "product_sales"]) await compare(customers, relation);
  expect(await relationChecks(session, increment), "what pins keep").to.deep.equal(
    await relationChecks(session, whole),
  );
}

/** Lands all exports of an organization, none of which may be refused. */
export async function landAll(
  database: Database,
  folders: OrganizationFolders,
  integrations: NonNullable<OrganizationSettings["integrations"]>,
  turn: LandingStamp,
): Promise<void> {
  for (const integration of integrations) {
    for (const record of exportedBy(integration.connector)) {
      const { outcome, failures } = await landRecord(database, { folders, integration, record }, turn, () => {});
      expect([...failures, ...outcome.refused], JSON.stringify(outcome)).to.deep.equal([]);
    }
  }
}

/**
 * Compares increments with deriving everything, over so many random organizations. A thorough run has more syncs,
 * settings that change between them, and catalogs.
 */
export function compareIncrements(worlds: number, isThorough: boolean): void {
  describe("A generation made from the one before", function () {
    this.timeout(0);
    let laboratory: Laboratory;
    let database: Database;

    before(async () => {
      laboratory = await Laboratory.open();
      database = await Database.open();
    });

    after(() => database.close());

    /**
     * Lands sync by sync, and derives in three ways after each: everything, an increment, and everything but what is reused. Counts
     * the increments that were compared.
     */
    async function compared<O extends Organization>(
      it: O,
      write: (folder: DataFolder, world: O, sync: number) => Promise<void>,
      changed: readonly boolean[],
    ): Promise<number> {
      const whole = await DataFolder.empty();
      const others = [
        { folder: await DataFolder.empty(), policy: SMALL },
        { folder: await DataFolder.empty(), policy: PARTITION_POLICY },
      ];
      const shared = ["lake", "secrets"];
      let increments = 0;
      try {
        for (const name of shared) {
          await mkdir(path.join(whole.path, name));
          for (const { folder } of others) await symlink(path.join(whole.path, name), path.join(folder.path, name));
        }
        let settings = it.settings;
        const derived = ({ path }: DataFolder, policy = PARTITION_POLICY): ReturnType<typeof derive> =>
          derive(database, foldersOf(path, settings.organizationId), settings, { policy });
        for (const [no, time] of it.syncs.entries()) {
          await write(whole, it, no);
          if (no > 0 && changed[no]) settings = { ...settings, margin: { percent: 10 + no }, campaigns: [] };
          const folders = foldersOf(whole.path, settings.organizationId);
          await landAll(database, folders, settings.integrations, {
            landing: no + 1,
            landedAt: new Date(time).toISOString(),
          });
          // Without a previous generation nothing is reused.
          await rm(folders.mart, { recursive: true, force: true });
          const { folder } = (await derived(whole)).generation;
          for (const other of others) {
            const { mode, generation, fallbackReason } = await derived(other.folder, other.policy);
            expect(fallbackReason).to.equal(undefined);
            await database.use((session) => expectSame(session, folder, generation.folder));
            if (mode !== "incremental") continue;
            increments++;
            const [expected, found] = [whole, other.folder].map(
              ({ path }) => new Landed(laboratory.database, path),
            ) as [Landed, Landed];
            for (const [address, sent] of ASKED) {
              expect(await found.ask(it, address, sent), address).to.deep.equal(await expected.ask(it, address, sent));
            }
          }
        }
      } finally {
        for (const { folder } of others) {
          for (const name of shared) await rm(path.join(folder.path, name), { force: true });
          await folder.remove();
        }
        await whole.remove();
      }
      return increments;
    }

    const SYNCS = ["2025-02-20T12:00:00Z", "2025-03-10T12:00:00Z", "2025-03-25T12:00:00Z", "2025-04-01T11:00:00Z"];
    /** The syncs in which something is exported: most of it in the first. */
    const portions = fc.array(fc.constantFrom(0, 0, 0, 0, 0, 1, 2, 3), { minLength: 40, maxLength: 40 });
    /** The sync before which the settings change, so that everything is derived; in a brief run they never change. */
    const change = isThorough ? fc.constantFrom(false, false, false, false, true) : fc.constant(false);
    const changes = fc.array(change, { minLength: 4, maxLength: 4 });

    const check = async <O extends Organization>(
      some: fc.Arbitrary<O>,
      write: (folder: DataFolder, world: O, sync: number) => Promise<void>,
      runs = worlds,
    ): Promise<void> => {
      let increments = 0;
      await fc.assert(
        fc.asyncProperty(fc.noBias(some), changes, async (it, changed) => {
          increments += await compared(it, write, changed);
        }),
        { numRuns: runs, seed: SEED, endOnFailure: true },
      );
      expect(increments, "increments that were compared").to.be.greaterThan(0);
    };

    /** So many syncs export something; a thorough run may have one more. */
    const most = isThorough ? 3 : 2;

    const someWorld = fc.tuple(world, portions).map(([it, sync]): World => {
      const portion = (no: number): number => sync[no % sync.length] as number;
      return {
        ...it,
        syncs: SYNCS.slice(0, isThorough ? most + ((sync[0] as number) % 2) : most),
        orders: it.orders.map((order, no) => ({ ...order, file: { ...order.file, sync: portion(no) % most } })),
        records: it.records.map((record, no) => ({
          ...record,
          file: { ...record.file, sync: portion(no + 7) % most },
        })),
        costs: it.costs.map((cost, no) => ({ ...cost, sync: (cost.sync + portion(no)) % most })),
      };
    });

    /** Its rows of costs and fees land with one sync or the other, most of them with the first. */
    const someCosts = fc.tuple(costedWorld, portions).map(([{ world, records }, sync]): CostedOrganization => {
      const portion = (no: number): number => (sync[no % sync.length] as number) % most;
      const landed = Array.from({ length: most }, (_, sync) => {
        const inSync = <T>(rows: readonly T[]): T[] => rows.filter((_, no) => portion(no) === sync);
        return tablesOf({
          productCosts: inSync(records.productCosts),
          expenses: inSync(records.expenses),
          paymentFees: inSync(records.paymentFees),
        });
      });
      return { ...world, syncs: SYNCS.slice(0, most), landed };
    });

    const writeCosts = async (folder: DataFolder, it: CostedOrganization, sync: number): Promise<void> => {
      await writeExports(folder, it, sync);
      const modified = new Date(Date.parse(it.syncs[sync] as string) - 3_600_000);
      for (const [name, content] of it.landed[sync] ?? []) {
        await folder.write(
          `exports/${it.settings.organizationId}/${name.replace("table", `table-${sync}`)}`,
          content,
          modified,
        );
      }
    };

    const someMarket = fc.tuple(market, portions).map(([it, sync]): Market => {
      const portion = (no: number): number => (sync[no % sync.length] as number) % most;
      const spread = <T extends { readonly sync: number }>(all: readonly T[]): T[] =>
        all.map((one, no) => ({ ...one, sync: portion(no) }));
      return {
        ...it,
        syncs: SYNCS.slice(0, most),
        stores: it.stores.map((store) => ({
          ...store,
          entries: spread(store.entries),
          readings: spread(store.readings),
          orders: spread(store.orders),
        })),
      };
    });

    it("equals deriving everything, for any sales", () => check(someWorld, writeExports));

    it("equals deriving everything, for any costs", () => check(someCosts, writeCosts, 4 * worlds));

    if (isThorough) it("equals deriving everything, for any catalog", () => check(someMarket, writeMarket));
  });
}
