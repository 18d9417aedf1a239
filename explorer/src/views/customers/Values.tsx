import { type Answer, dataOf } from "../../answer.ts";
import type { Break, Cohort, Cohorts } from "../../answers.ts";
import type { Query } from "../../api.ts";
import { Card } from "../../components/Card.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { figure } from "../../format.ts";
import { arg, set } from "../../route.ts";
import { t } from "../../text.ts";
import { chosenKey, keyOf, labelOf } from "./breaks.ts";
import { breakText, overlaps, partsOf } from "./choices.ts";

/** Limit of the rows in the table of breakdown values. */
const MAX_VALUES = 100;

interface BreakValue {
  readonly key: string;
  readonly label: string;
  readonly customers: number;
  readonly repeated: number;
}

/** The breakdown values with their customers over all cohorts, the largest first. */
function valuesOf(cohorts: readonly Cohort[], parts: readonly string[]): BreakValue[] {
  const all = new Map<string, BreakValue>();
  for (const row of cohorts) {
    const before = all.get(keyOf(row));
    all.set(keyOf(row), {
      key: keyOf(row),
      label: labelOf(row, parts),
      customers: (before?.customers ?? 0) + row.firstPurchaseCustomers,
      repeated: (before?.repeated ?? 0) + row.repurchaseCustomers,
    });
  }
  return [...all.values()].sort((a, b) => b.customers - a.customers || a.key.localeCompare(b.key));
}

/** The values of the breakdown, one of which the page shows. */
export function Values({ query, answer, breakBy }: { query: Query; answer: Answer<Cohorts>; breakBy: Break }) {
  const words = t().cohort;
  const columns: Column<BreakValue>[] = [
    { key: "label", label: breakText(breakBy), value: ({ label }) => label },
    { key: "customers", label: words.customers, unit: "count", bar: true, value: ({ customers }) => customers },
    { key: "repeated", label: words.repeat, unit: "count", value: ({ repeated }) => repeated },
    {
      key: "share",
      label: words.repeatShare,
      unit: "ratio",
      bar: true,
      value: ({ customers, repeated }) => (customers > 0 ? repeated / customers : null),
    },
  ];
  const leftOut = dataOf(answer)?.rowsLeftOut;
  const notes = [overlaps(breakBy) ? words.overlap : "", leftOut ? words.leftOut(figure(leftOut, "count")) : ""].filter(
    Boolean,
  );
  return (
    <Card
      name="values"
      title={words.valuesOf(breakText(breakBy).toLocaleLowerCase())}
      question={words.values}
      query={query}
      answer={answer}
      {...(notes.length > 0 ? { note: notes.join(" ") } : {})}
    >
      {({ data }) => {
        const all = valuesOf(data, partsOf(breakBy));
        const current = chosenKey(
          all.map(({ key }) => key),
          arg("value"),
        );
        return (
          <div class="short-table">
            {all.length > MAX_VALUES && (
              <p class="note">{words.limit(figure(MAX_VALUES, "count"), figure(all.length, "count"))}</p>
            )}
            <Table
              caption={words.values}
              rows={all.slice(0, MAX_VALUES)}
              keyOf={({ key }) => key}
              columns={columns}
              initially={{ by: "customers", descending: true }}
              isCurrent={({ key }) => key === current}
              onPick={({ key }) => set({ value: key, cohort: "" })}
            />
          </div>
        );
      }}
    </Card>
  );
}
