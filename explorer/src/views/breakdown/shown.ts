import type { Answer } from "../../answer.ts";
import type { Query } from "../../api.ts";
import type { Compared } from "../../period.ts";
import { said } from "../../text.ts";
import { breakdown as WORDS } from "../../words/later/breakdown.ts";
import { type Key, rowText } from "./attributes.ts";
import type { Attribute } from "./chosen.ts";
import type { Breakdown, Name, Row } from "./rows.ts";

export interface Props {
  readonly by: readonly Attribute[];
  readonly name: Name;
  readonly query: Query;
  readonly answer: Answer<Breakdown>;
  /** The answer with the figures of dates of the user's own. */
  readonly withThen: (data: Breakdown) => Breakdown;
  readonly compared: Compared | undefined;
  /** Whether the data cover the period compared with. */
  readonly isCompared: boolean;
}

export interface Shown {
  readonly label: string;
  readonly by: readonly Attribute[];
  readonly name: Name;
  readonly data: Breakdown;
  readonly isCompared: boolean;
  readonly explain: (row: Row) => void;
}

/** What the attributes are called together. */
export function byText(by: readonly Attribute[]): string {
  const words = said(WORDS);
  const [first = "", second] = by.map((one) => words.attributes[one]);
  return second === undefined ? first : words.pair(first, second);
}

/** The row's name, wherever it is shown. */
export const textOf = (by: readonly Attribute[], { key, label }: Row): string => rowText(by, key as Key, label as Key);

export const rounded = (change: number): number => Math.round(change * 10) / 10;

export const keyOf = ({ key, label }: Row): string => JSON.stringify([key, label]);

/** Why a figure of a row is not known. */
export function reasonOf(row: Row, name: Name): string | undefined {
  const words = said(WORDS);
  if (name === "contribution2") return words.unknownGoods;
  if (name === "discount") return words.noDiscount;
  return row.orders === 0 ? words.noOrders : undefined;
}
