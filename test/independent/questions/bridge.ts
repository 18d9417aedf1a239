import fc from "fast-check";
import type { Comparison } from "../../../src/core/contract/param.ts";
import type { Period } from "../../support/world.ts";
import { BRIDGE_BREAKS, bridge } from "../bridge.ts";
import { datesOf, type Question, sentIf } from "./question.ts";

const BREAKS = [null, ...BRIDGE_BREAKS] as const;

/** One for each breakdown; null: the other period. */
export const bridgeChoices: fc.Arbitrary<readonly (Comparison | null)[]> = fc.array(
  fc.constantFrom("previous", "year", "weekdays", null, null),
  { minLength: BREAKS.length, maxLength: BREAKS.length },
);

export const BRIDGE = "/v1/profitability/bridge";

export function bridgeQuestions(periods: readonly Period[], compared: readonly (Comparison | null)[]): Question[] {
  return BREAKS.map((breakBy, no) => {
    const [span, other] = no % 2 === 0 ? periods : periods.toReversed();
    if (!span || !other) throw new Error("a bridge has two periods");
    const compare = compared[no] ?? null;
    return {
      path: BRIDGE,
      sent: {
        ...datesOf(span),
        ...(compare ? { compare } : { compareStartDate: other.start, compareEndDate: other.end }),
        ...sentIf("breakBy", breakBy),
      },
      expected: (facts) => bridge(facts, span, { breakBy, with: compare ?? other }),
    };
  });
}
