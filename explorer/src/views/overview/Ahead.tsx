import type { Answer } from "../../answer.ts";
import type { Cards, Forecast } from "../../answers.ts";
import type { Query } from "../../api.ts";
import { Card } from "../../components/Card.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { Figure } from "../../components/Figure.tsx";
import { confidenceOf, lower } from "../../confidence.ts";
import { explainer } from "../../explain.ts";
import { isFiltered } from "../../filter.ts";
import { change, figure, hero } from "../../format.ts";
import { hashOf } from "../../route.ts";
import { t } from "../../text.ts";

/** The forecast follows no filter. */
const ofAll = (): string | undefined => (isFiltered.value ? t().filter.ofAll : undefined);

const WEEKS = ["weeks13", "weeks26", "weeks52"] as const;

/** What existing customers are expected to buy, and how far to trust it. */
export function ForecastCard({ query, answer }: { query: Query; answer: Answer<Forecast> }) {
  const words = t().cockpit;
  return (
    <Card name="forecast" title={words.forecast} query={query} answer={answer} span={8} height="small" note={ofAll()}>
      {({ total, holdOut, confidence, marginConfigured }) => {
        if (!total) return <EmptySmall>{words.tooLittle}</EmptySmall>;
        const ofRevenue = confidenceOf(holdOut?.revenue.errorPct ?? null);
        const errorOf = (errorPct: number | null): string => (errorPct === null ? t().notAvailable : change(errorPct));
        return (
          <>
            <div class="figures figures-four">
              {WEEKS.map((name) => (
                <Figure
                  key={name}
                  name={name}
                  label={words.weeks[name]}
                  unit="currency"
                  value={total[name].revenue}
                  isRough={ofRevenue === "low"}
                  note={words.purchases(figure(Math.round(total[name].purchases), "count"))}
                  explain={explainer(query, `total.${name}.revenue`)}
                />
              ))}
              <Figure
                name="ltvPredicted"
                label={words.predicted}
                unit="currency"
                value={marginConfigured ? total.ltvPredicted : null}
                reason={t().reason.no_margin}
                isRough={marginConfigured && ofRevenue === "low"}
                note={marginConfigured ? words.toDate(hero(total.ltvToDate, "currency")) : t().reason.no_margin}
                explain={marginConfigured ? explainer(query, "total.ltvPredicted") : undefined}
              />
            </div>
            {holdOut && confidence && (
              <p class={`sentence confidence-${lower(confidence, ofRevenue)}`}>
                {words.tested(
                  words.confidence[confidence],
                  errorOf(holdOut.purchases.errorPct),
                  words.confidence[ofRevenue],
                  errorOf(holdOut.revenue.errorPct),
                )}
              </p>
            )}
          </>
        );
      }}
    </Card>
  );
}

/** When the media of a month has come back. */
export function PaybackCard({ query, answer }: { query: Query; answer: Answer<Cards> }) {
  const words = t().cockpit;
  return (
    <Card name="payback" title={words.payback} query={query} answer={answer} span={4} height="small">
      {(cards) => {
        const { payback, investment, marginConfigured } = cards;
        const isHidden = investment === null;
        const reason = isHidden
          ? "hidden_spend"
          : investment === 0
            ? "no_media"
            : marginConfigured
              ? "not_paid"
              : "no_margin";
        const said = isHidden
          ? words.spendUnknown
          : investment === 0
            ? words.noSpend
            : !marginConfigured
              ? t().reason.no_margin
              : payback === null
                ? words.unpaid
                : payback === 0
                  ? words.paid0
                  : words.paidIn(figure(payback, "months"));
        return (
          <>
            <Figure
              name="payback"
              label={t().metric.payback ?? ""}
              unit="months"
              value={payback}
              reason={t().reason[reason]}
              explain={explainer(query, "payback")}
            />
            <p class="sentence">
              {said} <a href={hashOf("customers")}>{words.openCustomers}</a>
            </p>
          </>
        );
      }}
    </Card>
  );
}
