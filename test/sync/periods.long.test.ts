import { expect } from "chai";
import fc from "fast-check";
import { plusDays } from "../independent/days.ts";
import { Laboratory, type Landed } from "../support/exports.ts";
import { type Period, period, type World, world } from "../support/world.ts";

/** The number of random organizations for each property: landing one takes time. */
const WORLDS = Number(process.env.WORLDS ?? 1);
const SEED = Number(process.env.SEED ?? 20_250_403);
const SHRINKING_MS = 300_000;

describe("Every organization", function () {
  this.timeout(0);
  let laboratory: Laboratory;

  before(async () => {
    laboratory = await Laboratory.open();
  });

  after(() => laboratory?.close());

  const check = <T>(property: fc.IAsyncProperty<T>): Promise<void> =>
    fc.assert(property, { numRuns: WORLDS, seed: SEED, interruptAfterTimeLimit: SHRINKING_MS + WORLDS * 10_000 });

  it("has periods that add up when they are split in two", () =>
    check(
      fc.asyncProperty(
        fc.noBias(world),
        fc.array(fc.tuple(period, fc.double({ min: 0, max: 1, noNaN: true })), { minLength: 6, maxLength: 6 }),
        async (it, splits) => {
          await laboratory.with([it], async (landed) => {
            const sums = await sumsOf(
              landed,
              it,
              splits.flatMap(([whole, share]) => [whole, ...split(whole, share)]),
            );
            for (const [no, [whole]] of splits.entries()) {
              const [all, ...parts] = sums.slice(no * 3, no * 3 + 3) as [bigint[], bigint[], bigint[]];
              const added = all.map((_, at) => parts.reduce((sum, part) => sum + (part[at] as bigint), 0n));
              expect(added, JSON.stringify(whole)).to.deep.equal(all);
            }
          });
        },
      ),
    ));
});

/** The first days and the rest. */
function split({ start, end }: Period, share: number): [Period, Period] {
  const days = Math.round((Date.parse(end) - Date.parse(start)) / 86_400_000);
  const last = plusDays(start, Math.floor(share * days));
  return [
    { start, end: last },
    { start: plusDays(last, 1), end },
  ];
}

const ADDING_UP = [
  "revenue",
  "orders",
  "investment",
  "new_customers",
  "cogs",
  "revenue_with_cost",
  "brand_impressions",
];

/** The additive figures of each period, unrounded, in millionths. */
async function sumsOf(landed: Landed, of: World, periods: readonly Period[]): Promise<bigint[][]> {
  const { folder } = await landed.generation(of.settings.organizationId);
  const windows = periods.map(
    ({ start, end }, no) => `{window_no: ${no}, first_on: date '${start}', last_on: date '${end}'}`,
  );
  return landed.database.use(async (session) => {
    await session.set("marts", folder);
    const rows = await session.rows(
      `select ${ADDING_UP.map((name) => `(${name} * 1000000)::bigint::varchar as ${name}`).join(", ")}
        from day_figures([${windows.join(", ")}]) order by window_no`,
    );
    return rows.map((row) => ADDING_UP.map((name) => BigInt(String(row[name]))));
  });
}
