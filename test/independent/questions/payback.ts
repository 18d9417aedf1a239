import type { Period } from "../../support/world.ts";
import { type PaybackQuestion, payback } from "../payback.ts";
import { datesOf, EVER, type Question, sentIf } from "./question.ts";

const BREAKS: readonly PaybackQuestion["breakBy"][] = [
  null,
  "origem",
  "campanha",
  "loja",
  "cidade",
  "loja,campanha",
  "origem,loja",
  "cupom,pagamento",
];

export const PAYBACK = "/v1/profitability/payback";

/** Each breakdown, over the whole history and over each period. */
export function paybackQuestions(periods: readonly Period[]): Question[] {
  return BREAKS.flatMap((breakBy) =>
    [null, ...periods].map((span) => ({
      path: PAYBACK,
      sent: { ...datesOf(span), ...sentIf("breakBy", breakBy) },
      expected: (facts) => payback(facts, span ?? EVER, { breakBy }),
    })),
  );
}
