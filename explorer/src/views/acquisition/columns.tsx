import type { Source } from "../../answers.ts";
import { isInPoints, shownChange } from "../../change.ts";
import { Change, type FigureProps } from "../../components/Figure.tsx";
import { type Column, NotAvailable } from "../../components/Table.tsx";
import { figure, type Unit } from "../../format.ts";
import { labelOf } from "../labels.ts";
import { sourceReason } from "./names.ts";
import { type Compared, changeOf } from "./sources.ts";

/** A figure of channels and campaigns. */
export interface Measure {
  readonly name: keyof Source & string;
  readonly unit: Unit;
  readonly better?: FigureProps["better"];
  readonly hasBar?: boolean;
  /** Values "to date" of customers who came at different times do not compare. */
  readonly hasChange?: boolean;
  /** To date: older customers have had more time. */
  readonly isToDate?: boolean;
  readonly isOptional?: boolean;
}

export const MEASURES: readonly Measure[] = [
  { name: "investment", unit: "currency", hasBar: true, hasChange: true },
  { name: "roi", unit: "ratio", better: "more", hasChange: true },
  { name: "newCustomers", unit: "count", better: "more", hasBar: true, hasChange: true },
  { name: "cac", unit: "currency", better: "less", hasChange: true },
  { name: "ltv", unit: "currency", better: "more", isToDate: true },
  { name: "ltvCacRatio", unit: "times", better: "more", isToDate: true },
  { name: "paybackMonths", unit: "months", better: "less", isToDate: true },
  { name: "revenue", unit: "currency", better: "more", hasBar: true, hasChange: true },
  { name: "orders", unit: "count", better: "more", hasChange: true },
  { name: "newCustomersRevenue", unit: "currency", better: "more", hasChange: true, isOptional: true },
];

export const figureOf = (source: Source, name: Measure["name"]): number | null =>
  (source[name] as number | null | undefined) ?? null;

/** The columns that channels and campaigns share. Without a complete period to compare with they have no changes. */
export function columnsOf(endpoint: string, hasChanges: boolean): Column<Compared>[] {
  return MEASURES.map((measure) => {
    const { name, unit, better, hasBar = false, hasChange = false, isOptional = false } = measure;
    return {
      key: name,
      label: labelOf(name, endpoint),
      unit,
      bar: hasBar,
      isOptional,
      value: ({ now }: Compared) => (now[name] === undefined ? undefined : figureOf(now, name)),
      reason: ({ now }: Compared) => sourceReason(name, now),
      show: ({ now, before }: Compared) => {
        const value = figureOf(now, name);
        const was = before && figureOf(before, name);
        const change =
          hasChanges && hasChange ? shownChange({ unit, value, before: was, change: changeOf(value, was) }) : null;
        return (
          <>
            {value === null ? <NotAvailable reason={sourceReason(name, now)} /> : figure(value, unit)}
            {change !== null && (
              <small class="cell-change">
                <Change value={Math.round(change * 10) / 10} better={better} hasPoints={isInPoints(unit)} />
              </small>
            )}
          </>
        );
      },
    };
  });
}
