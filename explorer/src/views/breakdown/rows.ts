import type { Answers } from "../../answerTypes.ts";
import type { Unit } from "../../format.ts";
import { halvesOf, type Key, placesOf, rowNameOf } from "./attributes.ts";
import type { Attribute } from "./chosen.ts";

export type Breakdown = Answers["ProfitabilityBreakdown"];
export type Row = Breakdown["data"][number];

export const FIGURES = [
  "revenue",
  "orders",
  "averageTicket",
  "newCustomers",
  "recurringOrders",
  "discount",
  "contribution2",
] as const;
export type Name = (typeof FIGURES)[number];

interface Measure {
  readonly unit: Unit;
  readonly better?: "more" | "less";
}

export const MEASURES: Readonly<Record<Name, Measure>> = {
  revenue: { unit: "currency", better: "more" },
  orders: { unit: "count", better: "more" },
  averageTicket: { unit: "currency", better: "more" },
  newCustomers: { unit: "count", better: "more" },
  recurringOrders: { unit: "count", better: "more" },
  discount: { unit: "currency" },
  contribution2: { unit: "currency", better: "more" },
};

type Figures = { readonly [Figure in Name]: number | null };

/** A figure of a row; an average of no orders is not known. */
export const figureOf = (of: Figures, name: Name): number | null =>
  name === "averageTicket" && of.orders === 0 ? null : of[name];

const NONE: Omit<Row, "key" | "label" | "previous" | "changes"> = {
  revenue: 0,
  orders: 0,
  newCustomers: 0,
  recurringOrders: 0,
  averageTicket: 0,
  discount: 0,
  contribution2: 0,
  missing: [],
  share: null,
};

const percent = (now: number | null, was: number | null): number | null =>
  now === null || was === null || was <= 0 ? null : ((now - was) / was) * 100;

const changesOf = (now: Figures, was: Figures) =>
  Object.fromEntries(FIGURES.map((name) => [name, percent(now[name], was[name])])) as Record<Name, number | null>;

const keyOf = ({ key, label }: Row): string => JSON.stringify([key, label]);

/** The answer with the figures of other dates beside it, which the service is asked for apart. */
export function comparedTo(now: Breakdown, then: Breakdown): Breakdown {
  const rows = new Map(then.data.map((row) => [keyOf(row), row]));
  const known = new Set(now.data.map(keyOf));
  const gone = then.data.filter((row) => !known.has(keyOf(row)));
  const all: Row[] = [
    ...now.data,
    ...gone.map(({ key, label }): Row => ({ ...NONE, key, label, previous: null, changes: null })),
  ];
  return {
    ...now,
    data: all.map((row) => {
      const previous = rows.get(keyOf(row)) ?? { ...row, ...NONE };
      return { ...row, previous, changes: changesOf(row, previous) };
    }),
    total: { ...now.total, previous: then.total, changes: changesOf(now.total, then.total) },
  };
}

/** The rows in the order of hours and weekdays, otherwise the largest first; those without a value are last. */
export function inOrder(rows: readonly Row[], by: readonly Attribute[], name: Name): readonly Row[] {
  const places = by.map(placesOf);
  const placeOf = (row: Row): readonly number[] =>
    halvesOf(row.key as Key).map((half, n) => places[n]?.indexOf(half ?? "") ?? 0);
  const isNull = ({ key }: Row): boolean => halvesOf(key as Key).every((half) => half === null);
  return rows.toSorted((a, b) => {
    const [x, y] = [placeOf(a), placeOf(b)];
    return (
      Number(isNull(a)) - Number(isNull(b)) ||
      (x[0] ?? 0) - (y[0] ?? 0) ||
      (places[0] && places[1] ? (x[1] ?? 0) - (y[1] ?? 0) : 0) ||
      (figureOf(b, name) ?? Number.NEGATIVE_INFINITY) - (figureOf(a, name) ?? Number.NEGATIVE_INFINITY) ||
      rowNameOf(a.key as Key).localeCompare(rowNameOf(b.key as Key))
    );
  });
}

/** The rows of an attribute with an order, by value: its places without an order have no row. */
export const byPlace = (rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.flatMap((row) => (typeof row.key === "string" ? [[row.key, row]] : [])));
