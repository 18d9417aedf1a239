import type { Comparison } from "../../src/core/contract/param.ts";
import { campaigns, channels, newCustomers, summary } from "./acquisition.ts";
import type { Facts } from "./facts.ts";
import { forecast } from "./forecast.ts";
import { type Answer, cards, cmvEvolution, metricsEvolution, newVsRecurring, trend } from "./profitability.ts";
import { reconciliation } from "./reconciliation.ts";

type Dates = Parameters<typeof summary>[1];
type Span = Parameters<typeof cards>[1];

/** The independent computations of the endpoints that take any period, or none. */
export const OF_ANY_PERIOD: Readonly<Record<string, (facts: Facts, span: Span, compare?: Comparison) => Answer>> = {
  "/v1/profitability/cards": cards,
  "/v1/profitability/metrics-evolution": metricsEvolution,
  "/v1/profitability/new-vs-recurring": newVsRecurring,
  "/v1/profitability/cmv-evolution": cmvEvolution,
  "/v1/profitability/trend": (facts, span) => trend(facts, span, "day"),
  "/v1/profitability/reconciliation": reconciliation,
};

/** The independent computations of the endpoints that take no dates. */
export const WITHOUT_DATES: Readonly<Record<string, (facts: Facts) => Answer>> = {
  "/v1/profitability/forecast": forecast,
};

/** The independent computations of the endpoints that take a period that has ended. */
export const OF_AN_ENDED_PERIOD: Readonly<Record<string, (facts: Facts, span: Dates, compare?: Comparison) => Answer>> =
  {
    "/v1/acquisition/summary": summary,
    "/v1/acquisition/channels": channels,
    "/v1/acquisition/campaigns": campaigns,
    "/v1/acquisition/new-customers": newCustomers,
  };

/** Those of them that take `compare`. */
export const COMPARED: readonly string[] = ["/v1/profitability/cards", "/v1/acquisition/summary"];
