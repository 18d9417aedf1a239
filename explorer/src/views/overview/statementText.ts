import { knowsFixed } from "../../../../src/features/actions/advice.ts";
import type { Line, Statement } from "../../answers.ts";
import type { Step } from "../../charts/Waterfall.tsx";
import { hero, share, whole } from "../../format.ts";
import { hasNoProducts } from "../../goods.ts";
import { amountOf, hasLine, hidesMedia, isTotal, shownLines } from "../../statement.ts";
import { t } from "../../text.ts";

/** How much of net revenue is left, and what it comes to. */
export function sentenceOf(statement: Statement): string {
  const words = t().cockpit.left;
  const { contribution3, profit } = statement.statement;
  if (contribution3.amount === null)
    return hidesMedia(statement)
      ? words.beforeAds(hero(statement.statement.contribution2.amount ?? 0, "currency"))
      : words.unknown;
  const amount = hero(contribution3.amount, "currency");
  const part = contribution3.share === null ? null : contribution3.share * 100;
  const first =
    part === null
      ? words.amount(amount)
      : (part < 0 ? words.lost : words.kept)(whole(100), whole(Math.abs(part)), amount);
  if (!hasLine(statement, "profit")) return first;
  return `${first} ${knowsFixed(statement) ? words.profit(hero(profit.amount ?? 0, "currency")) : words.noFixed}`;
}

/** The keys are the lines. */
export function stepsOf(statement: Statement): readonly Step[] {
  return shownLines(statement).map((line) => ({
    key: line,
    label: t().metric[line] ?? line,
    value: amountOf(statement, line),
    isTotal: isTotal(line) || line === "revenue",
    ...noteOn(statement, line),
  }));
}

/** Why an amount is not known, or how much of it is. */
function noteOn(statement: Statement, line: Line): { readonly note?: string } {
  const { cockpit: words, reason } = t();
  const { coverage, source } = statement.statement[line];
  // Without the cost of goods nothing is known of what is left: that of others counts as zero.
  if (source === "pending" && line !== "goods") return { note: words.pendingCost };
  if (amountOf(statement, line) === null && hidesMedia(statement)) return { note: reason.hidden_spend ?? "" };
  if (amountOf(statement, line) === null)
    return { note: reason[hasNoProducts(statement) ? "no_products" : "unknown_goods"] ?? "" };
  return coverage !== null && coverage < 1 ? { note: words.partly(share(coverage)) } : {};
}
