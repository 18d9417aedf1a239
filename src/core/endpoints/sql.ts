import { type AdHocEndpoint, ROOT } from "../contract/endpoint.ts";
import { array, count, flag, text } from "../contract/field.ts";
import { anyPeriod, compare, period } from "./common.ts";

/** Rows of a result. */
const SQL_ROWS = { usual: 1_000, most: 10_000 };
/** A longer text does not fit into an address. */
const LONGEST_QUERY = 8_192;

/** A client's own query over the views of its organization. */
export const sql: AdHocEndpoint = {
  by: "adhoc",
  path: "/v1/sql",
  summary:
    "Runs one query that reads over the views of the organization, which `select * from information_schema.columns` lists. It runs in a process of its own with limits on time and memory, and reads nothing else. A query that is refused or fails gets 400 with the engine's message.",
  params: {
    ...period,
    compare,
    query: {
      kind: "text",
      required: true,
      maxLength: LONGEST_QUERY,
      description:
        "One query in DuckDB's SQL, such as `select ordered_on, sum(revenue) from orders group by all`. The other parameters are members of its variable `p`, which the table macros read: `select * from period_orders()`.",
    },
    limit: {
      kind: "paging",
      least: 1,
      most: SQL_ROWS.most,
      fallback: SQL_ROWS.usual,
      description: "The most rows of the result. Further ones are not sent; the answer says that there are more.",
    },
  },
  periods: [anyPeriod],
  unknown: "refused",
  cacheSeconds: 0,
  parts: {
    [ROOT]: {
      rows: "one",
      fields: {
        columns: array(
          { name: text("Its name."), type: text("Its type in the engine, such as `DATE` or `DECIMAL(18,2)`.") },
          "The columns, in order.",
        ),
        rows: {
          unit: "rows",
          description:
            "The rows, as lists of values in the order of the columns. Numbers are exact, or else texts: whole numbers beyond 2^53, and decimals with more than 15 digits. Days and instants are ISO texts.",
        },
        rowCount: count("Rows in this answer.", "number of rows"),
        truncated: flag("Whether the query has more rows than were sent."),
      },
    },
  },
};
