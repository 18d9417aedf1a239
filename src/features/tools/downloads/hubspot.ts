import { FileError } from "../../../core/landing/bytes/scan.ts";
import { RowError } from "../../../core/landing/read/part.ts";
import { instantIn } from "../../../core/time/zoned.ts";
import { type Column, type Download, objectOf, wordsOf } from "./download.ts";

const COLUMNS = {
  id: {
    en: ["Record ID", "Record ID - Contact", "Contact ID"],
    pt: ["ID do registro", "ID do registro - Contato", "ID do contato"],
    kind: "id",
  },
  email: { en: ["Email"], pt: ["E-mail"] },
  lifecyclestage: { en: ["Lifecycle Stage"], pt: ["Fase do ciclo de vida", "Estágio do ciclo de vida"] },
  hs_analytics_source: {
    en: ["Original Traffic Source", "Original Source"],
    pt: ["Fonte original de tráfego", "Fonte de tráfego original", "Fonte original"],
  },
  hs_analytics_source_data_1: {
    en: ["Original Traffic Source Drill-Down 1", "Original Source Drill-Down 1"],
    pt: ["Detalhamento da fonte original 1", "Detalhamento da fonte de tráfego original 1"],
  },
  hs_analytics_source_data_2: {
    en: ["Original Traffic Source Drill-Down 2", "Original Source Drill-Down 2"],
    pt: ["Detalhamento da fonte original 2", "Detalhamento da fonte de tráfego original 2"],
  },
  hs_latest_source_data_1: {
    en: ["Latest Traffic Source Drill-Down 1", "Latest Source Drill-Down 1"],
    pt: ["Detalhamento da fonte mais recente 1", "Detalhamento da fonte de tráfego mais recente 1"],
  },
  hs_latest_source_data_2: {
    en: ["Latest Traffic Source Drill-Down 2", "Latest Source Drill-Down 2"],
    pt: ["Detalhamento da fonte mais recente 2", "Detalhamento da fonte de tráfego mais recente 2"],
  },
  hs_latest_source_timestamp: {
    en: ["Latest Traffic Source Date", "Latest Source Date"],
    pt: ["Data da fonte mais recente", "Data da fonte de tráfego mais recente"],
    kind: "date",
  },
  createdate: { en: ["Create Date"], pt: ["Data de criação"], kind: "date" },
  lastmodifieddate: {
    en: ["Last Modified Date"],
    pt: ["Data da última modificação", "Última data de modificação"],
    kind: "date",
  },
  closedate: { en: ["Close Date"], pt: ["Data de fechamento"], kind: "date" },
  first_deal_created_date: {
    en: ["First Deal Created Date"],
    pt: ["Data de criação do primeiro negócio"],
    kind: "date",
  },
  associatedcompanyid: {
    en: [
      "Associated Company IDs (Primary)",
      "Primary Associated Company ID",
      "Associated Company IDs",
      "Associated Company ID",
    ],
    pt: [
      "ID da empresa associada principal",
      "IDs das empresas associadas (principal)",
      "IDs de empresa associados (Principal)",
    ],
  },
} as const satisfies Record<string, Column>;

const STAGE = wordsOf({
  subscriber: ["Subscriber", "Assinante"],
  lead: ["Lead"],
  marketingqualifiedlead: [
    "Marketing Qualified Lead",
    "Lead qualificado pelo marketing",
    "Lead qualificado para marketing",
  ],
  salesqualifiedlead: [
    "Sales Qualified Lead",
    "Lead qualificado por vendas",
    "Lead qualificado para vendas",
    "Lead qualificado pelas vendas",
  ],
  opportunity: ["Opportunity", "Oportunidade"],
  customer: ["Customer", "Cliente"],
  evangelist: ["Evangelist", "Promotor", "Evangelista"],
  other: ["Other", "Outro", "Outros"],
});

const SOURCE = wordsOf({
  ORGANIC_SEARCH: ["Organic Search", "Pesquisa orgânica", "Busca orgânica"],
  PAID_SEARCH: ["Paid Search", "Pesquisa paga", "Busca paga"],
  EMAIL_MARKETING: ["Email Marketing", "Marketing por e-mail", "E-mail marketing"],
  SOCIAL_MEDIA: [
    "Organic Social",
    "Social Media",
    "Social orgânico",
    "Mídias sociais orgânicas",
    "Redes sociais orgânicas",
  ],
  REFERRALS: ["Referrals", "Referências", "Indicações"],
  OTHER_CAMPAIGNS: ["Other Campaigns", "Outras campanhas"],
  DIRECT_TRAFFIC: ["Direct Traffic", "Tráfego direto"],
  OFFLINE: ["Offline Sources", "Fontes offline"],
  PAID_SOCIAL: ["Paid Social", "Social pago", "Mídias sociais pagas", "Redes sociais pagas"],
  AI_REFERRALS: ["AI Referrals", "Referências de IA"],
});

const DATES = [
  "createdate",
  "lastmodifieddate",
  "closedate",
  "first_deal_created_date",
  "hs_latest_source_timestamp",
] as const;

const FIRST_NAME = /^(first name|nome|primeiro nome)$/i;

/** The index page of contacts, in any language that is known. */
export const hubspotContacts: Download = {
  name: "a HubSpot contacts export",
  record: "crm/contacts",
  columns: COLUMNS,
  // Companies have a record id and a stage, too, but no first name.
  isThis: ({ found, others }) =>
    found.has("id") && (found.has("email") || others.some((name) => FIRST_NAME.test(name))),
  open: ({ found }, { timezone = "UTC" }) => {
    const missing = (["lifecyclestage", "hs_analytics_source", "lastmodifieddate"] as const).filter(
      (field) => !found.has(field),
    );
    return {
      notes: missing.map((field) => `no column ${COLUMNS[field].en[0]}: those fields are null`),
      parts: (cells) => {
        if (cells.id === undefined) throw new RowError(`${found.get("id")}: missing`);
        const dates = Object.fromEntries(DATES.map((field) => [field, instantIn(cells[field], timezone)]));
        const company = cells.associatedcompanyid?.split(";")[0]?.trim();
        return [
          {
            stream: "download:hubspot_contacts",
            object: objectOf({
              id: cells.id,
              createdAt: dates.createdate,
              updatedAt: dates.lastmodifieddate,
              properties: {
                ...cells,
                ...dates,
                associatedcompanyid: company,
                lifecyclestage: STAGE(cells.lifecyclestage),
                hs_analytics_source: SOURCE(cells.hs_analytics_source),
              },
            }),
          },
        ];
      },
    };
  },
};

/** The index page of deals: Lucra has no record of them. */
export const hubspotDeals: Download = {
  name: "a HubSpot deals export",
  columns: {
    id: {
      en: ["Record ID", "Record ID - Deal", "Deal ID"],
      pt: ["ID do registro", "ID do registro - Negócio", "ID do negócio"],
    },
    deal: { en: ["Deal Name"], pt: ["Nome do negócio"] },
  },
  isThis: ({ found }) => found.has("id") && found.has("deal"),
  open: () => {
    throw new FileError("is a HubSpot deals export: deals are not read, only contacts, products and pipelines");
  },
};
