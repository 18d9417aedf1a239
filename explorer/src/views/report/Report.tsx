import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { knowsFixed } from "../../../../src/features/actions/advice.ts";
import { type Answer, dataOf, useAnswer } from "../../answer.ts";
import type { Bridge, Cards, Contributions, Statement } from "../../answers.ts";
import type { Query } from "../../api.ts";
import { filterText } from "../../components/Filter.tsx";
import { Lacking } from "../../components/Lacking.tsx";
import { Problem } from "../../components/Problem.tsx";
import { earlier, monthsBefore } from "../../days.ts";
import { isFiltered } from "../../filter.ts";
import { range } from "../../format.ts";
import { addStyle } from "../../later.tsx";
import { organization } from "../../session.ts";
import { lastDay, useCompared, useCompareParam, usePeriod, useYear } from "../../stores.ts";
import { t } from "../../text.ts";
import { contributionOf } from "../acquisition/Results.tsx";
import { useCardsQuery } from "../overview/useAdvice.ts";
import { useStatementQuery } from "../overview/useStatement.ts";
import { ShareButton } from "../shared/ShareButton.tsx";
import { Changes } from "./Changes.tsx";
import { Facts } from "./Facts.tsx";
import { KeyFigures } from "./KeyFigures.tsx";
import { Missing } from "./Missing.tsx";
import { Months } from "./Months.tsx";
import { furtherOf, headlineOf, nameOf, report } from "./reportText.ts";
import { Campaigns, Channels, Products } from "./Sources.tsx";
import { StatementTable } from "./StatementTable.tsx";

addStyle("report");

/** How many months the course has. */
const MONTHS = 12;

/** A period on paper: what the shop made, why, with what, and what is not known of it. */
export function Report() {
  const period = usePeriod();
  const last = lastDay();
  const compared = useCompared();
  const about = organization.value;
  const from = period.from ?? about?.firstDay ?? last;
  const to = period.to ?? last;
  const year = useYear();

  const statementQuery = useStatementQuery();
  const cardsQuery = useCardsQuery();
  const isOwn = compared?.kind === "own";
  const before = { startDate: compared?.from, endDate: compared?.to, compare: "none" };
  const bridgeOf = useBridges(from, to);
  const queries = {
    statement: statementQuery,
    months: courseOf(from, to),
    cards: cardsQuery,
    channels: contributionOf(year, "channels"),
    campaigns: contributionOf(year, "campaigns"),
    byChannel: bridgeOf("origem"),
    byProduct: bridgeOf("produto"),
    ...(isOwn ? { cardsThen: { path: cardsQuery.path, params: before } } : {}),
  };
  const statement = useAnswer<Statement>(queries.statement);
  const months = useAnswer<Statement>(queries.months);
  const cards = useAnswer<Cards>(queries.cards);
  const cardsThen = useAnswer<Cards>(queries.cardsThen);
  const channels = useAnswer<Contributions>(queries.channels);
  const campaigns = useAnswer<Contributions>(queries.campaigns);
  const byChannel = useAnswer<Bridge>(queries.byChannel);
  const byProduct = useAnswer<Bridge>(queries.byProduct);

  const asked = [statement, months, cards, channels, campaigns, byChannel, byProduct, ...(isOwn ? [cardsThen] : [])];
  const isWaiting = asked.some(({ state }) => state === "waiting");
  const isReady = asked.every(({ state }) => state === "ready");
  const named = nameOf(from, to);
  const title = named.is === "range" || named.is === "day" ? report().titleOfRange : report().title(named.name);
  const isCompared = compared?.isComplete === true;
  const namedBefore = isCompared && compared ? nameOf(compared.from, compared.to) : undefined;
  const days = year.from > from ? report().ofYear(range(year.from, year.to)) : "";
  useFooter([about?.name, named.name].filter(Boolean).join(" · "));

  return (
    <article class="report" data-picture="report" aria-busy={isWaiting} data-report={isReady ? "ready" : "waiting"}>
      <p class="report-bar">
        <button type="button" class="primary" disabled={!isReady} onClick={() => print()}>
          {report().print}
        </button>
        <ShareButton
          name={title}
          queries={Object.values(queries)}
          hasProfit={statement.state === "ready" && knowsFixed(statement.data)}
          isDisabled={!isReady}
        />
        <span class="note">{report().printHint}</span>
      </p>
      <header class="report-head">
        <div>
          <p class="report-owner">{[about?.name, isFiltered.value && filterText()].filter(Boolean).join(" · ")}</p>
          <h2>{title}</h2>
        </div>
        <Facts from={from} to={to} compared={isCompared ? compared : undefined} statement={dataOf(statement)} />
      </header>
      <Part answer={statement} height="small">
        {(data) => (
          <div class="report-lead">
            <p class="report-first">{headlineOf(data, named)}</p>
            <p>{furtherOf(data, namedBefore).join(" ")}</p>
            <Lacking answer={data} />
          </div>
        )}
      </Part>
      <Part answer={statement} height="small">
        {(data) => (
          <KeyFigures
            statement={data}
            cards={dataOf(cards)}
            before={isOwn ? dataOf(cardsThen) : (dataOf(cards)?.previousPeriod ?? undefined)}
            isCompared={isCompared}
            days={{ from, to }}
          />
        )}
      </Part>
      <Part answer={statement}>
        {(data) => <StatementTable statement={data} period={named} before={namedBefore} />}
      </Part>
      <Part answer={months}>{(data) => <Months statement={data} from={from} last={last} />}</Part>
      {isCompared && (
        <Part answer={statement}>{(data) => <Changes statement={data} bridge={dataOf(byChannel)} />}</Part>
      )}
      <Part answer={channels}>
        {(data) => <Channels results={data} bridge={isCompared ? dataOf(byChannel) : undefined} days={days} />}
      </Part>
      <Part answer={campaigns}>{(data) => <Campaigns results={data} days={days} />}</Part>
      <Part answer={byProduct}>{(data) => <Products bridge={data} isCompared={isCompared} />}</Part>
      <Part answer={statement}>
        {(data) => <Missing statement={data} cards={cards} campaigns={campaigns} hasFailed={asked.some(isFailed)} />}
      </Part>
      <section class="report-reading">
        <h3>{report().reading.title}</h3>
        <p>{report().reading.text}</p>
      </section>
    </article>
  );
}

const isFailed = ({ state }: Answer<unknown>): boolean => state === "failed";

/** The months up to the end of the period. */
const courseOf = (from: string, to: string): Query => ({
  path: "/v1/profit/statement",
  params: {
    startDate: earlier(monthsBefore(to, MONTHS - 1), from),
    endDate: to,
    granularity: "month",
    compare: "none",
  },
});

/** What sold, and how that changed; without a comparison it still has what sold. */
function useBridges(startDate: string, endDate: string): (breakBy: string) => Query {
  const compared = useCompared();
  const compare = useCompareParam();
  const against =
    compared?.kind === "own"
      ? { compareStartDate: compared.from, compareEndDate: compared.to }
      : { compare: compare === "none" ? "previous" : compare };
  return (breakBy) => ({ path: "/v1/profitability/bridge", params: { startDate, endDate, ...against, breakBy } });
}

/** What stands at the foot of each printed page; the page's rules of print read it from there. */
function useFooter(text: string): void {
  useEffect(() => {
    const { style } = document.documentElement;
    style.setProperty("--report-foot", JSON.stringify(text));
    return () => void style.removeProperty("--report-foot");
  }, [text]);
}

interface PartProps<T> {
  readonly answer: Answer<T>;
  readonly height?: "small" | "medium";
  readonly children: (data: T) => ComponentChildren;
}

/** A part of the report, or why it is not there: without it the report would look complete. */
function Part<T>({ answer, height = "medium", children }: PartProps<T>) {
  if (answer.state === "failed") return <Problem failure={answer.failure} retry={answer.retry} />;
  if (answer.state === "ready") return <>{children(answer.data)}</>;
  return (
    <p class={`skeleton skeleton-${height}`} role="status">
      <span class="unseen">{t().frame.loading}</span>
    </p>
  );
}
