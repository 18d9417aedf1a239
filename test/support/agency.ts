import { readConfig } from "../../src/core/config.ts";
import type { Organization } from "../../src/core/contract/settings.ts";
import { changeLandings } from "../../src/core/sync/revoke.ts";
import { createPin } from "../../src/features/pins/create.ts";
import { AURORA, DataFolder, exportsOf, SOCIALADS, STOREA, storeaOrder } from "./data.ts";

const SETTINGS: Organization = {
  organizationId: AURORA,
  name: "Loja",
  currency: "BRL",
  margin: { percent: 40 },
  integrations: [
    { id: STOREA, connector: "storea", name: "Loja", timezone: "America/Sao_Paulo" },
    { id: SOCIALADS, connector: "socialads", name: "Meta", timezone: "America/Sao_Paulo" },
  ],
  costs: [
    { item: "salesTax", percentOfRevenue: 8 },
    { item: "goods", percentOfItems: 45 },
    { item: "fixed", perMonth: 500 },
  ],
};
const ORDERS = exportsOf(STOREA, "orders");
const ADS = exportsOf(SOCIALADS, "campaigns");

/** Orders of a day, worth `value`, `value` + 1 and so on. */
const orders = (day: string, first: number, count: number, value: number): string =>
  JSON.stringify(
    Array.from({ length: count }, (_, no) =>
      storeaOrder({ id: String(first + no), value: value + no, at: `${day}T15:00:00Z`, changed: null }),
    ),
  );

function spend(amount: number): string {
  const row = { campaign_id: "1", campaign_name: "Prospecção", account_id: "9", impressions: "1", clicks: "1" };
  return JSON.stringify({
    data: [{ ...row, date_start: "2025-04-15", date_stop: "2025-04-15", spend: String(amount) }],
  });
}

/** On 7 May order 100 is cancelled, and order 101 is worth 99 instead of 151. */
const CORRECTED = JSON.stringify([
  { ...storeaOrder({ id: "100", value: 150, at: "2025-04-10T15:00:00Z" }), status: "canceled" },
  storeaOrder({ id: "101", value: 99, at: "2025-04-10T15:00:00Z" }),
]);

const FILES: readonly (readonly [at: string, files: Readonly<Record<string, string>>])[] = [
  [
    "2025-05-01T10:00:00.000Z",
    {
      [`${ORDERS}/abril-1.json`]: orders("2025-04-10", 100, 20, 150),
      [`${ORDERS}/abril-2.json`]: orders("2025-04-22", 200, 10, 210),
      [`${ADS}/abril.json`]: spend(900),
    },
  ],
  ["2025-05-02T10:00:00.000Z", { [`${ORDERS}/teste.json`]: orders("2025-04-25", 900, 3, 99) }],
  ["2025-05-05T12:00:00.000Z", { [`${ORDERS}/tarde-1.json`]: orders("2025-04-29", 300, 4, 180) }],
  ["2025-05-07T12:00:00.000Z", { [`${ORDERS}/tarde-2.json`]: CORRECTED }],
  ["2025-05-09T12:00:00.000Z", { [`${ADS}/tarde.json`]: spend(985.4) }],
];
const PINNED = "2025-05-03T12:00:00.000Z";
const REVOKED = "2025-05-10T12:00:00.000Z";

/**
 * An agency's April: reported on 3 May (the pin `abril-fechado`) as 33 orders of 3,190 + 2,145 + 300 = 5,635 and 900 of spend. Then
 * four orders arrive (+726), one is cancelled (−150), one is worth less (−52), spend is restated (+85.40), and the landing of 2 May,
 * three orders of a test (−300), is revoked: 5,859.
 */
export async function agencysApril(): Promise<DataFolder> {
  const data = await DataFolder.empty({ LUCRA_NOW: "2025-06-02T12:00:00.000Z" });
  const at = (now: string) => readConfig({ LUCRA_THREADS: "1", LUCRA_DATA_DIR: data.path, LUCRA_NOW: now });
  await data.settings(SETTINGS);
  for (const [landed, files] of FILES) {
    if (landed > PINNED && !(await data.files("lake/pins")).length)
      await createPin(at(PINNED), {
        organization: AURORA,
        name: "abril-fechado",
        knownAt: PINNED,
        createdBy: "command",
      });
    for (const [name, content] of Object.entries(files)) await data.write(name, content, new Date(landed));
    await data.syncAt(landed);
  }
  await changeLandings(at(REVOKED), SETTINGS, { action: "revoke", landings: [2] });
  return data;
}
