import type { Stream, StreamSet, Tool } from "../contract/stream.ts";

/** Properties are columns: `email`, `property_email`, `properties_email`. */
const PROPERTIES = {
  rewrite: [[/^property_/, "properties_"]],
  within: ["properties"],
} as const;

const ofObject = (record: string, root: Stream, tools: readonly Tool[]): readonly StreamSet[] =>
  tools.map((tool) => ({ tool, record, root, ...PROPERTIES }));

const contacts: Stream = {
  name: "contacts",
  aliases: ["contact"],
  key: ["id|vid"],
  rename: { vid: "id", is_deleted: "archived", _fivetran_deleted: "archived" },
  fallback: { createdAt: "properties.createdate", updatedAt: "properties.lastmodifieddate" },
  signature: ["id|vid", "email|properties|property_email|hs_object_id|lifecyclestage|properties_email"],
};

const products: Stream = {
  name: "products",
  aliases: ["product"],
  key: ["id"],
  rename: { is_deleted: "archived", _fivetran_deleted: "archived" },
  fallback: { createdAt: "properties.createdate", updatedAt: "properties.hs_lastmodifieddate" },
  signature: ["id", "price|properties|property_price|property_name|hs_sku|properties_name"],
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
