import { ApiError } from "../../core/contract/error.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import { pinsOf } from "../../core/marts/pins.ts";
import { addDays, addMonths, daysBetween } from "../../core/time/days.ts";
import { type AlertLine, type Asked, alertLines } from "./lines.ts";
import { WORDS } from "./words.ts";

/** So many months are looked at, the newest ones. */
const MONTHS = 3;
const MONTH = /^\d{4}-\d{2}$/;
const FIGURES = ["netRevenue", "contribution3"] as const;
/** In percent. */
const LEAST_CHANGE = 1;

interface Restated {
  readonly figure: string;
  readonly before: number | null;
  readonly after: number | null;
  readonly change: number | null;
  readonly causes: Readonly<Record<string, number>> | null;
}

/** What the alerts say on a day [D96]: first the pinned months that changed, then those of `/v1/alerts`. */
export const allAlertLines =
  (dataDir: string) =>
  async (asked: Asked): Promise<readonly AlertLine[]> => [
    ...(await pinnedLines(dataDir, asked)),
    ...(await alertLines(asked)),
  ];

/** The pinned months whose net revenue, or what is left after ads, is more than 1 % from what it was, with why. */
async function pinnedLines(dataDir: string, asked: Asked): Promise<AlertLine[]> {
  const { organizationId, alerts = [] } = asked.settings;
  const stated = alerts.find((one) => "builtIn" in one && one.builtIn === "pinnedMonth");
  if (stated && "off" in stated && stated.off) return [];
  const pins = await pinsOf(foldersOf(dataDir, organizationId));
  const months = pins.filter(({ name, knownAt }) => MONTH.test(name) && knownAt.slice(0, 10) <= asked.day);
  const newest = months.toSorted((a, b) => (a.name < b.name ? 1 : -1)).slice(0, MONTHS);
  const lines: AlertLine[] = [];
  for (const { name, knownAt } of newest)
    for (const one of await restated(asked, name))
      lines.push(lineOf(one, { asked, month: name, since: knownAt.slice(0, 10), atOnce: stated?.atOnce === true }));
  return lines;
}

async function restated({ ask }: Asked, month: string): Promise<Restated[]> {
  const startDate = `${month}-01`;
  const params = { knownAt: month, startDate, endDate: addDays(addMonths(startDate, 1), -1), granularity: "none" };
  const answer = ask<{ readonly data: readonly Restated[] }>("/v1/restatements", params);
  // A state that has yet to be derived is, as it was asked for: the next look has it.
  const { data } = await answer.catch((error) => {
    if (error instanceof ApiError) return { data: [] };
    throw error;
  });
  const isFar = ({ figure, before, change }: Restated): boolean =>
    FIGURES.some((one) => one === figure) &&
    before !== null &&
    change !== null &&
    Math.abs(change) > (LEAST_CHANGE / 100) * Math.abs(before);
  const orders = data.find(({ figure }) => figure === "revenue")?.causes ?? {};
  return data.filter(isFar).map((one) => ({ ...one, causes: whyOf(one.causes ?? {}, orders) }));
}

/** What changed in the data is said by what changed in the orders, where it is that. */
function whyOf(causes: Readonly<Record<string, number>>, orders: Readonly<Record<string, number>>) {
  const { data = 0, settings = 0 } = causes;
  const ofOrders = Object.entries(orders).filter(([cause, amount]) => cause !== "settings" && amount !== 0);
  return {
    ...(data === 0 ? {} : ofOrders.length > 0 ? Object.fromEntries(ofOrders) : { data }),
    ...(settings === 0 ? {} : { settings }),
  };
}

interface About {
  readonly asked: Asked;
  readonly month: string;
  readonly since: string;
  readonly atOnce: boolean;
}

function lineOf(
  { figure, before, after, change, causes }: Restated,
  { asked, month, since, atOnce }: About,
): AlertLine {
  const { settings, language } = asked;
  const words = WORDS[language];
  const { currency } = settings;
  const number = (value: number, options: Intl.NumberFormatOptions): string =>
    new Intl.NumberFormat(language, options).format(value).replace("-", "−");
  const money: Intl.NumberFormatOptions = currency ? { style: "currency", currency } : { minimumFractionDigits: 2 };
  const [was, is, moved] = [before ?? 0, after ?? 0, change ?? 0];
  const percent = number(moved / Math.abs(was), {
    style: "percent",
    maximumFractionDigits: 1,
    signDisplay: "exceptZero",
  });
  const named = new Intl.DateTimeFormat(language, { timeZone: "UTC", month: "long", year: "numeric" });
  const why = Object.entries(causes ?? {})
    .toSorted(([a, x], [b, y]) => Math.abs(y) - Math.abs(x) || (a < b ? -1 : 1))
    .map(
      ([cause, amount]) => `${words.causes[cause] ?? cause} ${number(amount, { ...money, signDisplay: "exceptZero" })}`,
    );
  const name = words.builtIn.pinnedMonth ?? "pinnedMonth";
  const shown = was === 0 ? "" : ` (${percent})`;
  const text = words.pinned(words.figures[figure] ?? figure, number(was, money), `${number(is, money)}${shown}`);
  const day = new Intl.DateTimeFormat(language, { timeZone: "UTC", dateStyle: "medium" });
  const held = words.pinnedSince(day.format(new Date(since)), daysBetween(since, asked.day));
  return {
    text: `${name} (${named.format(new Date(`${month}-01T00:00:00Z`))}): ${[text, held, ...why].join("; ")}`,
    address: `/${settings.organizationId}/data?${new URLSearchParams({ tab: "changes", since: month, month: `${month}-01` })}`,
    name,
    about: JSON.stringify(["pinnedMonth", month, figure]),
    builtIn: "pinnedMonth",
    subject: null,
    since,
    to: since,
    isOver: false,
    atOnce,
  };
}
