import { type Endpoint, isPaged, isTabular } from "../contract/endpoint.ts";
import { FORMAT_NAMES } from "../contract/format.ts";
import type { Param, Params } from "../contract/param.ts";

const format: Param = {
  kind: "choice",
  of: FORMAT_NAMES,
  description: "Format of the answer; the default is by the Accept header.",
};

const onlyJson: Param = {
  ...format,
  description: "Format of the answer. This endpoint answers only json; other formats get 406.",
};

const all: Param = {
  kind: "flag",
  fallback: "false",
  description: "All rows of the selection in one file instead of a page; page and limit are ignored.",
};

/** Adds the parameters that select the format; they are the same for all endpoints. */
export function withFormats<E extends Endpoint>(endpoint: E): E {
  const params: Params = {
    ...endpoint.params,
    format: isTabular(endpoint) ? format : onlyJson,
    ...(isPaged(endpoint) ? { all } : {}),
  };
  return { ...endpoint, params };
}
