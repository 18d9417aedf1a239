import type { RowNames } from "../../core/contract/endpoint.ts";
import type { Fields } from "../../core/contract/field.ts";
import { isObject } from "./tree.ts";

/** The fields that name a row where an endpoint does not declare them: of each group the first that the row has. */
const USUAL: readonly (readonly string[])[] = [
  ["cohortMonth", "month", "date", "from"],
  [
    "breakKey",
    "key",
    "channel",
    "campaignId",
    "productId",
    "categoryId",
    "couponCode",
    "orderId",
    "integrationId",
    "sourceIntegrationId",
    "connector",
    "reason",
    "name",
    "x",
    "purchases",
  ],
];
const APART = ["connector", "integrationId"];

/** How the rows of a table are named. */
export function namesOf(fields: Fields, declared: RowNames | undefined): RowNames {
  if (declared) return declared;
  const key = USUAL.flatMap((group) => group.filter((name) => Object.hasOwn(fields, name)).slice(0, 1));
  const apart = APART.find((name) => Object.hasOwn(fields, name) && !key.includes(name));
  return { key, ...(apart === undefined ? {} : { apart }) };
}

/** A row and its names. */
export interface Named {
  readonly no: number;
  readonly name: string;
  /** With the day of a month, quarter or year in place of its month. */
  readonly longName: string;
  /** The key alone, which other rows may have, too. */
  readonly key: string;
}

/** Names rows by their keys. Rows with the same key have a suffix that distinguishes them. */
export function namedRows(
  rows: readonly unknown[],
  { key, apart }: RowNames,
  sources: readonly (string | null)[] = [],
): Named[] {
  const objects = rows.map((row) => (isObject(row) ? row : {}));
  const fields = key
    .map((field) => field.split("|"))
    .filter(([first = ""]) => objects.some((row) => Object.hasOwn(row, first)));
  const keys = objects.map((row) =>
    fields.map((names) => textOf(names.map((name) => row[name]).find((value) => value !== null))),
  );
  const areMonths = keys.every(([first = ""]) => /^\d{4}-\d{2}-01$/.test(first));
  const short = keys.map(([first = "", ...others]) => [areMonths ? first.slice(0, 7) : first, ...others].join(":"));
  const times = new Map<string, number>();
  for (const name of short) times.set(name, (times.get(name) ?? 0) + 1);
  return short.map((name, no) => {
    const source = apart === undefined ? sources[no] : objects[no]?.[apart];
    const suffix = (times.get(name) ?? 0) > 1 ? `:${sourceText(source)}` : "";
    return { no, name: name + suffix, longName: (keys[no]?.join(":") ?? "") + suffix, key: name };
  });
}

/** Of two values each with its colons as `%3A`, so that the one between them shows where the second begins. */
const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map((one) => textOf(one).replaceAll(":", "%3A")).join(":");
  return value === null || value === undefined ? "" : String(value);
};

/** What distinguishes a row; of one of two values what each of them has, which a bar separates. */
const sourceText = (source: unknown): string => textOf(source).split("|").filter(Boolean).join(":");
