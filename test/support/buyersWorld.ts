import { readConfig } from "../../src/core/config.ts";
import { failed, sync } from "../../src/core/sync/sync.ts";
import { boughtBy, USUAL } from "./buyers.ts";
import { DataFolder } from "./data.ts";
import { writeExports } from "./exports.ts";
import type { Order, World } from "./world.ts";

const NOW = "2025-04-01T12:00:00.000Z";
/** The organization of these worlds. */
export const BUYERS = "0f000000-0000-4000-8000-000000000055";
const DAY = 86_400_000;
const STORES = ["a1000000-0000-4000-8000-000000000001", "b2000000-0000-4000-8000-000000000002"] as const;

/** A world of two stores in two time zones, whose customers buy as the models say, and some orders that do not count. */
export function buyersWorld(customers: number, days: number, seed: number): World {
  const end = Date.parse("2025-03-31T23:30:00.000Z");
  const orders = boughtBy(customers, days, seed, { ...USUAL, r: 1.2 }).map(({ customer, day, cents }, no): Order => {
    const at = end - (days - day) * DAY + ((no * 7_919) % 1440) * 60_000;
    const store = STORES[no % 3 === 0 ? 0 : 1];
    const isStorea = store === STORES[0];
    return {
      store,
      id: isStorea ? `v${no}` : String(1_000_000 + no),
      file: { sync: 0, no: 0 },
      changed: at,
      state: isStorea
        ? { vendor: "storea", status: no % 40 === 0 ? "canceled" : "invoiced", authorized: true, invoiced: true }
        : {
            vendor: "storeb",
            financial: no % 40 === 1 ? "pending" : "paid",
            cancelled: false,
            test: false,
            processed: "same",
            api: "rest",
          },
      at,
      group: null,
      value: no % 50 === 2 ? 0 : cents,
      shipping: null,
      tax: null,
      platformId: null,
      email: no % 60 === 3 ? null : `c${customer}@example.com`,
      source: null,
      medium: null,
      campaign: null,
      coupon: null,
      lines: [],
    };
  });
  return {
    settings: {
      organizationId: BUYERS,
      name: "Previsão",
      currency: "BRL",
      integrations: [
        { id: STORES[0], connector: "storea", timezone: "America/Sao_Paulo" },
        { id: STORES[1], connector: "storeb" },
      ],
      margin: { percent: 37.5 },
    },
    syncs: [NOW],
    orders,
    costs: [],
    catalog: [],
    records: [],
    events: [],
  };
}

/** A data folder with such an organization, landed. */
export async function landedBuyers(
  world: World,
  environment: Readonly<Record<string, string>> = {},
): Promise<DataFolder> {
  const folder = await DataFolder.empty(environment);
  await writeExports(folder, world, 0);
  const report = await sync(readConfig({ LUCRA_DATA_DIR: folder.path, LUCRA_NOW: NOW }), {
    organizations: [world.settings],
  });
  if (failed(report)) throw new Error(JSON.stringify(report));
  return folder;
}
