import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { Organization } from "../../src/core/contract/settings.ts";
import { AURORA, DataFolder, exportsOf, STOREA, storeaOrder } from "./data.ts";
import type { Service } from "./service.ts";

export const SHOP: Organization = {
  organizationId: AURORA,
  name: "Shop",
  integrations: [{ id: STOREA, connector: "storea", name: "Store" }],
};
export const CARDS = "/v1/profitability/cards";

/** The orders of a version: their number and values make every figure identify the version. */
export async function version(data: DataFolder, number: number): Promise<void> {
  const orders = Array.from({ length: 20 }, (_, n) => storeaOrder({ id: `o${n}`, value: number, items: 2 }));
  const extra = Array.from({ length: number }, (_, n) => storeaOrder({ id: `x${number}-${n}`, value: 0 }));
  await data.write(`${exportsOf(STOREA, "orders")}/orders.json`, JSON.stringify([...orders, ...extra]));
}

/** A shop whose first version has landed. */
export async function shopOfVersion1(): Promise<DataFolder> {
  const data = await DataFolder.empty();
  await data.settings(SHOP);
  await version(data, 1);
  await data.sync();
  return data;
}

/** Asks until the answer is the expected one. */
export async function until(
  service: Service,
  address: string,
  holds: (body: Record<string, unknown>) => boolean,
): Promise<void> {
  for (;;) {
    const { status, body } = await service.get(address);
    expect(status).to.equal(200);
    if (holds(body)) return;
    await sleep(50);
  }
}
