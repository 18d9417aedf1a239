import { FileError } from "../../../core/landing/bytes/scan.ts";
import { RowError } from "../../../core/landing/read/part.ts";
import {
  type Column,
  currencyIn,
  type Download,
  Keys,
  NO_CAMPAIGN_IDS,
  named,
  objectOf,
  refuseOtherCurrency,
  Totals,
  wordsOf,
} from "./download.ts";
import { META } from "./standard.ts";

const number = "number";

/** Breakdowns, by their name in the vendor's API. */
const BROKEN_DOWN = {
  ad_id: { en: ["Ad ID"], pt: ["Identificação do anúncio", "ID do anúncio"], kind: "id" },
  adset_id: {
    en: ["Ad set ID"],
    pt: ["Identificação do conjunto de anúncios", "ID do conjunto de anúncios"],
    kind: "id",
  },
  age: { en: ["Age"], pt: ["Idade"] },
  gender: { en: ["Gender"], pt: ["Gênero", "Sexo"] },
  country: { en: ["Country"], pt: ["País"] },
  region: { en: ["Region"], pt: ["Região"] },
  dma: { en: ["DMA region"], pt: ["Região de DMA", "Região DMA"] },
  publisher_platform: { en: ["Platform"], pt: ["Plataforma"] },
  platform_position: { en: ["Placement"], pt: ["Posicionamento"] },
  impression_device: { en: ["Impression device"], pt: ["Dispositivo de impressão"] },
  device_platform: { en: ["Device platform"], pt: ["Plataforma do dispositivo", "Plataforma de dispositivo"] },
  product_id: { en: ["Product ID"], pt: ["Identificação do produto", "ID do produto"] },
  hourly_stats_aggregated_by_advertiser_time_zone: {
    en: ["Time of day (ad account time zone)"],
    pt: ["Hora do dia (fuso horário da conta de anúncios)"],
  },
  hourly_stats_aggregated_by_audience_time_zone: {
    en: ["Time of day (viewer's time zone)"],
    pt: ["Hora do dia (fuso horário do visualizador)", "Hora do dia (fuso horário da pessoa que visualizou)"],
  },
} as const satisfies Record<string, Column>;

const BREAKDOWNS = Object.keys(BROKEN_DOWN);

/** The key of an object that has a name and no id. */
const byNameOf = (name: string | undefined): string | undefined => (name === undefined ? undefined : `name:${name}`);

const COLUMNS = {
  ...BROKEN_DOWN,
  ad_name: { en: ["Ad name"], pt: ["Nome do anúncio"] },
  adset_name: { en: ["Ad set name"], pt: ["Nome do conjunto de anúncios"] },
  campaign_id: { en: ["Campaign ID"], pt: ["Identificação da campanha", "ID da campanha"], kind: "id" },
  campaign_name: { en: ["Campaign name"], pt: ["Nome da campanha"] },
  currency: { en: ["Currency"], pt: ["Moeda"] },
  account_id: { en: ["Account ID"], pt: ["Identificação da conta", "ID da conta"], kind: "id" },
  objective: { en: ["Objective"], pt: ["Objetivo"] },
  day: { en: ["Day"], pt: ["Dia"], kind: "date" },
  starts: { en: ["Reporting starts"], pt: ["Início dos relatórios"], kind: "date" },
  ends: { en: ["Reporting ends"], pt: ["Término dos relatórios", "Encerramento dos relatórios"], kind: "date" },
  spend: { en: ["Amount spent"], pt: ["Valor usado", "Valor gasto"], kind: number },
  impressions: { en: ["Impressions"], pt: ["Impressões"], kind: number },
  reach: { en: ["Reach"], pt: ["Alcance"], kind: number },
  frequency: { en: ["Frequency"], pt: ["Frequência"], kind: number },
  clicks: { en: ["Clicks (all)"], pt: ["Cliques (todos)"], kind: number },
  ctr: { en: ["CTR (all)"], pt: ["CTR (todos)"], kind: number },
  inline_link_clicks: { en: ["Link clicks"], pt: ["Cliques no link"], kind: number },
  inline_link_click_ctr: {
    en: ["CTR (link click-through rate)"],
    pt: ["CTR (taxa de cliques no link)"],
    kind: number,
  },
  cpc: { en: ["CPC (all)"], pt: ["CPC (todos)"], kind: number },
  cpm: { en: ["CPM (cost per 1,000 impressions)"], pt: ["CPM (custo por 1.000 impressões)"], kind: number },
  website_purchase_roas: {
    en: ["Purchase ROAS (return on ad spend)"],
    pt: ["Retorno sobre o investimento em publicidade (ROAS) das compras"],
    kind: number,
  },
  purchases: { en: ["Purchases"], pt: ["Compras"], kind: number },
} as const satisfies Record<string, Column>;

const MEASURES = [
  "spend",
  "impressions",
  "reach",
  "frequency",
  "clicks",
  "ctr",
  "inline_link_clicks",
  "inline_link_click_ctr",
  "cpc",
  "cpm",
  "website_purchase_roas",
] as const;

const OBJECTIVE = wordsOf({
  OUTCOME_AWARENESS: ["Awareness", "Reconhecimento"],
  OUTCOME_TRAFFIC: ["Traffic", "Tráfego"],
  OUTCOME_ENGAGEMENT: ["Engagement", "Engajamento"],
  OUTCOME_LEADS: ["Leads", "Cadastros"],
  OUTCOME_APP_PROMOTION: ["App promotion", "Promoção do app"],
  OUTCOME_SALES: ["Sales", "Vendas"],
});

const PLATFORM = wordsOf({
  facebook: ["Facebook"],
  instagram: ["Instagram"],
  messenger: ["Messenger"],
  audience_network: ["Audience Network"],
  threads: ["Threads"],
});

const GENDER = wordsOf({
  female: ["Female", "Feminino", "Mulheres", "Women"],
  male: ["Male", "Masculino", "Homens", "Men"],
  unknown: ["Unknown", "Desconhecido", "Uncategorized"],
});

/** Breakdowns whose values are labels. */
const WORDS: Readonly<Record<string, ReturnType<typeof wordsOf>>> = { publisher_platform: PLATFORM, gender: GENDER };

/** The table of Ads Manager: one row per campaign (ad set, ad), breakdown, and day or range. */
export const meta: Download = {
  name: "a Meta Ads Manager export",
  record: "socialads/campaigns",
  columns: COLUMNS,
  standard: META,
  isThis: ({ found }) =>
    found.has("spend") &&
    (found.has("starts") || found.has("day")) &&
    (found.has("campaign_name") || found.has("campaign_id") || found.has("adset_name") || found.has("ad_name")),
  open: (heading, settings) => {
    const { found } = heading;
    for (const one of found.values()) refuseOtherCurrency(currencyIn(one), settings);
    if (!found.has("campaign_id") && !(settings.campaignsByName && found.has("campaign_name"))) {
      throw new FileError(
        `${NO_CAMPAIGN_IDS}: add the column ${named(meta, "campaign_id", heading)} to the table before you export it, or set ` +
          '"campaignsByName" of its integration to true',
      );
    }
    const totals = new Totals(["spend", "impressions", "clicks", "inline_link_clicks", "purchases"]);
    const keys = new Keys(heading);
    const isNamed = (["campaign_name", "campaign_id", "adset_name", "adset_id", "ad_name", "ad_id"] as const).filter(
      (field) => found.has(field),
    );
    // Only what the file has is looked at in each row.
    const breakdownsOf = BREAKDOWNS.filter((field) => found.has(field));
    const measuresOf = MEASURES.filter((field) => found.has(field));
    const hasNames = found.has("ad_name") || found.has("adset_name");
    const missing = (["clicks", "inline_link_clicks", "impressions", "website_purchase_roas"] as const).filter(
      (field) => !found.has(field),
    );
    const notes = [
      ...(missing.length > 0
        ? [`no column of ${missing.map((field) => COLUMNS[field].en[0]).join(", ")}: those figures are N/D`]
        : []),
      ...(found.has("day")
        ? []
        : [
            "no column of the day: the spend of each row counts evenly for the days of its range, so figures by day are estimates",
          ]),
      ...(found.has("campaign_id")
        ? []
        : ["no ids of campaigns: they are named, and are others than those of the API"]),
    ];
    return {
      notes,
      parts: (cells) => {
        if (isNamed.every((field) => cells[field] === undefined)) {
          totals.total(cells);
          return [];
        }
        refuseOtherCurrency(cells.currency, settings);
        // Next to the rows by day it would count the same spend again.
        if (found.has("day") && cells.day === undefined) throw new RowError(`${found.get("day")}: missing`);
        totals.row(cells);
        const name = cells.campaign_name;
        const byName = settings.campaignsByName ? byNameOf(name) : undefined;
        const campaign = cells.campaign_id ?? byName;
        if (campaign === undefined) throw new RowError(`${heading.found.get("campaign_id")}: missing`);
        const start = cells.day ?? cells.starts;
        const stop = cells.day ?? cells.ends ?? start;
        const breakdowns: Record<string, string | undefined> = {};
        for (const field of breakdownsOf) breakdowns[field] = WORDS[field]?.(cells[field]) ?? cells[field];
        if (hasNames) {
          breakdowns.ad_id ??= byNameOf(cells.ad_name);
          breakdowns.adset_id ??= byNameOf(cells.adset_name);
        }
        keys.add(cells.account_id, campaign, start, stop, ...Object.values(breakdowns));
        const measures: Record<string, string> = {};
        for (const field of measuresOf) {
          const cell = cells[field];
          if (cell !== undefined && cell !== "-") measures[field] = cell;
        }
        return [
          {
            stream: "download:ads_manager",
            object: objectOf({
              ...measures,
              _unknown: missing,
              campaign_id: campaign,
              campaign_name: name,
              account_id: cells.account_id,
              objective: OBJECTIVE(cells.objective),
              actions:
                cells.purchases === undefined ? undefined : [{ action_type: "purchase", value: cells.purchases }],
              date_start: start,
              date_stop: stop,
              ...breakdowns,
            }),
          },
        ];
      },
      end: () => {
        totals.check(heading);
        return [];
      },
    };
  },
};
