import type { Advice } from "../../advice.ts";
import { figure, hero, share, type Unit } from "../../format.ts";
import { FEW, lossOf } from "../../loss.ts";
import type { Targets } from "../../session.ts";
import { t } from "../../text.ts";

const UNITS: Readonly<Record<keyof Targets, Unit>> = {
  revenue: "currency",
  contribution3: "currency",
  profit: "currency",
  margin: "percent",
  cac: "currency",
  ltvCacRatio: "times",
};
/** Names in a sentence. */
const NAMED = 3;

const money = (amount: number): string => hero(amount, "currency");
const count = (n: number): string => figure(n, "count");
const some = (names: readonly string[]): string => {
  const rest = names.length - NAMED;
  return [names.slice(0, NAMED).join(", "), ...(rest > 0 ? [t().cockpit.more(count(rest))] : [])].join(" ");
};

/** The sentence of an advice, with its numbers and its store if there are others. */
export const textOf = (advice: Advice): string =>
  advice.storeName === undefined ? sentenceOf(advice) : `${advice.storeName}: ${sentenceOf(advice)}`;

function sentenceOf(advice: Advice): string {
  const words = t().advice;
  switch (advice.name) {
    case "losing": {
      const [first] = advice.campaigns;
      if (!first) return "";
      const name = first.breakLabel ?? first.breakKey ?? "";
      const lost = money(lossOf(first));
      if (advice.campaigns.length > 1)
        return words.losing(count(advice.campaigns.length), money(advice.stake ?? 0), name, lost);
      const few = first.orders < FEW ? words.fewOrders(count(first.orders)) : "";
      return words.losingOne(name, lost, money(first.investment ?? 0)) + few;
    }
    case "target": {
      const unit = UNITS[advice.figure];
      return words.target[advice.figure](hero(advice.value, unit), hero(advice.target, unit));
    }
    case "stock": {
      const [first] = advice.products;
      if (!first) return "";
      const names = advice.products.map(({ productName, productId }) => productName ?? productId);
      const left = first.daysOfStock ?? 0;
      if (names.length > 1) return words.stock(count(names.length), figure(advice.days, "days"), some(names));
      return left > 0
        ? words.stockOne(names[0] ?? "", figure(Math.round(left), "days"))
        : words.stockOut(names[0] ?? "");
    }
    case "stale": {
      const [first] = advice.sources;
      if (!first) return "";
      const days = figure(first.days, "days");
      return advice.sources.length === 1
        ? words.stale(first.name, days)
        : words.staleMany(count(advice.sources.length), first.name, days);
    }
    case "unclassified":
      return words.unclassified(share(advice.share), money(advice.amount));
    case "goods":
      return words.goods(count(advice.units), money(advice.amount));
    case "costs":
      return words.costs(advice.items.map((item) => (t().metric[item] ?? item).toLocaleLowerCase()).join(", "));
    case "unmatched":
      return advice.labels.length === 1
        ? words.unmatchedOne(advice.labels[0] ?? "")
        : words.unmatched(count(advice.labels.length), some(advice.labels));
    default:
      return words[advice.name];
  }
}

/** What the link of an advice is called. */
export function linkText(advice: Advice): string {
  const words = t().cockpit;
  const { view } = advice;
  if (view === "overview") return advice.name === "target" ? words.openStatement : words.openMissing;
  if (view === "products") return words.openProducts;
  return view === "acquisition" ? words.openAcquisition : words.openData;
}
