import { t } from "../../text.ts";

/** The part of a row that says whose it is. */
export interface Broken {
  readonly breakKey?: string | null;
  readonly breakLabel?: string | null;
}

const NONE = "∅";

/** Identifies a breakdown value, null included. It has the label too: two stores or ad networks can use the same id. */
export const keyOf = ({ breakKey, breakLabel }: Broken): string =>
  breakKey === null || breakKey === undefined ? NONE : `=${breakKey} ${breakLabel ?? ""}`;

export const labelOf = ({ breakKey, breakLabel }: Broken): string =>
  t().channels[breakKey ?? ""] ?? breakLabel ?? breakKey ?? t().cohort.none;

/** The value that the address names if some row has it, otherwise the first that is one: most customers have no campaign. */
export const chosenKey = (keys: readonly string[], asked: string): string | undefined =>
  keys.find((key) => key === asked) ?? keys.find((key) => key !== NONE) ?? keys[0];

/** The key of a row for `/v1/explain`: its month, and the value behind a colon. */
export const rowName = (row: Broken & { readonly cohortMonth: string }, isBroken: boolean): string =>
  isBroken ? `${row.cohortMonth.slice(0, 7)}:${row.breakKey ?? ""}` : row.cohortMonth.slice(0, 7);
