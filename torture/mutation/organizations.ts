import fc from "fast-check";
import { type Market, market } from "../../test/support/market.ts";
import { organizationNo, type World, world, worlds } from "../../test/support/world.ts";

/**
 * Random organizations on which the changes are tried: always the same ones.
 */
export interface Organizations {
  readonly worlds: readonly World[];
  /** Organizations with products only. */
  readonly markets: readonly Market[];
}

export function organizations(count: number): Organizations {
  const drawn = <T>(of: fc.Arbitrary<T>, seed: number): T[] =>
    count === 0 ? [] : fc.sample(fc.noBias(of), { numRuns: count, seed });
  return {
    worlds: worlds(drawn(world, 20_250_401)),
    markets: drawn(market, 20_250_405).map((one, no) => ({
      ...one,
      settings: { ...one.settings, organizationId: organizationNo(count + no) },
    })),
  };
}
