import type { Advice, Product, Targets } from "./advice.ts";
import { FEW, lossOf } from "./loss.ts";
import type { ActionWords } from "./words.ts";

/** How a reader has numbers and names. */
export interface ActionFormats {
  readonly money: (amount: number) => string;
  readonly count: (n: number) => string;
  /** A number of days with its noun. */
  readonly days: (n: number) => string;
  /** A part of 1. */
  readonly share: (part: number) => string;
  readonly target: (value: number, figure: keyof Targets) => string;
  /** A line of the statement, within a sentence. */
  readonly line: (item: string) => string;
  /** A name that comes from data. */
  readonly named: (name: string) => string;
}

/** Names in a sentence. */
const NAMED = 3;

/** The products that the sentence of an advice names. */
export const namedIn = ({ products }: Extract<Advice, { name: "stock" }>): readonly Product[] =>
  products.slice(0, NAMED);

/** The sentence of an advice, with its numbers and its store if there are others. */
export function sentenceOf(advice: Advice, words: ActionWords, formats: ActionFormats): string {
  const sentence = withoutStore(advice, words, formats);
  return advice.storeName === undefined ? sentence : `${formats.named(advice.storeName)}: ${sentence}`;
}

function withoutStore(advice: Advice, words: ActionWords, formats: ActionFormats): string {
  const { money, count, days, named } = formats;
  const some = (names: readonly string[]): string => {
    const rest = names.length - NAMED;
    return [names.slice(0, NAMED).map(named).join(", "), ...(rest > 0 ? [words.more(count(rest))] : [])].join(" ");
  };
  switch (advice.name) {
    case "losing": {
      const [first] = advice.campaigns;
      if (!first) return "";
      const name = named(first.breakLabel ?? first.breakKey ?? "");
      const lost = money(lossOf(first));
      if (advice.campaigns.length > 1)
        return words.losing(count(advice.campaigns.length), money(advice.stake ?? 0), name, lost);
      if (first.orders === 0) return words.losingNone(name, money(first.investment ?? 0));
      const few = first.orders < FEW ? words.fewOrders(count(first.orders)) : "";
      return words.losingOne(name, lost, money(first.investment ?? 0)) + few;
    }
    case "target":
      return words.target[advice.figure](
        formats.target(advice.value, advice.figure),
        formats.target(advice.target, advice.figure),
      );
    case "stock": {
      const [first] = advice.products;
      if (!first) return "";
      const names = advice.products.map(({ productName, productId }) => productName ?? productId);
      const left = first.daysOfStock ?? 0;
      if (names.length > 1) return words.stock(count(names.length), days(advice.days), some(names));
      const [name = ""] = names;
      return left > 0 ? words.stockOne(named(name), days(Math.round(left))) : words.stockOut(named(name));
    }
    case "stale": {
      const [first] = advice.sources;
      if (!first) return "";
      return advice.sources.length === 1
        ? words.stale(named(first.name), days(first.days))
        : words.staleMany(count(advice.sources.length), named(first.name), days(first.days));
    }
    case "unclassified":
      return words.unclassified(formats.share(advice.share), money(advice.amount));
    case "goods":
      return words.goods(count(advice.units), money(advice.amount));
    case "costs":
      return (advice.isLeftUnknown ? words.costsOnly : words.costs)(advice.items.map(formats.line).join(", "));
    case "unmatched": {
      const [label = ""] = advice.labels;
      return advice.labels.length === 1
        ? words.unmatchedOne(named(label))
        : words.unmatched(count(advice.labels.length), some(advice.labels));
    }
    default:
      return words[advice.name];
  }
}
