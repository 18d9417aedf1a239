import fc from "fast-check";
import { COHORT_BREAKS } from "../../../src/core/contract/attributes.ts";
import type { Period } from "../../support/world.ts";
import { type CohortQuestion, cohort } from "../profitability.ts";
import { datesOf, EVER, type Question, sentIf } from "./question.ts";

const BREAKS = [null, ...COHORT_BREAKS.filter((name) => name !== "loja" && name !== "marca")] as const;

type Choice = Omit<CohortQuestion, "breakBy">;

const choice: fc.Arbitrary<Choice> = fc.record({
  view: fc.constantFrom("revenue" as const, "logo" as const),
  groupBy: fc.constantFrom("month" as const, "quarter" as const, "year" as const, "week" as const),
});

/** One for each breakdown. */
export const cohortChoices: fc.Arbitrary<readonly Choice[]> = fc.array(choice, {
  minLength: BREAKS.length,
  maxLength: BREAKS.length,
});

export const COHORT = "/v1/profitability/cohort";

export function cohortQuestions(periods: readonly Period[], choices: readonly Choice[]): Question[] {
  return choices.map((chosen, no) => {
    const span = no % 2 === 0 ? null : (periods[0] ?? null);
    const breakBy = BREAKS[no] ?? null;
    return {
      path: COHORT,
      sent: { ...chosen, ...sentIf("breakBy", breakBy), ...datesOf(span) },
      expected: (facts) => cohort(facts, span ?? EVER, { ...chosen, breakBy }),
    };
  });
}
