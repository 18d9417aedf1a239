import { isInPoints, shownChange } from "../../change.ts";
import { Card } from "../../components/Card.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { Change } from "../../components/Figure.tsx";
import { type Column, NotAvailable, Table } from "../../components/Table.tsx";
import { ToSettings } from "../../components/ToSettings.tsx";
import { openExplanation } from "../../explain.ts";
import { figure } from "../../format.ts";
import { set } from "../../route.ts";
import { said, t } from "../../text.ts";
import { breakdown as WORDS } from "../../words/later/breakdown.ts";
import { type Key, ordersOf, placesOf, rowNameOf } from "./attributes.ts";
import { NOTHING_CHOSEN } from "./chosen.ts";
import { type Breakdown, FIGURES, figureOf, inOrder, MEASURES, type Name, type Row } from "./rows.ts";
import { byText, keyOf, type Props, reasonOf, rounded, textOf } from "./shown.ts";

/** Every value with all of its figures, how they changed, why they are so, and their orders. */
export function Listed({ by, name, query, answer, withThen, isCompared }: Props) {
  const words = said(WORDS);
  const { page: _, limit: __, ...whole } = query.params;
  return (
    <Card
      name="values"
      title={words.list}
      query={query}
      whole={{ path: query.path, params: { ...whole, all: true } }}
      answer={answer}
      height="large"
    >
      {(answered) => {
        const data = withThen(answered);
        if (data.data.length === 0) return <EmptySmall>{words.nothing}</EmptySmall>;
        const { page, limit, hasNextPage, hasPreviousPage } = data.meta;
        const isPart = hasNextPage || hasPreviousPage;
        const isOrdered = by.some((one) => placesOf(one) !== undefined);
        const start = (page - 1) * limit;
        const explain = (figureName: string, row?: Row): void =>
          openExplanation({
            endpoint: query.path,
            params: query.params,
            figure: row ? figureName : `total.${figureName}`,
            row: row && rowNameOf(row.key as Key),
          });
        const columns: Column<Row>[] = [
          { key: "value", label: byText(by), sortable: !isPart, value: (row) => textOf(by, row) },
          ...FIGURES.map((one) => columnOf(one, isCompared, !isPart)),
          {
            key: "share",
            label: words.share,
            unit: "ratio",
            sortable: !isPart,
            value: ({ share }) => share,
          },
          {
            key: "orderList",
            label: words.seeOrders,
            sortable: false,
            value: () => undefined,
            show: (row) => <ToOrders row={row} by={by} />,
          },
        ];
        return (
          <>
            <Missing missing={data.missing} />
            <Table
              caption={words.list}
              rows={isPart || !isOrdered ? data.data : inOrder(data.data, by, name)}
              keyOf={keyOf}
              columns={columns}
              remember="breakdown"
              onPick={(row) => explain(name, row)}
              total={{ row: totalOf(data) }}
              pages={
                isPart
                  ? {
                      from: start + 1,
                      to: start + answered.data.length,
                      previous: hasPreviousPage ? () => set({ page: page > 2 ? String(page - 1) : "" }) : undefined,
                      next: hasNextPage ? () => set({ page: String(page + 1) }) : undefined,
                    }
                  : undefined
              }
            />
            <p class="note">
              <button type="button" class="link" onClick={() => explain(name)}>
                {words.whyOf(t().metric[name] ?? name, t().table.total)}
              </button>
            </p>
          </>
        );
      }}
    </Card>
  );
}

/** The totals as a row of the table, which has no name. */
const totalOf = ({ total }: Breakdown): Row => ({ ...total, key: null, label: null, missing: [] }) as unknown as Row;

function columnOf(name: Name, isCompared: boolean, sortable: boolean): Column<Row> {
  const { unit, better } = MEASURES[name];
  const words = said(WORDS);
  return {
    key: name,
    label: t().metric[name] ?? name,
    unit,
    sortable,
    bar: name === "revenue",
    ...(name === "contribution2" ? { hint: words.contributionHint } : {}),
    value: (row) => figureOf(row, name),
    reason: (row) => reasonOf(row, name),
    show: (row) => {
      const value = figureOf(row, name);
      const before = row.previous && figureOf(row.previous, name);
      const change = isCompared ? shownChange({ unit, value, before, change: row.changes?.[name] }) : null;
      return (
        <>
          {value === null ? <NotAvailable reason={reasonOf(row, name)} /> : figure(value, unit)}
          {change !== null && (
            <small class="cell-change">
              <Change value={rounded(change)} better={better} hasPoints={isInPoints(unit)} />
            </small>
          )}
        </>
      );
    },
  };
}

/** The list of orders with the filters that leave those of the row. */
function ToOrders({ row, by }: { row: Row; by: Props["by"] }) {
  const words = said(WORDS);
  const selected = ordersOf(by, row.key as Key);
  if (!selected || row.orders === 0) return null;
  return (
    <button
      type="button"
      class="link"
      aria-label={words.seeOf(textOf(by, row))}
      onClick={() => set({ ...NOTHING_CHOSEN, ...selected, tab: "orders", page: "" })}
    >
      {words.see}
    </button>
  );
}

/** The costs of which something is not known, with the way to fill them in. */
function Missing({ missing }: Pick<Breakdown, "missing">) {
  const words = said(WORDS);
  if (missing.length === 0) return null;
  const items = missing.map(({ item }) => t().metric[item] ?? item);
  return (
    <p class="note">
      {words.missing(items.join(", "))} <ToSettings place="costs" field={missing[0]?.item} />
    </p>
  );
}
