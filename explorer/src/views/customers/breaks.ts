import { t } from "../../text.ts";

/** The part of a row that says whose it is. */
export interface Broken {
  readonly breakKey?: Half | readonly Half[];
  readonly breakLabel?: Half | readonly Half[];
}

/** A value, or one of two; null where the first order has none. */
type Half = string | null;

const halvesOf = (value: Broken["breakKey"]): readonly Half[] =>
  typeof value === "string" ? [value] : (value ?? [null]);

const NONE = "∅";

/** Identifies a breakdown value, null included. It has the label too: two stores or ad networks can use the same id. */
export function keyOf({ breakKey, breakLabel }: Broken): string {
  const [keys, labels] = [halvesOf(breakKey), halvesOf(breakLabel)];
  if (keys.every((key) => key === null)) return NONE;
  return `=${keys.map((key) => key ?? NONE).join(":")} ${labels.map((label) => label ?? "").join(":")}`;
}

/** The name of a value in the page's language; `parts` are the attributes of the breakdown. */
export function labelOf({ breakKey, breakLabel }: Broken, parts: readonly string[]): string {
  const labels = halvesOf(breakLabel);
  return halvesOf(breakKey)
    .map((key, n) => nameIn(parts[n], key) ?? labels[n] ?? key ?? t().cohort.none)
    .join(" · ");
}

function nameIn(attribute: string | undefined, key: Half): string | undefined {
  if (attribute === "origem") return t().channels[key ?? ""];
  return attribute === "pagamento" ? t().paymentGroups[key ?? ""] : undefined;
}

/** The value that the address names if some row has it, otherwise the first that is one: most customers have no campaign. */
export const chosenKey = (keys: readonly string[], asked: string): string | undefined =>
  keys.find((key) => key === asked) ?? keys.find((key) => key !== NONE) ?? keys[0];

/** A value as the keys of rows name it; of two values a colon is between them. */
export const valueName = ({ breakKey: key }: Broken): string =>
  typeof key === "string"
    ? key
    : halvesOf(key)
        .map((half) => (half ?? "").replaceAll(":", "%3A"))
        .join(":");

/** The key of a row for `/v1/explain`: its month, or its Monday, and the value behind a colon. */
export function rowName(row: Broken & { readonly cohortMonth: string }, isBroken: boolean, groupBy = "month"): string {
  const first = groupBy === "week" ? row.cohortMonth : row.cohortMonth.slice(0, 7);
  return isBroken ? `${first}:${valueName(row)}` : first;
}
