import type { ComponentChildren } from "preact";
import type { Listing } from "../../answers.ts";
import type { Params } from "../../api.ts";
import { Segmented } from "../../components/Segmented.tsx";
import type { Pages } from "../../components/Table.tsx";
import { oneOf, set } from "../../route.ts";
import { t } from "../../text.ts";
import { filter } from "./store.ts";

/** The questions that the list of products answers: how they do, what to reorder, whose margin changed. */
export const LISTS = ["performance", "restock", "margins"] as const;

export const PAGE = 25;

/** What all lists ask for. */
export interface ListProps {
  /** The store and the period. */
  readonly period: Params;
  readonly selection: Params;
  readonly controls: ComponentChildren;
}

/** The choice between the lists, each of which has an order of its own. */
export function ListChoice() {
  const words = t().products;
  return (
    <Segmented
      label={words.lists}
      options={LISTS.map((name) => [name, words.listNames[name]] as const)}
      value={oneOf("list", LISTS)}
      change={(list) => filter({ list: list === LISTS[0] ? "" : list, sort: "", order: "" })}
    />
  );
}

export function pagesOf({ page, pageSize, total, totalPages }: Listing["pagination"]): Pages {
  const turn = (to: number) => (): void => set({ page: to > 1 ? String(to) : "" });
  return {
    from: (page - 1) * pageSize + 1,
    to: Math.min(total, page * pageSize),
    of: total,
    previous: page > 1 ? turn(page - 1) : undefined,
    next: page < totalPages ? turn(page + 1) : undefined,
  };
}
