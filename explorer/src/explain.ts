import type { Params, Query } from "./api.ts";
import { set } from "./route.ts";

/** A figure of an answer, which can be explained. */
export interface Explained {
  readonly endpoint: string;
  readonly params: Params;
  /** Its path in the answer, such as `cac` or `previousPeriod.ltv`. */
  readonly figure: string;
  /** The key of its row in a table. */
  readonly row?: string | undefined;
}

/** The request that explains a figure. */
export const explainQuery = ({ endpoint, params, figure, row }: Explained): Query => ({
  path: "/v1/explain",
  params: { ...params, endpoint, figure, row },
});

const OWN = ["figure", "row"];

/** The open explanation is in the address, as everything else. */
export function writeExplained({ endpoint, params, figure, row }: Explained): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...params, figure, row })) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  return `${endpoint}?${query}`;
}

export function readExplained(text: string): Explained | undefined {
  const [endpoint = "", query = ""] = text.split("?");
  const sent = new URLSearchParams(query);
  const figure = sent.get("figure");
  if (!endpoint.startsWith("/v1/") || !figure) return undefined;
  const params = Object.fromEntries([...sent].filter(([name]) => !OWN.includes(name)));
  return { endpoint, params, figure, row: sent.get("row") ?? undefined };
}

/** Opens the explanation of a figure: a step that the back button undoes. */
export const openExplanation = (explained: Explained): void => set({ explain: writeExplained(explained) });

export const closeExplanation = (): void => set({ explain: "" });

/** The figure of a query's answer, for `explain` of a component. */
export const explainer = (query: Query, figure: string, row?: string) => (): void =>
  openExplanation({ endpoint: query.path, params: query.params, figure, row });
