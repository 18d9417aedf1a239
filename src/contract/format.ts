/** The formats an answer can have. The first is what a request that does not choose gets. */
export const FORMATS = {
  json: "application/json",
  csv: "text/csv",
  ndjson: "application/x-ndjson",
  arrow: "application/vnd.apache.arrow.stream",
  parquet: "application/vnd.apache.parquet",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
} as const;

export type Format = keyof typeof FORMATS;
