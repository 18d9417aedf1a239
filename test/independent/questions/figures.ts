import fc from "fast-check";
import { COMPARISONS, type Comparison } from "../../../src/core/contract/param.ts";
import { NOW, type Period } from "../../support/world.ts";
import type { Facts } from "../facts.ts";
import { type Answer, cardsWithAmounts } from "../profitability.ts";
import { COMPARED, OF_AN_ENDED_PERIOD, OF_ANY_PERIOD, WITHOUT_DATES } from "../worldFigures.ts";
import { datesOf, EVER, type Question } from "./question.ts";

/** One for each of two periods, and one without. */
export const figuresChoices: fc.Arbitrary<readonly Comparison[]> = fc.array(fc.constantFrom(...COMPARISONS), {
  minLength: 3,
  maxLength: 3,
});

/** The endpoints of `worldFigures.ts`, without a period and over each; those that compare also with a chosen comparison. */
export function figuresQuestions(periods: readonly Period[], compared: readonly Comparison[]): Question[] {
  const today = NOW.slice(0, 10);
  const all: Question[] = [];
  for (const [no, span] of [null, ...periods].entries()) {
    const sent = datesOf(span);
    const add = (path: string, expected: (facts: Facts, compare?: Comparison) => Answer): void => {
      all.push({ path, sent, expected });
      if (!COMPARED.includes(path)) return;
      const compare = compared[no] ?? "previous";
      all.push({ path, sent: { ...sent, compare }, expected: (facts) => expected(facts, compare) });
    };
    all.push({
      path: "/v1/profitability/cards",
      sent: { ...sent, marginItems: "amounts" },
      expected: (facts) => cardsWithAmounts(facts, span ?? EVER),
    });
    for (const [path, computed] of Object.entries(OF_ANY_PERIOD)) {
      add(path, (facts, compare) => computed(facts, span ?? EVER, compare));
    }
    if (!span || span.end > today) continue;
    for (const [path, computed] of Object.entries(OF_AN_ENDED_PERIOD)) {
      add(path, (facts, compare) => computed(facts, span, compare));
    }
  }
  for (const [path, expected] of Object.entries(WITHOUT_DATES)) all.push({ path, sent: {}, expected });
  return all;
}
