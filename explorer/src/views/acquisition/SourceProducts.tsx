import { useAnswer } from "../../answer.ts";
import type { AttributedProduct, AttributedProducts, Source } from "../../answers.ts";
import { download, type Query } from "../../api.ts";
import { fileParams } from "../../components/Card.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { Problem } from "../../components/Problem.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import type { Unit } from "../../format.ts";
import { arg, hashOf, set } from "../../route.ts";
import { t } from "../../text.ts";
import { labelOf } from "../labels.ts";
import type { Asked } from "./asked.ts";
import { amount } from "./names.ts";

const PATH = "/v1/acquisition/products";
const PAGE = 10;

const MEASURES: readonly (readonly [keyof AttributedProduct & string, Unit])[] = [
  ["marginAfterAds", "currency"],
  ["netSales", "currency"],
  ["marginTotal", "currency"],
  ["investmentShare", "currency"],
  ["grossUnits", "count"],
  ["orders", "count"],
];

/** The products in the orders of a channel or campaign, those that left least after their share of the ads first. */
export function SourceProducts({ asked, source }: { asked: Asked; source: Source }) {
  const words = t().acquisition.results;
  const query: Query = {
    path: PATH,
    params: {
      startDate: asked.from,
      endDate: asked.to,
      channel: source.channel,
      campaignId: source.channel ? undefined : (source.campaignId ?? source.campaignName),
      connector: source.connector ?? undefined,
      sortBy: "marginAfterAds",
      sortOrder: "asc",
    },
  };
  const page = Math.max(1, Math.trunc(Number(arg("productsPage"))) || 1);
  const answer = useAnswer<AttributedProducts>({ ...query, params: { ...query.params, limit: PAGE, page } });
  const columns: Column<AttributedProduct>[] = [
    {
      key: "productName",
      label: labelOf("productName", PATH),
      sortable: false,
      value: (row) => row.productName ?? row.productId,
      show: (row) => (
        <a href={hashOf("products", { product: row.productId, store: row.integrationId })}>
          {row.productName ?? row.productId}
        </a>
      ),
    },
    ...MEASURES.map(
      ([name, unit]): Column<AttributedProduct> => ({
        key: name,
        label: labelOf(name, PATH),
        unit,
        sortable: false,
        value: (row) => row[name] as number | null,
        reason: ({ ndReason }) => (ndReason === "incomplete_cost" ? words.noCost : words.noSales),
        tone: (row) => (name === "marginAfterAds" && Number(row[name]) < 0 ? "bad" : undefined),
      }),
    ),
  ];
  const turn = (to: number) => (): void => set({ productsPage: to === 1 ? "" : String(to) });
  const data = answer.state === "failed" ? undefined : answer.data;
  const start = (page - 1) * PAGE;
  return (
    <section data-part="products">
      <h3>{words.products}</h3>
      <p class="muted">{words.productsNote}</p>
      {answer.state === "failed" && <Problem failure={answer.failure} retry={answer.retry} />}
      {data && data.data.length === 0 && <EmptySmall>{words.noProducts}</EmptySmall>}
      {data && data.data.length > 0 && (
        <>
          <Table
            caption={words.products}
            rows={data.data}
            keyOf={(row) => `${row.integrationId} ${row.productId}`}
            columns={columns}
            pages={{
              from: start + 1,
              to: start + data.data.length,
              of: data.total.products,
              previous: page > 1 ? turn(page - 1) : undefined,
              next: data.meta.hasNextPage ? turn(page + 1) : undefined,
            }}
          />
          <p class="muted">{words.sales(amount(data.total.grossSales), amount(data.total.otherRevenue))}</p>
          <button
            type="button"
            class="quiet"
            onClick={() => void download(query, "csv", { all: true, ...fileParams(query.path) })}
          >
            {words.saveProducts}
          </button>
        </>
      )}
    </section>
  );
}
