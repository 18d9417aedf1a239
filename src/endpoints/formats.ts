import { type Endpoint, isTabular } from "../contract/endpoint.ts";
import { FORMAT_NAMES } from "../contract/format.ts";
import type { Param, Params } from "../contract/param.ts";

const format: Param = {
  kind: "choice",
  of: FORMAT_NAMES,
  description: "Format of the answer; without it the Accept header chooses.",
};

const jsonAlone: Param = {
  ...format,
  description: "Format of the answer. Here only json: the others are answered 406.",
};

const all: Param = {
  kind: "flag",
  fallback: "false",
  description: "All rows of the selection in one file, instead of a page; page and limit do not count.",
};

/** The endpoint with the parameters that choose how it is answered: the same everywhere, and declared here alone. */
export function withFormats<E extends Endpoint>(endpoint: E): E {
  const params: Params = {
    ...endpoint.params,
    format: isTabular(endpoint) ? format : jsonAlone,
    ...(endpoint.shape === "page" ? { all } : {}),
  };
  return { ...endpoint, params };
}
