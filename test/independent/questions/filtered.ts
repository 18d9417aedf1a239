import fc from "fast-check";
import { CHANNELS } from "../../../src/core/contract/channel.ts";
import type { Period, World } from "../../support/world.ts";
import { type Filters, filteredBy, filteredProfit } from "../filters.ts";
import { ANY_ORDER, orders } from "../orders.ts";
import { filtersOf } from "../profitability.ts";
import type { ProfitFacts } from "../profitFacts.ts";
import { ORDERS } from "./orders.ts";
import { datesOf, EVER, type Question, sentIf } from "./question.ts";

/** The questions of an organization, of one of its stores, of a channel, or of both [D86]. */

const choice = fc.record({
  store: fc.option(fc.nat({ max: 2 }), { nil: null, freq: 2 }),
  channel: fc.option(fc.constantFrom("searchads" as const, "socialads" as const, ...CHANNELS), { nil: null, freq: 1 }),
});

/** The filters of some questions, and the stores that ad accounts name: a set of the three by its bits. */
export const filteredChoices = fc.record({
  filters: fc.array(choice, { minLength: 7, maxLength: 7 }),
  stores: fc.array(fc.option(fc.integer({ min: 1, max: 7 }), { nil: null, freq: 4 }), { minLength: 4, maxLength: 4 }),
});
type Chosen = typeof filteredChoices extends fc.Arbitrary<infer T> ? T : never;

const isStore = ({ connector }: { readonly connector: string }): boolean =>
  connector === "storea" || connector === "storeb";
const isAd = ({ connector }: { readonly connector: string }): boolean =>
  connector === "searchads" || connector === "socialads";

/** The organization with ad accounts that name stores. */
export function withStores(world: World, { stores: chosen }: Chosen): World {
  const { integrations } = world.settings;
  const stores = integrations.filter(isStore).map(({ id }) => id);
  const ads = integrations.filter(isAd).map(({ id }) => id);
  return {
    ...world,
    settings: {
      ...world.settings,
      integrations: integrations.map((account) => {
        const bits = isAd(account) ? (chosen[ads.indexOf(account.id) % chosen.length] ?? null) : null;
        const named = stores.filter((_, no) => bits !== null && (bits & (1 << no)) !== 0);
        return named.length > 0 ? { ...account, stores: named } : account;
      }),
    },
  };
}

const filtersIn = ({ settings }: World, { store, channel }: Chosen["filters"][number]): Filters => {
  const stores = settings.integrations.filter(isStore);
  return { integrationId: store === null ? null : (stores[store % stores.length]?.id ?? null), channel };
};

const sentOf = ({ integrationId, channel }: Filters): Record<string, string> => ({
  ...sentIf("integrationId", integrationId),
  ...sentIf("channel", channel),
});

/** Neither compared with others of the filters, nor by parameters that these are, too. */
const takes = ({ path, sent }: Pick<Question, "path" | "sent">): boolean =>
  /^\/v1\/(profitability|acquisition)\//.test(path) &&
  !/\/(orders|forecast|reconciliation)$/.test(path) &&
  sent.channel === undefined;

/** The same with filters; questions whose filters are none are left out. */
function filtered<F>(
  some: readonly Question<F>[],
  world: World,
  { filters }: Chosen,
  filter: (facts: F, filters: Filters) => F,
): Question<F>[] {
  return some.filter(takes).flatMap((question, no): Question<F>[] => {
    const chosen = filtersIn(world, filters[no % filters.length] as Chosen["filters"][number]);
    const { integrationId, channel } = chosen;
    if (integrationId === null && channel === null) return [];
    return [
      {
        ...question,
        sent: { ...question.sent, ...sentOf(chosen) },
        expected: (facts) => ({ ...question.expected(filter(facts, chosen)), ...filtersOf(integrationId, channel) }),
      },
    ];
  });
}

export const filteredQuestions = (some: readonly Question[], world: World, chosen: Chosen): Question[] =>
  filtered(some, world, chosen, filteredBy);

export const filteredProfitQuestions = (
  some: readonly Question<ProfitFacts>[],
  world: World,
  chosen: Chosen,
): Question<ProfitFacts>[] => filtered(some, world, chosen, filteredProfit);

/** Orders by their own store and channel, and by those of the customer's first order. */
export function acquiredQuestions(periods: readonly Period[], world: World, { filters }: Chosen): Question[] {
  return filters.slice(0, 4).map((one, no) => {
    const span = no % 2 === 0 ? null : (periods[0] ?? null);
    const { integrationId, channel } = filtersIn(world, one);
    const own = no < 2 ? { integrationId, channel } : {};
    const first = no > 0 ? { acquiredIntegrationId: integrationId, acquiredChannel: channel } : {};
    const wanted = { ...ANY_ORDER, counted: no % 2 === 0 ? "any" : "true", ...own, ...first };
    const sent = Object.entries({ counted: wanted.counted, ...own, ...first }).flatMap(([name, value]) =>
      value === null ? [] : [[name, value] as const],
    );
    return {
      path: ORDERS,
      sent: { ...Object.fromEntries(sent), ...datesOf(span) },
      expected: (facts) => orders(facts, span ?? EVER, wanted),
    };
  });
}
