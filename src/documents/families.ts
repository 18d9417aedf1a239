import type { AnyEndpoint } from "../core/contract/endpoint.ts";

interface Family {
  readonly name: string;
  readonly description: string;
}

/** The families of endpoints, by the first part of their paths, in the order of the documents. */
export const FAMILIES: Readonly<Record<string, Family>> = {
  organizations: {
    name: "Organizations",
    description: "Which organizations there are for these credentials, and how far their data reach.",
  },
  profit: {
    name: "Profit",
    description: "What remains of what customers paid, by line and by order: for decisions, no bookkeeping.",
  },
  profitability: {
    name: "Profitability",
    description:
      "Acquisition cost, lifetime value, payback, margin and retention: revenue of all stores compared with media spend.",
  },
  acquisition: {
    name: "Acquisition",
    description: "Cost of acquiring customers in a period, by channel and by campaign.",
  },
  products: {
    name: "Products",
    description:
      "Sales, margin, stock, returns and repurchase of a store's products and categories. `ndReasons` says why a metric is null.",
  },
  alerts: {
    name: "Alerts",
    description:
      "Which figures are beyond a limit or far from what was expected, since when; what a rule would have said.",
  },
  restatements: {
    name: "Restatements",
    description:
      "What changed in figures that were read before, and why: an earlier state of the data beside a later one.",
  },
  "data-quality": {
    name: "Data quality",
    description: "What has landed, what does not count and why, and what should be repaired.",
  },
  pins: {
    name: "Pins",
    description: "Names for what was known at an instant, which `knownAt` takes.",
  },
  sql: {
    name: "SQL",
    description: "Queries of the client's own over the views of its organization.",
  },
  explain: {
    name: "Explanations",
    description: "Why a number is what it is: for every figure of the families above.",
  },
  socialads: { name: "Social ads", description: "Landed rows of social advertising accounts." },
  searchads: { name: "Search ads", description: "Landed rows of search advertising accounts." },
  webanalytics: { name: "Web analytics", description: "Landed rows of web analytics properties." },
  crm: { name: "CRM", description: "Landed rows of the CRM. Contacts contain personal data." },
  storea: { name: "Store A", description: "Landed rows of stores on platform A. Orders contain personal data." },
  storeb: { name: "Store B", description: "Landed rows of stores on platform B." },
  finance: {
    name: "Costs",
    description: "Landed rows of tables of one's own: costs of products, expenses, fees of payments.",
  },
};

export function familyOf({ path }: AnyEndpoint): Family {
  const key = path.split("/")[2] ?? "";
  const family = FAMILIES[key];
  if (!family) throw new Error(`the family of ${path} has no description`);
  return family;
}
