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

/** Their names, as `format=` and the commands take them. */
export const FORMAT_NAMES = Object.keys(FORMATS) as readonly Format[];

/** Of a file that holds an answer: an Arrow stream has an ending of its own. */
export const endingOf = (format: Format): string => (format === "arrow" ? "arrows" : format);
