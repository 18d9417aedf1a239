/** The formats of an answer. The first is the default. */
export const FORMATS = {
  json: "application/json",
  csv: "text/csv",
  ndjson: "application/x-ndjson",
  arrow: "application/vnd.apache.arrow.stream",
  parquet: "application/vnd.apache.parquet",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
} as const;

export type Format = keyof typeof FORMATS;

/** Their names, as `format=` and the commands accept them. */
export const FORMAT_NAMES = Object.keys(FORMATS) as readonly Format[];

/** Those of the result of a client's own query. */
export const SQL_FORMATS = ["json", "csv"] as const satisfies readonly Format[];

/** File extension of a format: an Arrow stream has its own. */
export const endingOf = (format: Format): string => (format === "arrow" ? "arrows" : format);
