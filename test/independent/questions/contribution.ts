import fc from "fast-check";
import { CHANNELS } from "../../../src/core/contract/channel.ts";
import type { Period, World } from "../../support/world.ts";
import { attributedProducts, contribution, type ProductFilters } from "../contribution.ts";
import type { ProfitFacts } from "../profitFacts.ts";
import { datesOf, EVER, type Question, sentIf } from "./question.ts";

export const CONTRIBUTION = "/v1/acquisition/contribution";
export const ATTRIBUTED_PRODUCTS = "/v1/acquisition/products";

/** Each breakdown, over the whole history and over each period. */
export function contributionQuestions(periods: readonly Period[]): Question<ProfitFacts>[] {
  return (["campanha", "origem"] as const).flatMap((breakBy) =>
    [null, ...periods].map((span) => ({
      path: CONTRIBUTION,
      sent: { ...datesOf(span), breakBy },
      expected: (facts) => contribution(facts, span ?? EVER, breakBy),
    })),
  );
}

/** `campaign`: which of the campaigns that ad accounts know. */
interface Choice extends Omit<ProductFilters, "campaignId"> {
  readonly campaign: number | null;
}

const choice: fc.Arbitrary<Choice> = fc.record({
  channel: fc.option(fc.constantFrom(...CHANNELS), { freq: 2 }),
  connector: fc.option(fc.constantFrom("searchads", "socialads"), { freq: 2 }),
  sortBy: fc.constantFrom("marginTotal", "marginAfterAds", "netSales"),
  sortOrder: fc.constantFrom("asc", "desc"),
  campaign: fc.option(fc.nat({ max: 20 }), { freq: 3 }),
});

export const productsChoices: fc.Arbitrary<readonly Choice[]> = fc.array(choice, { minLength: 4, maxLength: 4 });

const ALL: Choice = { channel: null, connector: null, sortBy: "marginTotal", sortOrder: "desc", campaign: null };

/** All orders, and those that pass the filters. */
export function productsQuestions(
  { records }: World,
  periods: readonly Period[],
  choices: readonly Choice[],
): Question<ProfitFacts>[] {
  const ids = [...new Set(records.map(({ campaign }) => campaign))];
  return [ALL, ...choices].map(({ campaign, ...others }, no) => {
    const span = no % 2 === 0 ? null : (periods[no % periods.length] ?? null);
    const campaignId = campaign === null ? null : (ids[campaign % ids.length] ?? null);
    return {
      path: ATTRIBUTED_PRODUCTS,
      sent: {
        ...datesOf(span),
        ...sentIf("channel", others.channel),
        ...sentIf("connector", others.connector),
        ...sentIf("campaignId", campaignId),
        sortBy: others.sortBy,
        sortOrder: others.sortOrder,
      },
      expected: (facts) => attributedProducts(facts, span ?? EVER, { ...others, campaignId }),
    };
  });
}
