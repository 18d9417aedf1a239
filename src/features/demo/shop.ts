import type { Organization } from "../../core/contract/settings.ts";

/*
 * The shop of the demo: what it sells, how it advertises, and when its customers buy. `year.ts` makes a year of orders of it.
 */

export const ACCOUNTS = {
  storea: "a1d7c0de-0b5e-4f3a-8c11-2e9f4a6b7d01",
  socialads: "c3f9e2f0-2d70-4b5c-8e33-40b16c8d9f03",
  searchads: "d40af301-3e81-4c6d-9f44-51c27d9ea004",
  webanalytics: "e51b0412-4f92-4d7e-8a55-62d38eafb105",
  crm: "f62c1523-50a3-4e8f-9b66-73e49fb0c206",
  finance: "07d3262e-61b4-4f9a-8c77-84fa10d1c307",
} as const;

/** The offset of São Paulo, which has had no summer time since 2019. */
export const OFFSET = "-03:00";

export const SETTINGS: Organization = {
  organizationId: "5f0c2b1e-8a4d-4c37-9e21-7b6d0a9c4e10",
  name: "Casa Aurora",
  currency: "BRL",
  integrations: [
    { id: ACCOUNTS.storea, connector: "storea", name: "Loja Aurora", timezone: "America/Sao_Paulo" },
    { id: ACCOUNTS.socialads, connector: "socialads", name: "Social Aurora" },
    { id: ACCOUNTS.searchads, connector: "searchads", name: "Busca Aurora" },
    { id: ACCOUNTS.webanalytics, connector: "webanalytics", name: "Site Aurora" },
    { id: ACCOUNTS.crm, connector: "crm", name: "CRM Aurora" },
    {
      id: ACCOUNTS.finance,
      connector: "finance",
      name: "Planilhas Aurora",
      items: { Aluguel: "fixed", Agência: "fixed", Fotografia: "fixed" },
    },
  ],
  margin: {
    items: { gateway: { percent: 3.5 }, tax: { percent: 8 }, shipping: "orders", costOfGoods: "orders" },
  },
  costs: [
    { item: "salesTax", name: "Simples Nacional", percentOfRevenue: 8 },
    { item: "payment", name: "Cartão", percentOfRevenue: 3.99, where: { paymentMethod: "creditCard" } },
    { item: "payment", name: "Antifraude", perOrder: 0.7, where: { paymentMethod: "creditCard" } },
    { item: "payment", name: "Pix", percentOfRevenue: 0.99, where: { paymentMethod: "Pix" } },
    { item: "payment", name: "Boleto", perOrder: 2.9, where: { paymentMethod: "bankInvoice" } },
    { item: "shipping", name: "Transportadora", perOrder: 21.4 },
    { item: "fulfilment", name: "Embalagem", perOrder: 2.8 },
    { item: "fulfilment", name: "Separação", perUnit: 0.9 },
    { item: "commission", name: "Afiliados", percentOfItems: 9, where: { channel: "affiliate" } },
    { item: "commission", none: true },
    { item: "other", name: "Plataforma", percentOfRevenue: 1.5 },
    { item: "fixed", name: "Salários e sistemas", perMonth: 10_950 },
  ],
  campaigns: [
    { strategy: "brand", name: "*marca*" },
    { strategy: "monetization", name: "volte sempre*" },
    { strategy: "acquisition", name: "*" },
  ],
  funnel: { interest: ["view_item"], decision: ["purchase"] },
  targets: { cac: 60, ltvCacRatio: 2.5, margin: 40, revenue: 120_000 },
};

export interface Category {
  readonly id: string;
  readonly name: string;
  readonly parent?: string;
}

export const CATEGORIES: readonly Category[] = [
  { id: "1", name: "Casa" },
  { id: "11", name: "Cama", parent: "1" },
  { id: "12", name: "Mesa", parent: "1" },
  { id: "2", name: "Banho" },
  { id: "3", name: "Decoração" },
];

export interface Product {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  /** In cents, with the cost of a unit. */
  readonly price: number;
  readonly cost: number;
  /** How often it is bought, compared with the others. */
  readonly weight: number;
  /** The months, from 1, in which it sells three times as much. */
  readonly season?: readonly number[];
  /** Sold out, and not sold in the last ten days. */
  readonly isGone?: true;
}

// biome-ignore lint/complexity/useMaxParams: the columns of a table
const product = (
  id: string,
  name: string,
  category: string,
  price: number,
  cost: number,
  weight: number,
  more: Pick<Product, "season" | "isGone"> = {},
): Product => ({ id, name, category, price, cost, weight, ...more });

export const PRODUCTS: readonly Product[] = [
  product("101", "Jogo de lençol casal 200 fios", "11", 18_990, 8_100, 10),
  product("102", "Jogo de lençol queen 300 fios", "11", 28_990, 12_900, 7),
  product("103", "Edredom queen dupla face", "11", 32_990, 15_400, 5, { season: [5, 6, 7] }),
  product("104", "Manta de microfibra", "11", 9_990, 4_200, 8, { season: [5, 6, 7] }),
  product("105", "Travesseiro de látex", "11", 14_990, 6_700, 6),
  product("106", "Protetor de colchão", "11", 11_990, 5_600, 4),
  product("201", "Toalha de mesa de linho", "12", 15_990, 6_300, 5, { season: [12] }),
  product("202", "Jogo americano (4 lugares)", "12", 7_990, 2_900, 6),
  product("203", "Kit de guardanapos de algodão", "12", 4_990, 1_700, 5),
  product("204", "Aparelho de jantar (20 peças)", "12", 39_990, 21_900, 3, { season: [11, 12] }),
  product("301", "Toalha de banho gigante", "2", 6_990, 2_800, 12, { isGone: true }),
  product("302", "Jogo de toalhas (5 peças)", "2", 16_990, 7_200, 8, { season: [5] }),
  product("303", "Roupão felpudo", "2", 19_990, 9_100, 4, { season: [6, 7] }),
  product("304", "Tapete de banheiro", "2", 5_990, 2_300, 6),
  product("401", "Vela aromática de lavanda", "3", 5_490, 1_600, 9, { season: [12] }),
  product("402", "Difusor de varetas", "3", 7_490, 2_200, 7),
  product("403", "Almofada decorativa", "3", 6_490, 2_500, 7),
  product("404", "Luminária de mesa", "3", 17_990, 9_700, 3),
];

/** How customers come: of those who are new, and of those who come back, the percentage of each source. */
export interface Source {
  readonly source?: string;
  readonly medium?: string;
  readonly campaign?: Campaign;
  readonly ofNew: number;
  readonly ofReturning: number;
}

export interface Campaign {
  readonly connector: "socialads" | "searchads";
  readonly id: string;
  readonly name: string;
  /** Spend for each order that the campaign brings, and at least so much a day; in cents. */
  readonly perOrder: number;
  readonly daily: number;
  /** Cost of a thousand impressions in cents, and the share of them that are clicked. */
  readonly perThousand: number;
  readonly clicked: number;
}

// biome-ignore lint/complexity/useMaxParams: the columns of a table
const campaign = (
  connector: Campaign["connector"],
  id: string,
  name: string,
  perOrder: number,
  daily: number,
  perThousand: number,
  clicked: number,
): Campaign => ({ connector, id, name, perOrder, daily, perThousand, clicked });

const CONHECA = campaign("socialads", "120210000000001", "Conheça a Aurora", 6_200, 1_500, 1_900, 0.014);
const COLECAO = campaign("socialads", "120210000000002", "Coleção da estação", 7_400, 1_500, 2_100, 0.012);
const VOLTE = campaign("socialads", "120210000000003", "Volte sempre: clientes", 2_600, 900, 2_600, 0.02);
/** It spends whether anybody buys or not. */
const SORTEIO = campaign("socialads", "120210000000004", "Sorteio nas redes", 9_000, 6_500, 1_200, 0.03);
const MARCA = campaign("searchads", "21100000001", "Marca Aurora", 1_800, 400, 3_500, 0.11);
const GENERICA = campaign("searchads", "21100000002", "Cama e banho", 8_300, 1_500, 5_200, 0.04);
const SHOPPING = campaign("searchads", "21100000003", "Shopping", 6_800, 1_500, 2_900, 0.013);

export const CAMPAIGNS: readonly Campaign[] = [CONHECA, COLECAO, VOLTE, SORTEIO, MARCA, GENERICA, SHOPPING];

export const SOURCES: readonly Source[] = [
  { source: "instagram", medium: "paid", campaign: CONHECA, ofNew: 22, ofReturning: 2 },
  { source: "facebook", medium: "paid", campaign: COLECAO, ofNew: 13, ofReturning: 5 },
  { source: "facebook", medium: "paid", campaign: VOLTE, ofNew: 1, ofReturning: 18 },
  { source: "instagram", medium: "paid", campaign: SORTEIO, ofNew: 2, ofReturning: 1 },
  { source: "google", medium: "cpc", campaign: MARCA, ofNew: 8, ofReturning: 12 },
  { source: "google", medium: "cpc", campaign: GENERICA, ofNew: 12, ofReturning: 3 },
  { source: "google", medium: "cpc", campaign: SHOPPING, ofNew: 14, ofReturning: 5 },
  { source: "google", medium: "organic", ofNew: 14, ofReturning: 12 },
  { source: "newsletter", medium: "email", ofNew: 2, ofReturning: 24 },
  { source: "clube de cupons", medium: "afiliados", ofNew: 4, ofReturning: 3 },
  { ofNew: 8, ofReturning: 15 },
];

/** Orders of each month, from January, compared with an average one. */
export const MONTHS = [0.75, 0.8, 0.9, 0.95, 1.15, 1.1, 0.9, 1.05, 0.9, 1, 1.25, 1.25] as const;
/** Weights of the days of the week, from Sunday. */
export const WEEKDAYS = [0.9, 1.12, 1.08, 1.04, 1.02, 0.98, 0.86] as const;

/** How a hundred orders are paid: the name of the payment system, its group, and the number below which an order has it. */
export const PAYMENTS = [
  { system: "Visa", group: "creditCard", below: 38 },
  { system: "Mastercard", group: "creditCard", below: 60 },
  { system: "Pix", group: "instantPayment", below: 93 },
  { system: "Boleto Bancário", group: "bankInvoice", below: 100 },
] as const;

export const CITIES = [
  { city: "São Paulo", state: "SP", region: "State of Sao Paulo", weight: 34, geo: ["20106", "1001773"] },
  { city: "Rio de Janeiro", state: "RJ", region: "State of Rio de Janeiro", weight: 16, geo: ["20102", "1001655"] },
  { city: "Belo Horizonte", state: "MG", region: "State of Minas Gerais", weight: 12, geo: ["20098", "1001566"] },
  { city: "Curitiba", state: "PR", region: "State of Parana", weight: 9, geo: ["20101", "1001634"] },
  { city: "Porto Alegre", state: "RS", region: "State of Rio Grande do Sul", weight: 8, geo: ["20104", "1001686"] },
] as const;

export const KEYWORDS: readonly { readonly text: string; readonly campaign: Campaign; readonly share: number }[] = [
  { text: "casa aurora", campaign: MARCA, share: 0.7 },
  { text: "loja aurora", campaign: MARCA, share: 0.3 },
  { text: "jogo de lençol", campaign: GENERICA, share: 0.45 },
  { text: "toalha de banho", campaign: GENERICA, share: 0.35 },
  { text: "edredom queen", campaign: GENERICA, share: 0.2 },
];
