import type { Params } from "../../../api.ts";
import type { Unit } from "../../../format.ts";

/** A rule of the settings. */
export interface Rule {
  readonly name: string;
  readonly figure: string;
  readonly channel?: string;
  readonly campaignId?: string;
  readonly integrationId?: string;
  readonly rule: "above" | "below" | "change";
  readonly value: number;
  readonly over: "day" | "week";
  readonly atOnce?: true;
}

/** What the settings change of a built-in alert. */
export interface BuiltIn {
  readonly builtIn: string;
  readonly off?: true;
  readonly atOnce?: true;
}

export type Alert = Rule | BuiltIn;

export const isRule = (alert: Alert): alert is Rule => !("builtIn" in alert);

/** They judge what is: they have no history. */
export const OF_THE_PRESENT: readonly string[] = ["lateData", "stock", "pinnedMonth"];

/** The figures, and whether a store has them. */
export const FIGURES: Readonly<Record<string, { readonly unit: Unit; readonly ofStores: boolean }>> = {
  revenue: { unit: "currency", ofStores: true },
  netRevenue: { unit: "currency", ofStores: true },
  contribution1: { unit: "currency", ofStores: true },
  contribution2: { unit: "currency", ofStores: true },
  contribution3: { unit: "currency", ofStores: false },
  orders: { unit: "count", ofStores: true },
  newCustomers: { unit: "count", ofStores: false },
  investment: { unit: "currency", ofStores: false },
  cac: { unit: "currency", ofStores: false },
};

export type Kind = "fall" | "rise" | "above" | "below";

/** The members of a rule that a kind and a limit above 0 mean. */
export const limitOf = (kind: Kind, limit: number): Pick<Rule, "rule" | "value"> =>
  kind === "fall"
    ? { rule: "change", value: -limit }
    : kind === "rise"
      ? { rule: "change", value: limit }
      : { rule: kind, value: limit };

/** What the replay of an alert is asked for. */
export const replayOf = (alert: Alert): Params =>
  isRule(alert)
    ? {
        metric: alert.figure,
        rule: alert.rule,
        value: String(alert.value),
        over: alert.over,
        ...(alert.channel ? { channel: alert.channel } : {}),
        ...(alert.campaignId ? { campaignId: alert.campaignId } : {}),
        ...(alert.integrationId ? { integrationId: alert.integrationId } : {}),
      }
    : { builtIn: alert.builtIn };

/** The alerts with what was changed of a built-in one; an entry that changes nothing is left out. */
export function withBuiltIn(alerts: readonly Alert[], changed: BuiltIn): readonly Alert[] {
  const others = alerts.filter((one) => isRule(one) || one.builtIn !== changed.builtIn);
  return changed.off || changed.atOnce ? [...others, changed] : others;
}
