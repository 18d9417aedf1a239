import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Store } from "./answers.ts";
import { today } from "./days.ts";
import { type Days, type Period, periodUntil, yearOf } from "./period.ts";

/** The organization's stores. Every view needs their currency and the last day with a sale. */
export const Stores = createContext<readonly Store[]>([]);

export const useStores = (): readonly Store[] => useContext(Stores);

/** The last day with a sale in any store, or today if no store has a sale. */
export function lastDay(stores: readonly Store[]): string {
  const days = stores.flatMap(({ lastSaleDate }) => lastSaleDate ?? []).sort();
  return [days.at(-1) ?? today(), today()].sort()[0] ?? today();
}

export const usePeriod = (): Period => periodUntil(lastDay(useStores()));

/** The chosen period, cut to its last year, for analyses that cover at most a year. */
export function useYear(): Days {
  const last = lastDay(useStores());
  return yearOf(periodUntil(last), last);
}
