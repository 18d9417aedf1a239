import { useEffect, useState } from "preact/hooks";
import { useAnswer } from "../../../answer.ts";
import type { Statement } from "../../../answers.ts";
import type { Answers } from "../../../answerTypes.ts";
import { EmptySmall } from "../../../components/EmptySmall.tsx";
import { Problem } from "../../../components/Problem.tsx";
import { lastOfMonth, monthsBefore } from "../../../days.ts";
import { day, figure, hero, range } from "../../../format.ts";
import { hasNoProducts } from "../../../goods.ts";
import { go, settingsAt } from "../../../route.ts";
import { hasSpend, organization } from "../../../session.ts";
import { said, t } from "../../../text.ts";
import { firstRun as FIRST_RUN } from "../../../words/later/firstRun.ts";
import { Progress } from "../progress.tsx";
import { renewed } from "../renewed.ts";
import { expected, StepCard } from "./step.tsx";

/** So many orders are enough to compare with the store. */
const SHOWN = 8;

/** The last whole month of the data, or all of them if they have none. */
function daysOf(): { readonly startDate: string; readonly endDate: string } | undefined {
  const { firstDay, lastDay } = organization.value ?? {};
  if (!firstDay || !lastDay) return undefined;
  const start = lastOfMonth(lastDay) === lastDay ? monthsBefore(lastDay, 0) : monthsBefore(lastDay, 1);
  return start >= firstDay
    ? { startDate: start, endDate: lastOfMonth(start) }
    : { startDate: firstDay, endDate: lastDay };
}

/** The first figure, with the orders behind it. */
export function FirstFigure({ end, sayCosts }: { end: () => void; sayCosts: () => void }) {
  const words = said(FIRST_RUN);
  const [tries, setTries] = useState(0);
  const again = <Again tries={tries} ask={() => setTries(tries + 1)} />;
  const days = daysOf();
  const statement = useAnswer<Statement>(
    days && { path: "/v1/profit/statement", params: { ...days, compare: "none" } },
  );
  const orders = useAnswer<Answers["ProfitOrders"]>(
    days && { path: "/v1/profit/orders", params: { ...days, limit: SHOWN, orderDirection: "desc" } },
  );
  const leave = (act: () => void): void => {
    end();
    act();
  };
  // What has just landed is not derived at once.
  if (!days && tries < MOST_TRIES) return <StepCard title={words.first}>{again}</StepCard>;
  if (!days)
    return (
      <StepCard title={words.first}>
        <EmptySmall>{words.noOrders}</EmptySmall>
        <a href={settingsAt("files")}>{words.wrong}</a>
      </StepCard>
    );
  const failed = [statement, orders].find(({ state }) => state === "failed");
  if (failed?.state === "failed") return <Problem failure={failed.failure} retry={failed.retry} />;
  if (statement.state !== "ready" || orders.state !== "ready") return <p class="skeleton skeleton-large" />;
  const lines = statement.data.statement;
  // The figures are computed anew after the costs were saved; after a minute what is known is shown.
  if (tries < MOST_TRIES && expected.value.some((line) => lines[line].source === "pending"))
    return <StepCard title={words.first}>{again}</StepCard>;
  const { revenue, contribution3 } = lines;
  const hasNoItems = hasNoProducts(statement.data);
  const left = contribution3.amount;
  const rows = orders.data.data;
  return (
    <StepCard title={words.first}>
      <p class="muted">{words.firstOf(range(days.startDate, days.endDate))}</p>
      <dl class="first-figures">
        <div>
          <dt>{words.revenue}</dt>
          <dd data-first="revenue">{hero(revenue.amount ?? 0, "currency")}</dd>
        </div>
        <div>
          <dt>{words.left}</dt>
          <dd data-first="contribution3">{left === null ? t().notAvailable : hero(left, "currency")}</dd>
        </div>
      </dl>
      {hasNoItems && <p class="cost-unsaid">{words.noItems}</p>}
      {!hasNoItems && left === null && (
        <p class="cost-unsaid">
          {words.leftUnknown}{" "}
          <button type="button" class="link" onClick={sayCosts}>
            {words.sayCosts}
          </button>{" "}
          <button type="button" class="link" onClick={() => leave(() => go("settings", {}, "files"))}>
            {words.bringCosts}
          </button>
        </p>
      )}
      <h4>{words.check}</h4>
      <p>{words.checkLead}</p>
      <div class="effect-table">
        <table data-first-orders>
          <thead>
            <tr>
              <th scope="col">{words.order}</th>
              <th scope="col">{words.day}</th>
              <th scope="col" class="is-wide">
                {words.channel}
              </th>
              <th scope="col">{words.amount}</th>
              {!hasNoItems && <th scope="col">{words.orderLeft}</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map((order) => (
              <tr key={`${order.integrationId} ${order.orderId}`}>
                <th scope="row">{order.orderId}</th>
                <td>{day(order.orderedOn)}</td>
                <td class="is-wide">{t().channels[order.channel] ?? order.channelLabel}</td>
                <td>{figure(order.revenue, "currency")}</td>
                {!hasNoItems && <td>{figure(order.contribution2, "currency")}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="settings-actions">
        <button type="button" class="primary" onClick={() => leave(() => go("overview"))}>
          {words.right}
        </button>
        <button type="button" onClick={() => leave(() => go("settings", {}, "files"))}>
          {words.wrong}
        </button>
      </div>
      <p class="note">
        {!hasSpend.value && (
          <button type="button" class="link" onClick={() => leave(() => go("settings", {}, "files"))}>
            {words.bringAds}
          </button>
        )}{" "}
        {words.more}
      </p>
    </StepCard>
  );
}

/** How often, and how many times, it is asked whether the figures have what was brought and said. */
const AGAIN_MS = 3_000;
const MOST_TRIES = 20;

function Again({ tries, ask }: { tries: number; ask: () => void }) {
  useEffect(() => {
    const timer = setTimeout(() => {
      ask();
      void renewed();
    }, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [tries]);
  return <Progress label={said(FIRST_RUN).computing} />;
}
