import type { Params } from "../../core/contract/param.ts";
import { addDays } from "../../core/time/days.ts";
import type { Call, Resolved } from "./tool.ts";
import { ToolError } from "./tool.ts";

const NAMES =
  "`last_30_days` (any number), `last_12_months`, `yesterday`, `today`, `this_week`, `last_week`, `this_month`, `last_month`, " +
  "`this_quarter`, `last_quarter`, `this_year`, `last_year`, `2025-05`, `2025-Q2`, `2025`, `all`";

/** The arguments that say which days a tool answers for. */
export const periodInput = (fallback: string): Params => ({
  period: {
    kind: "text",
    maxLength: 40,
    description: `A name for the days, instead of \`from\` and \`to\`: ${NAMES}. \`last_…_days\` end on the organization's last day with data, if that is before today; other names go by today's date (UTC). Default: \`${fallback}\`.`,
  },
  from: { kind: "day", description: "First day, inclusive." },
  to: { kind: "day", description: "Last day, inclusive." },
});

const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);
/** The first of a month; months beyond the year's count on. */
const firstOf = (year: number, month: number): string => dayOf(Date.UTC(year, month, 1));
const lastOf = (year: number, month: number): string => dayOf(Date.UTC(year, month + 1, 0));

/** The days of a call. */
export function periodOf({ args, organization, today }: Call, fallback: string): Resolved {
  const { from, to, period } = args;
  const anchor = organization.lastDay && organization.lastDay < today ? organization.lastDay : today;
  if (from || to) {
    if (period)
      throw new ToolError({
        pt: "Envie `period`, ou `from` e `to`, mas não os dois.",
        en: "Send `period`, or `from` and `to`, but not both.",
      });
    if (!from)
      throw new ToolError({ pt: "`from` é obrigatório junto com `to`.", en: "`from` is required together with `to`." });
    const end = String(to ?? anchor);
    if (String(from) > end)
      throw new ToolError({
        pt: `\`from\` (${from}) não pode ser posterior a \`to\` (${end}).`,
        en: `\`from\` (${from}) must not be after \`to\` (${end}).`,
      });
    return { from: String(from), to: end, how: to ? "as sent" : `from as sent; to: ${anchorIs(anchor, today)}` };
  }
  const name = String(period ?? fallback).toLowerCase();
  const how = (by: string): string => `${name}${period ? "" : " (default)"}: ${by}`;
  if (name === "all") return { how: how("the whole history") };
  const sliding = slidingDays(name);
  if (sliding) return { from: addDays(anchor, 1 - sliding), to: anchor, how: how(`up to ${anchorIs(anchor, today)}`) };
  const [first, last] = calendar(name, today) ?? [];
  if (!first || !last)
    throw new ToolError({
      pt: `\`period\`: ${name} não é conhecido. Há: ${NAMES}.`,
      en: `\`period\`: ${name} is not known. There are: ${NAMES}.`,
    });
  if (first > today)
    throw new ToolError({
      pt: `\`period\`: ${name} está no futuro; hoje é ${today} (UTC).`,
      en: `\`period\`: ${name} is in the future; today is ${today} (UTC).`,
    });
  const end = last > today ? today : last;
  return { from: first, to: end, how: how(`calendar days${end === last ? "" : " so far"}; today is ${today} (UTC)`) };
}

const anchorIs = (anchor: string, today: string): string =>
  anchor === today ? `${anchor}, today (UTC)` : `${anchor}, the organization's last day`;

const MOST_DAYS = 36_500;

function slidingDays(name: string): number | undefined {
  const days = Number(/^last_(\d{1,5})_days$/.exec(name)?.[1]);
  return days >= 1 && days <= MOST_DAYS ? days : undefined;
}

/** The first and the last day of a name of the calendar. */
function calendar(name: string, today: string): [string, string] | undefined {
  const [year = 0, month = 0] = today.split("-").map(Number);
  const [, y = "", part = ""] = /^(\d{4})(?:-(\d{2}|q[1-4]))?$/.exec(name) ?? [];
  if (y && Number(y) > 0) return named(Number(y), part);
  const months = Number(/^last_(\d{1,3})_months$/.exec(name)?.[1]);
  if (months >= 1) return [firstOf(year, month - 1 - months), lastOf(year, month - 2)];
  const monday = addDays(today, -((new Date(today).getUTCDay() + 6) % 7));
  const quarter = Math.floor((month - 1) / 3) * 3;
  switch (name) {
    case "today":
      return [today, today];
    case "yesterday":
      return [addDays(today, -1), addDays(today, -1)];
    case "this_week":
      return [monday, addDays(monday, 6)];
    case "last_week":
      return [addDays(monday, -7), addDays(monday, -1)];
    case "this_month":
      return [firstOf(year, month - 1), lastOf(year, month - 1)];
    case "last_month":
      return [firstOf(year, month - 2), lastOf(year, month - 2)];
    case "this_quarter":
      return [firstOf(year, quarter), lastOf(year, quarter + 2)];
    case "last_quarter":
      return [firstOf(year, quarter - 3), lastOf(year, quarter - 1)];
    case "this_year":
      return [firstOf(year, 0), lastOf(year, 11)];
    case "last_year":
      return [firstOf(year - 1, 0), lastOf(year - 1, 11)];
    default:
      return undefined;
  }
}

/** `2025`, `2025-05`, `2025-q2`. */
function named(year: number, part: string): [string, string] | undefined {
  // A year before 100 would be one of the twentieth century.
  if (year < 1900) return undefined;
  if (!part) return [firstOf(year, 0), lastOf(year, 11)];
  if (part.startsWith("q")) {
    const first = (Number(part[1]) - 1) * 3;
    return [firstOf(year, first), lastOf(year, first + 2)];
  }
  const month = Number(part) - 1;
  return month >= 0 && month < 12 ? [firstOf(year, month), lastOf(year, month)] : undefined;
}
