import { addDays } from "../../core/time/days.ts";
import { grouped, type Year } from "./year.ts";

/** A row of the table; the amount in cents. */
interface Expense {
  readonly start: string;
  readonly stop?: string;
  readonly category: string;
  readonly amount: number;
  readonly description: string;
}

const RENT = 280_000;
const AGENCY = 240_000;
const PHOTOS = 90_000;
const BOXES = 18_000;
/** What the carrier takes for an order that comes back. */
const FREIGHT_BACK = 2_450;
/** A returned order comes back after so many days. */
export const DAYS_UNTIL_RETURN = 9;

/** The expenses of the year as a table that a shop in Brazil keeps. */
export function expensesTable({ days, orders }: Year): string {
  const months = grouped(days, (day) => day.slice(0, 7));
  const returned = orders.filter(({ state }) => state === "returned").map(({ day }) => addDays(day, DAYS_UNTIL_RETURN));
  const rows = [...months].flatMap(([month, own]) =>
    expensesOf(month, own, returned.filter((day) => own.includes(day)).length),
  );
  return ["Início;Fim;Categoria;Valor;Descrição", ...rows.map(lineOf), ""].join("\n");
}

/** Expenses of a month, of its days in the year: rent by day, invoices on their own. */
function expensesOf(month: string, days: readonly string[], returned: number): Expense[] {
  const [first, last] = [days[0] ?? "", days.at(-1) ?? ""];
  const isQuarter = Number(month.slice(5)) % 3 === 0;
  return [
    {
      start: first,
      stop: last,
      category: "Aluguel",
      amount: Math.round((RENT * days.length) / daysOf(month)),
      description: "Galpão",
    },
    { start: `${month}-03`, category: "Embalagem", amount: BOXES, description: "Caixas e fitas" },
    { start: `${month}-10`, category: "Agência", amount: AGENCY, description: "Gestão de anúncios" },
    ...(isQuarter ? [{ start: `${month}-20`, category: "Fotografia", amount: PHOTOS, description: "Coleção" }] : []),
    ...(returned > 0
      ? [{ start: last, category: "Frete", amount: FREIGHT_BACK * returned, description: "Frete de devoluções" }]
      : []),
  ].filter(({ start }) => days.includes(start));
}

const daysOf = (month: string): number =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate();

const dateOf = (day: string): string => day.split("-").reverse().join("/");

const lineOf = ({ start, stop, category, amount, description }: Expense): string =>
  [dateOf(start), stop ? dateOf(stop) : "", category, priceOf(amount), description].join(";");

/** Cents as Brazilians write an amount: `2.800,00`. */
const priceOf = (cents: number): string =>
  `${Math.floor(cents / 100).toLocaleString("pt-BR")},${String(cents % 100).padStart(2, "0")}`;
