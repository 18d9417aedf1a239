import type { Tool } from "../tool.ts";
import { acquisition } from "./acquisition.ts";
import { breakdown } from "./breakdown.ts";
import { cohorts, forecast } from "./cohorts.ts";
import { describeMetrics, describeViews, listOrganizations, sql } from "./describe.ts";
import { explain } from "./explain.ts";
import { product, products } from "./products.ts";
import { profitOfAPeriod } from "./profit.ts";
import { trend } from "./trend.ts";
import { whatChanged } from "./whatChanged.ts";

const analyses = [profitOfAPeriod, trend, breakdown, cohorts, forecast, acquisition, products, product, whatChanged];

/** The tools, in the order of the list. */
export const tools: readonly Tool[] = [
  listOrganizations,
  describeMetrics(analyses),
  ...analyses,
  explain,
  describeViews,
  sql,
];
