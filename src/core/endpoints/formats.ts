import { HEADINGS, LOCALES } from "../contract/dialect.ts";
import { type AnyEndpoint, comparesStates, hasWhole, isPaged, isTabular } from "../contract/endpoint.ts";
import { FORMAT_NAMES, SQL_FORMATS } from "../contract/format.ts";
import type { Param, Params } from "../contract/param.ts";

const format = {
  kind: "choice",
  of: FORMAT_NAMES,
  description: "Format of the answer; the default is by the Accept header.",
} as const satisfies Param;

const onlyJson: Param = {
  ...format,
  description: "Format of the answer. This endpoint answers only json; other formats get 406.",
};

/** For people: other formats are for programs, which have one dialect. */
const spreadsheets = {
  locale: {
    kind: "choice",
    of: LOCALES,
    description:
      "How CSV and XLSX write numbers, dates and flags; other formats ignore it. `pt-BR`: CSV with semicolons, decimal commas, dd/mm/yyyy and a byte order mark. `en`: CSV as without it. XLSX with either is formatted, and has a sheet for each table of the answer and one with definitions.",
  },
  headings: {
    kind: "choice",
    of: HEADINGS,
    fallback: "names",
    description:
      "Headings of CSV and XLSX: names of fields, or their labels in the language of `locale`, by default English. Rows of records keep their names.",
  },
} as const satisfies Params;

const all = (what: string): Param => ({ kind: "flag", fallback: "false", description: what });

const ALL = all("All rows of the selection in one file instead of a page; page and limit are ignored.");
const ALL_PRODUCTS = all("All rows of the selection in one file instead of a page; page and pageSize are ignored.");
const ALL_LEFT_OUT = all("All rows in one file, also those that are left out otherwise.");

const allOf = (endpoint: AnyEndpoint): Param => {
  if (isPaged(endpoint)) return ALL;
  return endpoint.pagination === undefined ? ALL_LEFT_OUT : ALL_PRODUCTS;
};

/** The earlier state that answers. */
const knownAt = {
  kind: "known",
  refusesEmpty: true,
  description:
    "Answers as the service would have then, with the data and settings that were known: an instant (ISO 8601), a day, which means its end in UTC, or the name of a pin.",
} as const satisfies Param;

/** The two states that are compared [D84]. */
const compared = {
  knownAt: {
    ...knownAt,
    required: true,
    description: "The earlier state: an instant (ISO 8601), a day, which means its end in UTC, or the name of a pin.",
  },
  comparedAt: {
    ...knownAt,
    description: "The later state, in the same way, not before knownAt; by default what is in force.",
  },
} as const satisfies Params;

/** Adds the parameter that asks for an earlier state [D80], or those that ask for two. */
export const withStates = <E extends AnyEndpoint>(endpoint: E): E => ({
  ...endpoint,
  params: { ...endpoint.params, ...(comparesStates(endpoint) ? compared : { knownAt }) },
});

/** Adds the parameters that select the format; they are the same for all endpoints. */
export function withFormats<E extends AnyEndpoint>(endpoint: E): E {
  const params: Params = {
    ...endpoint.params,
    format: endpoint.by === "adhoc" ? { ...format, of: SQL_FORMATS } : isTabular(endpoint) ? format : onlyJson,
    ...(isTabular(endpoint) ? spreadsheets : {}),
    ...(endpoint.by === "adhoc" ? { locale: spreadsheets.locale } : {}),
    ...(hasWhole(endpoint) ? { all: allOf(endpoint) } : {}),
  };
  return { ...endpoint, params };
}
