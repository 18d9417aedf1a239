import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../../core/config.ts";
import type { Endpoint } from "../../core/contract/endpoint.ts";
import type { Generations } from "../../core/contract/generations.ts";
import { wholeText } from "../../core/contract/longText.ts";
import { endpoints } from "../../core/endpoints/index.ts";
import { LINES } from "../../core/endpoints/profit.ts";
import { EngineAnswers } from "../../core/engine/answers.ts";
import { openServing } from "../../core/engine/serving.ts";
import type { MonthFigures } from "../../core/marts/pinFiles.ts";
import { validate } from "../../core/params/validate.ts";

/** The figures of a month: these of the cards, and the lines of the statement but those that are among them. */
const OF_CARDS = ["revenue", "orders", "investment", "newCustomers", "contributionProfit"];
const OF_STATEMENT = Object.keys(LINES).filter((line) => line !== "revenue" && line !== "media");

interface Files {
  readonly organization: string;
  /** Derived files, and what names them. */
  readonly folder: string;
  readonly state: string;
  /** What rules that ask for now take. */
  readonly knownAt: string;
}

/** The figures of each month, in a folder to spill to, as derived files answer them. */
export async function figuresOf(config: Config, spill: string, files: Files): Promise<MonthFigures[]> {
  const { organization, folder, state, knownAt } = files;
  // Engines do not share a folder.
  const own = path.join(spill, "answers");
  await mkdir(own);
  const generations: Generations = { current: async () => ({ folder, state }), recheck: async () => false };
  const database = await openServing({ ...config, threads: 1 }, organization, own, folder);
  try {
    const answers = new EngineAnswers({ database, generations });
    const rowsOf = async (address: string, sent: Readonly<Record<string, string>>): Promise<Row[]> => {
      const endpoint = endpoints.find((one) => one.path === address) as Endpoint;
      const accepted = validate(endpoint, { ...sent, organizationId: organization }, new Date(knownAt));
      const { signal } = new AbortController();
      const text = await answers.answer({
        endpoint,
        organizationId: organization,
        accepted,
        format: "json",
        signal,
        onQuery: () => {},
      });
      return JSON.parse(wholeText(text)).data;
    };
    const cards = await rowsOf("/v1/profitability/trend", { granularity: "month" });
    const statement = await rowsOf("/v1/profit/statement", {
      granularity: "month",
      compare: "none",
      refundsOn: "refund",
    });
    return joined(cards, statement);
  } finally {
    database.close();
  }
}

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
