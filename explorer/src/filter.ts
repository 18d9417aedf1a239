import { computed } from "@preact/signals";
import { CHANNELS } from "../../src/core/contract/channel.ts";
import { arg, type Check, route, type View } from "./route.ts";
import { organization, STORES } from "./session.ts";

// The store and the channel that the page is filtered by [D86]: in the address, as the period is, and in every request of an
// analysis that takes them.

/** The analyses that take both. */
export const FILTERABLE: readonly string[] = [
  "/v1/acquisition/campaigns",
  "/v1/acquisition/channels",
  "/v1/acquisition/contribution",
  "/v1/acquisition/new-customers",
  "/v1/acquisition/products",
  "/v1/acquisition/summary",
  "/v1/profit/orders",
  "/v1/profit/statement",
  "/v1/profit/unknown-goods",
  "/v1/profitability/breakdown",
  "/v1/profitability/bridge",
  "/v1/profitability/cards",
  "/v1/profitability/cmv-evolution",
  "/v1/profitability/cohort",
  "/v1/profitability/metrics-evolution",
  "/v1/profitability/new-vs-recurring",
  "/v1/profitability/orders",
  "/v1/profitability/payback",
  "/v1/profitability/trend",
];

/** The pages whose figures follow the filter; the others show the whole organization, and say so. */
const FILTERED: readonly View[] = ["overview", "acquisition", "customers", "breakdown", "report"];

export const isFilterable = (view: View): boolean => FILTERED.includes(view);

/** The stores of the organization, by id and name. */
export const filterStores = computed(() =>
  (organization.value?.connectors ?? []).filter(({ connector }) => STORES.includes(connector)),
);

/** A store of another organization filters nothing, and is reported as ignored. */
export const isStore: Check = (value) => filterStores.value.some(({ integrationId }) => integrationId === value);
export const isChannel: Check = (value) => CHANNELS.some((name) => name === value);

const chosen = (name: string, check: Check): string => (check(arg(name)) ? arg(name) : "");

/** What the address chooses, whether the page that is open follows it or not; empty without a choice. */
export const filter = computed(() => ({
  store: chosen("onlyStore", isStore),
  channel: chosen("onlyChannel", isChannel),
}));

/** What the open page is filtered by. */
export const inForce = computed(() => (isFilterable(route.value.view) ? filter.value : { store: "", channel: "" }));

export const isFiltered = computed(() => inForce.value.store !== "" || inForce.value.channel !== "");

type Sent = Readonly<Record<string, unknown>>;

/** The parameters that the filter adds to a request. */
export function filterParams(path: string, params: Sent): Readonly<Record<string, string>> {
  const asked = path === "/v1/explain" ? String(params.endpoint) : path;
  if (!FILTERABLE.includes(asked)) return {};
  const { store, channel } = inForce.value;
  return { ...(store && { integrationId: store }), ...(channel && { channel }) };
}

export const storeName = (id: string): string =>
  filterStores.value.find(({ integrationId }) => integrationId === id)?.name ?? id;
