/** The texts of alerts in letters. */
export interface Words {
  readonly builtIn: Readonly<Record<string, string>>;
  /** `days`: of how many it is the sum, if of more than one. */
  readonly actual: (actual: string, expected: string | undefined, days: number | undefined) => string;
  readonly orders: (n: number) => string;
  readonly late: (days: number) => string;
  readonly stock: (days: string) => string;
  readonly holds: (since: string, days: number | undefined) => string;
  readonly over: (since: string, until: string) => string;
  readonly note: (text: string) => string;
  readonly ended: (names: string) => string;
  readonly silent: (names: string) => string;
  readonly figures: Readonly<Record<string, string>>;
  readonly pinned: (figure: string, was: string, is: string) => string;
  readonly pinnedSince: (day: string, days: number) => string;
  /** Why a pinned month changed [D84]. */
  readonly causes: Readonly<Record<string, string>>;
}

/** A number that may be a fraction, as expectations are, with its noun. */
const counted = (language: string, n: number, one: string, many: string): string =>
  `${new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(n)} ${n === 1 ? one : many}`;

export const WORDS: Readonly<Record<"pt-BR" | "en", Words>> = {
  "pt-BR": {
    builtIn: {
      lateData: "Dados atrasados",
      spendWithoutSales: "Anúncios gastam, ninguém compra",
      investment: "Investimento fora do esperado",
      orders: "Pedidos fora do esperado",
      revenue: "Receita fora do esperado",
      campaignLoses: "Uma campanha começou a perder",
      returnRate: "Devoluções subiram",
      stock: "Um dos mais vendidos acaba",
      pinnedMonth: "Um mês fixado mudou",
    },
    actual: (actual, expected, days) =>
      `${actual}${days === undefined ? "" : ` em ${days} dias`}${expected === undefined ? "" : `, esperado ${expected}`}`,
    orders: (n) => counted("pt-BR", n, "pedido", "pedidos"),
    late: (days) => (days === 1 ? "falta 1 dia" : `faltam ${days} dias`),
    stock: (days) => (days === "0" ? "sem estoque" : `o estoque dura ${days} ${days === "1" ? "dia" : "dias"}`),
    holds: (since, days) => `desde ${since}${days === undefined ? "" : ` (${days === 1 ? "1 dia" : `${days} dias`})`}`,
    over: (since, until) => `começou em ${since}, terminou em ${until}`,
    note: (text) => `anotação: ${text}`,
    ended: (names) => `campanhas que pararam: ${names}`,
    silent: (names) => `lojas sem pedidos: ${names}`,
    figures: { netRevenue: "receita líquida", contribution3: "sobra após anúncios" },
    pinned: (figure, was, is) => `${figure} de ${was} para ${is}`,
    pinnedSince: (day, days) => `fixado em ${day} (há ${days === 1 ? "1 dia" : `${days} dias`})`,
    causes: {
      arrived: "pedidos que chegaram",
      counted: "pedidos que passaram a contar",
      uncounted: "pedidos cancelados ou substituídos",
      gone: "pedidos de arquivos desfeitos",
      moved: "pedidos que mudaram de dia",
      value: "pedidos com outro valor",
      data: "outros dados",
      settings: "outras configurações",
    },
  },
  en: {
    builtIn: {
      lateData: "Data are late",
      spendWithoutSales: "Ads spend, nobody buys",
      investment: "Spend is not as expected",
      orders: "Orders are not as expected",
      revenue: "Revenue is not as expected",
      campaignLoses: "A campaign began to lose",
      returnRate: "Returns rose",
      stock: "A best seller runs out",
      pinnedMonth: "A pinned month changed",
    },
    actual: (actual, expected, days) =>
      `${actual}${days === undefined ? "" : ` in ${days} days`}${expected === undefined ? "" : `, expected ${expected}`}`,
    orders: (n) => counted("en", n, "order", "orders"),
    late: (days) => (days === 1 ? "1 day is missing" : `${days} days are missing`),
    stock: (days) => (days === "0" ? "out of stock" : `its stock lasts ${days} ${days === "1" ? "day" : "days"}`),
    holds: (since, days) => `since ${since}${days === undefined ? "" : ` (${days === 1 ? "1 day" : `${days} days`})`}`,
    over: (since, until) => `began on ${since}, over on ${until}`,
    note: (text) => `note: ${text}`,
    ended: (names) => `campaigns that ended: ${names}`,
    silent: (names) => `stores without orders: ${names}`,
    figures: { netRevenue: "net revenue", contribution3: "left after ads" },
    pinned: (figure, was, is) => `${figure} from ${was} to ${is}`,
    pinnedSince: (day, days) => `pinned on ${day} (${days === 1 ? "1 day" : `${days} days`} ago)`,
    causes: {
      arrived: "orders that arrived",
      counted: "orders that count now",
      uncounted: "orders cancelled or replaced",
      gone: "orders of files that were taken back",
      moved: "orders on another day",
      value: "orders of another value",
      data: "other data",
      settings: "other settings",
    },
  },
};
