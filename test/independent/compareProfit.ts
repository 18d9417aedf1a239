import fc from "fast-check";
import type { Landed } from "../support/exports.ts";
import { type Period, period } from "../support/world.ts";
import { compareRandom, spread } from "./agreement.ts";
import { differences, show } from "./differences.ts";
import { factsOf } from "./facts.ts";
import type { ProfitFacts } from "./profitFacts.ts";
import { profitFactsOfWorld } from "./profitWorlds.ts";
import { breakdownChoices, breakdownQuestions } from "./questions/breakdown.ts";
import { contributionQuestions, productsChoices, productsQuestions } from "./questions/contribution.ts";
import { filteredChoices, filteredProfitQuestions, withStores } from "./questions/filtered.ts";
import {
  paceDays,
  paceQuestions,
  profitOrdersChoices,
  profitOrdersQuestions,
  statementChoices,
  statementQuestions,
} from "./questions/profit.ts";
import type { Question } from "./questions/question.ts";
import { type CostedWorld, costedWorld, writeCosted } from "./randomCosts.ts";

type Chosen<A> = A extends fc.Arbitrary<infer C> ? C : never;

interface Asked {
  readonly costed: CostedWorld;
  readonly periods: readonly [Period, Period];
  readonly days: readonly string[];
  readonly statements: Chosen<typeof statementChoices>;
  readonly orders: Chosen<typeof profitOrdersChoices>;
  readonly products: Chosen<typeof productsChoices>;
  readonly breakdowns: Chosen<typeof breakdownChoices>;
  readonly filtered: Chosen<typeof filteredChoices>;
}

const asked: fc.Arbitrary<Asked> = fc
  .noBias(
    fc.record({
      costed: costedWorld,
      periods: fc.tuple(period, period),
      days: paceDays,
      statements: statementChoices,
      orders: profitOrdersChoices,
      products: productsChoices,
      breakdowns: breakdownChoices,
      filtered: filteredChoices,
    }),
  )
  .map((one) => ({ ...one, costed: { ...one.costed, world: withStores(one.costed.world, one.filtered) } }));

function questionsOf({
  costed: { world },
  periods,
  days,
  statements,
  orders,
  products,
  breakdowns,
  filtered,
}: Asked): Question<ProfitFacts>[] {
  const ofOrders = [
    ...contributionQuestions([periods[0]]),
    ...productsQuestions(world, periods, products),
    ...breakdownQuestions(periods, breakdowns),
  ];
  return [
    ...statementQuestions(world, periods, statements),
    ...profitOrdersQuestions(world, periods, orders),
    ...paceQuestions(days),
    ...ofOrders,
    ...filteredProfitQuestions(ofOrders, world, filtered),
  ];
}

async function compare(landed: Landed, one: Asked, most: number): Promise<string[]> {
  const { world, records } = one.costed;
  const facts = profitFactsOfWorld(world, factsOf(world), records);
  const found: string[] = [];
  for (const { path, sent, unsent, expected } of spread(questionsOf(one), most)) {
    const answer = await landed.ask(world, path, sent, unsent);
    const different = differences(answer, expected(facts));
    found.push(
      ...different.map((difference) => `${path}?${new URLSearchParams({ ...sent, ...unsent })} ${difference}`),
    );
  }
  return found;
}

/** The differing organization in readable form: a line for each thing. */
function described({ costed: { world, records } }: Asked): string {
  const { settings, syncs, ...rows } = world;
  const lines = Object.entries({ ...rows, ...records }).map(([name, all]) =>
    [`${name}:`, ...all.map(show)].join("\n  "),
  );
  return [show(settings), `syncs: ${syncs.join(", ")}`, ...lines].join("\n");
}

/** The same of profit: see `compareWorlds`. */
export function compareProfit(worlds: number, seed: number, most = Number.POSITIVE_INFINITY): void {
  compareRandom(
    {
      of: " of profit",
      asked,
      differencesOf: (laboratory, one) => {
        const { settings, syncs } = one.costed.world;
        return laboratory.withFiles([{ ...one.costed, settings, syncs }], writeCosted, (landed) =>
          compare(landed, one, most),
        );
      },
      described,
    },
    { worlds, seed },
  );
}
