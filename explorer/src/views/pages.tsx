import type { ComponentType } from "preact";
import type { Tools } from "../components/Toolbar.tsx";
import { isDay } from "../days.ts";
import { isChannel, isStore } from "../filter.ts";
import { later } from "../later.tsx";
import { isMoment } from "../moment.ts";
import { COMPARISONS, GRANULARITIES, PRESETS } from "../period.ts";
import { amongst, anything, arg, type Checks, type View } from "../route.ts";
import { Acquisition } from "./acquisition/Acquisition.tsx";
import { STRATEGIES } from "./acquisition/Campaigns.tsx";
import { RESULTS } from "./acquisition/Results.tsx";
import { areAttributes, ORDER_FILTERS } from "./breakdown/chosen.ts";
import { Customers } from "./customers/Customers.tsx";
import { GROUPS, isBreak, MEASURES } from "./customers/choices.ts";
import { HORIZONS } from "./customers/Forecast.tsx";
import { Data, dataTab, TABS } from "./Data.tsx";
import { Overview } from "./Overview.tsx";
import { BREAKS as BRIDGE_BREAKS } from "./overview/Sources.tsx";
import { LISTS } from "./products/lists.tsx";
import { Products } from "./products/Products.tsx";
import { COVERS, LEADS } from "./products/restock.ts";

const Product = later(() => import("./product/Product.tsx").then(({ Product }) => Product));

export interface Page {
  readonly show: ComponentType;
  /** What the toolbar offers; nothing without it. */
  readonly tools?: Tools | (() => Tools);
  /** The arguments of its address, in addition to the shared ones. Others, and bad values, are reported as ignored. */
  readonly args?: Checks;
  /** False if it makes sense without any sale; `orSpend` if spend is enough. */
  readonly needsSales?: boolean | "orSpend";
  /** Whether it shows sums alone, so that it can be shared [D94]; the report has a button of its own. */
  readonly isShareable?: boolean;
  /** True if it shows no figures: it has no toolbar, and waits for no data. */
  readonly isAside?: boolean;
}

export const toolsOf = ({ tools = {} }: Page): Tools => (typeof tools === "function" ? tools() : tools);

/** The arguments that all views understand. */
export const SHARED_CHECKS: Checks = {
  period: amongst(...PRESETS),
  from: isDay,
  to: isDay,
  compare: amongst(...COMPARISONS),
  compareFrom: isDay,
  compareTo: isDay,
  by: amongst(...GRANULARITIES),
  known: isMoment,
  onlyStore: isStore,
  onlyChannel: isChannel,
  lang: amongst("pt", "en"),
  at: (value) => /^[\w-]+$/.test(value),
  explain: (value) => value.startsWith("/v1/"),
};

const all = (...names: readonly string[]): Checks => Object.fromEntries(names.map((name) => [name, anything]));

/** The pages, in the order of the navigation. A view without a page is not offered. */
export const PAGES: Readonly<Partial<Record<View, Page>>> = {
  overview: {
    show: Overview,
    isShareable: true,
    needsSales: "orSpend",
    tools: { period: true, compare: true, granularities: GRANULARITIES },
    args: { break: amongst(...BRIDGE_BREAKS) },
  },
  acquisition: {
    show: Acquisition,
    isShareable: true,
    needsSales: "orSpend",
    tools: { period: true, compare: true },
    args: {
      strategy: amongst(...STRATEGIES),
      result: amongst("loss"),
      order: amongst("asc"),
      orders: amongst("all"),
      results: amongst(...RESULTS),
      resultsOrder: amongst("desc"),
      ...all("channel", "campaign", "search", "sort", "page", "resultsSort", "resultsPage", "productsPage"),
    },
  },
  customers: {
    show: Customers,
    tools: { period: true, compare: true },
    args: {
      count: amongst(...MEASURES),
      group: amongst(...GROUPS),
      show: amongst("pct", "absolute"),
      break: isBreak,
      horizon: amongst(...HORIZONS),
      ...all("value", "cohort"),
    },
  },
  products: {
    show: () => (arg("product") ? <Product /> : <Products />),
    isShareable: true,
    tools: { period: true, compare: true, granularities: ["day", "week"] },
    args: {
      list: amongst(...LISTS),
      cover: amongst(...COVERS),
      lead: amongst(...LEADS),
      buy: amongst("all"),
      ...all(
        "product",
        "measure",
        "store",
        "search",
        "status",
        "category",
        "sort",
        "order",
        "page",
        "minNetSales",
        "maxNetSales",
        "minMarginTotal",
        "maxMarginTotal",
        "minMarginAverage",
        "maxMarginAverage",
        "minAvailableStock",
        "maxAvailableStock",
      ),
    },
  },
  breakdown: {
    show: later(() => import("./breakdown/Breakdown.tsx").then(({ Breakdown }) => Breakdown)),
    tools: { period: true, compare: true },
    args: { of: areAttributes, tab: amongst("orders"), ...all("figure", "page", ...ORDER_FILTERS) },
  },
  data: {
    show: Data,
    // The rows are those of all time, with filters of their own.
    tools: () => ({ period: dataTab() === "quality" }),
    args: {
      tab: amongst(...TABS),
      since: isMoment,
      month: isDay,
      ...all("table", "sort", "order", "page", "limit", "cause", "ordersPage", "spendPage"),
    },
    needsSales: false,
  },
  sql: {
    show: later(() => import("./Sql.tsx").then(({ Sql }) => Sql)),
    tools: { period: true },
    args: { kind: amongst("bar", "line"), show: amongst("table", "chart"), ...all("query", "x", "y") },
    needsSales: false,
  },
  report: {
    show: later(() => import("./report/Report.tsx").then(({ Report }) => Report)),
    needsSales: "orSpend",
    tools: { period: true, compare: true },
  },
  portfolio: {
    show: later(() => import("./portfolio/Portfolio.tsx").then(({ Portfolio }) => Portfolio)),
    isAside: true,
  },
  settings: {
    show: later(() => import("./settings/Settings.tsx").then(({ Settings }) => Settings)),
    isAside: true,
    args: all("field", "page", "before"),
  },
};
