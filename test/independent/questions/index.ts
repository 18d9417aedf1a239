import fc from "fast-check";
import { type Period, period, type World, world } from "../../support/world.ts";
import type { ProfitFacts } from "../profitFacts.ts";
import { profitFactsOfWorld } from "../profitWorlds.ts";
import { BREAKDOWN, breakdownChoices, breakdownQuestions } from "./breakdown.ts";
import { BRIDGE, bridgeChoices, bridgeQuestions } from "./bridge.ts";
import { COHORT, cohortChoices, cohortQuestions } from "./cohort.ts";
import {
  ATTRIBUTED_PRODUCTS,
  CONTRIBUTION,
  contributionQuestions,
  productsChoices,
  productsQuestions,
} from "./contribution.ts";
import { figuresChoices, figuresQuestions } from "./figures.ts";
import {
  acquiredQuestions,
  filteredChoices,
  filteredProfitQuestions,
  filteredQuestions,
  withStores,
} from "./filtered.ts";
import { ORDERS, ordersChoices, ordersQuestions } from "./orders.ts";
import { PAYBACK, paybackQuestions } from "./payback.ts";
import type { Question } from "./question.ts";

/** The endpoints with questions of their own. */
export const WITH_QUESTIONS: readonly string[] = [
  ATTRIBUTED_PRODUCTS,
  BREAKDOWN,
  BRIDGE,
  COHORT,
  CONTRIBUTION,
  ORDERS,
  PAYBACK,
];

/** An organization, two periods, and what the questions about it leave open. */
export interface Asked {
  readonly world: World;
  readonly periods: readonly Period[];
  readonly compared: Choice<typeof figuresChoices>;
  readonly orders: Choice<typeof ordersChoices>;
  readonly bridges: Choice<typeof bridgeChoices>;
  readonly cohorts: Choice<typeof cohortChoices>;
  readonly products: Choice<typeof productsChoices>;
  readonly breakdowns: Choice<typeof breakdownChoices>;
  readonly filtered: Choice<typeof filteredChoices>;
}

type Choice<A> = A extends fc.Arbitrary<infer C> ? C : never;

export const asked: fc.Arbitrary<Asked> = fc
  .noBias(
    fc.record({
      world,
      periods: fc.array(period, { minLength: 2, maxLength: 2 }),
      compared: figuresChoices,
      orders: ordersChoices,
      bridges: bridgeChoices,
      cohorts: cohortChoices,
      products: productsChoices,
      breakdowns: breakdownChoices,
      filtered: filteredChoices,
    }),
  )
  .map((one) => ({ ...one, world: withStores(one.world, one.filtered) }));

export function questions({
  world,
  periods,
  compared,
  orders,
  bridges,
  cohorts,
  products,
  breakdowns,
  filtered,
}: Asked): Question[] {
  const whole = [
    ...figuresQuestions(periods, compared),
    ...bridgeQuestions(periods, bridges),
    ...cohortQuestions(periods, cohorts),
    ...paybackQuestions(periods),
  ];
  const ofProfit = [
    ...contributionQuestions(periods),
    ...productsQuestions(world, periods, products),
    ...breakdownQuestions(periods, breakdowns),
  ];
  return [
    ...whole,
    ...ordersQuestions(periods, orders),
    ...filteredQuestions(whole, world, filtered),
    ...acquiredQuestions(periods, world, filtered),
    ...[...ofProfit, ...filteredProfitQuestions(ofProfit, world, filtered)].map((one) => ofWorld(world, one)),
  ];
}

/** A question about costs, in a world whose settings have no rules and no tables of them. */
const ofWorld = (world: World, question: Question<ProfitFacts>): Question => ({
  ...question,
  expected: (facts) => question.expected(profitFactsOfWorld(world, facts)),
});
