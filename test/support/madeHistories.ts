import { readConfig } from "../../src/core/config.ts";
import type { Organization } from "../../src/core/contract/settings.ts";
import { changeLandings } from "../../src/core/sync/revoke.ts";
import { failed } from "../../src/core/sync/sync.ts";
import { AURORA, DataFolder, exportsOf, OTHER_STOREA, SEARCHADS, STOREA, seeded } from "./data.ts";

/** A version of an order, in cents and milliseconds. */
export interface MadeOrder {
  readonly store: string;
  readonly id: string;
  readonly at: number;
  readonly changed: number;
  readonly value: number;
  readonly status: string;
  readonly paid: boolean;
}

/** The spend of a campaign on a day, in millionths. */
export interface MadeSpend {
  readonly campaign: string;
  readonly day: string;
  readonly spend: number;
}

/** What landed in a round. */
export interface MadeLanding {
  readonly no: number;
  readonly at: string;
  readonly orders: readonly MadeOrder[];
  readonly spends: readonly MadeSpend[];
}

/** What was known at the end of a round. */
export interface MadeState {
  readonly at: string;
  /** Those in force, oldest first. */
  readonly landings: readonly MadeLanding[];
  readonly settings: Organization;
}

/** A data folder and what was known after each of its rounds. */
export interface MadeHistory {
  readonly data: DataFolder;
  readonly states: readonly MadeState[];
}

const HOUR = 3_600_000;
const BEGIN = Date.parse("2025-04-01T12:00:00.000Z");

/** The name of the exports of a round. */
export const exportOf = (landing: number): string => `round-${landing}.json`;

const ZONES = ["UTC", "America/Sao_Paulo", "Asia/Tokyo"];

/** A whole number from 0 up to `below`. */
type Dice = (below: number) => number;

const store = (id: string, timezone: string) => ({ id, connector: "storea" as const, name: id.slice(-4), timezone });

/** Settings that differ in the zone of a store, in the margin, in costs, in whether the other store is connected. */
function madeSettings(dice: Dice): Organization {
  return {
    organizationId: AURORA,
    name: "Loja inventada",
    currency: "BRL",
    integrations: [
      store(STOREA, ZONES[dice(ZONES.length)] ?? "UTC"),
      ...(dice(2) === 0 ? [store(OTHER_STOREA, "UTC")] : []),
      { id: SEARCHADS, connector: "searchads", name: "Busca" },
    ],
    margin: { percent: 40 + dice(3) * 5.5 },
    costs: [{ item: "payment", percentOfRevenue: 3 + dice(2) * 0.37 }],
  };
}

/** Orders around the ends of months, some of them again with another value, time or status. */
function madeOrder(stores: readonly string[], dice: Dice): MadeOrder {
  const month = Date.parse(["2025-01-31", "2025-02-15", "2025-02-28", "2025-03-10"][dice(4)] ?? "");
  const at = month + dice(48) * HOUR;
  return {
    store: stores[dice(stores.length)] ?? STOREA,
    id: `o${dice(12)}`,
    at,
    changed: BEGIN + dice(3) * HOUR,
    value: 1000 + dice(4) * 1111,
    status: ["invoiced", "handling", "canceled", "replaced"][dice(10) < 7 ? dice(2) : 2 + dice(2)] ?? "",
    paid: dice(5) > 0,
  };
}

const exported = (order: MadeOrder, dice: Dice): object => {
  const at = new Date(order.at).toISOString();
  return {
    orderId: order.id,
    status: order.status,
    value: order.value,
    creationDate: at,
    lastChange: new Date(order.changed).toISOString(),
    authorizedDate: order.paid ? at : null,
    invoicedDate: null,
    totals: [{ id: "Items", value: order.value }],
    clientProfileData: dice(3) > 0 ? { email: `p${dice(6)}@example.com` } : {},
    storePreferencesData: { currencyCode: "BRL" },
    items: [
      {
        uniqueId: order.id,
        id: "1",
        productId: "1",
        name: "x",
        quantity: 1,
        price: order.value,
        sellingPrice: order.value,
        costPrice: dice(25) === 0 ? null : 500,
      },
    ],
  };
};

const spendRow = ({ campaign, day, spend }: MadeSpend): object => ({
  campaign: { id: campaign, name: `Campanha ${campaign}`, status: "ENABLED" },
  metrics: { impressions: "10", clicks: "1", costMicros: String(spend) },
  segments: { date: day },
});

/** One of each key. */
const distinct = <T>(rows: readonly T[], keyOf: (row: T) => string): T[] => [
  ...new Map(rows.map((row) => [keyOf(row), row])).values(),
];

/**
 * A random history: in each round orders and spend land, new and again; landings are revoked and restored; the settings change,
 * also the zone of a store, the margin, and which stores are connected.
 */
export async function madeHistory(seed: number, rounds: number): Promise<MadeHistory> {
  const random = seeded(seed);
  const dice: Dice = (below) => Math.floor(random() * below);
  const data = await DataFolder.empty({ LUCRA_THREADS: "1" });
  const landed: MadeLanding[] = [];
  const revoked = new Set<number>();
  const states: MadeState[] = [];
  let settings = madeSettings(dice);
  for (let no = 1; no <= rounds; no++) {
    const at = new Date(BEGIN + no * 24 * HOUR).toISOString();
    if (no > 1 && dice(3) > 0) settings = madeSettings(dice);
    await data.settings(settings);
    landed.push(await landRound(data, { no, at, settings }, dice));
    if (no > 1 && dice(2) === 0) await toggle(data, { no: 1 + dice(no), at, settings }, revoked);
    states.push({ at, settings, landings: landed.filter((one) => !revoked.has(one.no)) });
  }
  return { data, states };
}

interface Round {
  readonly no: number;
  readonly at: string;
  readonly settings: Organization;
}

async function landRound(data: DataFolder, { no, at, settings }: Round, dice: Dice): Promise<MadeLanding> {
  const stores = (settings.integrations ?? []).filter(({ connector }) => connector === "storea").map(({ id }) => id);
  // The first store always has an export, so that each round is a landing.
  const made = Array.from({ length: 8 }, (_, one) => madeOrder(one === 0 ? [STOREA] : stores, dice));
  const orders = distinct(made, ({ store: of, id }) => `${of} ${id}`);
  for (const id of stores) {
    const own = orders.filter((order) => order.store === id).map((order) => exported(order, dice));
    if (own.length > 0) await data.write(`${exportsOf(id, "orders")}/${exportOf(no)}`, JSON.stringify(own));
  }
  const days = ["2025-01-31", "2025-02-01", "2025-02-15", "2025-03-01"];
  const spends = distinct(
    Array.from({ length: 4 }, () => ({
      campaign: `21${dice(2)}`,
      day: days[dice(4)] ?? "",
      spend: dice(4) * 10_000_000 + dice(3) * 3_333,
    })),
    ({ campaign, day }) => `${campaign} ${day}`,
  );
  await data.write(
    `${exportsOf(SEARCHADS, "campaigns")}/${exportOf(no)}`,
    JSON.stringify([{ results: spends.map(spendRow) }]),
  );
  const report = await data.syncAt(at);
  if (failed(report)) throw new Error(`a round did not land whole: ${JSON.stringify(report)}`);
  return { no, at, orders, spends };
}

/** Revokes a landing, or restores it. */
async function toggle(data: DataFolder, { no, at, settings }: Round, revoked: Set<number>): Promise<void> {
  const config = readConfig({ LUCRA_THREADS: "1", LUCRA_DATA_DIR: data.path, LUCRA_NOW: at });
  const action = revoked.has(no) ? "restore" : "revoke";
  await changeLandings(config, settings, { action, landings: [no] });
  if (!revoked.delete(no)) revoked.add(no);
}
