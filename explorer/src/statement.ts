import { knowsFixed } from "../../src/features/actions/advice.ts";
import type { Line, Statement, UnknownGoods } from "./answers.ts";

const TOTALS: readonly Line[] = ["netRevenue", "contribution1", "contribution2", "contribution3", "profit"];

export const isTotal = (line: Line): boolean => TOTALS.includes(line);

/** What is fixed is of the whole organization, and so is what is left after it. */
const OF_ALL: readonly Line[] = ["fixed", "profit"];

/** Whether the answer has a line: a share is without those that were not chosen [D94], a store or a channel without those of all [D86]. */
export const hasLine = ({ statement, filters }: Statement, line: Line): boolean =>
  statement[line] !== undefined && !(filters && OF_ALL.includes(line));

/** Whether the spend of the store is not known: without it only what is left before ads is. */
export const hidesMedia = ({ statement }: Pick<Statement, "statement">): boolean =>
  statement.media.amount === null && statement.contribution2.amount !== null;

/** Whether nothing is known of a cost, which therefore deducts nothing. */
const isPending = (statement: Statement, line: Line): boolean => statement.statement[line].source === "pending";

/** What the shop has left: without its fixed costs only up to advertising. */
export const resultOf = (statement: Statement): Line => (knowsFixed(statement) ? "profit" : "contribution3");

/** The lines up to a total, in their order. */
export function linesTo(statement: Statement, total: Line): readonly Line[] {
  const lines = Object.keys(statement.statement) as Line[];
  return lines.slice(0, lines.indexOf(total) + 1);
}

const lastLine = (statement: Statement): Line =>
  (Object.keys(statement.statement) as Line[]).filter((line) => hasLine(statement, line)).at(-1) ?? "contribution3";

/** A line's amount; null if it is not known, also where the statement deducts nothing for it. */
export const amountOf = (statement: Statement, line: Line): number | null =>
  isPending(statement, line) ? null : statement.statement[line].amount;

/** The lines worth a row: all but those that are known to be 0. Without a profit what is fixed is there only if it is shared. */
export const shownLines = (statement: Statement): readonly Line[] =>
  linesTo(statement, hasLine(statement, "profit") ? resultOf(statement) : lastLine(statement)).filter(
    (line) => isTotal(line) || amountOf(statement, line) !== 0,
  );

/** What changed, up to the last total that is known of both periods. */
export function changedTotal(statement: Statement): Line | undefined {
  const totals: readonly Line[] = [resultOf(statement), "contribution3", "contribution2", "netRevenue"];
  return totals.find((line) => (statement.changes?.[line].amount ?? null) !== null);
}

/** What would be left after ads if the goods without a cost had one by the suggested rules; null if they do not give all one. */
export function estimatedResult(statement: Statement, { data }: UnknownGoods): number | null {
  if (data.some(({ goods }) => goods === null)) return null;
  const goods = [
    ...(statement.statement.goods.parts ?? []).map(({ amount }) => amount),
    ...data.map((one) => one.goods),
  ];
  const others = linesTo(statement, "contribution3").filter((line) => !isTotal(line) && line !== "goods");
  const all = [...goods, ...others.map((line) => statement.statement[line].amount)];
  return Math.round(all.reduce<number>((sum, amount) => sum + (amount ?? 0), 0) * 100) / 100;
}
