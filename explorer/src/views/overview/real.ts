import type { Cards } from "../../answers.ts";

/** Revenue less the cost that the store reports, of the revenue that has such a cost. */
export const realMarginOf = ({ revenueWithCmv, cogs }: Cards): number =>
  Math.round((revenueWithCmv - cogs) * 100) / 100;
