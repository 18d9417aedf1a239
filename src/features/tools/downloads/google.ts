import { FileError } from "../../../core/landing/bytes/scan.ts";
import { shifted } from "../../../core/landing/read/decimals.ts";
import { RowError } from "../../../core/landing/read/part.ts";
import {
  type Cells,
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
import { GOOGLE_ADS } from "./standard.ts";

const number = "number";

/** Segments, by their name in the vendor's API. */
const SEGMENTS = {
  device: { en: ["Device"], pt: ["Dispositivo"] },
  adNetworkType: {
    en: ["Network (with search partners)", "Network"],
    pt: ["Rede (com parceiros de pesquisa)", "Rede"],
  },
  hour: { en: ["Hour of the day", "Hour of day"], pt: ["Hora do dia"] },
  clickType: { en: ["Click type"], pt: ["Tipo de clique"] },
  conversionActionName: { en: ["Conversion action"], pt: ["Ação de conversão"] },
  conversionActionCategory: {
    en: ["Conversion category", "Conversion action category"],
    pt: ["Categoria de conversão"],
  },
  ageRange: { en: ["Age"], pt: ["Idade"] },
  gender: { en: ["Gender"], pt: ["Gênero"] },
  slot: { en: ["Top vs. Other", "Top vs. other"], pt: ["Parte superior versus outras"] },
  country: { en: ["Country/Territory", "Country"], pt: ["País/território", "País"] },
  region: { en: ["Region"], pt: ["Região"] },
  city: { en: ["City"], pt: ["Cidade"] },
} as const satisfies Record<string, Column>;

const METRICS = {
  impressions: { en: ["Impr.", "Impressions"], pt: ["Impr.", "Impressões"], kind: number },
  clicks: { en: ["Clicks"], pt: ["Cliques"], kind: number },
  costMicros: { en: ["Cost"], pt: ["Custo"], kind: number },
  conversions: { en: ["Conversions"], pt: ["Conversões"], kind: number },
  conversionsValue: { en: ["Conv. value", "Total conv. value"], pt: ["Valor conv.", "Valor da conv."], kind: number },
  allConversions: { en: ["All conv."], pt: ["Todas as conv."], kind: number },
  allConversionsValue: { en: ["All conv. value"], pt: ["Valor de todas as conv."], kind: number },
} as const satisfies Record<string, Column>;

const METRIC_NAMES = Object.keys(METRICS) as (keyof typeof METRICS)[];

/** Figures whose rows add up to their total; conversions are rounded in each row. */
const EXACT = new Set<string>(["costMicros", "impressions", "clicks"]);

const COLUMNS = {
  ...SEGMENTS,
  ...METRICS,
  date: { en: ["Day", "Date"], pt: ["Dia", "Data"], kind: "date" },
  campaign_id: { en: ["Campaign ID"], pt: ["ID da campanha"], kind: "id" },
  campaign: { en: ["Campaign"], pt: ["Campanha"] },
  status: { en: ["Campaign status", "Campaign state"], pt: ["Status da campanha"] },
  type: { en: ["Campaign type"], pt: ["Tipo de campanha"] },
  bidding: { en: ["Bid strategy type", "Campaign bid strategy type"], pt: ["Tipo de estratégia de lances"] },
  currency: { en: ["Currency code", "Currency"], pt: ["Código da moeda", "Moeda"] },
  ad_group_id: { en: ["Ad group ID"], pt: ["ID do grupo de anúncios"], kind: "id" },
  ad_group: { en: ["Ad group"], pt: ["Grupo de anúncios"] },
  keyword: { en: ["Keyword", "Search keyword"], pt: ["Palavra-chave", "Palavra-chave da pesquisa"] },
  keyword_id: { en: ["Keyword ID"], pt: ["ID da palavra-chave"], kind: "id" },
  asset_group: { en: ["Asset group", "Asset group ID"], pt: ["Grupo de recursos", "ID do grupo de recursos"] },
} as const satisfies Record<string, Column>;

const STATUS = wordsOf({
  ENABLED: ["Active", "Ativada", "Ativado", "Ativa", "Ativo"],
  PAUSED: ["Pausada", "Pausado"],
  REMOVED: ["Deleted", "Removida", "Removido"],
});

const CHANNEL = wordsOf({
  SEARCH: ["Search Network", "Pesquisa", "Rede de Pesquisa"],
  DISPLAY: ["Display Network", "Rede de Display"],
  SHOPPING: [],
  VIDEO: ["Vídeo"],
  PERFORMANCE_MAX: ["Performance Max", "Máximo desempenho"],
  MULTI_CHANNEL: ["App", "Apps", "Aplicativo"],
  DEMAND_GEN: ["Demand Gen", "Geração de demanda"],
  DISCOVERY: ["Descoberta"],
  LOCAL: [],
  SMART: ["Inteligente"],
  HOTEL: ["Hotéis"],
  TRAVEL: ["Viagem"],
});

const BIDDING = wordsOf({
  MAXIMIZE_CONVERSIONS: ["Maximizar conversões"],
  MAXIMIZE_CONVERSION_VALUE: ["Maximizar valor da conversão", "Maximizar o valor da conversão"],
  TARGET_CPA: ["CPA desejado"],
  TARGET_ROAS: ["ROAS desejado"],
  TARGET_SPEND: ["Maximize clicks", "Maximizar cliques"],
  TARGET_IMPRESSION_SHARE: ["Parcela de impressões desejada"],
  MANUAL_CPC: ["CPC manual"],
  MANUAL_CPM: ["CPM manual", "CPM visível"],
  MANUAL_CPV: ["CPV manual"],
});

const DEVICE = wordsOf({
  MOBILE: ["Mobile phones", "Mobile devices with full browsers", "Smartphones", "Celulares", "Dispositivos móveis"],
  DESKTOP: ["Computers", "Computadores"],
  TABLET: ["Tablets", "Tablets with full browsers"],
  CONNECTED_TV: ["TV screens", "Telas de TV", "Smart TVs"],
  OTHER: ["Outros"],
});

const NETWORK = wordsOf({
  SEARCH: ["Google search", "Search Network", "Pesquisa Google", "Pesquisa do Google", "Rede de Pesquisa"],
  SEARCH_PARTNERS: ["Search partners", "Parceiros de pesquisa", "Parceiros de pesquisa do Google"],
  CONTENT: ["Display Network", "Google Display Network", "Rede de Display", "Rede de Display do Google"],
  YOUTUBE: ["YouTube Videos", "Vídeos do YouTube"],
  MIXED: ["Cross-network", "Entre redes"],
});

/** The cells of an unknown figure. */
const withoutMissing = (cells: Cells): Cells =>
  Object.fromEntries(Object.entries(cells).filter(([, text]) => !/^[-–—]+$/.test(text)));

/** Columns that a row has and a total does not, unless its label is in that column. */
const OF_ROW = ["campaign_id", "date"] as const;

/** A report of the pages of Google Ads, as CSV or as tab-separated UTF-16. */
export const google: Download = {
  name: "a Google Ads report",
  record: "searchads/campaigns",
  columns: COLUMNS,
  standard: GOOGLE_ADS,
  isThis: ({ found, others, language }) =>
    found.has("costMicros") &&
    (found.has("campaign") || found.has("campaign_id")) &&
    // Lucra's own columns have names that are the same in other capitals: `campaign_id`, `cost`, `date`.
    [...found.values(), ...others].some((heading) => /[A-Z]/.test(heading)) &&
    (language === "pt-BR" || found.size > 2 || others.length > 0),
  open: (heading, settings) => {
    const { found } = heading;
    if (!found.has("campaign_id") && !settings.campaignsByName) {
      throw new FileError(
        `${NO_CAMPAIGN_IDS}: add the column ${named(google, "campaign_id", heading)} to the report, or set "campaignsByName" of ` +
          "its integration",
      );
    }
    if (!found.has("date")) {
      throw new FileError(`has no days: add the column ${named(google, "date", heading)} to the report`);
    }
    for (const one of found.values()) refuseOtherCurrency(currencyIn(one), settings);
    const metrics = METRIC_NAMES.filter((field) => found.has(field));
    const totals = new Totals(
      metrics.filter((field) => EXACT.has(field)),
      metrics.filter((field) => !EXACT.has(field)),
    );
    const keys = new Keys(heading);
    const missing = METRIC_NAMES.filter((field) => !found.has(field));
    const label = [...found].find(([, name]) => name === heading.first)?.[0] ?? "";
    const notes = [
      ...(missing.length > 0
        ? [`no column of ${missing.map((field) => COLUMNS[field].en[0]).join(", ")}: those figures are N/D`]
        : []),
      ...(found.has("campaign_id")
        ? []
        : ["no ids of campaigns: they are named, and are others than those of the API"]),
    ];
    return {
      notes,
      parts: (all, _position, first) => {
        const cells = withoutMissing(all);
        const isTotal =
          /^Total(: |$)/.test(first) && OF_ROW.every((field) => field === label || cells[field] === undefined);
        refuseOtherCurrency(cells.currency, settings);
        if (isTotal) {
          const group = CHANNEL(/^Total: (.*)$/.exec(first)?.[1]) ?? "";
          const { [label]: _, ...figures } = cells;
          if (!isChannel(group)) totals.total(figures);
          else if (found.has("type")) totals.total(figures, group);
          return [];
        }
        const type = CHANNEL(cells.type);
        totals.row(cells, type);
        const byName = settings.campaignsByName && cells.campaign !== undefined ? `name:${cells.campaign}` : undefined;
        const id = cells.campaign_id ?? byName;
        if (id === undefined) throw new RowError(`${found.get("campaign_id") ?? found.get("campaign")}: missing`);
        const segments = {
          ...Object.fromEntries(Object.keys(SEGMENTS).map((field) => [field, cells[field]])),
          device: DEVICE(cells.device),
          adNetworkType: NETWORK(cells.adNetworkType),
        };
        keys.add(
          id,
          cells.date,
          cells.ad_group_id ?? cells.ad_group,
          cells.keyword_id ?? cells.keyword,
          cells.asset_group,
          ...Object.values(segments),
        );
        const isPart = cells.ad_group_id !== undefined || cells.ad_group !== undefined;
        return [
          {
            stream: "download:google_ads",
            object: objectOf({
              campaign: {
                id,
                name: cells.campaign,
                status: STATUS(cells.status),
                advertisingChannelType: type,
                biddingStrategyType: BIDDING(cells.bidding),
              },
              ...(isPart ? { adGroup: { id: cells.ad_group_id, name: cells.ad_group } } : {}),
              ...(cells.asset_group === undefined ? {} : { assetGroup: { name: cells.asset_group } }),
              ...(cells.keyword === undefined ? {} : { keywordView: { name: cells.keyword } }),
              metrics: {
                ...Object.fromEntries(metrics.map((field) => [field, cells[field]])),
                costMicros: shifted(cells.costMicros, 6),
              },
              // A figure that is not known is not 0.
              fieldMask: metrics
                .filter((field) => cells[field] !== undefined)
                .map((field) => `metrics.${field}`)
                .join(","),
              segments: { date: cells.date, ...segments },
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

const CHANNELS = new Set([
  "SEARCH",
  "DISPLAY",
  "SHOPPING",
  "VIDEO",
  "PERFORMANCE_MAX",
  "MULTI_CHANNEL",
  "DEMAND_GEN",
  "DISCOVERY",
  "LOCAL",
  "SMART",
  "HOTEL",
  "TRAVEL",
]);

const isChannel = (word: string): boolean => CHANNELS.has(word);
