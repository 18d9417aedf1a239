import { type Endpoint, isAnalysis, isPaged } from "../contract/endpoint.ts";
import type { Accepted, Params } from "../contract/param.ts";
import { endpoints } from "./index.ts";
import { paging } from "./rows.ts";

/** The parameters of an endpoint's file: that of a paged analysis returns all rows. */
export const paramsOf = (endpoint: Endpoint): Params =>
  isPaged(endpoint)
    ? Object.fromEntries(Object.entries(endpoint.params).filter(([name]) => !Object.hasOwn(paging, name)))
    : endpoint.params;

/** The parameters of all analyses, which an ad-hoc query may use. */
export const everyParam: Params = Object.assign({}, ...endpoints.filter(isAnalysis).map(paramsOf));

/** Their values when no parameter is sent. */
export const usual: Accepted = Object.fromEntries(
  Object.entries(everyParam).map(([name, param]) => [name, "fallback" in param ? (param.fallback ?? null) : null]),
);
