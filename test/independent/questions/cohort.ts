import fc from "fast-check";
import { COHORT_BREAKS } from "../../../src/core/contract/attributes.ts";
import type { Period } from "../../support/world.ts";
import type { Breaks } from "../cohortRows.ts";
import { type CohortQuestion, cohort } from "../profitability.ts";
import { datesOf, EVER, type Question, sentIf } from "./question.ts";

/** Pairs with spend and without, of lines and of orders. */
const PAIRS: readonly Breaks[] = [
  "loja,origem",
  "campanha,loja",
  "origem,campanha",
  "pagamento,cidade",
  "produto,marca",
  "marca,categoria",
  "campanha,produto",
  "loja,marca",
];
const BREAKS: readonly (Breaks | null)[] = [null, ...COHORT_BREAKS, ...PAIRS];

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
