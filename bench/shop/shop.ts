import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Database, literal, type Session } from "../../src/core/engine/database.ts";

/** A synthetic shop: its size and its seed. The same seed generates the same shop. */
export interface Shop {
  readonly organizationId: string;
  readonly orders: number;
  readonly products: number;
  readonly seed: number;
}

/** Three years of orders, and the day after the last of them, which is the clock's day. */
export const FIRST_DAY = "2022-01-01";
export const LAST_DAY = "2024-12-30";
export const NOW = "2024-12-31T12:00:00.000Z";

interface Account {
  readonly id: string;
  readonly connector: string;
  /** Record → the query for its exports; `monthly`: a file a month. */
  readonly exports: Readonly<Record<string, { readonly sql: string; readonly monthly?: boolean }>>;
}

const account = (shop: Shop, no: number): string => `${shop.organizationId.slice(0, -2)}${String(no).padStart(2, "0")}`;

export function accountsOf(shop: Shop): readonly Account[] {
  return [
    {
      id: account(shop, 11),
      connector: "storea",
      exports: {
        categories: { sql: "storea-categories" },
        products: { sql: "storea-products" },
        inventory: { sql: "storea-inventory" },
        orders: { sql: "storea-orders", monthly: true },
      },
    },
    { id: account(shop, 12), connector: "storeb", exports: { orders: { sql: "storeb-orders", monthly: true } } },
    { id: account(shop, 13), connector: "socialads", exports: { campaigns: { sql: "socialads-campaigns" } } },
    { id: account(shop, 14), connector: "searchads", exports: { campaigns: { sql: "searchads-campaigns" } } },
  ];
}

/** The folder of an account's exports of a record. */
export const exportsFolder = (dataDir: string, shop: Shop, accountId: string, record: string): string =>
  path.join(dataDir, "exports", shop.organizationId, accountId, record);

const sqlOf = async (name: string): Promise<string> =>
  (await readFile(new URL(`sql/${name}.sql`, import.meta.url), "utf8")).trimEnd();

/** Writes a shop's settings and its vendors' exports into a data folder, except the orders of the last day. */
export async function generate(dataDir: string, shop: Shop): Promise<void> {
  await writeSettings(dataDir, shop);
  await withShop(shop, async (session) => {
    for (const { id, exports } of accountsOf(shop)) {
      for (const [record, { sql, monthly }] of Object.entries(exports)) {
        const folder = exportsFolder(dataDir, shop, id, record);
        await mkdir(folder, { recursive: true });
        const spans = monthly ? months() : [{ name: "all", from: FIRST_DAY, to: LAST_DAY }];
        for (const span of spans) await writeExport(session, path.join(folder, `${span.name}.ndjson`), sql, span);
      }
    }
  });
}

/** Writes the exports of the last day's orders; returns how many there are. */
export async function generateLastDay(dataDir: string, shop: Shop): Promise<number> {
  let orders = 0;
  await withShop(shop, async (session) => {
    const day = { from: LAST_DAY, to: addDays(LAST_DAY, 1) };
    for (const { id, exports } of accountsOf(shop)) {
      for (const [record, { sql, monthly }] of Object.entries(exports)) {
        if (!monthly) continue;
        const file = path.join(exportsFolder(dataDir, shop, id, record), `${LAST_DAY}.ndjson`);
        orders += await writeExport(session, file, sql, day);
      }
    }
  });
  return orders;
}

interface Span {
  /** The first day, and the day after the last. */
  readonly from: string;
  readonly to: string;
}

const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

function months(): (Span & { readonly name: string })[] {
  return Array.from({ length: 36 }, (_, month) => {
    const [from, next] = [month, month + 1].map((n) => new Date(Date.UTC(2022, n)).toISOString().slice(0, 10));
    return { name: String(from).slice(0, 7), from: String(from), to: month === 35 ? LAST_DAY : String(next) };
  });
}

async function writeExport(session: Session, file: string, sql: string, { from, to }: Span): Promise<number> {
  await session.set("from_at", `${from}T00:00:00Z`);
  await session.set("to_at", `${to}T00:00:00Z`);
  await session.run(`copy (${await sqlOf(sql)}) to ${literal(file)} (format json)`);
  const [row] = await session.rows("select count(*)::int as orders from read_json_objects($1)", [file]);
  const orders = Number(row?.orders ?? 0);
  // An empty file would be rejected.
  if (orders === 0) await rm(file);
  return orders;
}

async function writeSettings(dataDir: string, shop: Shop): Promise<void> {
  const settings = {
    organizationId: shop.organizationId,
    name: `Loja de ${shop.orders} pedidos`,
    currency: "BRL",
    integrations: accountsOf(shop).map(({ id, connector }) => ({ id, connector, name: connector, userId: "u-1" })),
    margin: { items: { gateway: { percent: 4 }, tax: "orders", shipping: "orders", costOfGoods: "orders" } },
    campaigns: [
      { strategy: "acquisition", name: "Busca *" },
      { strategy: "brand", name: "Social 1*" },
      { strategy: "monetization", name: "Social 2" },
    ],
  };
  await mkdir(path.join(dataDir, "organizations"), { recursive: true });
  await writeFile(
    path.join(dataDir, "organizations", `${shop.organizationId}.json`),
    JSON.stringify(settings, null, 2),
  );
}

async function withShop(shop: Shop, work: (session: Session) => Promise<void>): Promise<void> {
  const database = await Database.open();
  try {
    await database.use(async (session) => {
      await session.run(
        `set variable orders = ${shop.orders}; set variable products = ${shop.products};
         set variable seed = ${shop.seed}; set variable first_day = '${FIRST_DAY}'; set variable currency = 'BRL'`,
      );
      await session.run(await sqlOf("base"));
      await work(session);
    });
  } finally {
    database.close();
  }
}
