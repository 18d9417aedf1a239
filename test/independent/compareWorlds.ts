import fc from "fast-check";
import { CHANNELS } from "../../src/contract/channel.ts";
import { COMPARISONS, type Comparison } from "../../src/contract/param.ts";
import { COHORT_BREAKS } from "../../src/endpoints/profitability.ts";
import { Laboratory, type Landed } from "../support/exports.ts";
import { NOW, type Period, period, type World, world } from "../support/world.ts";
import { expectAgreement } from "./agreement.ts";
import { BRIDGE_BREAKS, bridge } from "./bridge.ts";
import { differences, show } from "./differences.ts";
import { type Facts, factsOf } from "./facts.ts";
import { ANY_ORDER, type OrderFilters, orders, withNumberedCustomers } from "./orders.ts";
import { type PaybackQuestion, payback } from "./payback.ts";
import { type Answer, type CohortQuestion, cohort } from "./profitability.ts";
import { COMPARED, OF_AN_ENDED_PERIOD, OF_ANY_PERIOD, WITHOUT_DATES } from "./worldFigures.ts";

const cohortQuestion: fc.Arbitrary<Omit<CohortQuestion, "breakBy">> = fc.record({
  view: fc.constantFrom("revenue" as const, "logo" as const),
  groupBy: fc.constantFrom("month" as const, "quarter" as const, "year" as const),
});
const BRIDGES = [null, ...BRIDGE_BREAKS] as const;
const AXES = [null, ...COHORT_BREAKS] as const;

const ordersQuestion: fc.Arbitrary<OrderFilters> = fc.record({
  counted: fc.constantFrom("true", "false", "any"),
  acquired: fc.option(period, { freq: 3 }),
  purchase: fc.option(fc.constantFrom("first", "repeat"), { freq: 2 }),
  customer: fc.option(fc.constantFrom("new", "recurring", "anonymous"), { freq: 2 }),
  channel: fc.option(fc.constantFrom(...CHANNELS), { freq: 4 }),
  strategy: fc.option(fc.constantFrom("acquisition", "brand", "monetization", "unclassified"), { freq: 3 }),
});

interface Asked {
  readonly world: World;
  readonly periods: readonly Period[];
  /** One for each period, and one without. */
  readonly compared: readonly Comparison[];
  readonly orders: readonly OrderFilters[];
  /** One for each breakdown of a bridge; null: the other period. */
  readonly bridges: readonly (Comparison | null)[];
  /** One for each axis. */
  readonly cohorts: readonly Omit<CohortQuestion, "breakBy">[];
}

const asked: fc.Arbitrary<Asked> = fc.noBias(
  fc.record({
    world,
    periods: fc.array(period, { minLength: 2, maxLength: 2 }),
    compared: fc.array(fc.constantFrom(...COMPARISONS), { minLength: 3, maxLength: 3 }),
    orders: fc.array(ordersQuestion, { minLength: 4, maxLength: 4 }),
    bridges: fc.array(fc.constantFrom("previous", "year", "weekdays", null, null), {
      minLength: BRIDGES.length,
      maxLength: BRIDGES.length,
    }),
    cohorts: fc.array(cohortQuestion, { minLength: AXES.length, maxLength: AXES.length }),
  }),
);

interface Question {
  readonly path: string;
  readonly sent: Readonly<Record<string, string>>;
  readonly expected: (facts: Facts) => Answer;
}

const EVER = { start: null, end: null };

function questions({ periods, compared, orders: filters, bridges, cohorts }: Asked): Question[] {
  const today = NOW.slice(0, 10);
  const all: Question[] = [];
  for (const [no, span] of [null, ...periods].entries()) {
    const dates = span ? { startDate: span.start, endDate: span.end } : {};
    const of = span ?? EVER;
    const add = (path: string, expected: (facts: Facts, compare?: Comparison) => Answer): void => {
      all.push({ path, sent: dates, expected });
      if (!COMPARED.includes(path)) return;
      const compare = compared[no] ?? "previous";
      all.push({ path, sent: { ...dates, compare }, expected: (facts) => expected(facts, compare) });
    };
    for (const [path, computed] of Object.entries(OF_ANY_PERIOD))
      add(path, (facts, compare) => computed(facts, of, compare));
    if (!span || span.end > today) continue;
    for (const [path, computed] of Object.entries(OF_AN_ENDED_PERIOD))
      add(path, (facts, compare) => computed(facts, span, compare));
  }
  for (const [no, breakBy] of BRIDGES.entries()) {
    const [span, other] = no % 2 === 0 ? periods : periods.toReversed();
    const compare = bridges[no] ?? null;
    if (!span || !other) throw new Error("a bridge has two periods");
    const sent = {
      startDate: span.start,
      endDate: span.end,
      ...(compare ? { compare } : { compareStartDate: other.start, compareEndDate: other.end }),
      ...(breakBy ? { breakBy } : {}),
    };
    const expected = (facts: Facts): Answer => bridge(facts, span, { breakBy, with: compare ?? other });
    all.push({ path: "/v1/profitability/bridge", sent, expected });
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
  for (const [no, wanted] of [{ ...ANY_ORDER, counted: "any" }, ...filters].entries()) {
    const span = no % 2 === 0 ? undefined : periods[no % periods.length];
    const { acquired, ...named } = wanted;
    const sent = Object.entries(named).filter(([, value]) => value !== null) as [string, string][];
    all.push({
      path: "/v1/profitability/orders",
      sent: {
        ...Object.fromEntries(sent),
        ...(acquired ? { acquiredStart: acquired.start, acquiredEnd: acquired.end } : {}),
        ...(span ? { startDate: span.start, endDate: span.end } : {}),
      },
      expected: (facts) => orders(facts, span ?? EVER, wanted),
    });
  }
  for (const breakBy of [null, "origem", "campanha"] as const satisfies PaybackQuestion["breakBy"][]) {
    for (const span of [EVER, ...periods]) {
      const dates = span === EVER ? {} : { startDate: span.start as string, endDate: span.end as string };
      all.push({
        path: "/v1/profitability/payback",
        sent: { ...dates, ...(breakBy ? { breakBy } : {}) },
        expected: (facts) => payback(facts, span, { breakBy }),
      });
    }
  }
  return all;
}

async function compare(landed: Landed, one: Asked): Promise<string[]> {
  const facts = factsOf(one.world);
  const found: string[] = [];
  for (const { path, sent, expected } of questions(one)) {
    const answer = await landed.ask(one.world, path, sent);
    const different = differences(withNumberedCustomers(answer), withNumberedCustomers(expected(facts)));
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
