import { commandIn } from "../../test/support/command.ts";
import { type DataFolder, STOREA, STOREB } from "../../test/support/data.ts";
import type { Service } from "../../test/support/service.ts";
import type { Truth } from "./accounts.ts";

/** A row per object, with its key and what changes about it: from the rows that are served, and from the tables of the analyses. */
const SERVED: Readonly<Record<string, { readonly address: string; readonly of: (row: Row) => Landed }>> = {
  contacts: {
    address: "/v1/crm/contacts?limit=5000",
    of: ({ id, updated_at }) => [String(id), String(updated_at)],
  },
  "days of ads": {
    address: "/v1/socialads/ads/campaigns?limit=5000",
    of: ({ date_start, campaign_id, spend }) => [`${date_start} ${campaign_id}`, Number(spend).toFixed(2)],
  },
};
const TABLES: Readonly<Record<string, string>> = {
  "orders of the first store": `select order_id as key, revenue as value from orders where integration_id = '${STOREA}'`,
  "orders of the second store": `select order_id as key, revenue as value from orders where integration_id = '${STOREB}'`,
  "stock of the first store": `select product_id as key, available as value from inventory where integration_id = '${STOREA}'`,
};

type Row = Readonly<Record<string, unknown>>;
export type Landed = readonly [key: string, value: string];

/** What is there of each kind, twice if it is there twice. */
export async function landed(data: DataFolder, service: Service, now: string): Promise<Map<string, Landed[]>> {
  const found = new Map<string, Landed[]>();
  for (const [what, { address, of }] of Object.entries(SERVED))
    found.set(what, ((await service.get(address)).body.data as Row[]).map(of));
  for (const [what, query] of Object.entries(TABLES)) {
    const { status, stdout, stderr } = await commandIn(data, { LUCRA_NOW: now }, [
      "sql",
      "--query",
      query,
      "--format",
      "json",
    ]);
    if (status !== 0) throw new Error(`${what}: ${stderr}`);
    const rows = stdout
      .trim()
      .split("\n")
      .map((row) => JSON.parse(row) as { key: string; value: number });
    found.set(
      what,
      rows.map(({ key, value }) => [String(key), what.startsWith("stock") ? String(value) : value.toFixed(2)]),
    );
  }
  return found;
}

/** Fails unless every object is there once, at its newest, and nothing else; returns how many. */
export function compared(truth: Truth, found: ReadonlyMap<string, Landed[]>, place: string): number {
  let objects = 0;
  for (const [what, wanted] of Object.entries(truth)) {
    const rows = found.get(what) ?? [];
    const seen = new Map(rows);
    const wrong = [...wanted].filter(([key, value]) => seen.get(key) !== value);
    if (rows.length !== seen.size) throw new Error(`${place}: ${rows.length - seen.size} of ${what} are there twice`);
    if (wrong.length > 0 || seen.size !== wanted.size)
      throw new Error(
        `${place}: ${seen.size} of ${wanted.size} ${what}, ${wrong.length} missing or not at their newest: ` +
          wrong.slice(0, 5).map(([key, value]) => `${key} is ${seen.get(key)} instead of ${value}`),
      );
    objects += wanted.size;
  }
  return objects;
}
