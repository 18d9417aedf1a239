import type { StreamSet } from "../../../core/contract/stream.ts";

/** The tables with the events of one day, which come without joins. */
const events = (record: string): StreamSet => ({
  tool: "bigquery",
  record,
  root: { name: "events", aliases: ["events_intraday"] },
});

const TOOLS = ["airbyte", "singer", "fivetran", "dlt"] as const;

/** Reports of any name, known by their columns. */
const reports: readonly StreamSet[] = ["customers", "events", "items"].flatMap((name) =>
  TOOLS.map(
    (tool): StreamSet => ({
      tool,
      record: `webanalytics/${name}`,
      root: { name: "report", custom: true, signature: [] },
    }),
  ),
);

export const webanalytics: readonly StreamSet[] = [
  ...reports,
  events("webanalytics/events"),
  events("webanalytics/items"),
];
