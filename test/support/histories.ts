import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import request from "supertest";
import { readConfig } from "../../src/core/config.ts";
import type { Organization } from "../../src/core/contract/settings.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { changeLandings } from "../../src/core/sync/revoke.ts";
import { createPin } from "../../src/features/pins/create.ts";
import { AURORA, DataFolder, FIXTURES, filesBelow, NOW, STOREA, seeded } from "./data.ts";
import { openService, type Service } from "./service.ts";
import { minute, ORDERS, orders, SHOP } from "./syncs.ts";

/** An answer as it was given, and when. */
export interface Recorded {
  readonly at: string;
  readonly address: string;
  readonly status: number;
  readonly text: string;
}

/** The answer without what only says that it is about what was known. */
export const withoutKnown = (text: string): string =>
  text.replace(/^\{"knownAt":"[^"]*","knownState":"[^"]*","settingsSince":"[^"]*",/, "{");

/** Errors have an id of the request; an explanation has the instant among its parameters, and in the address of orders. */
export const comparable = (text: string): string =>
  withoutKnown(text)
    .replace(/"requestId":"[^"]*"/, '"requestId":"…"')
    .replace(/,"knownAt":"[^"]*"/, "")
    .replace(/&knownAt=[^"&]*/, "");

const at = (round: number): string => new Date(Date.parse(NOW) + round * 3_600_000 * 7).toISOString();

/** A service over the data at a time. */
export const serviceAt = (
  data: DataFolder,
  now: string,
  environment: Readonly<Record<string, string>> = {},
  more: Parameters<typeof openService>[2] = {},
): Promise<Service> =>
  openService(
    readConfig({ LUCRA_THREADS: "1", ...environment, LUCRA_DATA_DIR: data.path, LUCRA_NOW: now }),
    AURORA,
    more,
  );

/** In any format. */
export async function askedOf({ app }: Service, address: string): Promise<Pick<Recorded, "status" | "text">> {
  const about = `${address}${address.includes("?") ? "&" : "?"}organizationId=${AURORA}`;
  const { status, body, text } = await request(app)
    .get(about)
    .set("x-client-id", "test")
    .set("x-client-secret", "x")
    .buffer(true);
  return { status, text: text ?? Buffer.from(body).toString("latin1") };
}

/**
 * A random history: the exports of the fixtures land in rounds, some are revoked and restored, settings change. The answers to
 * the addresses are recorded after each round.
 */
export async function recordedHistory(
  seed: number,
  rounds: number,
  addresses: readonly string[],
): Promise<{ readonly data: DataFolder; readonly recorded: readonly Recorded[]; readonly end: string }> {
  const random = seeded(seed);
  const data = await DataFolder.fixtures({ LUCRA_THREADS: "1" });
  const files = (await filesBelow(path.join(FIXTURES, "exports"))).filter((file) => file.startsWith(AURORA));
  // All files of one round land at once.
  const rounded = files.map((file) => ({ file, round: Math.floor(random() * rounds) }));
  await rm(path.join(data.path, "exports"), { recursive: true });
  const settings = JSON.parse(await data.text(`organizations/${AURORA}.json`)) as Organization;
  const recorded: Recorded[] = [];
  for (let round = 0; round < rounds; round++) {
    const now = at(round);
    for (const { file, round: of } of rounded) {
      if (of === round)
        await data.write(`exports/${file}`, await readFile(path.join(FIXTURES, "exports", file)), new Date(NOW));
    }
    if (round > 0 && random() < 0.7) await data.settings(changed(settings, random));
    await data.syncAt(now);
    if (round > 0 && random() < 0.7) await revokeOne(data, now, settings, random);
    const service = await serviceAt(data, now);
    for (const address of addresses) {
      recorded.push({ at: now, address, ...(await askedOf(service, address)) });
    }
    await service.close();
  }
  return { data, recorded, end: at(rounds) };
}

function changed(settings: Organization, random: () => number): Organization {
  const kind = Math.floor(random() * 4);
  const { integrations = [] } = settings;
  if (kind === 0) return { ...settings, name: `${settings.name} ${Math.floor(random() * 100)}` };
  if (kind === 1) return { ...settings, margin: { percent: Math.floor(random() * 100) } };
  const no = Math.floor(random() * integrations.length);
  if (kind === 2) {
    const gone = integrations[no]?.id;
    // Ad accounts of a store that goes are of none.
    const left = integrations
      .filter((_, other) => other !== no)
      .map(({ stores, ...one }) => (stores && !stores.some((id) => id === gone) ? { ...one, stores } : one));
    const costs = settings.costs?.filter(
      ({ where }) => where?.integrationId === undefined || left.some(({ id }) => id === where.integrationId),
    );
    return { ...settings, integrations: left, ...(costs ? { costs } : {}) };
  }
  return {
    ...settings,
    integrations: integrations.map((one, other) => (other === no ? { ...one, timezone: "Asia/Tokyo" } : one)),
  };
}

async function revokeOne(data: DataFolder, now: string, settings: Organization, random: () => number): Promise<void> {
  const config = readConfig({ LUCRA_THREADS: "1", LUCRA_DATA_DIR: data.path, LUCRA_NOW: now });
  const landing = 1 + Math.floor(random() * 3);
  const inForce = JSON.parse(await data.text(`organizations/${settings.organizationId}.json`)) as Organization;
  for (const action of ["revoke", "restore"] as const) {
    // It has no landing with this number, or none that it could restore.
    const isDone = await changeLandings(config, inForce, { action, landings: [landing] }).then(
      () => true,
      () => false,
    );
    if (isDone && random() < 0.6) return;
  }
}

/** A shop that knew one order on 2 March, and two from 5 March on. */
export async function pinnedShop(): Promise<DataFolder> {
  const data = await DataFolder.empty();
  await data.settings(SHOP);
  await data.write(`${ORDERS}/a.json`, orders({ id: "a", value: 100 }), minute(1));
  await data.syncAt("2025-03-02T10:00:00.000Z");
  await data.write(`${ORDERS}/b.json`, orders({ id: "b", value: 50 }), minute(2));
  await data.syncAt("2025-03-05T10:00:00.000Z");
  return data;
}

/** The revenue of the cards at earlier instants, or the status of those that are refused. */
export async function revenuesAt(data: DataFolder, now: string, instants: readonly string[]): Promise<unknown[]> {
  const service = await serviceAt(data, now);
  const found: unknown[] = [];
  for (const knownAt of instants) {
    const { status, body } = await service.get(`/v1/profitability/cards?knownAt=${knownAt}`);
    found.push(status === 200 ? body.revenue : status);
  }
  await service.close();
  return found;
}

/** When the second orders of `landedTwice` landed. */
export const LATER = "2025-04-20T12:00:00.000Z";

/** The fixtures, of which the orders of March land later than the rest; the pin `closed` is of the time between. The shop is renamed later. */
export async function landedTwice(between?: (data: DataFolder) => Promise<void>): Promise<DataFolder> {
  const data = await DataFolder.fixtures({ LUCRA_NOW: LATER });
  const orders = `exports/${AURORA}/${STOREA}/orders/2025-04-01.json`;
  const text = await data.text(orders);
  await rm(path.join(data.path, orders));
  await data.syncAt(NOW);
  await between?.(data);
  const settings = JSON.parse(await data.text(`organizations/${AURORA}.json`)) as Organization;
  await data.settings({ ...settings, name: "Aurora & Filhos" });
  await data.write(orders, text, new Date(NOW));
  await data.syncAt(LATER);
  await createPin(data.config, { organization: AURORA, name: "closed", knownAt: NOW, createdBy: "command" });
  return data;
}

/** The file of the pin of `landedTwice`. */
export const pinFile = (data: DataFolder): string => path.join(foldersOf(data.path, AURORA).pins, "closed.json");
