import { array, count, currency, flag, instant, internal, personal, ratio, text } from "../contract/field.ts";
import type { Filter, RecordDeclaration } from "../contract/record.ts";

const BOOKKEEPING = [
  "organization_id",
  "user_id",
  "document_id",
  "integration_name",
  "inserted_at",
  "integration_id",
] as const;

const OF_OBJECT: Readonly<Record<string, Filter>> = {
  integrationId: { match: "exact", field: "integration_id" },
  integrationName: { match: "exact", field: "integration_name" },
  id: { match: "exact", field: "id" },
  createdStart: { from: "created_at" },
  createdEnd: { to: "created_at" },
};

const contacts: RecordDeclaration = {
  connector: "crm",
  name: "contacts",
  grain: "A contact in its present state.",
  fields: {
    id: text("Contact."),
    associated_company_id: text("Its company."),
    email: personal(text("E-mail.")),
    crm_analytics_source: text("First source of the contact: ORGANIC_SEARCH, PAID_SOCIAL…"),
    crm_analytics_source_data_1: text("Detail of that source."),
    crm_analytics_source_data_2: text("Further detail of that source."),
    crm_latest_source_data_1: text("Detail of its latest source."),
    crm_latest_source_data_2: text("Further detail of its latest source."),
    lifecycle_stage: text("lead, opportunity, customer… or the number of a stage of the account's own."),
    close_date: instant("When it became a customer."),
    create_date: instant("When it was created, as its properties say."),
    first_deal_created_date: instant("When its first deal was created."),
    crm_latest_source_timestamp: instant("Time of its latest source."),
    last_modified_date: instant("When its properties last changed."),
    created_at: instant("When it was created."),
    updated_at: instant("When it last changed."),
    archived: flag("Whether it is archived."),
  },
  guide: {
    api: "`GET /crm/v3/objects/contacts?properties=email,associatedcompanyid,hs_analytics_source,hs_analytics_source_data_1,hs_analytics_source_data_2,hs_latest_source_data_1,hs_latest_source_data_2,hs_latest_source_timestamp,lifecyclestage,closedate,createdate,first_deal_created_date,lastmodifieddate`; only the properties that it names are in the answer.",
    download: "CRM → Contacts → Export (.csv).",
    labels: {
      id: ["Record ID", "Contact ID", "ID do registro"],
      email: ["E-mail"],
      lifecycle_stage: ["Etapa do ciclo de vida"],
      crm_analytics_source: ["Original Traffic Source", "Original Source", "Fonte original do tráfego"],
      create_date: ["Data de criação"],
      close_date: ["Data de fechamento"],
      last_modified_date: ["Data da última modificação"],
    },
  },
  key: ["id"],
  version: "updated_at",
  envelopes: ["results[]"],
  own: ["id", "properties"],
  plain: ["created_at", "updated_at", "create_date", "email", "lifecycle_stage", "crm_analytics_source"],
  served: {
    path: "/v1/crm/contacts",
    summary: "Contacts.",
    bookkeeping: BOOKKEEPING,
    filters: {
      ...OF_OBJECT,
      email: { match: "ignoringCase", field: "email" },
      lifecycleStage: { match: "exact", field: "lifecycle_stage" },
      lastModifiedStart: { from: "last_modified_date|updated_at" },
      lastModifiedEnd: { to: "last_modified_date|updated_at" },
    },
    order: "created_at",
  },
};

const products: RecordDeclaration = {
  connector: "crm",
  name: "products",
  grain: "A product in its present state.",
  fields: {
    id: text("Product."),
    name: text("Its name."),
    crm_sku: text("Its SKU."),
    price: currency("Its price, in the account's currency."),
    created_at: instant("When it was created."),
    updated_at: instant("When it last changed."),
    archived: flag("Whether it is archived."),
  },
  guide: {
    api: "`GET /crm/v3/objects/products?properties=name,hs_sku,price`.",
    labels: { id: ["Record ID", "ID do registro"], name: ["Nome"], crm_sku: ["SKU"], price: ["Unit price", "Preço"] },
  },
  key: ["id"],
  version: "updated_at",
  envelopes: ["results[]"],
  own: ["id", "properties"],
  plain: ["created_at", "updated_at", "crm_sku", "name", "price"],
  served: {
    path: "/v1/crm/products",
    summary: "Products of the CRM.",
    bookkeeping: BOOKKEEPING,
    filters: {
      ...OF_OBJECT,
      name: { match: "contains", field: "name" },
      crmSku: { match: "exact", field: "crm_sku" },
      lastModifiedStart: { from: "updated_at" },
      lastModifiedEnd: { to: "updated_at" },
    },
    order: "created_at",
  },
};

const pipelines: RecordDeclaration = {
  connector: "crm",
  name: "pipelines",
  grain: "A pipeline with its stages, in its present state.",
  fields: {
    id: text("Pipeline; those of deals and of tickets may both have a `default`."),
    label: text("Its name."),
    display_order: count("Its position among the pipelines."),
    stages: array(
      {
        id: text("Stage."),
        label: text("Its name."),
        display_order: count("Its position in the pipeline."),
        is_closed: flag("Whether it is a final stage."),
        probability: ratio("Chance that a deal in it is won, 0-1.", { nullWhen: "it is a pipeline of tickets" }),
        archived: flag("Whether it is archived."),
      },
      "Its stages, in their order.",
    ),
    created_at: instant("When it was created.", { nullWhen: "it is the vendor's default pipeline" }),
    updated_at: instant("When it last changed."),
    archived: flag("Whether it is archived."),
    ...internal({ object_type: text("Type of its objects: DEAL or TICKET; null if unknown.") }),
  },
  guide: {
    api: "`GET /crm/v3/pipelines/deals` and `GET /crm/v3/pipelines/tickets`; also `GET /crm-pipelines/v1/pipelines/{objectType}`.",
  },
  key: ["object_type", "id"],
  required: ["id"],
  version: "updated_at",
  envelopes: ["results[]"],
  own: ["id", "pipelineId"],
  plain: ["display_order", "created_at", "updated_at"],
  served: {
    path: "/v1/crm/pipelines",
    summary: "Pipelines and their stages.",
    bookkeeping: BOOKKEEPING,
    filters: {
      ...OF_OBJECT,
      label: { match: "contains", field: "label" },
      lastModifiedStart: { from: "updated_at" },
      lastModifiedEnd: { to: "updated_at" },
    },
    order: "created_at",
  },
};

export const crm: readonly RecordDeclaration[] = [contacts, products, pipelines];
