import type { Locale } from "../../core/contract/dialect.ts";

/** A formatted number with its noun. */
export const counted = (n: string, one: string, many: string): string => `${n} ${n === "1" ? one : many}`;

const PORTUGUESE = {
  more: (n: string) => `e mais ${n}`,
  losingOne: (name: string, lost: string, spend: string) =>
    `A campanha ${name} perdeu ${lost}: gastou ${spend}, mais do que todos os pedidos dela deixaram.`,
  losingNone: (name: string, spend: string) => `A campanha ${name} gastou ${spend} e não trouxe nenhum pedido.`,
  losing: (n: string, all: string, first: string, lost: string) =>
    `${n} campanhas gastaram mais do que todos os pedidos delas deixaram: ${all}. A que mais perdeu: ${first} (${lost}).`,
  fewOrders: (text: string) => ` São poucos pedidos (${text}): um a mais pode mudar o resultado.`,
  target: {
    revenue: (value: string, target: string) => `Receita de ${value}, abaixo da meta de ${target}.`,
    contribution3: (value: string, target: string) =>
      `Sobra de ${value} após os anúncios, abaixo da meta de ${target}.`,
    profit: (value: string, target: string) => `Lucro de ${value}, abaixo da meta de ${target}.`,
    margin: (value: string, target: string) => `Margem de ${value}, abaixo da meta de ${target}.`,
    cac: (value: string, target: string) => `CAC de ${value}, acima da meta de ${target}.`,
    ltvCacRatio: (value: string, target: string) => `LTV/CAC de ${value}, abaixo da meta de ${target}.`,
  },
  stockOne: (name: string, left: string) => `${name} está entre os mais vendidos e o estoque dura ${left}.`,
  stockOut: (name: string) => `${name} está entre os mais vendidos e está sem estoque.`,
  stock: (n: string, days: string, names: string) =>
    `${n} dos mais vendidos ficam sem estoque em até ${days}: ${names}.`,
  stale: (name: string, days: string) => `${name} não traz dados há ${days}: os números recentes estão incompletos.`,
  staleMany: (n: string, name: string, days: string) =>
    `${n} fontes não trazem dados novos; a mais atrasada é ${name}, há ${days}.`,
  unclassified: (share: string, amount: string) =>
    `${share} do investimento (${amount}) está em anúncios não classificados e fica fora do CAC de aquisição.`,
  unclassifiable: "Nenhuma campanha tem aquisição como objetivo: não há CAC de aquisição.",
  goods: (units: string, amount: string) =>
    `Sem o custo de ${counted(units, "unidade vendida", "unidades vendidas")} (${amount}) não se sabe quanto sobra.`,
  costsOnly: (items: string) => `Falta informar: ${items}. O que falta conta como zero.`,
  costs: (items: string) => `Falta informar: ${items}. O que falta conta como zero, e a sobra parece maior do que é.`,
  margin: "Sem margem: defina-a. Sem ela não há LTV nem ROI.",
  media: "Sem anúncios no período: CAC, ROI e LTV/CAC ficam sem valor.",
  funnel: "Conecte o Google Analytics para ver que parte das visitas compra.",
  unmatchedOne: (name: string) => `Há vendas com utm_campaign “${name}”, que não é nenhuma campanha conectada.`,
  unmatched: (n: string, names: string) =>
    `Há vendas com ${n} valores de utm_campaign que não são nenhuma campanha conectada: ${names}.`,
};

export type ActionWords = typeof PORTUGUESE;

const ENGLISH: ActionWords = {
  more: (n) => `and ${n} more`,
  losingOne: (name, lost, spend) =>
    `Campaign ${name} lost ${lost}: it spent ${spend}, more than all of its orders left.`,
  losingNone: (name, spend) => `Campaign ${name} spent ${spend} and brought no order.`,
  losing: (n, all, first, lost) =>
    `${n} campaigns spent more than all of their orders left: ${all}. The largest loss: ${first} (${lost}).`,
  fewOrders: (text) => ` It has few orders (${text}): one more can turn the result.`,
  target: {
    revenue: (value, target) => `Revenue of ${value}, below the target of ${target}.`,
    contribution3: (value, target) => `What is left after ads is ${value}, below the target of ${target}.`,
    profit: (value, target) => `Profit of ${value}, below the target of ${target}.`,
    margin: (value, target) => `Margin of ${value}, below the target of ${target}.`,
    cac: (value, target) => `CAC of ${value}, above the target of ${target}.`,
    ltvCacRatio: (value, target) => `LTV/CAC of ${value}, below the target of ${target}.`,
  },
  stockOne: (name, left) => `${name} is a best seller and its stock lasts ${left}.`,
  stockOut: (name) => `${name} is a best seller and out of stock.`,
  stock: (n, days, names) => `${n} best sellers run out of stock within ${days}: ${names}.`,
  stale: (name, days) => `${name} has had no new data for ${days}: recent figures are incomplete.`,
  staleMany: (n, name, days) => `${n} sources have no new data; ${name} is furthest behind, by ${days}.`,
  unclassified: (share, amount) =>
    `${share} of media spend (${amount}) is in unclassified ads and is left out of acquisition CAC.`,
  unclassifiable: "No campaign has acquisition as its goal: there is no acquisition CAC.",
  goods: (units, amount) =>
    `Without the cost of ${counted(units, "unit sold", "units sold")} (${amount}) it is not known what is left.`,
  costsOnly: (items) => `Not entered: ${items}. What is not entered counts as 0.`,
  costs: (items) => `Not entered: ${items}. What is not entered counts as 0, and what is left looks larger than it is.`,
  margin: "No margin: set it. Without one there is no LTV or ROI.",
  media: "No ad spend in the period: CAC, ROI and LTV/CAC have no value.",
  funnel: "Connect Google Analytics to see what part of the visits buys.",
  unmatchedOne: (name) => `There are sales with utm_campaign “${name}”, which is no connected campaign.`,
  unmatched: (n, names) => `There are sales with ${n} values of utm_campaign that are no connected campaign: ${names}.`,
};

/** The sentences of what needs action, as the Explorer and letters say them. Numbers come formatted. */
export const ACTION_WORDS: Readonly<Record<Locale, ActionWords>> = { "pt-BR": PORTUGUESE, en: ENGLISH };
