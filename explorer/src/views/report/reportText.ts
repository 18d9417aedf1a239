import { knowsFixed } from "../../../../src/features/actions/advice.ts";
import type { Line, Statement } from "../../answers.ts";
import { lastOfMonth } from "../../days.ts";
import { change, day, figure, hero, longMonth, range, whole } from "../../format.ts";
import { hasLine, hidesMedia } from "../../statement.ts";
import { said, t } from "../../text.ts";
import { report as texts } from "../../words/later/report.ts";

/** The words of the report in the page's language. */
export const report = (): typeof texts.pt.report => said(texts).report;

/** A period by the name that people have for it. */
export interface Named {
  readonly is: "months" | "quarter" | "year" | "day" | "range";
  readonly name: string;
}

/** Months, quarters and years of the calendar have names. */
export function nameOf(from: string, to: string): Named {
  const [year, month] = [from.slice(0, 4), Number(from.slice(5, 7))];
  const months =
    from.endsWith("-01") && to === lastOfMonth(to) && to.startsWith(year) ? Number(to.slice(5, 7)) - month + 1 : 0;
  if (months === 1) return { is: "months", name: longMonth(from) };
  if (months === 3 && month % 3 === 1) return { is: "quarter", name: report().quarter((month + 2) / 3, year) };
  if (months === 12) return { is: "year", name: year };
  return from === to ? { is: "day", name: day(from) } : { is: "range", name: range(from, to) };
}

/** `In October 2026`, at the beginning of a sentence. */
export const whenOf = ({ is, name }: Named): string => report().in[is](name);

/** The same within a sentence. */
const whenWithin = (named: Named): string => {
  const text = whenOf(named);
  return `${text.charAt(0).toLocaleLowerCase()}${text.slice(1)}`;
};

/** The last total of the statement that is known. */
export function totalOf(statement: Statement): Line {
  if (statement.statement.contribution3.amount === null) return "netRevenue";
  return knowsFixed(statement) ? "profit" : "contribution3";
}

/** What the shop made, in one sentence. */
export function headlineOf(statement: Statement, period: Named): string {
  const { lead } = report();
  const total = totalOf(statement);
  const amount = statement.statement[total].amount ?? 0;
  const [when, text] = [whenOf(period), figure(Math.abs(amount), "currency")];
  if (total === "netRevenue") return lead.sold(when, figure(amount, "currency"));
  if (total === "contribution3") return (amount < 0 ? lead.lacked : lead.left)(when, text);
  return amount === 0 ? lead.even(when) : (amount < 0 ? lead.loss : lead.profit)(when, text);
}

/** How that compares, and what part of the revenue it is. */
export function furtherOf(statement: Statement, before: Named | undefined): readonly string[] {
  const { lead } = report();
  const total = totalOf(statement);
  const { contribution3, profit } = statement.statement;
  const changed = before && statement.changes?.[total];
  const hundredth = (share: number | null): string => whole((share ?? 0) * 100);
  const parts =
    total === "netRevenue"
      ? [
          hidesMedia(statement)
            ? t().cockpit.left.beforeAds(hero(statement.statement.contribution2.amount ?? 0, "currency"))
            : lead.unknown,
        ]
      : contribution3.share === null
        ? []
        : total === "profit"
          ? [lead.ofHundredWithFixed(whole(100), hundredth(contribution3.share), hundredth(profit.share))]
          : [
              lead.ofHundred(whole(100), hundredth(contribution3.share)),
              ...(hasLine(statement, "profit") ? [lead.noFixed] : []),
            ];
  return [...(changed ? comparisonOf(changed, before) : []), ...parts];
}

function comparisonOf(
  { amount, pct }: { readonly amount: number | null; readonly pct: number | null },
  before: Named,
): readonly string[] {
  const { lead } = report();
  if (amount === null) return [];
  if (amount === 0) return [lead.same(whenWithin(before))];
  const percent = pct === null ? "" : change(pct);
  return [(amount > 0 ? lead.more : lead.less)(figure(Math.abs(amount), "currency"), percent, whenWithin(before))];
}

/** The costs of which something is not known, but for goods, which the lead names. */
export const missingCosts = ({ missing }: Pick<Statement, "missing">): readonly string[] =>
  missing.flatMap(({ item, orders, revenue }) => {
    if (item === "goods") return [];
    const name = t().metric[item] ?? item;
    return orders === null
      ? [report().missing.costOfDays(name)]
      : [report().missing.cost(name, figure(orders, "count"), figure(revenue ?? 0, "currency"))];
  });
