import { type Advice, adviceOn, NO_TARGETS, type Targets, targetsOf } from "../../../../src/features/actions/advice.ts";
import { bestSellersOf, sellingOf, soldIn } from "../../../../src/features/actions/bestSellers.ts";
import { type Answer, dataOf, useAnswer, useAnswers } from "../../answer.ts";
import type { Cards, Contributions, Listing, Statement, Store } from "../../answers.ts";
import type { Query } from "../../api.ts";
import { isFiltered } from "../../filter.ts";
import type { Compared, Period } from "../../period.ts";
import { organization } from "../../session.ts";
import { compareParamOf, useCompared, usePeriod, useStores, useYear, yesterday } from "../../stores.ts";
import { useStatementQuery } from "./useStatement.ts";

/** The cards of the period: one request for all views that read advice off them. */
export const useCardsQuery = (): Query => cardsOf(usePeriod(), useCompared());

export function cardsOf(period: Period, compared: Compared | undefined): Query {
  const { from, to } = period;
  const compare = compareParamOf(period, compared);
  return {
    path: "/v1/profitability/cards",
    params: { startDate: from, endDate: to, compare, marginItems: "amounts" },
  };
}

export type AdviceState = "waiting" | "failed" | "ready";

interface Advised {
  readonly advice: readonly Advice[];
  /** Whether all answers that advice is read off are there: without one of them nothing is known to be complete. */
  readonly state: AdviceState;
  /** Asks again for the answers that failed. */
  readonly retry: () => void;
  readonly statement: Answer<Statement>;
  /** The store with the most products. */
  readonly store: Store | undefined;
  /** Of the period: amounts are those of its days. */
  readonly targets: Targets;
}

/** What the rules of `advice.ts` say of the period. */
export function useAdvice(cards: Answer<Cards>): Advised {
  const { from, to } = usePeriod();
  const year = useYear();
  const stores = useStores();
  const about = organization.value;
  const statement = useAnswer<Statement>(useStatementQuery());
  const results = useAnswer<Contributions>({
    path: "/v1/acquisition/contribution",
    params: { startDate: year.from, endDate: year.to, breakBy: "campanha" },
  });
  const selling = sellingOf(stores);
  const products = useAnswers<Listing>(selling.map((store) => bestSellersOf(store, year)));
  // Targets are of the whole organization.
  const targets = targetsOf((!isFiltered.value && about?.targets) || NO_TARGETS, from, to);
  const listed = dataOf(products);
  const ofCampaigns = dataOf(results);
  const advice = adviceOn({
    cards: dataOf(cards),
    statement: dataOf(statement),
    results: ofCampaigns && { rows: ofCampaigns.data, investment: ofCampaigns.total.investment },
    products: listed && soldIn(selling, listed, year),
    connectors: about?.connectors ?? [],
    targets,
    yesterday: yesterday(),
  });
  const asked = [cards, statement, results, products];
  const isWaiting = asked.some(({ state }) => state === "waiting");
  const failed = asked.flatMap((answer) => (answer.state === "failed" ? [answer] : []));
  const state = isWaiting ? "waiting" : failed.length > 0 ? "failed" : "ready";
  const retry = (): void => failed.forEach(({ retry }) => void retry());
  return { advice, state, retry, statement, store: selling[0], targets };
}
