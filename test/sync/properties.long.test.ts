import { expect } from "chai";
import fc from "fast-check";
import { endpoints } from "../../src/core/endpoints/index.ts";
import { plusDays } from "../independent/days.ts";
import { withNumberedCustomers } from "../independent/orders.ts";
import { Laboratory, type Landed } from "../support/exports.ts";
import { type Order, PEOPLE, type Period, period, renumbered, type World, world } from "../support/world.ts";

/** The number of random organizations for each property: landing one takes time. */
const WORLDS = Number(process.env.WORLDS ?? 1);
const SEED = Number(process.env.SEED ?? 20_250_403);
const SHRINKING_MS = 300_000;

const DATES = { startDate: "2025-01-15", endDate: "2025-03-20" };
const ASKED: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["/v1/profitability/cards", DATES],
  ["/v1/profitability/metrics-evolution", {}],
  ["/v1/profitability/trend", { ...DATES, granularity: "week" }],
  ["/v1/profitability/cmv-evolution", DATES],
  ["/v1/profitability/new-vs-recurring", {}],
  ["/v1/profitability/cohort", { view: "logo", breakBy: "cupom" }],
  ["/v1/profitability/cohort", { groupBy: "quarter", breakBy: "campanha" }],
  ["/v1/profitability/cohort", { breakBy: "produto" }],
  ["/v1/profitability/payback", { breakBy: "origem" }],
  ["/v1/profitability/breakdown", { ...DATES, by: "store,new_or_recurring" }],
  ["/v1/profitability/bridge", { ...DATES, breakBy: "categoria" }],
  ["/v1/profitability/orders", DATES],
  ["/v1/profitability/forecast", {}],
  ["/v1/acquisition/summary", DATES],
  ["/v1/acquisition/channels", DATES],
  ["/v1/acquisition/campaigns", DATES],
  ["/v1/acquisition/new-customers", DATES],
  ["/v1/acquisition/contribution", { breakBy: "origem" }],
  ["/v1/acquisition/products", {}],
];

/** It lists the orders that do not count, which one of the changes adds. */
const CHANGED = "/v1/profitability/reconciliation";

async function answersOf(landed: Landed, of: World): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {};
  for (const [path, sent] of ASKED) {
    // Each organization has other customer ids.
    all[`${path}?${new URLSearchParams(sent)}`] = withNumberedCustomers(await landed.ask(of, path, sent));
  }
  return all;
}

const UNCHANGED: Readonly<Record<string, (it: World) => World>> = {
  "other names of the same customers": withOtherNames,
  "another order of the rows, in other files": inFilesOfOne,
  "orders cancelled, unpaid or of a test": withUncounted,
};

describe("Every organization", function () {
  this.timeout(0);
  let laboratory: Laboratory;

  before(async () => {
    laboratory = await Laboratory.open();
  });

  const check = <T>(property: fc.IAsyncProperty<T>): Promise<void> =>
    fc.assert(property, { numRuns: WORLDS, seed: SEED, interruptAfterTimeLimit: SHRINKING_MS + WORLDS * 10_000 });

  it("is asked at every endpoint of profitability and acquisition (ASKED)", () => {
    const due = endpoints.map(({ path }) => path).filter((path) => /^\/v1\/(profitability|acquisition)\//.test(path));
    const asked = [CHANGED, ...ASKED.map(([path]) => path)];
    expect(due.filter((path) => !asked.includes(path))).to.deep.equal([]);
  });

  it(`stays the same under these changes: ${Object.keys(UNCHANGED).join("; ")}; another organization in the same folder`, () =>
    check(
      fc.asyncProperty(fc.noBias(world), fc.noBias(world), async (it, neighbour) => {
        const expected = await laboratory.with([it], (landed) => answersOf(landed, it));
        const others = Object.entries(UNCHANGED).map(([what, change], n) => ({
          what,
          of: renumbered(change(it), n + 2),
        }));
        await laboratory.with([renumbered(neighbour, 1), it, ...others.map(({ of }) => of)], async (landed) => {
          for (const { what, of } of [{ what: "another organization", of: it }, ...others])
            expect(await answersOf(landed, of), what).to.deep.equal(expected);
        });
      }),
    ));

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

/**
 * All customers get another e-mail and another platform id, each a different one; text that was no e-mail stays none.
 */
function withOtherNames(it: World): World {
  const renamed = (email: string | null): string | null =>
    PEOPLE.reduce<string | null>(
      (text, person, no) =>
        text?.replace(new RegExp(person, "i"), `${no}.${"zyx"[no % 3]}.pessoa@outra.example.net`) ?? null,
      email,
    );
  const orders = it.orders.map((order) => ({
    ...order,
    email: renamed(order.email),
    platformId: order.platformId?.trim() ? String(100_000 - Number(order.platformId)) : order.platformId,
  }));
  return { ...it, orders };
}

/** Every row in a separate file, in the order of the files; and the last rows first. */
function inFilesOfOne(it: World): World {
  const separate = <T extends { readonly file: Order["file"] }>(rows: readonly T[]): T[] =>
    rows.map((row, at) => ({ ...row, file: { ...row.file, no: row.file.no * 1000 + at } })).toReversed();
  return { ...it, orders: separate(it.orders), records: separate(it.records) };
}

/** A copy of every order that does not count, next to it in its file. */
function withUncounted(it: World): World {
  const copies = it.orders.map((order, at): Order => {
    const state: Order["state"] =
      order.state.vendor === "storea"
        ? { ...order.state, ...UNCOUNTED_A[at % UNCOUNTED_A.length] }
        : { ...order.state, ...UNCOUNTED_B[at % UNCOUNTED_B.length] };
    const id = order.state.vendor === "storea" ? `0${order.id}` : `7${order.id.padStart(4, "0")}`;
    // Another customer's e-mail, under the same platform id.
    return { ...order, id, state, email: "outra@example.com", at: order.at + 1000 * at };
  });
  return { ...it, orders: [...it.orders, ...copies] };
}

const UNCOUNTED_A = [
  { status: "canceled", authorized: true, invoiced: true },
  { status: "replaced", authorized: true, invoiced: false },
  { status: null, authorized: true, invoiced: false },
  { status: "payment-pending", authorized: false, invoiced: false },
];
const UNCOUNTED_B = [{ cancelled: true }, { test: true }, { financial: "pending" }, { financial: null }];

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
  const windows = periods.map(({ start, end }, no) => `(${no}, date '${start}', date '${end}')`);
  return landed.database.use(async (session) => {
    await session.set("marts", folder);
    const rows = await session.rows(
      `with windows (window_no, first_on, last_on) as (values ${windows.join(", ")})
        select ${ADDING_UP.map((name) => `(${name} * 1000000)::bigint::varchar as ${name}`).join(", ")}
        from day_figures('windows') order by window_no`,
    );
    return rows.map((row) => ADDING_UP.map((name) => BigInt(String(row[name]))));
  });
}
