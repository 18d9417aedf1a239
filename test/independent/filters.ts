import type { Account, Settings } from "../support/world.ts";
import { type Counted, type Facts, firstOf } from "./facts.ts";
import type { ProfitFacts } from "./profitFacts.ts";
import type { Channel } from "./text.ts";

/** What analyses filter by, only from the sentences of the rule [D86]; null: not sent. */
export interface Filters {
  readonly integrationId: string | null;
  readonly channel: Channel | null;
}

const SPENDING: readonly string[] = ["searchads", "socialads"];

const isAd = ({ connector }: Account): boolean => SPENDING.includes(connector);
const isStore = ({ connector }: Account): boolean => connector === "storea" || connector === "storeb";

/** The stores whose spend an ad account has: without a list the only store's. */
function storesOf(settings: Settings, { stores }: Account): readonly string[] | null {
  const all = settings.integrations.filter(isStore);
  return stores ?? (all.length === 1 ? all.map(({ id }) => id) : null);
}

/** Whether an ad account names this store alone. */
export function namesAlone(settings: Settings, account: Account, store: string): boolean {
  const stores = storesOf(settings, account);
  return stores?.length === 1 && stores[0] === store;
}

/** Whether every ad account names the store alone, or names only others; a channel without a connector has no spend. */
export function isKnown(settings: Settings, { integrationId, channel }: Filters): boolean {
  if (integrationId === null || (channel !== null && !SPENDING.includes(channel))) return true;
  return settings.integrations
    .filter(isAd)
    .every(
      (account) =>
        namesAlone(settings, account, integrationId) || storesOf(settings, account)?.includes(integrationId) === false,
    );
}

/** The part of the facts that passes: orders, customers by their first order, spend. */
export function filteredBy(facts: Facts, filters: Filters): Facts {
  const { integrationId, channel } = filters;
  if (integrationId === null && channel === null) return facts;
  const { settings } = facts;
  const passes = (order: Counted): boolean =>
    (integrationId === null || order.store === integrationId) && (channel === null || order.channel === channel);
  const isSpendKnown = isKnown(settings, filters);
  const accounts = settings.integrations.filter(
    (one) => isAd(one) && (integrationId === null || namesAlone(settings, one, integrationId)),
  );
  return {
    ...facts,
    orders: facts.orders.filter(passes),
    customers: facts.customers.filter((customer) => passes(firstOf(customer))),
    spend: facts.spend.filter(
      ({ account, campaign: { connector } }) =>
        isSpendKnown && accounts.some(({ id }) => id === account) && (channel === null || connector === channel),
    ),
    filter: { ...filters, isSpendKnown, whole: facts },
  };
}

/** The same of what profit is computed from. */
export function filteredProfit(profit: ProfitFacts, filters: Filters): ProfitFacts {
  const facts = filteredBy(profit.facts, filters);
  const chosen = new Set(facts.orders);
  return { ...profit, facts, orders: profit.orders.filter(({ counted }) => chosen.has(counted)) };
}
