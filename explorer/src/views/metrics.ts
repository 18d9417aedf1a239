import type { Measured } from "../answers.ts";
import type { Column } from "../components/Table.tsx";
import { defined } from "../definitions.ts";
import type { Unit } from "../format.ts";
import { fieldsOf } from "../openapi.ts";
import { t } from "../text.ts";

/** The field of `ndReasons` with the reason for a missing metric. */
const ND_REASONS: Readonly<Record<string, string>> = {
  averageTicket: "averageTicket",
  cogs: "margin",
  marginTotal: "margin",
  marginAverage: "averageMargin",
  daysOfStock: "daysOfStock",
  ltv180: "ltv180",
  repurchaseRate180: "repurchaseRate180",
  returnRate: "returnRate",
};

/** The reasons of metrics that are null for only one reason. */
const OWN_REASONS: Readonly<Record<string, string>> = {
  ltvToDate: "no_base",
  repurchaseRateToDate: "no_base",
  cohortElapsedDaysAverage: "no_base",
  grossSales: "no_value",
  netSales: "no_value",
};

/** The reason for a missing metric of a product or a category. */
export function nullReasonOf(row: Measured, metric: string): string | undefined {
  const stated = row.ndReasons?.[ND_REASONS[metric] ?? ""];
  const reason = stated ?? (metric === "availableStock" ? row.inventoryState : OWN_REASONS[metric]);
  return reason ? (t().reason[reason] ?? reason) : undefined;
}

export interface Metric {
  readonly name: string;
  readonly unit: Unit;
  readonly description: string;
}

/** The metrics of products, with unit and description from the API document. */
export function metricsOf(path: string, list: string, names: readonly string[]): Metric[] {
  return fieldsOf(path, list)
    .filter(({ name }) => names.includes(name))
    .map(({ name, unit, description }) => ({ name, unit: unit as Unit, description }));
}

function hintOf(description: string): { readonly hint?: string } {
  const hint = defined(description);
  return hint ? { hint } : {};
}

export const metricColumn = <Row extends Measured>(
  { name, unit, description }: Metric,
  isSortable: boolean,
): Column<Row> => ({
  key: name,
  label: t().metric[name] ?? name,
  unit,
  ...hintOf(description),
  sortable: isSortable,
  value: (row) => row[name] as number | null,
  reason: (row) => nullReasonOf(row, name),
});
