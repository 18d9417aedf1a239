import { daysBefore, today } from "../../days.ts";
import { filter as chosen } from "../../filter.ts";
import { arg, set } from "../../route.ts";
import { organization } from "../../session.ts";
import { lastDay, useStores } from "../../stores.ts";

/** The store that the product views show: the one of their list, or the one that other pages are filtered by. */
export function useStore() {
  const stores = useStores();
  const asked = [arg("store"), chosen.value.store];
  return (
    asked.flatMap((id) => stores.find(({ sourceIntegrationId }) => sourceIntegrationId === id) ?? [])[0] ?? stores[0]
  );
}

/** Whether what counts until today has nothing to count: the data end more than its 30 days ago. */
export function useOldData(): string | undefined {
  const last = lastDay();
  return last < daysBefore(today(organization.value?.timezones[0]), 30) ? last : undefined;
}

/** Changes what is selected, from the first page. */
export const filter = (changes: Readonly<Record<string, string>>): void => set({ ...changes, page: "" });
