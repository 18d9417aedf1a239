import { figure } from "../../../format.ts";
import { organization } from "../../../session.ts";
import { lang, said, t } from "../../../text.ts";
import { files as FILES } from "../../../words/later/files.ts";
import { exactMoney } from "../exact.ts";
import { VENDORS } from "../vendors.ts";
import { isStore } from "./places.ts";
import type { Look } from "./types.ts";

export const count = (n: number): string => figure(n, "count");

/** What a record is called, with a capital: it begins a sentence or stands alone. */
export function recordName(record: string): string {
  const name = t().data.records[record] ?? record;
  return `${name.charAt(0).toLocaleUpperCase()}${name.slice(1)}`;
}

/** The vendor, or, for tables of one's own, the page's word for them. */
export const vendorName = (connector: string): string => VENDORS[connector] ?? said(FILES).ownTables;

/** Whether a file is a table of orders that no shop system is known to have written. */
export const isOwnOrders = ({ connector, record, tool, headings }: Look): boolean =>
  isStore(connector) && record === "orders" && tool === null && headings !== null;

/** What a file comes from: its vendor, or a shop of one's own. */
export const sourceOf = (look: Look): string =>
  isOwnOrders(look) ? said(FILES).ownShop : vendorName(look.connector ?? "");

export function sourceName(id: string | null): string {
  const found = organization.value?.connectors.find(({ integrationId }) => integrationId === id);
  return found ? (found.name ?? vendorName(found.connector)) : "";
}

const AMOUNTS = /(spend|cost|amount|fee|value|revenue|total|price|sales|tax|shipping|discount)/i;

/** A sum of a column: money where its name says so. */
export function sumOf(field: string, sum: string): string {
  const value = Number(sum);
  return AMOUNTS.test(field) ? exactMoney(Math.round(value * 100) / 100) : figure(value, "number");
}

/** The name of a column for people: that of the page, that of the figure of this name, else its words. */
export const columnName = (name: string): string =>
  said(FILES).columnNames[name] ?? t().metric[name] ?? t().metric[camel(name)] ?? spoken(name);

const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const spoken = (name: string): string => name.replaceAll("_", " ");

export const megabytes = (bytes: number): string => {
  const size = bytes / 1e6;
  const text = new Intl.NumberFormat(lang.value === "pt" ? "pt-BR" : "en", {
    maximumFractionDigits: size < 10 ? 1 : 0,
  }).format(Math.max(size, 0.1));
  return said(FILES).size(text);
};

/** Why rows do not land. The service says it for those who wrote the file; the frequent reasons are said for everybody. */
export const reasonText = (reason: string): string => reason.split("; ").map(partText).join("; ");

function partText(reason: string): string {
  const words = said(FILES);
  const [, column = "", what = ""] = /^([\w ,/.]+): (.*)$/s.exec(reason) ?? [];
  if (column === "") return reason;
  const name = columnName(column);
  if (what === "missing") return words.missing(name);
  if (/no cost that is known/.test(what)) return words.noCategory;
  if (/amount|number/.test(what)) return words.noNumber(name);
  if (/date|day|instant|time/.test(what)) return words.noDay(name);
  return `${name}: ${what}`;
}

export const rowsText = (n: number): string => said(FILES).rows(count(n));
