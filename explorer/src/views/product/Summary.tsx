import type { Detail, Measured, Figure as Value } from "../../answers.ts";
import { Figure } from "../../components/Figure.tsx";
import { t } from "../../text.ts";
import { metricsOf, nullReasonOf } from "../metrics.ts";

/** The figures of the period, of which the days compared with have others; then those to date. */
export const OF_PERIOD = [
  "netSales",
  "marginTotal",
  "marginAverage",
  "netUnits",
  "averageTicket",
  "newCustomers",
  "returnRate",
];
export const TO_DATE = ["ltv180", "repurchaseRate180", "ltvToDate", "availableStock", "velocity30d", "daysOfStock"];
const BETTER_LESS = ["returnRate"];
const NEITHER = ["availableStock", "daysOfStock"];

interface SummaryProps {
  readonly name: string;
  readonly summary: Detail["summary"];
  /** Null while it loads; undefined if the figure is not compared. */
  readonly before: Detail["summary"] | null | undefined;
  readonly incomplete: { readonly known: number; readonly of: number } | undefined;
  readonly explain: () => void;
}

export function SummaryFigure({ name, summary, before, incomplete, explain }: SummaryProps) {
  const [metric] = metricsOf("/v1/products", "data", [name]);
  const now = figureOf(summary, name);
  const then = before === undefined ? undefined : before === null ? null : figureOf(before, name);
  const isComparable = typeof now === "number" && typeof then === "number" && then > 0;
  return (
    <Figure
      name={name}
      label={t().metric[name] ?? name}
      unit={metric?.unit ?? "number"}
      value={now}
      reason={nullReasonOf(summary as unknown as Measured, name)}
      better={NEITHER.includes(name) ? undefined : BETTER_LESS.includes(name) ? "less" : "more"}
      before={then}
      change={isComparable ? ((now - then) / then) * 100 : null}
      incomplete={incomplete}
      explain={explain}
    />
  );
}

export const figureOf = (summary: object, name: string): Value =>
  ((summary as Readonly<Record<string, Value | undefined>>)[name] ?? null) as Value;
