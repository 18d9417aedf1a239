import { createInterface } from "node:readline";
import { OperatorError } from "../../core/contract/error.ts";
import type { Integration } from "../../core/contract/settings.ts";
import { shortened } from "../../core/contract/text.ts";
import { EXPENSE_ITEMS } from "../../core/organizations/costs.ts";
import { printable } from "../../core/terminal/table.ts";
import { UsageError } from "../../core/terminal/usage.ts";

/** What words of a table of expenses are for, by the word [D71]. */
export type Items = NonNullable<Integration["items"]>;
type Item = Items[string];

/** `Aluguel=fixed` */
export function itemsOf(options: readonly string[]): Items {
  const entries = options.map((option): [string, Item] => {
    const at = option.lastIndexOf("=");
    const [word, item] = [option.slice(0, Math.max(at, 0)).trim(), itemNamed(option.slice(at + 1))];
    if (word === "" || item === undefined)
      throw new UsageError(
        `--item ${option}: a word and what it is for are expected, such as Aluguel=fixed; ${CHOICES}`,
      );
    return [word, item];
  });
  return Object.fromEntries(entries);
}

const CHOICES = `it may be ${EXPENSE_ITEMS.join(", ")}`;

const itemNamed = (text: string): Item | undefined =>
  EXPENSE_ITEMS.find((item) => item.toLowerCase() === text.trim().toLowerCase()) as Item | undefined;

export const withItems = (integration: Integration, items: Items): Integration =>
  Object.keys(items).length === 0 ? integration : { ...integration, items: { ...integration.items, ...items } };

/** What to do about words that no rule knows: without an answer their rows are rejected. */
export const unknownItemsText = (words: readonly string[]): string =>
  `no cost that is known: ${shortened(words)}: --item "${words[0]}=fixed" says what it is for and writes it into the settings ` +
  `("items" of the integration); ${CHOICES}`;

/** Asks on a terminal what words are for; an empty answer leaves the word unknown. */
export async function askedItems(words: readonly string[]): Promise<Items> {
  const input = createInterface({ input: process.stdin, terminal: false });
  const lines = input[Symbol.asyncIterator]();
  const items: Record<string, Item> = {};
  try {
    for (const word of words) {
      for (;;) {
        process.stderr.write(printable(`What is "${word}" for? ${CHOICES}; empty: its rows are rejected. `));
        const { value: answer = "", done } = await lines.next();
        if (done) throw new OperatorError("is not imported: the input ended before all words were answered");
        const item = itemNamed(answer);
        if (item !== undefined) items[word] = item;
        if (item !== undefined || answer.trim() === "") break;
      }
    }
  } finally {
    input.close();
  }
  return items;
}
