import path from "node:path";
import type { Organization } from "../../core/contract/settings.ts";
import { identifier, literal, type Session } from "../../core/engine/database.ts";
import type { OrganizationFolders } from "../../core/files/organizationFolders.ts";
import { landings } from "../../core/landing/ledger/ingested.ts";
import { assembledFile } from "../../core/landing/map/assemble.ts";
import { currentGeneration } from "../../core/marts/generations.ts";
import { exported } from "../../core/records/index.ts";
import { emailOf, plainId } from "./erased.ts";
import type { Workshop } from "./files.ts";

/** Whose data are asked for. */
export interface Selector {
  readonly email?: string | undefined;
  readonly order?: string | undefined;
  /** The store's id of the customer. */
  readonly customer?: string | undefined;
  readonly phone?: string | undefined;
  readonly document?: string | undefined;
  /** Also the other orders of the same store's customer. */
  readonly with?: boolean | undefined;
}

/** An order by its integration and id, as the lake has it. */
export interface OrderKey {
  readonly integration: string;
  readonly order: string;
}

/** Orders of whom is asked for, and what has to be known of them. */
export interface Targets {
  readonly orders: readonly OrderKey[];
  /** Other orders of the same store's customers, which are not asked for. */
  readonly others: readonly OrderKey[];
  /** Other orders of the same person, in any store: under one number they stay one customer's. */
  readonly linked: readonly (OrderKey & { readonly group: string })[];
  readonly accounts: readonly {
    readonly integration: string;
    readonly customer: string;
    readonly group: string | undefined;
  }[];
  readonly emails: readonly { readonly email: string; readonly group: string | undefined }[];
  /** The customer of each order: a number is given to each. */
  readonly groups: ReadonlyMap<string, string>;
  /** The instant of the last of them. */
  readonly lastAt: string | undefined;
}

export const keyOfOrder = ({ integration, order }: OrderKey): string => `${integration} ${plainId(order)}`;

/** Every version of every order that landed and is in force. */
async function loadVersions(
  session: Session,
  folders: OrganizationFolders,
  { integrations = [] }: Organization,
  aside: string,
): Promise<void> {
  await session.run(
    "create or replace temp table erased_versions (integration varchar, order_id varchar, customer varchar, email varchar, name varchar, ordered_at timestamptz)",
  );
  for (const [connector, at, name] of [
    ["storea", "creation_date", "null"],
    ["storeb", "coalesce(processed_at, created_at)", "name"],
  ] as const) {
    const record = exported.find((one) => one.connector === connector && one.name === "orders");
    if (!record) continue;
    const files: string[] = [];
    for (const integration of integrations.filter((one) => one.connector === connector)) {
      const place = { folders, integration, record };
      const { files: landed, parts } = await landings(place);
      files.push(...landed.filter((file) => !parts.includes(file)));
      const assembled = await assembledFile(session, place, parts, aside);
      if (assembled) files.push(assembled.file);
    }
    if (files.length === 0) continue;
    await session.run(
      `insert into erased_versions
        select _integration_id, order_id, nullif(trim(customer_id), ''),
          nullif(regexp_replace(lower(trim(email)), '(-[0-9]+b?\\.ct\\.vtex\\.com\\.br)+$', ''), ''), ${name}, ${at}
        from read_parquet([${files.map(literal).join(", ")}], union_by_name = true, hive_partitioning = false)`,
    );
  }
}

const PLAIN_ORDER = "regexp_replace(order_id, '^gid://shopify/Order/', '')";
const PLAIN_CUSTOMER = "regexp_replace(customer, '^gid://shopify/Customer/', '')";

/** The orders that a selector means. `met`: orders whose rows have the phone or the document. */
export async function targetsOf(
  { session, work }: Workshop,
  folders: OrganizationFolders,
  settings: Organization,
  selector: Selector,
  met: readonly OrderKey[] = [],
): Promise<Targets> {
  await loadVersions(session, folders, settings, work);
  const tests = [
    ...(selector.email === undefined ? [] : [`email = ${literal(emailOf(selector.email))}`]),
    ...(selector.order === undefined
      ? []
      : [`${PLAIN_ORDER} = ${literal(plainId(selector.order))} or name = ${literal(selector.order.trim())}`]),
    ...(selector.customer === undefined ? [] : [`${PLAIN_CUSTOMER} = ${literal(plainId(selector.customer))}`]),
    ...met.map(
      ({ integration, order }) =>
        `(integration = ${literal(integration)} and ${PLAIN_ORDER} = ${literal(plainId(order))})`,
    ),
  ];
  // An id that an erasure has given is nobody's.
  const isReal = `customer is not null and ${PLAIN_CUSTOMER} not similar to '9000[0-9]{12}'`;
  await session.run(
    `create or replace temp table erased_orders as
      select distinct integration, order_id from erased_versions where ${tests.length > 0 ? tests.join(" or ") : "false"}`,
  );
  const sameAccount = `select distinct v.integration, v.order_id
    from erased_versions v
    semi join (
      select distinct integration, customer from erased_versions semi join erased_orders using (integration, order_id)
      where customer is not null and not regexp_full_match(lower(${PLAIN_CUSTOMER}), '0|-1|-|nan|none|null|guest|undefined')
    ) accounts on accounts.integration = v.integration and accounts.customer = v.customer
    anti join erased_orders on erased_orders.integration = v.integration and erased_orders.order_id = v.order_id`;
  let others = await ordersIn(session, sameAccount);
  if (selector.with) {
    await session.run(`insert into erased_orders ${sameAccount}`);
    others = [];
  }
  const groups = await personsOf(session, folders);
  const orders = await ordersIn(session, "from erased_orders");
  const rows = await session.rows(
    `select v.integration, v.order_id, v.email, if(${isReal}, v.customer, null) as customer, epoch_ms(v.ordered_at)::varchar as ordered_at
      from erased_versions v semi join erased_orders using (integration, order_id)
      order by all`,
  );
  const accounts = new Map<string, Targets["accounts"][number]>();
  const emails = new Map<string, string | undefined>();
  let last = Number.NEGATIVE_INFINITY;
  for (const { integration, order_id: order, email, customer, ordered_at: at } of rows) {
    const group = groups.get(keyOfOrder({ integration: String(integration), order: String(order) }));
    if (customer !== null) {
      const id = `${integration} ${customer}`;
      if (!accounts.get(id)?.group)
        accounts.set(id, { integration: String(integration), customer: String(customer), group });
    }
    if (email !== null && !emails.get(String(email))) emails.set(String(email), group);
    if (at !== null) last = Math.max(last, Number(at));
  }
  const targeted = new Set(orders.map(keyOfOrder));
  const own = new Set(orders.flatMap((order) => groups.get(keyOfOrder(order)) ?? []));
  const linked: (OrderKey & { group: string })[] = [];
  for (const [key, group] of groups) {
    if (!own.has(group) || targeted.has(key)) continue;
    const at = key.indexOf(" ");
    linked.push({ integration: key.slice(0, at), order: key.slice(at + 1), group });
  }
  return {
    orders,
    others,
    linked,
    accounts: [...accounts.values()],
    emails: [...emails].map(([email, group]) => ({ email, group })),
    groups,
    lastAt: Number.isFinite(last) ? new Date(last).toISOString() : undefined,
  };
}

async function ordersIn(session: Session, query: string): Promise<OrderKey[]> {
  const rows = await session.rows(`select integration, order_id from (${query}) order by all`);
  return rows.map(({ integration, order_id }) => ({ integration: String(integration), order: String(order_id) }));
}

/** The person of each order, as the derived files have it: of the persons of erased orders, and of orders that do not count. */
async function personsOf(session: Session, folders: OrganizationFolders): Promise<Map<string, string>> {
  const current = await currentGeneration(folders);
  // An erasure derives first. Without derived files nobody knows who is one customer.
  if (!current) return new Map();
  const file = literal(path.join(current.folder, "identified_orders.*parquet"));
  const rows = await session.rows(
    `with orders as (
        select integration_id, order_id, person_id, account_id, email_id
        from read_parquet(${file}, hive_partitioning = false)
      ),
      known as (
        select *, coalesce(
            person_id,
            any_value(person_id) over (partition by coalesce(account_id, uuid())),
            any_value(person_id) over (partition by coalesce(email_id, uuid())),
            email_id, account_id
          ) as ${identifier("group")}
        from orders
      )
      select integration_id, order_id, "group"::varchar as "group"
      from known
      where "group" in (
        select "group" from known semi join erased_orders
          on erased_orders.integration = known.integration_id and erased_orders.order_id = known.order_id
      )
      order by integration_id, order_id`,
  );
  return new Map(
    rows.map(({ integration_id, order_id, group }) => [
      keyOfOrder({ integration: String(integration_id), order: String(order_id) }),
      String(group),
    ]),
  );
}
