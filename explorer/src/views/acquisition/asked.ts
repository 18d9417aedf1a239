import type { Query } from "../../api.ts";
import type { Compared } from "../../period.ts";
import { useCompared, useYear } from "../../stores.ts";
import { t } from "../../text.ts";
import { count } from "./names.ts";

/** What the page asks for: the period, and the same of the compared period. */
export interface Asked {
  readonly from: string;
  readonly to: string;
  /** Whether the chosen period is longer than the analyses of the page cover. */
  readonly isCut: boolean;
  readonly compared: Compared | undefined;
  readonly now: (name: string) => Query;
  readonly before: (name: string) => Query | undefined;
}

export function useAsked(): Asked {
  const { from, to, isCut } = useYear();
  const compared = useCompared({ from, to });
  const asking = (name: string, startDate: string, endDate: string): Query => ({
    path: `/v1/acquisition/${name}`,
    params: { startDate, endDate },
  });
  return {
    from,
    to,
    isCut,
    compared,
    now: (name) => asking(name, from, to),
    // The values of a period that the data cover only partly are not shown.
    before: (name) => (compared?.isComplete ? asking(name, compared.from, compared.to) : undefined),
  };
}

/** Why a table has no changes, although a comparison is chosen. */
export const noChange = ({ compared }: Asked): string | undefined =>
  compared && !compared.isComplete ? t().acquisition.noChange(count(compared.known), count(compared.of)) : undefined;
