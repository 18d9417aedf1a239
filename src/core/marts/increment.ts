import path from "node:path";
import { type RecordDeclaration, relationOf } from "../contract/record.ts";
import { identifier, literal } from "../engine/database.ts";
import { landingOf } from "../landing/ledger/ingested.ts";
import { type Build, coreSql, type LakeFiles, ordered, partitionFiles, rowsOf } from "./build.ts";
import {
  bounded,
  divided,
  type Partition,
  type PartitionBounds,
  type PartitionPolicy,
  partitionsOf,
} from "./partitions.ts";
import {
  BEFORE_ORDERS,
  type CoreRelation,
  isMaterialized,
  PER_CUSTOMER,
  PER_ROW,
  relation,
  WHOLE,
  withUnkept,
} from "./relations.ts";
import { type Additions, Reuse } from "./reuse.ts";
import { ORDER_RECORDS } from "./staging.ts";

const KEY = "integration_id, order_id";
/** Relations that depend only on the versions of orders, each after those that it reads. */
const OF_VERSIONS = ["line_returns", "order_lines", "returned_units", "refunds", "order_totals", "order_fees"];
/** The rows of orders and their items, as row endpoints serve them. */
const SERVED = ["storea_order_rows", "storea_item_rows", "storeb_order_rows", "storeb_item_rows"];
const SOURCES = relation("order_sources");

/** A relation that costs of orders depend on: the columns that make the difference, and the orders that its moved rows are of. */
interface CostSource {
  readonly of: CoreRelation;
  readonly columns: string;
  readonly orders: string;
}

const linesOf = (column: string, ofLine: string): string =>
  `select lines.integration_id, lines.order_id from before.order_lines as lines
    join (select distinct store_id, ${column} as moved from fresh.moved_product_costs) as costs
      on costs.store_id = lines.integration_id and costs.moved = ${ofLine}`;

const feesOf = (column: string, ofOrder: string): string =>
  `select orders.integration_id, orders.order_id from before.identified_orders as orders
    join (select distinct store_id, ${column} as moved from fresh.moved_payment_fees) as fees
      on fees.store_id = orders.integration_id and fees.moved = ${ofOrder}`;

const COST_SOURCES: readonly CostSource[] = [
  {
    of: relation("cost_readings"),
    columns: "*",
    orders: `with moved as (
        select integration_id, variant_id, min(inserted_at) as moved_at from fresh.moved_cost_readings group by all
      ),
      earliest as (
        select integration_id, variant_id, min(inserted_at) as read_at from before.cost_readings group by all
      )
      select lines.integration_id, lines.order_id
      from before.order_lines as lines
      join moved on moved.integration_id = lines.integration_id and moved.variant_id = lines.sku_id
      join before.identified_orders as orders
        on orders.integration_id = lines.integration_id and orders.order_id = lines.order_id
      left join earliest on earliest.integration_id = moved.integration_id and earliest.variant_id = moved.variant_id
      where moved.moved_at < orders.sold_at or moved.moved_at <= coalesce(earliest.read_at, moved.moved_at)`,
  },
  {
    of: relation("product_costs"),
    columns: "store_id, sku, product_id, cost, valid_from, finance_position, document_id",
    orders: [
      linesOf("bare_id(sku)", "bare_id(lines.sku_id)"),
      linesOf("sku", "lines.store_code"),
      linesOf("bare_id(product_id)", "bare_id(lines.product_id)"),
    ].join(" union all "),
  },
  {
    of: relation("payment_fees"),
    columns: "store_id, order_id, fee, document_id",
    orders: [
      feesOf("bare_id(order_id)", "orders.order_id"),
      feesOf("ltrim(order_id, '#')", "ltrim(orders.order_name, '#')"),
    ].join(" union all "),
  },
];

/** The new files affect too many orders for an increment: everything is derived instead. */
export class FullRefreshNeeded extends Error {}

/**
 * Derives a generation from the previous one and the files that landed since. Orders without new data, whose customers
 * and campaigns are unchanged, keep their rows; files with only such rows are reused unchanged.
 *
 * The set of orders that are derived again is closed: it has all orders, ever, of every person whom a touched order
 * belongs to, before or after. An order's person depends on the orders of its account and on its own e-mail; its place
 * among the person's orders depends on those; nothing derived from an order depends on more. So the same SQL over only
 * these orders returns the same rows for them as over all orders.
 */
export async function deriveIncrement(
  build: Build,
  files: LakeFiles,
  additions: Additions,
  policy: PartitionPolicy,
): Promise<PartitionBounds> {
  const increment = new Increment(build, files, additions);
  try {
    await increment.open();
    await increment.stage();
    await increment.deriveWhole(BEFORE_ORDERS);
    await increment.reach(policy);
    await increment.deriveReached();
    await increment.write();
    await increment.addUp();
    await increment.deriveWhole(WHOLE);
    await increment.countRecords();
    return increment.bounds;
  } finally {
    await build.session.run(SCHEMAS.map((name) => `drop schema if exists ${name} cascade`).join("; "));
  }
}

/**
 * `before`: relations of the previous generation; `fresh`: the work of the increment; `added` and `removed`: the rows of a
 * relation that are new, and those that they replace.
 */
const SCHEMAS = ["before", "fresh", "added", "removed"];

class Increment {
  readonly #build: Build;
  readonly #reuse: Reuse;
  bounds: PartitionBounds;
  readonly #files: LakeFiles;
  /** The outdated relations that can be updated by what is added and removed. */
  readonly #summed: readonly CoreRelation[];
  /** Those that are derived from all their input. */
  readonly #whole: readonly CoreRelation[];
  readonly #made = new Set<CoreRelation>();

  constructor(build: Build, files: LakeFiles, additions: Additions) {
    this.#build = build;
    this.#reuse = new Reuse(build, files, additions);
    this.bounds = this.#reuse.bounds;
    this.#files = files;
    const outdated = [...this.#reuse.outdated];
    this.#summed = outdated.filter(
      ({ sums, reads }) =>
        sums.length > 0 &&
        reads.map(relation).every((read) => PER_ROW.includes(read) || !this.#reuse.outdated.has(read)),
    );
    this.#whole = outdated.filter((one) => WHOLE.includes(one) && !this.#summed.includes(one));
  }

  #run(...sql: readonly string[]): Promise<void> {
    return this.#build.session.run(sql.join("; "));
  }

  async #count(sql: string): Promise<number> {
    const [row] = await this.#build.session.rows(`select (${sql})::bigint::double as n`);
    return Number(row?.n ?? 0);
  }

  /** Creates the schemas, and `before` of the relations that change row by row. */
  async open(): Promise<void> {
    const known = [...PER_ROW, ...this.#summed, SOURCES, ...COST_SOURCES.map(({ of }) => of)].filter(isMaterialized);
    await this.#run(
      ...SCHEMAS.map((name) => `drop schema if exists ${name} cascade; create schema ${name}`),
      ...known.map(
        (one) =>
          `create view before.${one.name} as from ${one.partition ? partitionFiles(this.#reuse.folder, one) : rowsOf(path.join(this.#reuse.folder, `${one.name}.parquet`))}`,
      ),
    );
  }

  /** Stages the winning versions of orders that landed since, and the other records that something is derived from. */
  async stage(): Promise<void> {
    const derived = withUnkept([...this.#whole, ...PER_ROW, SOURCES]);
    const read = new Set(derived.flatMap(({ records }) => records));
    for (const record of this.#files.keys()) {
      const name = relationOf(record);
      if (!ORDER_RECORDS.has(name)) await this.#reuse.stage(record, read.has(name));
    }
    await this.deriveWhole(COST_SOURCES.map(({ of }) => of));
    await this.#findRecosted();
    for (const [record, files] of this.#files) {
      if (ORDER_RECORDS.has(relationOf(record))) await this.#stageOrders(record, files, this.#reuse.addedTo(record));
    }
  }

  async #stageOrders(record: RecordDeclaration, all: readonly string[], added: readonly string[]): Promise<void> {
    const name = relationOf(record);
    const version = identifier(record.version ?? "");
    const recosted = await this.#count(
      `select count(*) from fresh.recosted join integrations using (integration_id) where connector = ${literal(record.connector)}`,
    );
    // Orders whose cost changed have no new version: they are looked up in all landed files.
    await this.#build.stageView(record, recosted > 0 ? all : added);
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
              .map((file) => `(${landingOf(file)}, ${literal(path.basename(file).split(".")[0] ?? "")})`)
              .concat("(-1, '')")
              .join(", ")})`,
    );
  }

  /** Creates `fresh.recosted`: the known orders whose costs may differ, because what they depend on has moved. */
  async #findRecosted(): Promise<void> {
    const moved = COST_SOURCES.filter(({ of }) => this.#reuse.outdated.has(of));
    for (const { of, columns } of moved) {
      const [before, now] = [`select ${columns} from before.${of.name}`, `select ${columns} from ${of.name}`];
      await this.#run(
        `create table fresh.moved_${of.name} as (${before} except ${now}) union all (${now} except ${before})`,
      );
    }
    const none = "select null::varchar as integration_id, null::varchar as order_id where false";
    const orders = [none, ...moved.map((source) => source.orders)].map((sql) => `(${sql})`);
    await this.#run(`create table fresh.recosted as select distinct * from (${orders.join(" union all ")})`);
  }

  countRecords(): Promise<void> {
    return this.#reuse.countRecords();
  }

  /** Derives those of the relations whose inputs have changed, and reuses the files of the others. */
  async deriveWhole(relations: readonly CoreRelation[]): Promise<void> {
    const due = relations.filter((one) => !this.#made.has(one) && !this.#summed.includes(one) && one !== SOURCES);
    const [outdated, others] = [true, false].map((is) => due.filter((one) => this.#whole.includes(one) === is));
    for (const one of (others ?? []).filter(isMaterialized)) await this.#keep(one);
    await this.#derive(outdated ?? []);
  }

  /** Derives relations, and those that they read and that are not kept. */
  async #derive(relations: readonly CoreRelation[]): Promise<void> {
    for (const one of withUnkept(relations)) {
      if (!this.#made.has(one)) await this.#build.make(one, this.bounds);
      this.#made.add(one);
    }
  }

  /** Reuses the file of a relation. */
  async #keep(one: CoreRelation): Promise<void> {
    this.#made.add(one);
    await this.#reuse.keep(one);
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
          semi join fresh.moved_sources as sources on ${sameSource("orders")}`,
      `create table fresh.touched_before as
          select account_id, person_id from before.identified_orders semi join fresh.touched using (${KEY})`,
      `create table fresh.accounts as
          select account_id from fresh.store_orders where account_id is not null
          union select account_id from fresh.touched_before where account_id is not null`,
      `create table fresh.persons as
          select person_id from (
            select person_id from fresh.touched_before
            union select email_id from fresh.store_orders
            union select account_id from fresh.accounts
            union select unnest([person_id, email_id]) from before.identified_orders semi join fresh.accounts using (account_id)
          ) where person_id is not null`,
      `create table fresh.reached_before as
          select * from before.identified_orders as orders
          where person_id in (from fresh.persons) or account_id in (from fresh.accounts)
            or exists (from fresh.touched where touched.integration_id = orders.integration_id and touched.order_id = orders.order_id)`,
    );
    const reached = await this.#count("select count(*) from fresh.reached_before");
    if (reached > policy.mostTouched * (await this.#count("select count(*) from before.identified_orders"))) {
      throw new FullRefreshNeeded("too many orders are touched");
    }
    const bounds = await divided(
      build.session,
      this.#reuse.bounds,
      policy,
      `select ordered_on from fresh.store_orders
        union all select known.ordered_on from before.identified_orders as known anti join fresh.store_orders using (${KEY})`,
    );
    if (!bounds) throw new FullRefreshNeeded("there are too many partitions");
    this.bounds = bounds;
    await build.tempTable(
      "store_orders",
      `from fresh.store_orders union all by name
        select orders.* exclude (person_id) from fresh.reached_before as orders anti join fresh.store_orders using (${KEY})`,
    );
  }

  /** The sources of all combinations of UTM parameters, and `fresh.moved_sources`: those that were different before. */
  async #findSources(): Promise<void> {
    const others = SOURCES.reads.map(relation).filter((one) => !PER_ROW.includes(one) && this.#reuse.outdated.has(one));
    const unknown =
      others.length > 0 ||
      (await this.#count(
        `select count(*) from fresh.store_orders as orders
          anti join before.order_sources as sources on ${sameSource("orders")}`,
      )) > 0;
    if (!unknown) {
      await this.#keep(SOURCES);
      return this.#run("create table fresh.moved_sources as from before.order_sources limit 0");
    }
    await this.#build.view(
      "identified_orders",
      `select utm_source, utm_medium, utm_campaign from before.order_sources
        union all select utm_source, utm_medium, utm_campaign from fresh.store_orders`,
    );
    await this.#derive([SOURCES]);
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
      ...["orders", "uncounted_orders", "profit_facts", "unknown_units", "sales"].map(
        (name) =>
          `create table fresh.${name}_before as select kept.* from before.${name} as kept semi join fresh.reached_before using (${KEY})`,
      ),
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
    for (const name of OF_VERSIONS) await fresh(name);
    for (const name of ["returned_units", "refunds", "order_fees"])
      await this.#completeWith(name, "fresh.reached_before");
    // Several relations read it.
    await this.#completeWith("order_totals", "fresh.reached_before");
    await this.#run("create table fresh.reached_totals as from order_totals");
    await build.view("order_totals", "from fresh.reached_totals");
    await fresh("orders");
    await fresh("uncounted_orders");
    await fresh("profit_facts");
    await this.#completeWith("order_lines", "fresh.reached_before");
    await fresh("unknown_units");
    await fresh("sales");
    for (const name of SERVED) await fresh(name);
    await this.#compareOrders("identified_orders", "fresh.reached_before");
    await this.#compareOrders("orders", "fresh.orders_before");
    await this.#compareOrders("uncounted_orders", "fresh.uncounted_orders_before");
    await this.#compareOrders("profit_facts", "fresh.profit_facts_before");
    await this.#compareOrders("unknown_units", "fresh.unknown_units_before");
    await this.#compareOrders("sales", "fresh.sales_before");
    // Lines and product sales depend on the order's version; product sales also depend on the sale's row.
    await this.#run(
      `create table fresh.changed_versions as select ${KEY} from fresh.store_orders`,
      "create table fresh.changed_product_sales as from fresh.changed_sales union from fresh.changed_versions",
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
    await this.#completeWith("order_lines", "(from fresh.orders where not is_recurring)");
    for (const { name } of PER_CUSTOMER) await this.#run(`create table fresh.${name} as ${coreSql(name)}`);
  }

  /** A view with the new rows of a relation, and the previous rows of the given other orders. */
  #completeWith(name: string, others: string): Promise<void> {
    return this.#build.view(
      name,
      `from fresh.${name} union all by name
        select kept.* from before.${name} as kept semi join ${others} using (${KEY}) anti join fresh.store_orders using (${KEY})`,
    );
  }

  /** Creates `added` and `removed` of a relation, of whose rows `before` has the previous ones. */
  #compare(name: string, before: string): Promise<void> {
    return this.#run(
      `create table added.${name} as from fresh.${name} except from (${before})`,
      `create table removed.${name} as from (${before}) except from fresh.${name}`,
    );
  }

  async #compareOrders(name: string, before: string): Promise<void> {
    await this.#compare(name, `from ${before}`);
    await this.#run(`create table fresh.changed_${name} as ${changedKeys(name, KEY)}`);
  }

  /** Writes the files with a changed row, reuses the others, and creates a view for every relation. */
  async write(): Promise<void> {
    const kept = PER_ROW.filter(isMaterialized);
    const copies: string[] = [];
    for (const one of kept) {
      copies.push(...(await (one.per === "customer" ? this.#copiesByCustomer(one) : this.#copiesByOrder(one))));
    }
    await this.#build.runApart(copies);
    for (const one of kept) await this.#build.viewWritten(one);
  }

  /** Creates `added` and `removed` of a relation whose rows depend only on the order's version; its parts are by day. */
  #replaced({ name }: CoreRelation): Promise<void> {
    return this.#run(
      `create view added.${name} as from fresh.${name}`,
      `create table removed.${name} as select gone.* from before.${name} as gone
        semi join (from fresh.reached_before semi join fresh.changed_versions using (${KEY})) using (ordered_on, ${KEY})`,
    );
  }

  #copiesByOrder(one: CoreRelation): Promise<string[]> {
    const { name } = one;
    const changed = `fresh.changed_${one.per === "order version" ? "versions" : name}`;
    // The relations of row endpoints are of one kind of store, and name the order's time as it does.
    const isServed = SERVED.includes(name);
    const own = isServed ? `where connector = ${literal(name.split("_")[0] as string)}` : "";
    const by = isServed && one.partition?.by !== "order_id" ? "ordered_at" : one.partition?.by;
    const places = `select ${by} as place from fresh.reached_before semi join ${changed} using (${KEY}) ${own}
        union select ${by} from fresh.identified_orders semi join ${changed} using (${KEY}) ${own}`;
    return this.#copies(
      one,
      KEY,
      changed,
      places,
      `select made.* from fresh.${name} as made semi join ${changed} using (${KEY})`,
    );
  }

  async #copiesByCustomer(one: CoreRelation): Promise<string[]> {
    const { name, partition } = one;
    const isRead = this.#summed.some(({ reads }) => reads.includes(name));
    if (!partition && !isRead) {
      return this.#copies(one, "customer_no", "fresh.customer_nos", "from fresh.customer_nos", `from fresh.${name}`);
    }
    await this.#run(
      `create table fresh.${name}_before as
        select kept.* from before.${name} as kept semi join fresh.customer_nos using (customer_no)`,
    );
    await this.#compare(name, `from fresh.${name}_before`);
    const key = (one.key ?? []).join(", ");
    const place = partition?.by ?? "customer_no";
    return this.#copies(
      one,
      key,
      `(${changedKeys(name, key)})`,
      `select ${place} as place from added.${name} union select ${place} from removed.${name}`,
      `from added.${name}`,
    );
  }

  /**
   * The statements that write the files which a changed row was in or is in; the other files are reused. `places` are the
   * values by which the changed rows are assigned to files.
   */
  async #copies(one: CoreRelation, key: string, changed: string, places: string, rows: string): Promise<string[]> {
    const copies: string[] = [];
    const whole = { file: `${one.name}.parquet`, by: "", from: undefined, to: undefined };
    const partsOf = (bounds: PartitionBounds): readonly Partition[] =>
      one.partition ? partitionsOf(one, bounds) : [whole];
    const [parts, partsBefore] = [partsOf(this.bounds), partsOf(this.#reuse.bounds)];
    const hits = await this.#build.session.texts(
      `select unnest([${parts.map((part) => `count(*) filter (where ${bounded(part, "place")})`).join(", ")}])
        from (${places}) as places (place)`,
    );
    for (const [no, part] of parts.entries()) {
      // Only the newest part is ever divided.
      const before = partsBefore.find(({ from }) => from === part.from) ?? (partsBefore.at(-1) as Partition);
      if (hits[no] === "0" && before.from === part.from && before.to === part.to) {
        await this.#reuse.take(part.file);
        continue;
      }
      const kept = `select kept.* from ${rowsOf(path.join(this.#reuse.folder, before.file))} as kept anti join ${changed} as changed on ${isSame(key)}`;
      const sql = `${kept} where ${bounded(part)} union all by name from (${rows}) where ${bounded(part)}`;
      // A file without parts is large: its rows keep their order, and the new ones come last.
      copies.push(this.#build.copy(part.file, one.partition ? ordered(one, sql) : sql, one));
    }
    return copies;
  }

  /** Updates the sums by those over what is added and removed. */
  async addUp(): Promise<void> {
    const inputs = PER_ROW.filter(({ name }) => this.#summed.some(({ reads }) => reads.includes(name)));
    for (const one of inputs) if (one.per === "order version") await this.#replaced(one);
    for (const read of this.#summed.flatMap(({ reads }) => reads.map(relation))) {
      if (!PER_ROW.includes(read) && !this.#made.has(read)) await this.#keep(read);
    }
    for (const one of this.#summed) await this.#sumChanges(one);
    for (const one of inputs) await this.#build.viewWritten(one);
    const copies: string[] = [];
    for (const one of this.#summed) copies.push(this.#build.copy(`${one.name}.parquet`, await this.#sums(one), one));
    await this.#build.runApart(copies);
    for (const one of this.#summed) {
      this.#made.add(one);
      await this.#build.viewWritten(one);
    }
  }

  /** Creates `added` and `removed` of a relation of sums: the sums over what is added and removed of the relations that it reads. */
  async #sumChanges({ name, reads }: CoreRelation): Promise<void> {
    const inputs = reads.filter((read) => PER_ROW.includes(relation(read)));
    const sum = async (into: string, rows: (input: string) => string): Promise<void> => {
      for (const input of inputs) await this.#build.view(input, `from ${rows(input)}`);
      await this.#run(`create table ${into} as ${coreSql(name)}`);
    };
    if (inputs.length > 1) {
      // A joined row changes with each of its parts: all rows of the customers are summed, and equal sums left out.
      await sum(`fresh.${name}`, (input) => `fresh.${input}`);
      await sum(`fresh.${name}_before`, (input) => `fresh.${input}_before`);
      await this.#compare(name, `from fresh.${name}_before`);
    } else {
      await sum(`added.${name}`, (input) => `added.${input}`);
      await sum(`removed.${name}`, (input) => `removed.${input}`);
    }
  }

  /** Groups are compared by their hash, which is cheaper: of two groups with the same hash both are summed again. */
  async #sums({ name, sums }: CoreRelation): Promise<string> {
    const columns = await this.#build.session.columns(`from before.${name}`);
    const each = (column: (one: string, type: string) => string): string =>
      columns
        .map(({ name, type }) => (sums.includes(name) ? column(identifier(name), type) : identifier(name)))
        .join(", ");
    const groups = columns.filter(({ name }) => !sums.includes(name)).map(({ name }) => identifier(name));
    const hash = `hash(${groups.join(", ")})`;
    const changed = `(select ${hash} from added.${name} union select ${hash} from removed.${name})`;
    return `from before.${name} where ${hash} not in ${changed}
      union all by name
      select ${each((one, type) => `sum(${one})::${type} as ${one}`)} from (
        from before.${name} where ${hash} in ${changed}
        union all by name from added.${name}
        union all by name select ${each((one) => `-${one} as ${one}`)} from removed.${name}
      ) group by all having sum(${identifier(sums[0] ?? "")}) > 0`;
  }
}

const changedKeys = (name: string, key: string): string =>
  `select ${key} from added.${name} union select ${key} from removed.${name}`;

/** Whether a kept row has a changed key, nulls included. */
const isSame = (key: string): string =>
  key
    .split(", ")
    .map((name) => `kept.${name} is not distinct from changed.${name}`)
    .join(" and ");

/** Whether an order has exactly these UTM parameters, nulls included. */
const sameSource = (orders: string): string =>
  ["utm_source", "utm_medium", "utm_campaign"]
    .map((name) => `sources.${name} is not distinct from ${orders}.${name}`)
    .join(" and ");
