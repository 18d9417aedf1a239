import { day } from "../../../format.ts";
import { organization } from "../../../session.ts";
import { said, t } from "../../../text.ts";
import { costs as COSTS } from "../../../words/later/costs.ts";
import { exactMoney, exactPercent } from "../exact.ts";
import type { AmountKind, Cost } from "./rules.ts";

/** What a cost is, as a sentence: "From 1 Oct 2026: 3.5% of revenue + R$ 0.40 per order, where paid by Pix". */
export const sentenceOf = (cost: Cost): string =>
  `${daysOf(cost)}: ${[amountsOf(cost), whereOf(cost)].filter(Boolean).join(", ")}`;

/** When it holds. */
export function daysOf({ from, until }: Pick<Cost, "from" | "until">): string {
  const words = said(COSTS);
  if (from !== undefined && until !== undefined) return words.between(day(from), day(until));
  if (from !== undefined) return words.since(day(from));
  return until === undefined ? words.always : words.until(day(until));
}

export function amountsOf({ amounts }: Pick<Cost, "amounts">): string {
  const words = said(COSTS).amounts;
  return (Object.entries(amounts) as [AmountKind, number | true][])
    .map(([kind, value]) => {
      if (kind === "charged" || kind === "none") return words[kind];
      const isPercent = kind === "percentOfRevenue" || kind === "percentOfItems";
      return words[kind](isPercent ? exactPercent(Number(value)) : exactMoney(Number(value)));
    })
    .join(" + ");
}

/** Which orders it holds for; empty for all. */
export function whereOf({ where = {} }: Pick<Cost, "where">): string {
  const words = said(COSTS);
  const { integrationId, channel, paymentMethod } = where;
  return [
    integrationId === undefined ? "" : words.inStore(storeName(integrationId)),
    channel === undefined ? "" : words.inChannel(t().channels[channel] ?? channel),
    paymentMethod === undefined ? "" : words.paidBy(paymentName(paymentMethod)),
  ]
    .filter(Boolean)
    .join(", ");
}

/** How people say a way of payment that stores name otherwise. */
export const paymentName = (name: string): string => said(COSTS).payments[name] ?? name;

/** The store's name of a way of payment. */
export const paymentIn = (typed: string): string => {
  const wanted = typed.trim().toLocaleLowerCase();
  const known = Object.entries(said(COSTS).payments).find(([, name]) => name.toLocaleLowerCase() === wanted);
  return known?.[0] ?? typed;
};

function storeName(id: string): string {
  const found = organization.value?.connectors.find((one) => one.integrationId.toLowerCase() === id.toLowerCase());
  return found ? (found.name ?? found.connector) : said(COSTS).otherStore;
}
