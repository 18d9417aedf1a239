import { type Endpoint, isAnalysis, isPaged } from "../contract/endpoint.ts";
import type { Accepted, Params } from "../contract/param.ts";
import { carriedFilters } from "./carried.ts";
import { endpoints } from "./index.ts";
import { paging } from "./rows.ts";

/** The parameters of an endpoint's file: that of a paged analysis returns all rows. */
export const paramsOf = (endpoint: Endpoint): Params =>
  isPaged(endpoint)
    ? Object.fromEntries(Object.entries(endpoint.params).filter(([name]) => !Object.hasOwn(paging, name)))
    : endpoint.params;

/** The parameters of all analyses, which an ad-hoc query may use. */
export const everyParam: Params = Object.assign({}, ...endpoints.filter(isAnalysis).map(paramsOf));

/**
 * Their values when no parameter is sent. What orders carry filters them only where it is sent, also by a name that another list
 * presets.
 */
export const usual: Accepted = Object.fromEntries(
  Object.entries(everyParam).map(([name, param]) => [
    name,
    "fallback" in param && !Object.hasOwn(carriedFilters, name) ? (param.fallback ?? null) : null,
  ]),
);
