import { link } from "node:fs/promises";
import path from "node:path";
import { type RecordDeclaration, relationOf } from "../contract/record.ts";
import { identifier, literal } from "../engine/database.ts";
import { type Build, coreSql, isServedAsLanded, type LakeFiles, ordered, partitionFiles, rowsOf } from "./build.ts";
import type { Generation } from "./generations.ts";
import {
  bounded,
  newestOrders,
  ONE_PARTITION,
  type Partition,
  type PartitionBounds,
  type PartitionPolicy,
  partitionsOf,
} from "./partitions.ts";
import {
  AFTER_INCREMENT,
  BEFORE_INCREMENT,
  type CoreRelation,
  INCREMENTAL,
  isMaterialized,
  relation,
} from "./relations.ts";
import { LANDED_RECORDS, landedRecords, ORDER_RECORDS } from "./staging.ts";

const KEY = "integration_id, order_id";

/** The new files affect too many orders for an increment: everything is derived instead. */
export class FullRefreshNeeded extends Error {}

/**
 * Derives a generation from the previous one and the files that landed since. Orders without new data, whose customers
 * and campaigns are unchanged, keep their rows; partitions with only such rows are reused unchanged.
 *
 * The set of orders that are derived again is closed: it has all orders, ever, of every person whom a touched order
 * belongs to, before or after. An order's person depends on the orders of its account and on its own e-mail; its place
 * among the person's orders depends on those; nothing derived from an order depends on more. So the same SQL over only
 * these orders returns the same rows for them as over all orders.
 */
export async function deriveIncrement(
  build: Build,
  before: Generation,
  files: LakeFiles,
  added: LakeFiles,
  policy: PartitionPolicy,
): Promise<PartitionBounds> {
  const bounds = before.basis?.bounds ?? ONE_PARTITION;
  const increment = new Increment(build, before.folder, bounds);
  try {
    await increment.openBefore();
    await increment.stage(files, added);
    for (const relation of BEFORE_INCREMENT) await build.make(relation, bounds);
    await increment.reach(policy);
    await increment.deriveReached();
    await increment.write();
    await build.materialize(LANDED_RECORDS.name, landedRecords(files));
    for (const relation of AFTER_INCREMENT) await build.make(relation, bounds);
    return bounds;
  } finally {
    await build.session.run("drop schema if exists before cascade; drop schema if exists fresh cascade");
  }
}

class Increment {
  readonly #build: Build;
  readonly #before: string;
  readonly #bounds: PartitionBounds;

  constructor(build: Build, before: string, bounds: PartitionBounds) {
    this.#build = build;
    this.#before = before;
    this.#bounds = bounds;
  }

  #run(sql: string): Promise<void> {
    return this.#build.session.run(sql);
  }

  async #count(sql: string): Promise<number> {
    const [row] = await this.#build.session.rows(`select (${sql})::bigint::double as n`);
    return Number(row?.n ?? 0);
  }

  /** Creates `before.<relation>`: the relations of orders in the previous generation. */
  async openBefore(): Promise<void> {
    const views = INCREMENTAL.filter(isMaterialized).map(
      (relation) =>
        `create view before.${relation.name} as from ${relation.partition ? partitionFiles(this.#before, relation) : rowsOf(path.join(this.#before, `${relation.name}.parquet`))}`,
    );
    await this.#run(
      `drop schema if exists before cascade; create schema before; drop schema if exists fresh cascade; create schema fresh; ${views.join("; ")}`,
    );
  }

  /** Stages the winning versions of orders that landed since, and all rows of the other records. */
  async stage(files: LakeFiles, added: LakeFiles): Promise<void> {
    const orders: RecordDeclaration[] = [];
    for (const [record, all] of files) {
      const name = relationOf(record);
      if (ORDER_RECORDS.has(name)) {
        orders.push(record);
      } else if (isServedAsLanded(record) && added.get(record)?.length === 0) {
        await this.#take(`${name}.parquet`);
        await this.#run(`create view staging.${name} as from ${rowsOf(this.#build.file(name))}`);
      } else {
        await this.#build.stage(record, all);
      }
    }
    await this.#build.make(relation("cost_readings"), this.#bounds);
    await this.#findRecosted();
    for (const record of orders) await this.#stageOrders(record, files.get(record) ?? [], added.get(record) ?? []);
  }

  async #stageOrders(record: RecordDeclaration, all: readonly string[], added: readonly string[]): Promise<void> {
    const name = relationOf(record);
    const version = identifier(record.version ?? "");
    const recosted = await this.#count(
      `select count(*) from fresh.recosted join integrations using (integration_id) where connector = ${literal(record.connector)}`,
    );
    // Orders whose cost changed have no new version: they are looked up in all landed files.
    await this.#build.stage(record, recosted > 0 ? all : added);
    await this.#run(
      `alter view staging.${name} rename to landed_${name};
        create table staging.${name} as
          select landed.* from staging.landed_${name} as landed
          left join before.identified_orders as known using (${KEY})
          where (${KEY}) in (from fresh.recosted)
            or known.order_id is null
            -- Of equal versions the later landing wins; a version without a time loses to one with a time.
            or (landed.${version} >= known.version or known.version is null)
            and (landed._landing_order.landing, landed.integration_id) in (${added
              .map((file) => `(${Number(landingOf(file))}, ${literal(path.basename(file).split(".")[0] ?? "")})`)
              .concat("(-1, '')")
              .join(", ")})`,
    );
  }

  /** Creates `fresh.recosted`: the known orders whose cost may differ because of new cost readings. */
  async #findRecosted(): Promise<void> {
    await this.#run(
      `create table fresh.moved_readings as
          (from before.cost_readings except from cost_readings) union (from cost_readings except from before.cost_readings);
        create table fresh.recosted as
          with moved as (
            select integration_id, variant_id, min(inserted_at) as moved_at from fresh.moved_readings group by all
          ),
          earliest as (
            select integration_id, variant_id, min(inserted_at) as read_at from before.cost_readings group by all
          )
          select distinct lines.integration_id, lines.order_id
          from before.order_lines as lines
          join moved on moved.integration_id = lines.integration_id and moved.variant_id = lines.sku_id
          join before.identified_orders as orders
            on orders.integration_id = lines.integration_id and orders.order_id = lines.order_id
          left join earliest on earliest.integration_id = moved.integration_id and earliest.variant_id = moved.variant_id
          where moved.moved_at < orders.sold_at or moved.moved_at <= coalesce(earliest.read_at, moved.moved_at)`,
    );
  }

  /** Reuses a file that would be the same. */
  #take(file: string): Promise<void> {
    return link(path.join(this.#before, file), path.join(this.#build.folder, file));
  }

  /** Finds the orders that are derived again: `store_orders` then has only these. */
  async reach(policy: PartitionPolicy): Promise<void> {
    const build = this.#build;
    await this.#run(`create table fresh.store_orders as ${coreSql("store_orders")}`);
    await this.#findSources();
    await this.#run(
      `create table fresh.touched as
          select ${KEY} from fresh.store_orders
          union
          select ${KEY} from before.identified_orders as orders
          semi join fresh.moved_sources as sources on ${sameSource("orders")} where orders.is_counted;
        create table fresh.touched_before as
          select orders.* from before.identified_orders as orders semi join fresh.touched using (${KEY});
        create table fresh.accounts as
          select account_id from fresh.store_orders where account_id is not null
          union select account_id from fresh.touched_before where account_id is not null;
        create table fresh.persons as
          select person_id from (
            select person_id from fresh.touched_before
            union select email_id from fresh.store_orders
            union select account_id from fresh.accounts
            union select unnest([person_id, email_id]) from before.identified_orders semi join fresh.accounts using (account_id)
          ) where person_id is not null;
        create table fresh.reached_before as
          select * from before.identified_orders as orders
          where person_id in (from fresh.persons) or account_id in (from fresh.accounts)
            or exists (from fresh.touched where touched.integration_id = orders.integration_id and touched.order_id = orders.order_id)`,
    );
    const reached = await this.#count("select count(*) from fresh.reached_before");
    if (reached > policy.mostTouched * (await this.#count("select count(*) from before.identified_orders"))) {
      throw new FullRefreshNeeded("too many orders are touched");
    }
    const newest = partitionsOf(relation("identified_orders"), this.#bounds).at(-1) as Partition;
    const grown = await this.#count(
      `select count(*) from (select ${KEY} from fresh.store_orders where ${bounded(newest)}
        union select ${KEY} from before.identified_orders where ${bounded(newest)})`,
    );
    if (grown > policy.mostGrown * newestOrders(policy))
      throw new FullRefreshNeeded("the newest part has outgrown the others");
    await build.tempTable(
      "store_orders",
      `from fresh.store_orders union all by name
        select orders.* exclude (person_id) from fresh.reached_before as orders anti join fresh.store_orders using (${KEY})`,
    );
  }

  /** The sources of all combinations of UTM parameters, and `fresh.moved_sources`: those that were different before. */
  async #findSources(): Promise<void> {
    const { view, keep } = {
      view: this.#build.view.bind(this.#build),
      keep: this.#build.materialize.bind(this.#build),
    };
    await view(
      "identified_orders",
      `select utm_source, utm_medium, utm_campaign, true as is_counted from before.order_sources
        union all select utm_source, utm_medium, utm_campaign, is_counted from fresh.store_orders`,
    );
    await keep("order_sources", coreSql("order_sources"));
    await this.#run("create table fresh.moved_sources as from before.order_sources except from order_sources");
  }

  /** Runs the SQL of the relations over the reached orders: `fresh.<relation>`. */
  async deriveReached(): Promise<void> {
    const build = this.#build;
    const fresh = async (name: string): Promise<void> => {
      await this.#run(`create table fresh.${name} as ${coreSql(name)}`);
      await build.view(name, `from fresh.${name}`);
    };
    await fresh("identified_orders");
    await this.#run(
      `create table fresh.orders_before as select orders.* from before.orders as orders semi join fresh.reached_before using (${KEY});
        create table fresh.sales_before as select sales.* from before.sales as sales semi join fresh.reached_before using (${KEY})`,
    );
    await build.tempTable(
      "known_customers",
      `select distinct people.person_id, orders.customer_no
        from fresh.reached_before as people join fresh.orders_before as orders using (${KEY})
        where orders.customer_no is not null`,
    );
    await build.session.set(
      "customers_before",
      BigInt(await this.#count("select coalesce(max(customer_no), 0) from before.customers")),
    );
    await fresh("order_lines");
    await fresh("order_totals");
    await this.#completeWith("order_totals", "fresh.reached_before");
    await fresh("orders");
    await fresh("sales");
    await fresh("storea_order_rows");
    await fresh("storea_item_rows");
    await this.#compare("identified_orders", "fresh.reached_before");
    await this.#compare("orders", "fresh.orders_before");
    await this.#compare("sales", "fresh.sales_before");
    // Lines and product sales depend on the order's version; product sales also depend on the sale's row.
    await this.#run(
      `create table fresh.changed_versions as select ${KEY} from fresh.store_orders;
        create table fresh.changed_product_sales as from fresh.changed_sales union from fresh.changed_versions`,
    );
    await build.view(
      "sales",
      "from fresh.sales semi join fresh.changed_product_sales using (integration_id, order_id)",
    );
    await this.#completeWith("order_lines", "fresh.changed_product_sales");
    await fresh("product_sales");
    await this.#run(
      `create table fresh.customer_nos as
        select customer_no from fresh.orders_before where customer_no is not null
        union select customer_no from fresh.orders where customer_no is not null`,
    );
    await build.view("sales", "from fresh.sales");
    await build.view(
      "product_sales",
      `from fresh.product_sales union all by name
        select sold.* from before.product_sales as sold
        semi join fresh.customer_nos using (customer_no) anti join fresh.changed_product_sales using (${KEY})`,
    );
    await this.#run(`create table fresh.customers as ${coreSql("customers")}`);
    await this.#run(`create table fresh.customer_months as ${coreSql("customer_months")}`);
    await this.#completeWith("order_lines", "fresh.reached_before");
    await this.#run(`create table fresh.first_purchases as ${coreSql("first_purchases")}`);
    await this.#run(`create table fresh.product_entries as ${coreSql("product_entries")}`);
  }

  /** A view with the new rows of a relation, and the previous rows of the given other orders. */
  #completeWith(name: string, others: string): Promise<void> {
    return this.#build.view(
      name,
      `from fresh.${name} union all by name
        select kept.* from before.${name} as kept semi join ${others} using (${KEY}) anti join fresh.store_orders using (${KEY})`,
    );
  }

  /** Creates `fresh.changed_<relation>`: the keys of the reached orders whose rows differ from before. */
  #compare(name: string, before: string): Promise<void> {
    return this.#run(
      `create table fresh.changed_${name} as
        select distinct ${KEY} from ((from fresh.${name} except from ${before}) union all (from ${before} except from fresh.${name}))`,
    );
  }

  /** Writes the partitions with a changed row, reuses the others, and creates a view for every relation. */
  async write(): Promise<void> {
    for (const relation of INCREMENTAL.filter(({ partition }) => partition)) {
      const changed = relation.per === "order version" ? "changed_versions" : `changed_${relation.name}`;
      await this.#writePartitions(relation, `fresh.${changed}`);
    }
    const touched = (await this.#count("select count(*) from fresh.customer_nos")) > 0;
    for (const relation of INCREMENTAL.filter(({ per }) => per === "customer")) {
      const { name } = relation;
      if (touched) {
        await this.#build.materialize(
          name,
          ordered(
            relation,
            `select kept.* from before.${name} as kept anti join fresh.customer_nos using (customer_no)
              union all by name from fresh.${name}`,
          ),
          relation.rowGroup,
        );
      } else {
        await this.#take(`${name}.parquet`);
        await this.#build.view(name, `from ${rowsOf(this.#build.file(name))}`);
      }
    }
  }

  async #writePartitions(relation: CoreRelation, changed: string): Promise<void> {
    const { name } = relation;
    // The relations of row endpoints are only for storea, and name the order's time `creation_date`.
    const own = name.startsWith("storea_") ? "where connector = 'storea'" : "";
    const by = relation.partition?.by === "creation_date" ? "ordered_at" : relation.partition?.by;
    await this.#run(
      `create or replace table fresh.places as
        select ${by} as place from fresh.reached_before semi join ${changed} using (${KEY}) ${own}
        union select ${by} from fresh.identified_orders semi join ${changed} using (${KEY}) ${own}`,
    );
    const parts = partitionsOf(relation, this.#bounds);
    const hits = await this.#build.session.texts(
      `select unnest([${parts.map((part) => `count(*) filter (where ${bounded(part, "place")})`).join(", ")}]) from fresh.places`,
    );
    for (const [no, part] of parts.entries()) {
      const before = path.join(this.#before, part.file);
      if (hits[no] === "0") {
        await this.#take(part.file);
        continue;
      }
      await this.#build.writePartition(
        relation,
        part,
        `select kept.* from ${rowsOf(before)} as kept anti join ${changed} using (${KEY})
          union all by name
          select made.* from fresh.${name} as made semi join ${changed} using (${KEY}) where ${bounded(part)}`,
      );
    }
    await this.#build.viewPartitions(relation);
  }
}

/** Whether an order has exactly these UTM parameters, nulls included. */
const sameSource = (orders: string): string =>
  ["utm_source", "utm_medium", "utm_campaign"]
    .map((name) => `sources.${name} is not distinct from ${orders}.${name}`)
    .join(" and ");

/** The landing number in the name of a lake file: `<integration>.<landing>.parquet`. */
const landingOf = (file: string): string => path.basename(file).split(".")[1] ?? "";
