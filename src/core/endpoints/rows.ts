import type { SqlEndpoint } from "../contract/endpoint.ts";
import { organizationId, type Param, type Params, type PeriodRule } from "../contract/param.ts";
import { type Filter, rowFields, type ServedRecord, servedFields } from "../contract/record.ts";

/** The parameters of every paged endpoint. */
export const paging: Params = {
  page: { kind: "paging", least: 1, most: Number.MAX_SAFE_INTEGER, fallback: 1, description: "Page, from 1." },
  limit: { kind: "paging", least: 1, most: 5000, fallback: 500, description: "Rows per page." },
};

/** A filter as a parameter [D20]. */
function filterParam(filter: Filter): Param {
  if ("from" in filter)
    return { kind: "from", description: `Rows from this day or instant on, by \`${filter.from}\`.` };
  if ("to" in filter)
    return { kind: "to", description: `Rows up to and including this day or instant, by \`${filter.to}\`.` };
  const how = {
    exact: "is exactly this",
    contains: "contains this, ignoring case",
    ignoringCase: "is this, ignoring case",
  };
  const alsoPlain = filter.prefix ? `; \`${filter.prefix}\` may be omitted` : "";
  return { kind: "text", description: `Rows whose \`${filter.field}\` ${how[filter.match]}${alsoPlain}.` };
}

/** Pairs of parameters that bound one field: `createdStart` and `createdEnd`. */
function periodsOf(params: Params): PeriodRule[] {
  return Object.keys(params)
    .filter((name) => name.endsWith("Start") && name.replace(/Start$/, "End") in params)
    .map((start) => ({ start, end: start.replace(/Start$/, "End") }));
}

/** A record's row endpoint, built from its declaration. Pages and their order: [D19]. */
export function rowsEndpoint(record: ServedRecord): SqlEndpoint {
  const { served } = record;
  const filters = Object.entries(served.filters).map(([name, filter]): [string, Param] => [name, filterParam(filter)]);
  const sorting: Params = served.sortable
    ? {
        orderBy: {
          kind: "choice",
          of: servedFields(record),
          description: `Sort field; the default is \`${served.order}\`.`,
        },
        orderDirection: {
          kind: "choice",
          of: ["ASC", "DESC"],
          anyCase: true,
          fallback: "ASC",
          description: "Sort direction.",
        },
      }
    : {};
  const params: Params = { organizationId, ...Object.fromEntries(filters), ...sorting, ...paging };
  return {
    path: served.path,
    summary: served.summary,
    params,
    periods: periodsOf(params),
    unknown: "ignored",
    cacheSeconds: 1800,
    table: "data",
    parts: {
      data: {
        record,
        rows: "many",
        paged: true,
        description: `The page's rows: ${record.grain}`,
        fields: rowFields(record),
      },
    },
  };
}
