import { organization, STORES } from "../../../session.ts";
import { said } from "../../../text.ts";
import { firstRun as FIRST_RUN } from "../../../words/later/firstRun.ts";
import { likelyZone } from "../zones.ts";
import type { Wish } from "./types.ts";

export const isStore = (connector: string | null): boolean => STORES.includes(connector ?? "");

/** In the source of a connector, or in a new one if there is none. */
export function placed({ integration: _, connector: __, ...wish }: Wish, connector: string): Wish {
  const there = organization.value?.connectors.find((one) => one.connector === connector);
  return { ...wish, ...(there ? { integration: there.integrationId } : { connector }) };
}

/** What a table of orders is that no shop system wrote. */
export const ownOrders = (wish: Wish = {}): Wish =>
  placed({ name: said(FIRST_RUN).ownName, timezone: likelyZone(), ...wish, record: "orders" }, "storea");
