import type { Answer } from "../../answer.ts";
import type { Categories } from "../../answers.ts";
import { Input, Select, wordsOf } from "../../components/Controls.tsx";
import { Popover } from "../../components/Popover.tsx";
import { arg, oneOf } from "../../route.ts";
import { useStores } from "../../stores.ts";
import { t } from "../../text.ts";
import { optionsOf } from "./CategoriesCard.tsx";
import { filter, useStore } from "./store.ts";

const RANGES = ["netSales", "marginTotal", "marginAverage", "availableStock"] as const;
const bound = (least: "min" | "max", name: string): string => `${least}${name[0]?.toUpperCase()}${name.slice(1)}`;
export const FILTERS = ["status", "category", ...RANGES.flatMap((name) => [bound("min", name), bound("max", name)])];

/** Search, filters and the store. */
export function ListTools({ stores, map }: { stores: boolean; map: Answer<Categories> }) {
  const words = t().products;
  const used = FILTERS.filter((name) => arg(name) !== "").length;
  return (
    <div class="list-tools">
      <Input label={words.search} type="search" value={arg("search")} change={(it) => filter({ search: it })} />
      <Popover
        label={words.filters}
        class="text-button"
        button={used > 0 ? words.filtersOn(String(used)) : words.filters}
      >
        <div class="filter-box">
          <Select
            label={words.status}
            options={wordsOf(words.statuses)}
            value={oneOf("status", ["all", "active", "inactive"])}
            change={(it) => filter({ status: it === "all" ? "" : it })}
          />
          <Select
            label={words.category}
            options={[["", words.every] as const, ...optionsOf(map)]}
            value={arg("category")}
            change={(it) => filter({ category: it })}
          />
          {RANGES.map((name) => (
            <fieldset key={name} class="filter-range">
              <legend>{t().metric[name]}</legend>
              {([bound("min", name), bound("max", name)] as const).map((limit, n) => (
                <Input
                  key={limit}
                  label={n === 0 ? words.atLeast : words.atMost}
                  type="number"
                  value={arg(limit)}
                  change={(it) => filter({ [limit]: it })}
                />
              ))}
            </fieldset>
          ))}
        </div>
      </Popover>
      {stores && <StoreChoice />}
      {(used > 0 || arg("search") !== "") && (
        <button
          type="button"
          class="quiet"
          onClick={() => filter(Object.fromEntries([...FILTERS, "search"].map((name) => [name, ""])))}
        >
          {words.clear}
        </button>
      )}
    </div>
  );
}

/** Its categories and products are others, so only the period stays. */
function StoreChoice() {
  const stores = useStores();
  return (
    <Select
      label={t().products.store}
      options={stores.map((it) => [it.sourceIntegrationId, it.integrationName ?? it.connector] as const)}
      value={useStore()?.sourceIntegrationId ?? ""}
      change={(id) => filter({ store: id, category: "" })}
    />
  );
}
