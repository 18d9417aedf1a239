import { dataOf, useAnswer } from "../../answer.ts";
import type { Detail, ProductSeries } from "../../answers.ts";
import type { Query } from "../../api.ts";
import { Card } from "../../components/Card.tsx";
import { wordsOf } from "../../components/Controls.tsx";
import { Segmented } from "../../components/Segmented.tsx";
import { Thumb } from "../../components/Thumb.tsx";
import { explainer } from "../../explain.ts";
import { arg, hashOf, oneOf, route, set } from "../../route.ts";
import { isCovered, useCompared, useGranularity, useYear } from "../../stores.ts";
import { t } from "../../text.ts";
import { useOldData, useStore } from "../products/store.ts";
import { BLOCKS, type BlockName, EmptyBlocks, isEmptyBlock, type Part, Stated, sqlOfBlock } from "./Block.tsx";
import { Channels, EntryCohort } from "./Entries.tsx";
import { Coupons, Funnel, Neighbours } from "./Orders.tsx";
import { Frequency, Retention } from "./Repurchase.tsx";
import { MEASURES, PointTable, SeriesChart } from "./Series.tsx";
import { OF_PERIOD, SummaryFigure, TO_DATE } from "./Summary.tsx";

export function Product() {
  const { from, to } = useYear();
  const compared = useCompared({ from, to });
  const store = useStore();
  const id = encodeURIComponent(arg("product"));
  const granularity = useGranularity(["day", "week"]) === "day" ? "day" : "week";
  const path = `/v1/products/${id}`;
  const params = { integrationId: store?.sourceIntegrationId, dateFrom: from, dateTo: to };
  const past = { ...params, dateFrom: compared?.from, dateTo: compared?.to };
  const query: Query = { path, params };
  const seriesQuery: Query = { path: `${path}/series`, params: { ...params, granularity } };
  const pastSeriesQuery: Query = { path: `${path}/series`, params: { ...past, granularity } };
  const isPrevious = compared?.kind === "previous";
  const detail = useAnswer<Detail>(query);
  const series = useAnswer<ProductSeries>(seriesQuery);
  const before = useAnswer<Detail>(compared && { path, params: past });
  const pastSeries = useAnswer<ProductSeries>(compared && !isPrevious ? pastSeriesQuery : undefined);
  const measure = oneOf("measure", MEASURES);
  const data = dataOf(detail);
  const words = t().product;
  const old = useOldData();
  const pointsThen = !compared
    ? undefined
    : isPrevious
      ? dataOf(series)?.previous.data
      : (dataOf(pastSeries)?.data ?? []);
  const beforePoints = pointsThen?.map((point) => (isCovered(point.to) ? point : undefined));
  const isReady = (name: BlockName): boolean => data === undefined || !isEmptyBlock(data, name);
  // The last of an odd number of half-wide cards takes the whole width.
  const ready = BLOCKS.filter(isReady);
  const lone = ready.length % 2 === 1 ? ready.at(-1) : undefined;
  const part = (name: BlockName): Part => ({ name, detail, query, span: name === lone ? 12 : 6 });
  return (
    <div class="page">
      <Head detail={data} />
      <Card
        name="summary"
        title={words.summary}
        query={query}
        answer={detail}
        height="small"
        sql={sqlOfBlock("summary", query)}
      >
        {({ summary }) => (
          <Stated block={summary}>
            <div class="figures">
              {[...OF_PERIOD, ...TO_DATE].map((name) => (
                <SummaryFigure
                  key={name}
                  name={name}
                  summary={summary}
                  before={compared && OF_PERIOD.includes(name) ? (dataOf(before)?.summary ?? null) : undefined}
                  incomplete={compared && !compared.isComplete ? compared : undefined}
                  explain={explainer(query, `summary.${name}`)}
                />
              ))}
            </div>
          </Stated>
        )}
      </Card>
      <Card
        name="series"
        title={words.series}
        question={words.seriesQuestion}
        query={seriesQuery}
        answer={series}
        controls={
          <Segmented
            label={words.measure}
            options={wordsOf(words.measures)}
            value={measure}
            change={(it) => set({ measure: it })}
          />
        }
        table={(it) => <PointTable series={it} before={beforePoints} measure={measure} />}
      >
        {(it) => <SeriesChart series={it} before={beforePoints} measure={measure} />}
      </Card>
      {isReady("purchaseFrequency") && <Frequency {...part("purchaseFrequency")} />}
      {isReady("retention") && <Retention {...part("retention")} />}
      {isReady("entryCohort") && <EntryCohort {...part("entryCohort")} />}
      {isReady("acquisitionChannels") && <Channels {...part("acquisitionChannels")} />}
      {isReady("boughtTogether") && <Neighbours {...part("boughtTogether")} />}
      {isReady("boughtAfter") && <Neighbours {...part("boughtAfter")} />}
      {isReady("coupons") && <Coupons {...part("coupons")} />}
      {isReady("funnel") && <Funnel {...part("funnel")} />}
      {data && <EmptyBlocks detail={data} old={old} />}
    </div>
  );
}

function Head({ detail }: { detail: Detail | undefined }) {
  const summary = detail?.summary;
  const { product: _, measure: __, ...back } = route.value.args;
  const words = t();
  const name = summary && "productName" in summary ? (summary.productName ?? arg("product")) : arg("product");
  const isKnown = summary !== undefined && "categoryId" in summary;
  const category =
    isKnown && summary.categoryId !== "uncategorized" ? (summary.categoryName ?? summary.categoryId) : "";
  return (
    <header class="product-head">
      <a class="crumb" href={hashOf("products", back)}>
        ← {words.product.back}
      </a>
      <Thumb url={isKnown ? (summary.imageUrl ?? null) : null} isLarge />
      <div>
        <h2>{name}</h2>
        <span class="muted">
          {[name === arg("product") ? "" : arg("product"), category].filter(Boolean).join(" · ")}
        </span>
      </div>
      {isKnown && summary.status === "inactive" && <span class="chip">{words.products.inactive}</span>}
    </header>
  );
}
