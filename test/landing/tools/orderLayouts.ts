import { expect } from "chai";
import fc from "fast-check";
import type { Row } from "../../../src/core/engine/database.ts";
import { type Files, landedBy, lines } from "../../support/tools.ts";
import { type Members, orders } from "./objects.ts";

const RECORD = "storeb/orders";

const raw = async (all: readonly Members[]): Promise<Row[]> =>
  (await landedBy(RECORD, { "a.jsonl": lines(...all) })).rows;

/** How a tool writes orders. */
export type Layout = (all: readonly Members[]) => Files | Promise<Files>;

export const paymentsOf = (all: readonly Members[]): Members[] =>
  all.flatMap(({ transactions }) => transactions as Members[]);

/** Two samples, so that the API's rows are landed only once for all layouts. */
const SAMPLES = fc.sample(orders, { numRuns: 2, seed: 7 });

/** Lands the samples as from the API, and returns what compares with them those of a layout. */
export async function comparison() {
  const expected: Row[][] = [];
  for (const all of SAMPLES) expected.push(await raw(all));
  return async (layout: Layout, of = (rows: Row[]) => rows): Promise<void> => {
    for (const [at, all] of SAMPLES.entries()) {
      const { rows, outcomes, rejects } = await landedBy(RECORD, await layout(all));
      expect(rejects).to.deep.equal([]);
      expect(outcomes[0]?.refused).to.deep.equal([]);
      expect(rows).to.deep.equal(of(expected[at] ?? []));
    }
  };
}
