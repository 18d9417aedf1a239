import type { StreamSet } from "../contract/stream.ts";

const TOOLS = ["airbyte", "singer", "fivetran", "dlt"] as const;

/** Reports of any name, known by their columns. */
export const webanalytics: readonly StreamSet[] = ["customers", "events", "items"].flatMap((name) =>
  TOOLS.map(
    (tool): StreamSet => ({
      tool,
      record: `webanalytics/${name}`,
      root: { name: "report", custom: true, signature: [] },
    }),
  ),
);
