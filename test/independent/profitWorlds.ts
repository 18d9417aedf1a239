import { documentOf } from "../support/exports.ts";
import type { World } from "../support/world.ts";
import { type Facts, winningVersions } from "./facts.ts";
import { Fraction } from "./fraction.ts";
import {
  type CostReading,
  type CostRecords,
  gidOf,
  NO_RECORDS,
  type OrderDocument,
  type ProfitFacts,
  profitFactsOf,
} from "./profitFacts.ts";

/** The orders' own documents, in the version that counts. */
const documentsOf = ({ orders }: World): OrderDocument[] =>
  winningVersions(orders).map((order) => ({ store: order.store, document: documentOf(order) }));

/** Unit costs as the inventory exports have them. */
const readingsOf = ({ costs, syncs }: World): CostReading[] =>
  costs.map(({ store, sync, costs: all }) => ({
    store,
    at: Date.parse(syncs[sync] as string),
    costs: new Map(
      all.map((cents, no) => [
        gidOf("ProductVariant", String(4100 + no)),
        cents === null ? null : new Fraction(cents, 100),
      ]),
    ),
  }));

/** What profit is computed from in a random organization: `facts` are those of the same. */
export const profitFactsOfWorld = (world: World, facts: Facts, records: CostRecords = NO_RECORDS): ProfitFacts =>
  profitFactsOf(world.settings, facts, documentsOf(world), readingsOf(world), records);
