import fc from "fast-check";
import { ORDER_ATTRIBUTE_NAMES } from "../../../src/core/contract/attributes.ts";
import { COMPARISONS } from "../../../src/core/contract/param.ts";
import type { Period } from "../../support/world.ts";
import { type BreakdownQuestion, breakdown } from "../breakdown.ts";
import type { ProfitFacts } from "../profitFacts.ts";
import { datesOf, EVER, type Question } from "./question.ts";

export const BREAKDOWN = "/v1/profitability/breakdown";

const choice: fc.Arbitrary<BreakdownQuestion> = fc.record({
  by: fc.uniqueArray(fc.constantFrom(...ORDER_ATTRIBUTE_NAMES), { minLength: 1, maxLength: 2 }),
  compare: fc.constantFrom(...COMPARISONS),
});

export const breakdownChoices: fc.Arbitrary<readonly BreakdownQuestion[]> = fc.array(choice, {
  minLength: 5,
  maxLength: 5,
});

/** By one attribute and by two, over the whole history and over periods. */
export function breakdownQuestions(
  periods: readonly Period[],
  choices: readonly BreakdownQuestion[],
): Question<ProfitFacts>[] {
  return choices.map((chosen, no) => {
    const span = no % 3 === 0 ? null : (periods[no % periods.length] ?? null);
    return {
      path: BREAKDOWN,
      sent: { ...datesOf(span), by: chosen.by.join(","), compare: chosen.compare },
      expected: (facts) => breakdown(facts, span ?? EVER, chosen),
    };
  });
}
