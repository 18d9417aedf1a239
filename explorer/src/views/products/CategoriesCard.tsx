import type { ComponentChildren } from "preact";
import { type Answer, dataOf } from "../../answer.ts";
import type { Categories, Category } from "../../answers.ts";
import type { Query } from "../../api.ts";
import { BarList } from "../../charts/BarList.tsx";
import { Card } from "../../components/Card.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { Table } from "../../components/Table.tsx";
import { figure } from "../../format.ts";
import { arg } from "../../route.ts";
import { t } from "../../text.ts";
import { metricColumn, metricsOf } from "../metrics.ts";
import { PATH } from "./columns.tsx";
import { filter } from "./store.ts";
import { TOTALS } from "./totals.ts";

const titleOf = ({ categoryName, categoryId }: Category): string =>
  categoryName ?? (categoryId === "uncategorized" ? t().products.uncategorized : categoryId);

/** The categories in the order of the tree, each after its parent. */
export function optionsOf(map: Answer<Categories>): (readonly [string, string])[] {
  const all = dataOf(map)?.categories ?? [];
  const below = (parent: string | null): Category[] =>
    all
      .filter(({ parentCategoryId }) => parentCategoryId === parent)
      .flatMap((category) => [category, ...below(category.categoryId)]);
  return below(null).map(
    (category) => [category.categoryId, `${"– ".repeat(category.depth)}${titleOf(category)}`] as const,
  );
}

/** The departments, or what is directly below the chosen category. */
export function CategoriesCard({ query, answer }: { query: Query; answer: Answer<Categories> }) {
  const words = t().products;
  const all = dataOf(answer)?.categories ?? [];
  const chosen = all.find(({ categoryId }) => categoryId === arg("category"));
  const hasBelow = all.some(({ parentCategoryId }) => parentCategoryId === chosen?.categoryId);
  const parent = chosen && (hasBelow ? chosen.categoryId : chosen.parentCategoryId);
  const holder = all.find(({ categoryId }) => categoryId === parent);
  const shown = all.filter(({ parentCategoryId }) => parentCategoryId === (parent ?? null));
  const sum = shown.reduce((whole, { netSales }) => whole + Math.max(0, netSales ?? 0), 0);
  const note = ({ netSales, marginAverage, marginTotal }: Category): ComponentChildren => {
    const margin =
      netSales && marginTotal !== null && marginTotal !== undefined ? marginTotal / netSales : marginAverage;
    const part = sum > 0 && netSales ? `${words.share(figure(netSales / sum, "ratio"))} · ` : "";
    return (
      <small class={(marginTotal ?? 0) < 0 ? "bad" : ""}>
        {part}
        {margin === null || margin === undefined ? words.noMargin : words.margin(figure(margin, "ratio"))}
      </small>
    );
  };
  return (
    <Card
      name="categories"
      title={holder ? words.within(titleOf(holder)) : words.categories}
      question={words.categoriesQuestion}
      query={query}
      answer={answer}
      controls={
        chosen && (
          <button type="button" class="quiet" onClick={() => filter({ category: "" })}>
            {words.upwards}
          </button>
        )
      }
      table={({ categories }) => <CategoryTable categories={categories} />}
    >
      {({ categories }) =>
        categories.some(({ categoryId }) => categoryId !== "uncategorized") ? (
          <BarList
            label={words.categories}
            unit="currency"
            onPick={({ key }) => filter({ category: key })}
            rows={shown
              .toSorted((a, b) => (b.netSales ?? 0) - (a.netSales ?? 0))
              .map((category) => ({
                key: category.categoryId,
                label: titleOf(category),
                value: category.netSales ?? null,
                note: note(category),
              }))}
          />
        ) : (
          <EmptySmall>{words.noCategories}</EmptySmall>
        )
      }
    </Card>
  );
}

function CategoryTable({ categories }: { categories: readonly Category[] }) {
  const words = t().products;
  const metrics = metricsOf(`${PATH}/categories`, "categories", TOTALS.split(","));
  return (
    <Table
      caption={words.categories}
      rows={categories}
      keyOf={({ categoryId }) => categoryId}
      initially={{ by: "netSales", descending: true }}
      onPick={({ categoryId }) => filter({ category: categoryId })}
      columns={[
        { key: "category", label: words.category, value: titleOf },
        ...metrics.map((metric) => metricColumn<Category>(metric, true)),
      ]}
    />
  );
}
