import { adviceOn, targetsOf } from "../../../../src/features/actions/advice.ts";
import { bestSellersOf, sellingOf, soldIn } from "../../../../src/features/actions/bestSellers.ts";
import type { Cards, Contributions, Listing, Statement, Stores } from "../../answers.ts";
import { fetchAnswer, type Query, STORES } from "../../api.ts";
import { daysBefore, today } from "../../days.ts";
import { comparedWith, periodUntil, yearOf } from "../../period.ts";
import type { Organization } from "../../session.ts";
import { lastFullDay } from "../../stores.ts";
import { contributionOf } from "../acquisition/Results.tsx";
import { cardsOf } from "../overview/useAdvice.ts";
import { statementOf } from "../overview/useStatement.ts";
import type { Line } from "./sums.ts";

/** Reads an organization as its overview does, an answer after the other. Undefined: it has no data yet. */
export async function lineOf(about: Organization): Promise<Line | undefined> {
  if (about.asOf === null) return undefined;
  const ask = <T>(query: Query): Promise<T> => fetchAnswer<T>(query, about);
  const there = today(about.timezones[0]);
  const last = lastFullDay(about);
  const period = periodUntil(last, there);
  const year = yearOf(period, last);
  const compared = comparedWith(period, about.firstDay, last);
  const statement = await ask<Statement>(statementOf(period, compared));
  const cards = await ask<Cards>(cardsOf(period, compared));
  const results = await ask<Contributions>(contributionOf(year, "campaigns"));
  const { data: stores } = await ask<Stores>(STORES);
  const selling = sellingOf(stores);
  const lists: Listing[] = [];
  for (const store of selling) lists.push(await ask<Listing>(bestSellersOf(store, year)));
  const [first] = adviceOn({
    cards,
    statement,
    results: { rows: results.data, investment: results.total.investment },
    products: soldIn(selling, lists, year),
    connectors: about.connectors,
    targets: targetsOf(about.targets, period.from, period.to),
    yesterday: daysBefore(there, 1),
  });
  const { revenue, contribution3 } = statement.statement;
  // A period that the data cover in part has no change.
  const changes = compared?.isComplete ? statement.changes : null;
  return {
    currency: about.currency ?? stores.find((store) => store.currency !== null)?.currency ?? undefined,
    revenue: revenue.amount ?? 0,
    revenuePct: changes?.revenue.pct ?? null,
    contribution3: contribution3.amount,
    contribution3Pct: changes?.contribution3.pct ?? null,
    orders: cards.orders,
    first,
  };
}
