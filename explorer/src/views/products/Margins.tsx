import { useAnswer } from "../../answer.ts";
import type { Listing } from "../../answers.ts";
import type { Params, Query } from "../../api.ts";
import { Card } from "../../components/Card.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { figure, points, range, signed } from "../../format.ts";
import type { Compared } from "../../period.ts";
import { t } from "../../text.ts";
import { nameColumn, PATH } from "./columns.tsx";
import { ListChoice, type ListProps } from "./lists.tsx";
import { type MarginChange, marginChanges } from "./margins.ts";

/** Limit of the rows; the whole answer is in the files. */
const MOST = 100;
const COLUMNS = "netSales,marginTotal,marginAverage,netUnits";

/** Whose margin changed against the compared period, and what that did to the profit. */
export function Margins({ period, selection, controls, compared }: ListProps & { compared: Compared | undefined }) {
  const words = t().products;
  const { search, status, categoryIds } = selection;
  const asked: Params = { ...period, ...selection, columns: COLUMNS, includeCategories: false, all: true };
  const query: Query = { path: PATH, params: asked };
  // A product that sold little before is a product, too: limits apply to the period itself.
  const past: Params = {
    ...period,
    search,
    status,
    categoryIds,
    columns: COLUMNS,
    includeCategories: false,
    all: true,
  };
  const answer = useAnswer<Listing>(query);
  const before = useAnswer<Listing>(
    compared?.isComplete
      ? { path: PATH, params: { ...past, dateFrom: compared.from, dateTo: compared.to } }
      : undefined,
  );
  const then = before.state === "failed" ? undefined : before.data?.data;
  return (
    <Card
      name="products"
      title={words.list}
      question={words.marginsQuestion}
      query={query}
      answer={answer}
      height="large"
      controls={controls}
    >
      {({ data }) => {
        const rows = then ? marginChanges(data, then) : [];
        return (
          <>
            <ListChoice />
            {!compared?.isComplete ? (
              <EmptySmall>{words.marginsUncompared}</EmptySmall>
            ) : !then ? (
              <p class="skeleton skeleton-medium" />
            ) : rows.length === 0 ? (
              <EmptySmall>{words.noMargins}</EmptySmall>
            ) : (
              <>
                <p class="note">
                  {words.marginsNote(range(compared.from, compared.to), rows.length, figure(rows.length, "count"))}
                  {rows.length > MOST && ` ${words.marginsLimit(figure(MOST, "count"))}`}
                </p>
                <Table
                  caption={words.listNames.margins}
                  rows={largest(rows)}
                  keyOf={({ productId }) => productId}
                  initially={{ by: "effect", descending: false }}
                  columns={columns()}
                />
              </>
            )}
          </>
        );
      }}
    </Card>
  );
}

const largest = (rows: readonly MarginChange[]): readonly MarginChange[] =>
  rows.toSorted((a, b) => Math.abs(b.effect) - Math.abs(a.effect)).slice(0, MOST);

const toneOf = ({ effect }: MarginChange): "good" | "bad" | undefined =>
  effect === 0 ? undefined : effect < 0 ? "bad" : "good";

function columns(): Column<MarginChange>[] {
  const words = t().products;
  const { metric } = t();
  return [
    nameColumn(true) as Column<MarginChange>,
    { key: "marginAverage", label: metric.marginAverage ?? "", unit: "ratio", value: (row) => row.marginAverage },
    { key: "marginBefore", label: words.marginBefore, unit: "ratio", value: (row) => row.marginBefore },
    {
      key: "marginChange",
      label: words.marginChange,
      unit: "number",
      tone: toneOf,
      value: (row) => row.marginChange,
      show: (row) => words.points(points(row.marginChange)),
    },
    {
      key: "effect",
      label: words.marginEffect,
      unit: "currency",
      tone: toneOf,
      bar: true,
      value: (row) => row.effect,
      show: (row) => signed(Math.round(row.effect * 100) / 100, "currency"),
    },
    { key: "netSales", label: metric.netSales ?? "", unit: "currency", value: (row) => row.netSales },
  ];
}
