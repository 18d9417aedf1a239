import type { Locale } from "../../core/contract/dialect.ts";

export type Language = Locale;

/** The texts of letters. */
interface Words {
  readonly title: Readonly<Record<"daily" | "weekly" | "monthly", (where: string, days: string) => string>>;
  readonly beside: Readonly<Record<"daily" | "weekly" | "monthly", (days: string) => string>>;
  readonly figures: Readonly<Record<Figure, string>>;
  readonly before: string;
  readonly na: string;
  readonly remedy: string;
  readonly noCac: Readonly<Record<"noMedia" | "noCustomers", string>>;
  readonly noData: string;
  readonly noAdData: string;
  readonly late: (sources: string) => string;
  readonly lastDay: (name: string, day: string) => string;
  readonly noDay: (name: string) => string;
  readonly notRun: (names: string) => string;
  readonly missed: (days: string) => string;
  readonly pace: (month: string) => string;
  readonly paceOf: (expected: string, target: string, percent: string) => string;
  readonly paceBelow: (expected: string, target: string) => string;
  readonly paceToDate: (toDate: string, target: string) => string;
  readonly paceUnknown: (target: string) => string;
  readonly paceError: (percent: string) => string;
  readonly changed: string;
  readonly costsMore: string;
  readonly costsLess: string;
  readonly actions: string;
  readonly alerts: string;
  readonly missing: string;
  readonly open: string;
  readonly why: string;
  readonly end: string;
  readonly endAll: string;
  readonly alertTitle: (where: string, names: string) => string;
  readonly alertLead: (day: string) => string;
  readonly alertFoot: string;
  readonly lines: Readonly<Record<string, string>>;
  readonly ended: string;
  readonly endedAll: string;
  readonly endTitle: string;
  readonly endLead: (kind: string, where: string) => string;
  readonly endAllLead: (where: string) => string;
  readonly endButton: string;
  readonly gone: string;
  readonly kinds: Readonly<Record<"daily" | "weekly" | "monthly", string>>;
}

export type Figure = "revenue" | "orders" | "contribution3" | "newCustomers" | "cac" | "profit";

const LINES_PT = {
  revenue: "Receita",
  giftCards: "Vales-presente",
  refunds: "Reembolsos",
  salesTax: "Impostos sobre vendas",
  goods: "Custo das mercadorias",
  payment: "Taxas de pagamento",
  shipping: "Frete",
  fulfilment: "Separação e embalagem",
  commission: "Comissões",
  other: "Outros custos",
  media: "Anúncios",
  fixed: "Custos fixos",
};

const LINES_EN = {
  revenue: "Revenue",
  giftCards: "Gift cards",
  refunds: "Refunds",
  salesTax: "Taxes on sales",
  goods: "Cost of goods",
  payment: "Payment fees",
  shipping: "Shipping",
  fulfilment: "Fulfilment",
  commission: "Commissions",
  other: "Other costs",
  media: "Ads",
  fixed: "Fixed costs",
};

export const WORDS: Readonly<Record<Language, Words>> = {
  "pt-BR": {
    title: {
      daily: (where, days) => `${where}: ${days}`,
      weekly: (where, days) => `${where}: semana de ${days}`,
      monthly: (where, days) => `${where}: ${days}`,
    },
    beside: {
      daily: (days) => `Comparado com o mesmo dia da semana anterior, ${days}.`,
      weekly: (days) => `Comparado com a semana anterior, ${days}.`,
      monthly: (days) => `Comparado com o mês anterior, ${days}.`,
    },
    figures: {
      revenue: "Receita",
      orders: "Pedidos",
      contribution3: "Sobra após anúncios",
      newCustomers: "Clientes novos",
      cac: "CAC",
      profit: "Lucro",
    },
    before: "antes",
    na: "N/D",
    remedy: "Falta o custo de mercadorias vendidas. Informe-o em Configurações, Custos.",
    noCac: { noMedia: "Sem anúncios no período.", noCustomers: "Sem clientes novos no período." },
    noData: "Ainda sem dados destes dias.",
    noAdData: "Ainda sem dados de anúncios destes dias.",
    late: (sources) => `Ainda faltam dados, e os números podem mudar: ${sources}.`,
    lastDay: (name, day) => `${name} vai até ${day}`,
    noDay: (name) => `${name} não tem dados`,
    notRun: (names) => `hoje ainda não foi buscado: ${names}`,
    missed: (days) => `Não houve carta de ${days}.`,
    pace: (month) => `Ritmo de ${month}`,
    paceOf: (expected, target, percent) => `deve chegar a ${expected}, ${percent} da meta de ${target}`,
    paceBelow: (expected, target) => `deve chegar a ${expected}; meta de ${target}`,
    paceToDate: (toDate, target) => `${toDate} até ontem; meta de ${target}`,
    paceUnknown: (target) => `ainda não se sabe; meta de ${target}`,
    paceError: (percent) => `erro mediano de ${percent} nos meses anteriores`,
    changed: "O que mais mudou a sobra",
    costsMore: "mais do que antes",
    costsLess: "menos do que antes",
    actions: "O que pede ação",
    alerts: "Alertas",
    missing: "O que falta",
    open: "Abrir no Lucra",
    why: "Cada número leva à sua explicação.",
    end: "Não quero mais esta carta",
    endAll: "Não quero mais cartas nem avisos",
    alertTitle: (where, names) => `${where}: ${names}`,
    alertLead: (day) => `Começou agora, visto em ${day}. As cartas dizem por quanto tempo vale.`,
    alertFoot: "Este aviso vem na hora porque as configurações pedem. Recebe-o quem recebe uma carta.",
    lines: LINES_PT,
    ended: "Você não recebe mais esta carta.",
    endedAll: "Você não recebe mais cartas nem avisos.",
    endTitle: "Carta do Lucra",
    endLead: (kind, where) => `Parar de receber a carta ${kind} de ${where}?`,
    endAllLead: (where) => `Parar de receber todas as cartas e avisos de ${where}?`,
    endButton: "Parar de receber",
    gone: "Esta carta já não é enviada.",
    kinds: { daily: "diária", weekly: "semanal", monthly: "mensal" },
  },
  en: {
    title: {
      daily: (where, days) => `${where}: ${days}`,
      weekly: (where, days) => `${where}: the week of ${days}`,
      monthly: (where, days) => `${where}: ${days}`,
    },
    beside: {
      daily: (days) => `Compared with the same weekday a week before, ${days}.`,
      weekly: (days) => `Compared with the week before, ${days}.`,
      monthly: (days) => `Compared with the month before, ${days}.`,
    },
    figures: {
      revenue: "Revenue",
      orders: "Orders",
      contribution3: "Left after ads",
      newCustomers: "New customers",
      cac: "CAC",
      profit: "Profit",
    },
    before: "before",
    na: "N/A",
    remedy: "The cost of goods sold is not known. Enter it in Settings, Costs.",
    noCac: { noMedia: "No ad spend in the period.", noCustomers: "No new customers in the period." },
    noData: "No data for these days yet.",
    noAdData: "No ad data for these days yet.",
    late: (sources) => `Data are still missing, and the figures may change: ${sources}.`,
    lastDay: (name, day) => `${name} has data up to ${day}`,
    noDay: (name) => `${name} has no data`,
    notRun: (names) => `not fetched yet today: ${names}`,
    missed: (days) => `There was no letter of ${days}.`,
    pace: (month) => `Pace of ${month}`,
    paceOf: (expected, target, percent) => `should come to ${expected}, ${percent} of the target of ${target}`,
    paceBelow: (expected, target) => `should come to ${expected}; target ${target}`,
    paceToDate: (toDate, target) => `${toDate} up to yesterday; target ${target}`,
    paceUnknown: (target) => `not known yet; target ${target}`,
    paceError: (percent) => `median error of ${percent} in the months before`,
    changed: "What changed most of what is left",
    costsMore: "more than before",
    costsLess: "less than before",
    actions: "What needs action",
    alerts: "Alerts",
    missing: "What is missing",
    open: "Open in Lucra",
    why: "Each number leads to its explanation.",
    end: "I do not want this letter any more",
    endAll: "I do not want letters or alerts any more",
    alertTitle: (where, names) => `${where}: ${names}`,
    alertLead: (day) => `It has just begun, seen on ${day}. The letters say how long it holds.`,
    alertFoot: "This comes at once because the settings ask for it. Whoever gets a letter gets it.",
    lines: LINES_EN,
    ended: "You do not get this letter any more.",
    endedAll: "You do not get letters or alerts any more.",
    endTitle: "Letter of Lucra",
    endLead: (kind, where) => `Stop the ${kind} letter of ${where}?`,
    endAllLead: (where) => `Stop all letters and alerts of ${where}?`,
    endButton: "Stop it",
    gone: "This letter is not sent any more.",
    kinds: { daily: "daily", weekly: "weekly", monthly: "monthly" },
  },
};
