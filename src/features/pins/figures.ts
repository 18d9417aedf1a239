import path from "node:path";
import type { Config } from "../../core/config.ts";
import { LINES } from "../../core/endpoints/profit.ts";
import type { MonthFigures } from "../../core/marts/pinFiles.ts";
import { type AnsweringFiles, withAnswersOf } from "./answersOf.ts";

/** The figures of a month: these of the cards, and the lines of the statement but those that are among them. */
const OF_CARDS = ["revenue", "orders", "investment", "newCustomers", "contributionProfit"];
const OF_STATEMENT = Object.keys(LINES).filter((line) => line !== "revenue" && line !== "media");

/** The figures of each month, in a folder to spill to, as derived files answer them. */
export const figuresOf = (config: Config, spill: string, files: AnsweringFiles): Promise<MonthFigures[]> =>
  withAnswersOf(config, path.join(spill, "answers"), files, async (ask) => {
    const rowsOf = async (address: string, sent: Readonly<Record<string, string>>): Promise<Row[]> =>
      (await ask(address, sent)).data as Row[];
    const cards = await rowsOf("/v1/profitability/trend", { granularity: "month" });
    const statement = await rowsOf("/v1/profit/statement", {
      granularity: "month",
      compare: "none",
      refundsOn: "refund",
    });
    return joined(cards, statement);
  });

type Row = Readonly<Record<string, unknown>>;

function joined(cards: readonly Row[], statement: readonly Row[]): MonthFigures[] {
  const months = new Set([...cards, ...statement].map(({ date }) => String(date)));
  const valuesIn = (rows: readonly Row[], month: string, names: readonly string[]) => {
    const row = rows.find(({ date }) => date === month);
    return row ? names.map((name): [string, number | null] => [name, row[name] as number | null]) : [];
  };
  return [...months].sort().map((month) => ({
    month,
    figures: Object.fromEntries([...valuesIn(cards, month, OF_CARDS), ...valuesIn(statement, month, OF_STATEMENT)]),
  }));
}
