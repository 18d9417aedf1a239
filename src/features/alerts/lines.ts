import type { Organization } from "../../core/contract/settings.ts";
import { addDays, daysBetween } from "../../core/time/days.ts";
import { named } from "../mail/mail.ts";
import { WORDS } from "./words.ts";

/** What a letter asks alerts with. */
export interface Asked {
  readonly settings: Organization;
  /** The day of the letter: alerts judge the days before it. */
  readonly day: string;
  readonly language: "pt-BR" | "en";
  /** Asks an endpoint of the API about the organization. */
  readonly ask: <T>(path: string, params: Readonly<Record<string, string>>) => Promise<T>;
}

/** What an alert says of a day. */
export interface AlertLine {
  readonly text: string;
  /** An address of the Explorer, after its `#`. */
  readonly address: string;
  /** The name of the alert, for people. */
  readonly name: string;
  /** The alert and what it is about: the same for each of its causes. */
  readonly about: string;
  /** The built-in alert that it is, and the integration or product that it is about. */
  readonly builtIn: string | null;
  readonly subject: string | null;
  /** The first and the last day beyond the limit. */
  readonly since: string;
  readonly to: string;
  /** Whether it is over. */
  readonly isOver: boolean;
  /** Whether it is to be sent when it begins. */
  readonly atOnce: boolean;
}

interface Cause {
  readonly alert: string;
  readonly builtIn: boolean;
  readonly figure: string | null;
  readonly label: string | null;
  readonly integrationId: string | null;
  readonly productId: string | null;
  readonly atOnce: boolean;
  readonly since: string;
  readonly until: string | null;
  readonly days: number;
  readonly from: string;
  readonly to: string;
  readonly actual: number;
  readonly expected: number | null;
  readonly notes: string | null;
  readonly endedCampaigns: string | null;
  readonly silentStores: string | null;
}

interface Answer {
  readonly data: readonly Cause[];
  readonly judged: readonly { readonly alert: string; readonly builtIn: boolean; readonly lastDay: string | null }[];
}

/** How far back a cause may have ended that a letter still reports. */
const DAYS = 7;

/**
 * What the alerts say on the day of a letter [D96]: causes that hold, with how long they have held, and those that were over on the last
 * day that their alert judged. The latest first.
 */
export async function alertLines(asked: Asked): Promise<readonly AlertLine[]> {
  const { data, judged } = await asked.ask<Answer>("/v1/alerts", daysOf(asked));
  const lastDays = new Map(judged.map(({ alert, builtIn, lastDay }) => [`${builtIn} ${alert}`, lastDay]));
  return data
    .filter(({ alert, builtIn, until }) => until === null || until === lastDays.get(`${builtIn} ${alert}`))
    .map((cause) => lineOf(cause, asked));
}

function lineOf(cause: Cause, asked: Asked): AlertLine {
  const { settings, language } = asked;
  const { alert, builtIn, label, since, until, days, from, to, atOnce } = cause;
  const words = WORDS[language];
  const name = builtIn ? (words.builtIn[alert] ?? alert) : named(alert);
  const day = (one: string): string =>
    new Intl.DateTimeFormat(language, { timeZone: "UTC", dateStyle: "medium" }).format(new Date(`${one}T00:00:00Z`));
  // The number of days is what it says of late data anyway.
  const isLate = builtIn && alert === "lateData";
  const parts = [
    figureText(cause, settings, language),
    until === null ? words.holds(day(since), isLate ? undefined : days) : words.over(day(since), day(until)),
    cause.notes && words.note(named(cause.notes)),
    cause.endedCampaigns && words.ended(named(cause.endedCampaigns)),
    cause.silentStores && words.silent(named(cause.silentStores)),
  ];
  return {
    text: `${name}${label === null ? "" : ` (${named(label)})`}: ${parts.filter(Boolean).join("; ")}`,
    address: `/${settings.organizationId}/overview?${new URLSearchParams({ from, to, explain: explanationOf(cause, asked) })}`,
    name,
    about: JSON.stringify([builtIn, alert, label]),
    builtIn: builtIn ? alert : null,
    subject: cause.integrationId ?? cause.productId,
    since,
    to,
    isOver: until !== null,
    atOnce,
  };
}

const daysOf = ({ day }: Asked) => ({ startDate: addDays(day, -DAYS), endDate: day });

/** What the page asks to explain it. */
const explanationOf = ({ since, alert, label }: Cause, asked: Asked): string => {
  const row = [since, alert, label ?? ""].join(":");
  return `/v1/alerts?${new URLSearchParams({ ...daysOf(asked), figure: "actual", row })}`;
};

const COUNTS = ["orders", "newCustomers"];

/** What the figure was, in its unit. */
function figureText(
  { alert, builtIn, figure, actual, expected, from, to }: Cause,
  settings: Organization,
  language: "pt-BR" | "en",
): string {
  const words = WORDS[language];
  const number = (value: number, options: Intl.NumberFormatOptions = {}): string =>
    new Intl.NumberFormat(language, options).format(value).replace("-", "−");
  if (builtIn && alert === "lateData") return words.late(actual);
  if (builtIn && alert === "stock") return words.stock(number(actual));
  const isPercent = builtIn && alert === "returnRate";
  const isCount = builtIn && alert === "spendWithoutSales";
  const { currency } = settings;
  const shown = (value: number): string => {
    if (isPercent) return number(value / 100, { style: "percent", maximumFractionDigits: 1 });
    if (isCount) return words.orders(value);
    if (figure !== null && COUNTS.includes(figure)) return number(value, { maximumFractionDigits: 1 });
    return number(value, currency ? { style: "currency", currency } : { minimumFractionDigits: 2 });
  };
  const of = daysBetween(from, to) + 1;
  return words.actual(shown(actual), expected === null ? undefined : shown(expected), of > 1 ? of : undefined);
}
