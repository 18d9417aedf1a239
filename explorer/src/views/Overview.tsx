import type { ComponentChildren } from "preact";
import { dataOf, shownWith, useAnswer } from "../answer.ts";
import type { Bridge, Cards, Forecast, Trend } from "../answers.ts";
import type { Query } from "../api.ts";
import { Banner } from "../components/Banner.tsx";
import { removeFilter } from "../components/Filter.tsx";
import { isFiltered } from "../filter.ts";
import { arg } from "../route.ts";
import { organization } from "../session.ts";
import { lastDay, useCompared, useCompareParam, useGranularity, usePeriod } from "../stores.ts";
import { t } from "../text.ts";
import { shareToken } from "../token.ts";
import { Actions } from "./overview/Actions.tsx";
import { ForecastCard, PaybackCard } from "./overview/Ahead.tsx";
import { Changes } from "./overview/Changes.tsx";
import { Evolution } from "./overview/Evolution.tsx";
import { Figures } from "./overview/Figures.tsx";
import { BREAKS, Sources } from "./overview/Sources.tsx";
import { Statement } from "./overview/Statement.tsx";
import { useAdvice, useCardsQuery } from "./overview/useAdvice.ts";
import { useStatementQuery } from "./overview/useStatement.ts";

/** What to do, and the questions of an owner, in their order. */
export function Overview() {
  const period = usePeriod();
  const { from, to } = period;
  const last = lastDay();
  const compared = useCompared();
  const compare = useCompareParam();
  const granularity = useGranularity();
  const about = organization.value;
  const words = t().cockpit;

  const days = { startDate: from, endDate: to };
  const cardsQuery = useCardsQuery();
  const trendQuery: Query = { path: "/v1/profitability/trend", params: { ...days, granularity } };
  const cards = useAnswer<Cards>(cardsQuery);
  const trend = useAnswer<Trend>(trendQuery);
  const then = compared && { startDate: compared.from, endDate: compared.to };
  const isOwn = compared?.kind === "own";
  const cardsThen = useAnswer<Cards>(
    isOwn && then ? { path: cardsQuery.path, params: { ...then, compare: "none" } } : undefined,
  );
  const trendThen = useAnswer<Trend>(
    then && compared?.isComplete ? { path: trendQuery.path, params: { ...then, granularity } } : undefined,
  );

  // Without a comparison of its own a bridge still has what each channel and category sold.
  const between = { startDate: from ?? about?.firstDay ?? last, endDate: to ?? last };
  const against =
    isOwn && then
      ? { compareStartDate: then.startDate, compareEndDate: then.endDate }
      : { compare: compare === "none" ? "previous" : compare };
  const bridgeOf = (breakBy: string): Query => ({
    path: "/v1/profitability/bridge",
    params: { ...between, ...against, breakBy },
  });
  const bridge = useAnswer<Bridge>(bridgeOf("origem"));
  const forecastQuery: Query = { path: "/v1/profitability/forecast", params: {} };
  const forecast = useAnswer<Forecast>(forecastQuery);
  const { advice, state, retry, statement, store, targets } = useAdvice(cards);
  const statementQuery = useStatementQuery();

  return (
    <div class="page overview">
      <Ask>{words.asks.act}</Ask>
      {isFiltered.value ? <OfAll /> : <Actions advice={advice} state={state} retry={retry} />}
      <Ask>{words.asks.how}</Ask>
      <Figures
        query={cardsQuery}
        statementQuery={statementQuery}
        statement={dataOf(statement)}
        answer={shownWith(isOwn ? shownWith(cards, cardsThen) : cards, statement)}
        own={dataOf(cardsThen)}
        compared={compared}
        trend={dataOf(trend)}
        granularity={granularity}
        last={last}
        targets={targets}
      />
      <Evolution
        query={trendQuery}
        answer={shownWith(compared?.isComplete ? shownWith(trend, trendThen) : trend, statement)}
        left={dataOf(statement)?.data}
        before={compared?.isComplete ? dataOf(trendThen) : undefined}
        compared={compared}
        granularity={granularity}
        last={last}
      />
      <Ask>{words.asks.why}</Ask>
      <Changes query={statementQuery} answer={statement} bridge={dataOf(bridge)} compared={compared} />
      <Statement query={statementQuery} answer={statement} />
      <Ask>{words.asks.where}</Ask>
      <Sources by="origem" query={bridgeOf("origem")} answer={bridge} compared={compared} />
      <OtherSources bridgeOf={bridgeOf} compared={compared} store={store?.sourceIntegrationId} />
      <Ask>{words.asks.next}</Ask>
      <ForecastCard query={forecastQuery} answer={forecast} />
      <PaybackCard query={cardsQuery} answer={cards} />
    </div>
  );
}

/** What to do is not said of a part of the organization. */
const OfAll = () => (
  <div class="span-12">
    <Banner
      tone="info"
      // A share keeps its filter.
      action={shareToken === undefined ? { text: t().filter.removeAll, act: removeFilter } : undefined}
    >
      {t().filter.adviceOfAll}
    </Banner>
  </div>
);

/** A question; its answers are the cards below it. */
const Ask = ({ children }: { children: ComponentChildren }) => <h2 class="ask">{children}</h2>;

interface OtherProps {
  readonly bridgeOf: (breakBy: string) => Query;
  readonly compared: ReturnType<typeof useCompared>;
  readonly store: string | undefined;
}

/** By category, product or campaign, as the address says; a shop without categories begins with products. */
function OtherSources({ bridgeOf, compared, store }: OtherProps) {
  const asked = BREAKS.find((name) => name === arg("break"));
  const byCategory = useAnswer<Bridge>(asked === undefined ? bridgeOf("categoria") : undefined);
  const categories = dataOf(byCategory)?.drivers;
  const hasNone = categories?.every(({ key }) => key === null || key === "uncategorized") ?? false;
  const by = asked ?? (hasNone ? "produto" : "categoria");
  const query = bridgeOf(by);
  return <Sources by={by} query={query} answer={useAnswer<Bridge>(query)} compared={compared} store={store} />;
}
