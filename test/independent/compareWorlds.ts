import fc from "fast-check";
import { COHORT_BREAKS } from "../../src/endpoints/profitability.ts";
import { Laboratory, type Landed } from "../support/exports.ts";
import { NOW, type Period, period, type World, world } from "../support/world.ts";
import { expectAgreement } from "./agreement.ts";
import { differences, show } from "./differences.ts";
import { type Facts, factsOf } from "./facts.ts";
import { type Answer, type CohortQuestion, cohort } from "./profitability.ts";
import { OF_AN_ENDED_PERIOD, OF_ANY_PERIOD, WITHOUT_DATES } from "./worldFigures.ts";

const cohortQuestion: fc.Arbitrary<Omit<CohortQuestion, "breakBy">> = fc.record({
  view: fc.constantFrom("revenue" as const, "logo" as const),
  groupBy: fc.constantFrom("month" as const, "quarter" as const, "year" as const),
});
const AXES = [null, ...COHORT_BREAKS] as const;

interface Asked {
  readonly world: World;
  readonly periods: readonly Period[];
  /** One for each axis. */
  readonly cohorts: readonly Omit<CohortQuestion, "breakBy">[];
}

const asked: fc.Arbitrary<Asked> = fc.noBias(
  fc.record({
    world,
    periods: fc.array(period, { minLength: 2, maxLength: 2 }),
    cohorts: fc.array(cohortQuestion, { minLength: AXES.length, maxLength: AXES.length }),
  }),
);

interface Question {
  readonly path: string;
  readonly sent: Readonly<Record<string, string>>;
  readonly expected: (facts: Facts) => Answer;
}

const EVER = { start: null, end: null };

function questions({ periods, cohorts }: Asked): Question[] {
  const today = NOW.slice(0, 10);
  const all: Question[] = [];
  for (const span of [null, ...periods]) {
    const sent = span ? { startDate: span.start, endDate: span.end } : {};
    const of = span ?? EVER;
    for (const [path, computed] of Object.entries(OF_ANY_PERIOD))
      all.push({ path, sent, expected: (facts) => computed(facts, of) });
    if (!span || span.end > today) continue;
    for (const [path, computed] of Object.entries(OF_AN_ENDED_PERIOD))
      all.push({ path, sent, expected: (facts) => computed(facts, span) });
  }
  for (const [path, expected] of Object.entries(WITHOUT_DATES)) all.push({ path, sent: {}, expected });
  for (const [no, question] of cohorts.entries()) {
    const span = no % 2 === 0 ? undefined : periods[0];
    const { view, groupBy } = question;
    const breakBy = AXES[no] ?? null;
    all.push({
      path: "/v1/profitability/cohort",
      sent: {
        view,
        groupBy,
        ...(breakBy ? { breakBy } : {}),
        ...(span ? { startDate: span.start, endDate: span.end } : {}),
      },
      expected: (facts) => cohort(facts, span ?? EVER, { ...question, breakBy }),
    });
  }
  return all;
}

async function compare(landed: Landed, one: Asked): Promise<string[]> {
  const facts = factsOf(one.world);
  const found: string[] = [];
  for (const { path, sent, expected } of questions(one)) {
    const answer = await landed.ask(one.world, path, sent);
    const different = differences(answer, expected(facts));
    found.push(...different.map((difference) => `${path}?${new URLSearchParams(sent)} ${difference}`));
  }
  return found;
}

/** The differing organization in readable form: a line for each thing. */
function described({ world: { settings, syncs, ...rows } }: Asked): string {
  const lines = Object.entries(rows).map(([name, all]) => [`${name}:`, ...all.map(show)].join("\n  "));
  return [show(settings), `syncs: ${syncs.join(", ")}`, ...lines].join("\n");
}

/** Compares the answers about so many random organizations with the independent computation. */
export function compareWorlds(worlds: number, seed: number): void {
  describe("An independent computation, written only from the sentences of the rules", function () {
    this.timeout(0);
    let laboratory: Laboratory;

    before(async () => {
      laboratory = await Laboratory.open();
    });

    after(() => laboratory?.close());

    it(`gives the answers of the service on ${worlds} random organizations`, async () => {
      await expectAgreement(
        asked,
        { worlds, seed },
        (one) => laboratory.with([one.world], (landed) => compare(landed, one)),
        described,
      );
    });
  });
}
