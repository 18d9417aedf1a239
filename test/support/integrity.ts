import { expect } from "chai";
import type { Accepted } from "../../src/core/contract/param.ts";
import { endpoints } from "../../src/core/endpoints/index.ts";
import { integrityQueries, violations } from "../../src/core/engine/integrity.ts";
import { AURORA, type DataFolder } from "./data.ts";
import { Laboratory, Landed } from "./exports.ts";
import { landedFixtures } from "./shared.ts";

const names = integrityQueries();

const COHORT = { view: "revenue", groupBy: "month", breakBy: null };

export const WHOLE: Accepted = { startDate: null, endDate: null, ...COHORT };

/** The parameters that every query runs with: the whole history, and parts of it; each kind of cohort. */
export const ALL: readonly Accepted[] = [
  WHOLE,
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
export async function offending(
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

/** The landed fixtures, for the tests of a suite. */
export interface OfFixtures {
  laboratory: Laboratory;
  landed: Landed;
}

/** Lands the fixtures before the tests of a suite. */
export function ofFixtures(): OfFixtures {
  const of = {} as OfFixtures;
  let data: DataFolder;

  before(async () => {
    of.laboratory = await Laboratory.open();
    data = await landedFixtures();
    of.landed = new Landed(of.laboratory.database, data.path);
  });

  after(() => data?.remove());

  return of;
}

/** A test for each query. */
export function holdsForFixtures(of: OfFixtures, parameters: readonly Accepted[]): void {
  let found: Map<string, string[]>;

  before(async () => {
    found = await offending(of.landed, AURORA, parameters);
  });

  for (const name of names) {
    it(`holds for the fixtures: ${name.replaceAll("-", " ")}`, () => {
      expect(found.get(name)).to.deep.equal([]);
    });
  }
}

/** A test for each relation, one of whose rows no store and no channel has. */
export function findsWithoutStore(of: OfFixtures, relations: Readonly<Record<string, string>>): void {
  for (const [what, relation] of Object.entries(relations)) {
    it(`finds ${what} that no store and no channel has`, async () => {
      const { folder } = await of.landed.generation(AURORA);
      const queries = ["stores-are-the-whole", "channels-are-the-whole"];
      const only = (query: string): boolean => queries.includes(query);
      const found = await of.landed.database.use(async (session) => {
        await session.set("marts", folder);
        await session.run(`create temp table ${relation} as from main.${relation} order by all offset 1`);
        return violations(session, endpoints, WHOLE, { only });
      });
      expect(found.map(({ query }) => query).sort()).to.deep.equal([...queries].sort());
    });
  }
}
