import { expect } from "chai";
import fc from "fast-check";
import { ALL, findsWithoutStore, holdsForFixtures, ofFixtures, offending } from "../support/integrity.ts";
import { type World, world, worlds } from "../support/world.ts";

const WORLDS = Number(process.env.WORLDS ?? 1);
const SEED = Number(process.env.SEED ?? 20_250_401);

describe("What must hold of the figures of any data", function () {
  this.timeout(0);
  const of = ofFixtures();

  holdsForFixtures(of, ALL);
  findsWithoutStore(of, { "a customer": "daily_acquisitions_by_store", "a cohort's day": "daily_cohorts_by_store" });

  it(`holds for ${WORLDS} random organizations`, async () => {
    const some: World[] = worlds(fc.sample(world, { numRuns: WORLDS, seed: SEED }));
    await of.laboratory.with(some, async (landed) => {
      for (const { settings } of some) {
        const found = [...(await offending(landed, settings.organizationId, ALL))].filter(
          ([, rows]) => rows.length > 0,
        );
        expect(found, `seed ${SEED}`).to.deep.equal([]);
      }
    });
  });
});
