import type { Stream, StreamSet, Tool } from "../../../core/contract/stream.ts";

/** Properties are columns: `email`, `property_email`, `properties_email`. */
const PROPERTIES = {
  rewrite: [[/^property_/, "properties_"]],
  within: ["properties"],
} as const;

const ofObject = (record: string, root: Stream, tools: readonly Tool[]): readonly StreamSet[] =>
  tools.map((tool) => ({ tool, record, root, ...PROPERTIES }));

/** Properties that only contacts of this vendor have: customers of a store have an e-mail, too. */
const OF_CONTACTS = [
  "properties",
  ...["", "property_", "properties_"].flatMap((prefix) =>
    ["hs_object_id", "lifecyclestage", "createdate", "lastmodifieddate", "hs_analytics_source"].map(
      (name) => prefix + name,
    ),
  ),
  "property_email",
  "properties_email",
].join("|");

const contacts: Stream = {
  name: "contacts",
  aliases: ["contact"],
  key: ["id|vid"],
  rename: { vid: "id", is_deleted: "archived", _fivetran_deleted: "archived" },
  fallback: { createdAt: "properties.createdate", updatedAt: "properties.lastmodifieddate" },
  signature: ["id|vid", OF_CONTACTS],
};

const products: Stream = {
  name: "products",
  aliases: ["product"],
  key: ["id"],
  rename: { is_deleted: "archived", _fivetran_deleted: "archived" },
  fallback: { createdAt: "properties.createdate", updatedAt: "properties.hs_lastmodifieddate" },
  signature: ["id", "properties|property_price|property_name|hs_sku|hs_object_id|properties_name|properties_price"],
};

export const crm: readonly StreamSet[] = [
  ...ofObject("crm/contacts", contacts, ["airbyte", "singer", "fivetran", "dlt"]),
  ...ofObject("crm/products", products, ["airbyte", "singer", "fivetran", "dlt"]),
  ...(["airbyte", "singer"] as const).map(
    (tool): StreamSet => ({
      tool,
      record: "crm/pipelines",
      root: {
        name: "deal_pipelines",
        aliases: ["ticket_pipelines"],
        key: ["pipelineId|id"],
        signature: ["label", "stages"],
      },
    }),
  ),
  {
    tool: "dlt",
    record: "crm/pipelines",
    root: {
      name: "pipelines_deal",
      signature: ["id", "label", "display_order", "!metadata__is_closed", "!metadata__probability"],
      children: [
        {
          name: "pipelines_deal__stages",
          into: "stages",
          required: true,
          signature: ["id", "label", "metadata__is_closed|metadata__probability"],
        },
      ],
    },
  },
  {
    tool: "fivetran",
    record: "crm/pipelines",
    root: {
      name: "deal_pipeline",
      key: ["pipeline_id|id"],
      rename: { pipeline_id: "id", _fivetran_deleted: "archived" },
      signature: ["pipeline_id", "label", "!stage_id"],
      children: [
        {
          name: "deal_pipeline_stage",
          key: ["stage_id", "pipeline_id"],
          parent: ["pipeline_id"],
          into: "stages",
          required: true,
          rename: { stage_id: "id", is_closed: "metadata.isClosed", probability: "metadata.probability" },
          signature: ["stage_id", "pipeline_id"],
        },
      ],
    },
  },
];
