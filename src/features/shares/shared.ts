import type { Endpoint } from "../../core/contract/endpoint.ts";
import { endpoints } from "../../core/endpoints/index.ts";
import { routesOf } from "../../core/http/routes.ts";
import type { Sent } from "../../core/params/validate.ts";
import type { Section } from "./shares.ts";

/** The endpoints that a share may answer: sums. None has rows of vendors, orders, customers or settings. */
const SHAREABLE = [
  "/v1/acquisition/campaigns",
  "/v1/acquisition/channels",
  "/v1/acquisition/contribution",
  "/v1/acquisition/new-customers",
  "/v1/acquisition/products",
  "/v1/acquisition/summary",
  "/v1/products",
  "/v1/products/categories",
  "/v1/products/integrations",
  "/v1/profit/statement",
  "/v1/profit/unknown-goods",
  "/v1/profitability/bridge",
  "/v1/profitability/cards",
  "/v1/profitability/cmv-evolution",
  "/v1/profitability/cohort",
  "/v1/profitability/forecast",
  "/v1/profitability/metrics-evolution",
  "/v1/profitability/new-vs-recurring",
  "/v1/profitability/payback",
  "/v1/profitability/trend",
  "/v1/restatements",
];

const find = routesOf(endpoints.filter(({ path }) => SHAREABLE.includes(path)));

/** What the organization, the format and what was known are is the share's, not its reader's. */
const OWN = ["organizationId", "knownAt", "comparedAt", "format", "all"];

/** An address as shares keep it: without what is the share's, its parameters in order. Undefined if no share may answer it. */
export function addressIn(text: string): string | undefined {
  const url = URL.canParse(text, "http://x") ? new URL(text, "http://x") : undefined;
  if (url?.origin !== "http://x" || !find(url.pathname)?.endpoint) return undefined;
  const { searchParams } = url;
  for (const name of OWN) searchParams.delete(name);
  searchParams.sort();
  const query = searchParams.toString();
  return query === "" ? url.pathname : `${url.pathname}?${query}`;
}

/** The endpoint and the parameters of a kept address; undefined if this version answers no such one. */
export function askedBy(address: string): { readonly endpoint: Endpoint; readonly sent: Sent } | undefined {
  const { pathname, searchParams } = new URL(address, "http://x");
  const endpoint = find(pathname)?.endpoint as Endpoint | undefined;
  const names = [...new Set(searchParams.keys())];
  const sent = names.map((name): [string, string | string[]] => {
    const [first = "", ...others] = searchParams.getAll(name);
    return [name, others.length === 0 ? first : [first, ...others]];
  });
  // The parameters have no prototype, since they may have any name.
  return endpoint && { endpoint, sent: Object.assign(Object.create(null), Object.fromEntries(sent)) };
}

/** The members of the statement that belong to a section, and what is missing in it. */
const isHidden = (name: string, value: unknown, hidden: readonly string[]): boolean =>
  hidden.includes(name) ||
  (typeof value === "object" && value !== null && "item" in value && hidden.includes(String(value.item)));

/** An answer about profit without the sections that were not chosen. Other answers have none. */
export function withoutSections(address: string, body: Buffer, chosen: readonly Section[]): Buffer {
  const hidden = ["fixed", "profit"].filter((section) => !chosen.includes(section as Section));
  if (hidden.length === 0 || !address.startsWith("/v1/profit/")) return body;
  const kept = JSON.parse(body.toString("utf8"), function (this: unknown, name: string, value: unknown) {
    if (Array.isArray(value)) return value.filter((one) => !isHidden("", one, hidden));
    return isHidden(name, undefined, hidden) ? undefined : value;
  });
  return Buffer.from(JSON.stringify(kept));
}
