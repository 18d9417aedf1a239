import { expect } from "chai";
import fc from "fast-check";
import { Fraction } from "../independent/fraction.ts";
import { Laboratory } from "../support/exports.ts";

/** A group of customers in a period: their number, their orders, and their revenue in cents. */
type Group = readonly [customers: number, orders: number, cents: number];

const SEED = 53;

describe("The bridge [D53]", () => {
  let laboratory: Laboratory;

  before(async () => {
    laboratory = await Laboratory.open();
  });

  it("has the exact effects of any groups, to the cent also where they are halves of one", async () => {
    const of = (most: number, cents: number) =>
      fc
        .tuple(fc.integer({ min: 1, max: most }), fc.nat({ max: most }), fc.integer({ min: -cents, max: cents }))
        .map(([customers, more, revenue]): Group => [customers, customers + more, revenue]);
    const none = fc.constant<Group>([0, 0, 0]);
    // Few customers: every second effect or so ends in half a cent.
    const side = fc.oneof({ weight: 8, arbitrary: of(4, 200) }, of(1000, 10_000_000), of(10_000_000, 1e13), none);
    const pairs = fc.sample(fc.tuple(side, side), { numRuns: 4000, seed: SEED });
    const list = pairs.map((pair, no) => `(${[no, ...pair.flat()].join(", ")})`).join(", ");
    const rows = await laboratory.database.use((session) =>
      session.rows(`select list_transform(
          group_effects(group_revenues(c0, o0, trillionths(r0), c1, o1, trillionths(r1))),
          lambda effect: rounded_sum(of_trillionths(effect))::varchar
        ) as effects
        from (
          select no, c0::hugeint as c0, o0::hugeint as o0, r0::decimal(18, 0) * 0.01 as r0,
            c1::hugeint as c1, o1::hugeint as o1, r1::decimal(18, 0) * 0.01 as r1
          from (values ${list}) as pairs(no, c0, o0, r0, c1, o1, r1)
        ) order by no`),
    );
    let halves = 0;
    for (const [no, [before, after]] of pairs.entries()) {
      const exact = effectsOf(before, after);
      halves += exact.filter((effect) => effect.times(new Fraction(200)).under === 1n).length;
      const shown = texts(rows[no]?.effects).map(Number);
      expect(shown, `${before} to ${after}`).to.deep.equal(exact.map((effect) => effect.number(2)));
    }
    expect(halves, "effects that end in half a cent or a cent").to.be.greaterThan(500);
  });

  it("has the exact effects of any products, which add up", async () => {
    const sold = fc.record({
      store: fc.constantFrom("a", "b"),
      product: fc.constantFrom("1", "2", "3"),
      isAfter: fc.boolean(),
      units: fc.nat({ max: 4 }),
      cents: fc.nat({ max: 2000 }),
      cost: fc.nat({ max: 1000 }),
    });
    const samples = fc.sample(fc.array(sold, { maxLength: 12 }), { numRuns: 60, seed: SEED });
    for (const sales of samples) {
      // Without units there is neither value nor cost.
      const rows = sales.map(({ store, product, isAfter, units, cents, cost }) => ({
        key: `${store}${product}`,
        isAfter,
        sum: [units, units && cents, units && cost].map((n) => new Fraction(n)) as [Fraction, Fraction, Fraction],
        sql: `('${store}', '${product}', date '2025-0${isAfter ? 2 : 1}-10', ${units}, ${units && cents} * 0.01, ${units && cost} * 0.01)`,
      }));
      const values = ["(null, null, null, 0, 0, 0)", ...rows.map(({ sql }) => sql)].join(", ");
      const [row] = await laboratory.database.use(async (session) => {
        await session.run(`create or replace temp table product_sales as
          select integration_id::varchar as integration_id, product_id::varchar as product_id, sold_on::date as sold_on, margin_units::bigint as margin_units,
            margin_value::decimal(38, 18) as margin_value, margin_cost::decimal(38, 6) as margin_cost
          from (values ${values})
            as sold(integration_id, product_id, sold_on, margin_units, margin_value, margin_cost)`);
        return session.rows(`with windows (window_no, first_on, last_on) as (
            values (1, date '2025-02-01', date '2025-02-28'), (2, date '2025-01-01', date '2025-01-31')
          )
          select
            list_transform(effects, lambda effect: rounded_sum(effect)::varchar) as effects,
            list_transform(settled(effects, change), lambda effect: effect::varchar) as shown,
            change::varchar as change
          from (
            select effects, rounded_sum(margin_after) - rounded_sum(margin_before) as change
            from product_bridge('windows')
          )`);
      });
      const exact = productEffects(rows);
      expect(texts(row?.effects).map(Number), values).to.deep.equal(exact.map((effect) => effect.number(2)));
      const sum = Fraction.sum(texts(row?.shown).map((effect) => signed(effect)));
      expect(sum.compare(signed(String(row?.change))), values).to.equal(0);
    }
  });

  it("gives what rounding leaves over to the largest effect as rounded, the first of equals", async () => {
    for (const [effects, total, shown] of [
      ["0.005, 0.005", "0.01", "[0.00, 0.01]"],
      ["1.004, -2.004, 0.004", "-0.99", "[1.00, -1.99, 0.00]"],
      ["-3.334, 3.334, 1", "1.01", "[-3.32, 3.33, 1.00]"],
      ["0, 0", "0.01", "[0.01, 0.00]"],
      ["0, 0", "0", "[0.00, 0.00]"],
    ]) {
      const [text] = await laboratory.database.use((session) =>
        session.texts(`select settled(
            list_transform([${effects}], lambda effect: effect::decimal(38, 12)), ${total}::decimal(38, 2)
          )::varchar`),
      );
      expect(text, effects).to.equal(shown);
    }
  });
});

const texts = (list: unknown): string[] => list as string[];

const signed = (decimal: string): Fraction =>
  decimal.startsWith("-") ? Fraction.zero.minus(Fraction.of(decimal.slice(1))) : Fraction.of(decimal);

/** By the formula of the rule, in currency. */
function effectsOf(before: Group, after: Group): Fraction[] {
  const revenue = (group: Group): Fraction => new Fraction(group[2], 100);
  if (before[0] === 0 || after[0] === 0) {
    return [revenue(after).minus(revenue(before)), Fraction.zero, Fraction.zero];
  }
  const factors = ([customers, orders, cents]: Group): [Fraction, Fraction, Fraction] => [
    new Fraction(customers),
    new Fraction(orders, customers),
    new Fraction(cents, 100 * orders),
  ];
  const [x0, y0, z0] = factors(before);
  const [x1, y1, z1] = factors(after);
  const effect = (a: Fraction[], b: Fraction[], c: Fraction[]): Fraction => {
    const [a0, a1, b0, b1, c0, c1] = [...a, ...b, ...c] as [Fraction, Fraction, Fraction, Fraction, Fraction, Fraction];
    const same = b0.times(c0).plus(b1.times(c1)).times(new Fraction(1, 3));
    const crossed = b0.times(c1).plus(b1.times(c0)).times(new Fraction(1, 6));
    return a1.minus(a0).times(same.plus(crossed));
  };
  return [
    effect([x0, x1], [y0, y1], [z0, z1]),
    effect([y0, y1], [x0, x1], [z0, z1]),
    effect([z0, z1], [x0, x1], [y0, y1]),
  ];
}

interface Sold {
  readonly key: string;
  readonly isAfter: boolean;
  /** Units, value and cost, in cents. */
  readonly sum: readonly [Fraction, Fraction, Fraction];
}

/** By the formulas of the rule, in currency. */
function productEffects(rows: readonly Sold[]): Fraction[] {
  const add = (all: readonly Sold[]): [Fraction, Fraction, Fraction] =>
    [0, 1, 2].map((no) => Fraction.sum(all.map(({ sum }) => sum[no] as Fraction))) as [Fraction, Fraction, Fraction];
  const products = [...new Set(rows.map(({ key }) => key))].map((key) => {
    const side = (isAfter: boolean) => add(rows.filter((row) => row.key === key && row.isAfter === isAfter));
    return { before: side(false), after: side(true) };
  });
  const isOn = ([units]: readonly Fraction[]): boolean => units?.isZero === false;
  const both = products.filter(({ before, after }) => isOn(before) && isOn(after));
  const total = (of: (one: (typeof products)[number]) => Fraction, some = both): Fraction => Fraction.sum(some.map(of));
  const per = (a: Fraction, b: Fraction): Fraction => a.per(b) ?? Fraction.zero;
  const [u0, u1] = [total((one) => one.before[0]), total((one) => one.after[0])];
  const effects = [
    u1.minus(u0).times(
      per(
        total(({ before: [, s, c] }) => s.minus(c)),
        u0,
      ),
    ),
    total(({ before: [u, s, c], after: [v] }) => v.minus(u.times(per(u1, u0))).times(per(s.minus(c), u))),
    total(({ before: [u, s], after: [v, t] }) => v.times(per(t, v).minus(per(s, u)))),
    total(({ before: [u, , c], after: [v, , d] }) => v.times(per(c, u).minus(per(d, v)))),
    total(
      ({ after: [, s, c] }) => s.minus(c),
      products.filter(({ before, after }) => !isOn(before) && isOn(after)),
    ),
    total(
      ({ before: [, s, c] }) => c.minus(s),
      products.filter(({ before, after }) => isOn(before) && !isOn(after)),
    ),
  ];
  return effects.map((effect) => effect.times(new Fraction(1, 100)));
}
