import { expect } from "chai";
import { LINES } from "../../src/core/endpoints/profit.ts";
import {
  CAUSES,
  causesOf,
  monthsOf,
  type Read,
  restatedOrders,
  restatedSpend,
  type Span,
  wholeSpan,
} from "../independent/restatements.ts";
import { serviceAt } from "../support/histories.ts";
import { type MadeState, madeHistory } from "../support/madeHistories.ts";
import type { Service } from "../support/service.ts";

interface Changed {
  readonly month: string | null;
  readonly figure: string;
  readonly before: number | null;
  readonly after: number | null;
  readonly change: number | null;
  readonly causes: Readonly<Record<string, number>> | null;
}

const OF_CARDS = ["revenue", "orders", "investment", "newCustomers", "contributionProfit"];
const OF_STATEMENT = Object.keys(LINES).filter((line) => line !== "revenue" && line !== "media");

const round = (amount: number): number => Math.round(amount * 100) / 100;
const sum = (numbers: readonly number[]): number => round(numbers.reduce((all, one) => all + one, 0));

/** Two states of a history, and a period; without one that of both. */
interface Question {
  readonly before: MadeState;
  readonly after: MadeState;
  readonly isInForce: boolean;
  readonly period?: Span | undefined;
}

const datesOf = (period: Span | undefined): string => (period ? `&startDate=${period.from}&endDate=${period.to}` : "");

/** The answer, once the states that it is about have been derived: a busy machine takes longer than a request waits. */
async function rowsOf(service: Service, address: string): Promise<Record<string, unknown>> {
  let { status, body } = await service.get(address);
  for (let tries = 0; status === 503 && tries < 60; tries++) ({ status, body } = await service.get(address));
  expect(status, `${address} ${JSON.stringify(body)}`).to.equal(200);
  return body;
}

/** The figures that a state answers itself, in their order. */
async function own(service: Service, at: string, step: Span): Promise<(number | null)[]> {
  const asked = `startDate=${step.from}&endDate=${step.to}&knownAt=${at}`;
  const cards = await rowsOf(service, `/v1/profitability/cards?${asked}`);
  const { statement } = (await rowsOf(service, `/v1/profit/statement?${asked}`)) as {
    statement: Record<string, { amount: number | null }>;
  };
  return [
    ...OF_CARDS.map((name) => cards[name] as number | null),
    ...OF_STATEMENT.map((line) => statement[line]?.amount ?? null),
  ];
}

/** Returns the rows of the answer. */
async function checkSteps(
  service: Service,
  question: Question,
  steps: readonly Span[],
  granularity: string,
): Promise<readonly Changed[]> {
  const { before, after, isInForce, period } = question;
  const between: Read = { landings: after.landings, settings: before.settings };
  const later = isInForce ? "" : `&comparedAt=${after.at}`;
  const address = `/v1/restatements?knownAt=${before.at}${later}${datesOf(period)}&granularity=${granularity}`;
  const body = await rowsOf(service, address);
  const data = body.data as Changed[];
  const expected: Omit<Changed, "change" | "causes">[] = [];
  let unchanged = 0;
  for (const step of steps) {
    const [was, is] = [await own(service, before.at, step), await own(service, after.at, step)];
    for (const [no, figure] of [...OF_CARDS, ...OF_STATEMENT].entries()) {
      const month = granularity === "month" ? `${step.from.slice(0, 7)}-01` : null;
      if (was[no] === is[no]) unchanged++;
      else expected.push({ month, figure, before: was[no] ?? null, after: is[no] ?? null });
    }
    const causes = causesOf(before, between, after, step);
    for (const figure of ["revenue", "orders"] as const) {
      const row = data.find(
        (one) => one.figure === figure && (one.month?.slice(0, 7) ?? step.from.slice(0, 7)) === step.from.slice(0, 7),
      );
      if (row) expect(row.causes, `${address} ${figure}`).to.deep.equal(causes[figure]);
    }
  }
  expect(
    data.map(({ month, figure, before, after }) => ({ month, figure, before, after })),
    address,
  ).to.deep.equal(expected);
  expect(body.unchanged, address).to.equal(unchanged);
  for (const row of data) checkCauses(row, address, JSON.stringify(before.settings) === JSON.stringify(after.settings));
  return data;
}

/** The causes add up, and have all their keys. */
function checkCauses(
  { figure, before, after, change, causes }: Changed,
  address: string,
  hasSameSettings: boolean,
): void {
  const about = `${address} ${figure}`;
  const isKnown = before !== null && after !== null;
  expect(change, about).to.equal(isKnown ? round(after - before) : null);
  if (!isKnown) expect(causes, about).to.equal(null);
  if (!causes) return;
  expect(sum(Object.values(causes)), about).to.equal(change);
  const first = figure === "revenue" || figure === "orders" ? CAUSES : [figure === "investment" ? "spend" : "data"];
  expect(Object.keys(causes), about).to.deep.equal([...first, "settings"]);
  if (hasSameSettings) expect(causes.settings, about).to.equal(0);
}

async function checkLists(service: Service, question: Question, span: Span): Promise<void> {
  const { before, after, isInForce, period } = question;
  const between: Read = { landings: after.landings, settings: before.settings };
  const asked = `knownAt=${before.at}${isInForce ? "" : `&comparedAt=${after.at}`}${datesOf(period)}`;
  const orders = await rowsOf(service, `/v1/restatements/orders?${asked}&all=true`);
  const rows = restatedOrders(before, between, span);
  expect(orders.data, asked).to.deep.equal(rows);
  const moved = await rowsOf(service, `/v1/restatements/orders?${asked}&cause=moved&limit=1`);
  expect(moved.data, asked).to.deep.equal(rows.filter(({ cause }) => cause === "moved").slice(0, 1));
  const spend = await rowsOf(service, `/v1/restatements/spend?${asked}`);
  expect(spend.data, asked).to.deep.equal(restatedSpend(before, between, span));
  await checkSums(service, question, asked, { orders: rows, spend: spend.data as { change: number }[] });
}

/** The orders add up to the change of revenue, the spend to that of investment, both without settings. */
async function checkSums(
  service: Service,
  { before, after }: Question,
  asked: string,
  lists: { readonly orders: readonly { change: number }[]; readonly spend: readonly { change: number }[] },
): Promise<void> {
  const { data } = (await rowsOf(service, `/v1/restatements?${asked}&granularity=none`)) as unknown as {
    data: Changed[];
  };
  const withoutSettings = (figure: string): number | undefined => {
    const row = data.find((one) => one.figure === figure);
    return row?.causes ? round((row.change ?? 0) - (row.causes.settings ?? 0)) : undefined;
  };
  const hasSameSettings = JSON.stringify(before.settings) === JSON.stringify(after.settings);
  const revenue = withoutSettings("revenue") ?? (hasSameSettings ? 0 : undefined);
  // Without a change of revenue there may be one by orders that settings undo.
  if (revenue !== undefined) expect(sum(lists.orders.map(({ change }) => change)), asked).to.equal(revenue);
  const investment = withoutSettings("investment") ?? 0;
  expect(sum(lists.spend.map(({ change }) => change)), asked).to.be.closeTo(
    investment,
    0.01 * (lists.spend.length + 1),
  );
}

/**
 * Compares the answers about so many random histories with the independent computation, and with what each state answers
 * itself. Returns the causes that occurred.
 */
export async function compareHistories(seeds: readonly number[], rounds: number): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  for (const seed of seeds) {
    const { data, states } = await madeHistory(seed, rounds);
    const service = await serviceAt(data, states.at(-1)?.at ?? "");
    try {
      for (const [no, before] of states.slice(0, -1).entries()) {
        const after = states[no + 1 + (seed % 2 && no + 2 < states.length ? 1 : 0)] as MadeState;
        const isInForce = after === states.at(-1);
        const period = no % 2 === 1 ? { from: "2025-02-01", to: "2025-02-28" } : undefined;
        const span = period ?? wholeSpan(before, after);
        if (!span) continue;
        const question = { before, after, isInForce, period };
        for (const row of await checkSteps(service, question, monthsOf(span), "month")) {
          for (const [cause, amount] of Object.entries(row.causes ?? { unknown: 1 })) if (amount !== 0) seen.add(cause);
        }
        await checkSteps(service, question, [span], "none");
        await checkLists(service, question, span);
      }
      expect(service.problems).to.deep.equal([]);
    } catch (error) {
      throw new Error(`history ${seed}: ${(error as Error).message}`, { cause: error });
    } finally {
      await service.close();
      await data.remove();
    }
  }
  return seen;
}
