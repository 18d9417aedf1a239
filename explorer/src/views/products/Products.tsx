import { dataOf, useAnswer } from "../../answer.ts";
import type { Categories } from "../../answers.ts";
import type { Params, Query } from "../../api.ts";
import { Banner } from "../../components/Banner.tsx";
import { Card } from "../../components/Card.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { Figure } from "../../components/Figure.tsx";
import { range, share } from "../../format.ts";
import { arg, hashOf, oneOf } from "../../route.ts";
import { useCompared, useStores, useYear } from "../../stores.ts";
import { t } from "../../text.ts";
import { CategoriesCard } from "./CategoriesCard.tsx";
import { PATH } from "./columns.tsx";
import { LISTS } from "./lists.tsx";
import { Margins } from "./Margins.tsx";
import { Performance } from "./Performance.tsx";
import { Restock } from "./Restock.tsx";
import { useStore } from "./store.ts";
import { FILTERS, ListTools } from "./Tools.tsx";
import { changeOf, type KnownMargin, knownMarginOf, TOTALS, totalOf } from "./totals.ts";

export function Products() {
  const { from, to, isCut } = useYear();
  const compared = useCompared({ from, to });
  const stores = useStores();
  const store = useStore();
  const words = t().products;
  const scope = { integrationId: store?.sourceIntegrationId };
  const period: Params = { ...scope, dateFrom: from, dateTo: to };
  const selection: Params = {
    search: arg("search"),
    ...Object.fromEntries(FILTERS.filter((name) => name !== "category").map((name) => [name, arg(name)])),
    categoryIds: arg("category"),
  };
  const totalQuery: Query = { path: `${PATH}/categories`, params: { ...period, ...selection, columns: TOTALS } };
  const mapQuery: Query = { path: `${PATH}/categories`, params: { ...period, columns: TOTALS } };
  // The values of a period that the data cover only partly are not shown.
  const beforeQuery: Query | undefined = compared?.isComplete
    ? { ...totalQuery, params: { ...totalQuery.params, dateFrom: compared.from, dateTo: compared.to } }
    : undefined;
  const totals = useAnswer<Categories>(store && totalQuery);
  const before = useAnswer<Categories>(store && beforeQuery);
  const map = useAnswer<Categories>(store && mapQuery);
  if (!store) return <EmptySmall>{words.noStores}</EmptySmall>;
  const total = dataOf(totals) && totalOf(dataOf(totals)?.categories ?? []);
  const known = knownMarginOf(dataOf(totals)?.categories ?? []);
  const wasEmpty = dataOf(before)?.categories.every(({ netSales }) => !netSales) ?? false;
  const past = dataOf(before) && totalOf(dataOf(before)?.categories ?? []);
  const list = oneOf("list", LISTS);
  const controls = <ListTools stores={stores.length > 1} map={map} />;
  return (
    <div class="page">
      {isCut && <Banner tone="info">{words.cut(range(from, to))}</Banner>}
      <Card
        name="totals"
        title={words.totals}
        {...(stores.length > 1 ? { question: words.ofStore(store.integrationName ?? store.connector) } : {})}
        query={totalQuery}
        answer={totals}
        height="small"
      >
        {() => (
          <div class="figures">
            {(
              [
                ["netSales", "currency"],
                ["marginTotal", "currency"],
                ["marginAverage", "ratio"],
                ["netUnits", "units"],
              ] as const
            ).map(([name, unit]) => (
              <Figure
                key={name}
                name={name}
                label={t().metric[name] ?? name}
                unit={unit}
                better="more"
                value={total?.[name] ?? (isMargin(name) ? (known?.[name] ?? null) : null)}
                reason={t().reason[isMargin(name) ? "incomplete_cost" : "no_value"]}
                note={total?.[name] === null ? name === "marginTotal" ? <WithoutCost known={known} /> : "" : undefined}
                before={compared ? (past?.[name] ?? null) : undefined}
                beforeReason={
                  t().reason[wasEmpty ? "not_sold_before" : isMargin(name) ? "incomplete_cost" : "no_value"]
                }
                change={changeOf(total?.[name], past?.[name])}
                incomplete={compared && !compared.isComplete ? compared : undefined}
              />
            ))}
          </div>
        )}
      </Card>
      {list === "restock" ? (
        <Restock {...{ period, selection, controls }} />
      ) : list === "margins" ? (
        <Margins {...{ period, selection, controls, compared }} />
      ) : (
        <Performance {...{ period, selection, controls, total }} />
      )}
      <CategoriesCard query={mapQuery} answer={map} />
    </div>
  );
}

const isMargin = (name: string): name is "marginTotal" | "marginAverage" => name.startsWith("margin");

/** Of how much the margin is, or why there is none, with the way to what lacks a cost. */
function WithoutCost({ known }: { known: KnownMargin | undefined }) {
  const words = t().products;
  return (
    <>
      {known && `${words.ofSales(share(known.share))}. `}
      <a href={hashOf("data", { at: "findings" })}>{words.withoutCost}</a>
    </>
  );
}
