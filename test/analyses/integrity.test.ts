import { expect } from "chai";
import fc from "fast-check";
import type { Accepted } from "../../src/core/contract/param.ts";
import { endpoints } from "../../src/core/endpoints/index.ts";
import { integrityQueries, violations } from "../../src/core/engine/integrity.ts";
import { AURORA } from "../support/data.ts";
import { Laboratory, Landed } from "../support/exports.ts";
import { landedFixtures } from "../support/shared.ts";
import { type World, world, worlds } from "../support/world.ts";

const names = integrityQueries();

const WORLDS = Number(process.env.WORLDS ?? 1);
const SEED = Number(process.env.SEED ?? 20_250_401);

const COHORT = { view: "revenue", groupBy: "month", breakBy: null };

/** The parameters that every query runs with: the whole history, and parts of it; each kind of cohort. */
const asked: readonly Accepted[] = [
  { startDate: null, endDate: null, ...COHORT },
  { startDate: "2025-01-01", endDate: "2025-03-31", ...COHORT, view: "logo", breakBy: "loja,origem" },
  { startDate: "2025-01-15", endDate: "2025-02-10", ...COHORT, groupBy: "quarter", breakBy: "campanha" },
  { startDate: null, endDate: null, ...COHORT, view: "logo", groupBy: "year", breakBy: "cupom" },
  {
    startDate: "2025-01-10",
    endDate: "2025-03-05",
    ...COHORT,
    groupBy: "week",
    breakBy: "pagamento,cidade",
    by: "hour,store",
  },
];

const described = (accepted: Accepted): string =>
  `${accepted.startDate ?? "ever"}, ${accepted.view} by ${accepted.groupBy} and ${accepted.breakBy ?? "nothing else"}`;

/** The violations by query, over all parameters; those about a store's products, which read none, over the first. */
async function offending(
  landed: Landed,
  organization: string,
  parameters: readonly Accepted[],
): Promise<Map<string, string[]>> {
  const { folder } = await landed.generation(organization);
  return landed.database.use(async (session) => {
    await session.set("marts", folder);
    const found = new Map<string, string[]>(names.map((name) => [name, []]));
    for (const [place, accepted] of parameters.entries()) {
      const only = (query: string): boolean => place === 0 || !query.startsWith("products/");
      for (const { query, rows } of await violations(session, endpoints, accepted, { only })) {
        found.get(query)?.push(`${described(accepted)}: ${JSON.stringify(rows.slice(0, 3))}`);
      }
    }
    return found;
  });
}

describe("What must hold of the figures of any data", function () {
  this.timeout(0);
  let laboratory: Laboratory;
  let ofFixtures: Map<string, string[]>;

  before(async () => {
    laboratory = await Laboratory.open();
    const fixtures = await landedFixtures();
    ofFixtures = await offending(new Landed(laboratory.database, fixtures.path), AURORA, asked);
    await fixtures.remove();
  });

  after(() => laboratory?.close());

  for (const name of names) {
    it(`holds for the fixtures: ${name.replaceAll("-", " ")}`, () => {
      expect(ofFixtures.get(name)).to.deep.equal([]);
    });
  }

  it("finds an order, a customer and a day that no store and no channel has", async () => {
    const fixtures = await landedFixtures();
    const landed = new Landed(laboratory.database, fixtures.path);
    const { folder } = await landed.generation(AURORA);
    const queries = ["stores-are-the-whole", "channels-are-the-whole"];
    const only = (query: string): boolean => queries.includes(query);
    for (const relation of ["daily_orders_by_store", "daily_acquisitions_by_store", "daily_cohorts_by_store"]) {
      const found = await landed.database.use(async (session) => {
        await session.set("marts", folder);
        await session.run(`create temp table ${relation} as from main.${relation} order by all offset 1`);
        return violations(session, endpoints, asked[0] as Accepted, { only });
      });
      expect(found.map(({ query }) => query).sort(), relation).to.deep.equal([...queries].sort());
    }
    await fixtures.remove();
  });

  it("finds an order that no value of an attribute has", async () => {
    const fixtures = await landedFixtures();
    const landed = new Landed(laboratory.database, fixtures.path);
    const { folder } = await landed.generation(AURORA);
    const query = "breakdown-is-the-whole";
    const found = await landed.database.use(async (session) => {
      await session.set("marts", folder);
      // The cards are of daily sums, which still have it.
      await session.run("create temp table orders as from main.orders order by ordered_at, order_id offset 1");
      return violations(session, endpoints, asked[0] as Accepted, { only: (one) => one === query });
    });
    expect(found.map((one) => one.query)).to.deep.equal([query]);
    expect(found[0]?.rows[0]).to.include({ ordersOfTotal: "16", ordersOfCards: "17" });
    await fixtures.remove();
  });

  it(`holds for ${WORLDS} random organizations`, async () => {
    const parameters = WORLDS > 1 ? asked : [asked[0] as Accepted, asked.at(-1) as Accepted];
    const some: World[] = worlds(fc.sample(world, { numRuns: WORLDS, seed: SEED }));
    await laboratory.with(some, async (landed) => {
      for (const { settings } of some) {
        const found = [...(await offending(landed, settings.organizationId, parameters))].filter(
          ([, rows]) => rows.length > 0,
        );
        expect(found, `seed ${SEED}`).to.deep.equal([]);
      }
    });
  });
});
