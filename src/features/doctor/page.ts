import { quantity } from "../../core/contract/text.ts";
import type { Row } from "../../core/engine/database.ts";
import { printable, table, wrapped, wrappedTable } from "../../core/terminal/table.ts";
import type { FilesRead, Finding, IntegrationState, OrganizationReport, Report } from "./report.ts";

const MARKS = { wrong: "✗", notice: "!" } as const;
/** Columns that are amounts of money: in the currency of the row, or else of the organization. */
const AMOUNTS = new Set(["revenue", "spend", "refunded"]);
/** Columns for programs: the name is shown instead. */
const UNSHOWN = new Set(["integrationId", "path"]);
/** Columns of an output that is no terminal. */
const WIDTH = 120;

/** The report for a terminal of so many columns, a page for each organization. */
export function page(report: Report, width = WIDTH): string {
  const pages = report.organizations.map((one) => organizationPage(one, width));
  const own = report.findings.map((found) => findingText(found, undefined, width));
  const nothing =
    report.organizations.length === 0 && own.length === 0
      ? ["no organizations yet: `lucra organizations add` writes settings, `lucra demo` makes one to look at"]
      : [];
  return [...own, ...nothing, ...pages, summary(report.wrong, report.notices)].join("\n\n");
}

function summary(wrong: number, notices: number): string {
  const first = wrong === 0 ? "nothing wrong" : `${MARKS.wrong} ${wrong} wrong`;
  return notices === 0 ? first : `${first}, ${MARKS.notice} ${notices} to know`;
}

function organizationPage(report: OrganizationReport, width: number): string {
  const { organizationId, name, overview, files, integrations, findings } = report;
  const currency = overview?.currency ? String(overview.currency) : undefined;
  return [
    `${printable(name)} (${organizationId})`,
    ...(overview ? [overviewLine(overview, currency)] : []),
    ...(files ? [`  read: ${read("landed", files.landed)}; ${read("derived", files.derived)}`] : []),
    ...(integrations.length > 0 ? ["", indented(integrationTable(integrations), 2), ""] : []),
    ...findings.map((found) => findingText(found, currency, width)),
  ]
    .join("\n")
    .trimEnd();
}

/** `12 landed files (8.1 MB), all as written`. */
function read(what: string, { files, bytes, damaged }: FilesRead): string {
  const result = damaged > 0 ? `${damaged} damaged` : "all as written";
  return `${quantity(files, `${what} file`)} (${(bytes / 1e6).toFixed(1)} MB), ${result}`;
}

function overviewLine({ orders, revenue, firstDay, lastDay }: Row, currency: string | undefined): string {
  if (Number(orders) === 0) return "  no orders count yet";
  return `  ${quantity(Number(orders), "order")} ${Number(orders) === 1 ? "counts" : "count"}, ${amount(revenue, currency)}, ${firstDay} to ${lastDay}`;
}

function integrationTable(integrations: readonly IntegrationState[]): string {
  const rows = integrations.flatMap(({ name, connector, records }) =>
    records
      .filter((record) => record.files > 0 || record.waiting.length > 0)
      .map((record, n) => [
        n === 0 ? `${printable(name)} (${connector})` : "",
        record.record,
        record.lastLandedAt?.slice(0, 16).replace("T", " ") ?? "never",
        record.newestDay ?? "",
        record.daysSinceNewest === null ? "" : count(record.daysSinceNewest),
        count(record.files),
        record.rows === null ? "" : count(record.rows),
        count(record.rejected),
        count(record.waiting.length),
      ]),
  );
  const headings = [
    "integration",
    "record",
    "last landed",
    "newest day",
    "days ago",
    "files",
    "rows",
    "rejected",
    "waiting",
  ];
  return rows.length === 0 ? "nothing landed yet" : table(headings, rows);
}

function findingText(found: Finding, currency: string | undefined, width: number): string {
  const { level, title } = found;
  const rows = found.kind === "unknownColumns" ? folded(found.rows) : found.rows;
  const sums = sumsOf(found, currency);
  const text = `${MARKS[level]} ${title}${sums.length > 0 ? `: ${sums.join(", ")}` : ""}`;
  const head = wrapped(printable(text), width).join("\n  ");
  if (rows.length === 0) return head;
  const names = Object.keys(rows[0] ?? {}).filter((name) => !UNSHOWN.has(name));
  const cells = rows.map((row) => names.map((name) => cell(name, row, currency)));
  const body = names.length === 1 ? cells.join("\n") : wrappedTable(names.map(words), cells, width - INDENT);
  return [head, indented(body), ...leftOff(found, currency).map((line) => indented(line))].join("\n");
}

const SHOWN_COLUMNS = 4;

/** A vendor's own table has dozens of columns that are not needed: of each record the first are shown. */
function folded(rows: readonly Row[]): Row[] {
  const ofRecords = new Map<string, Row[]>();
  for (const row of rows) {
    const key = JSON.stringify([row.integration, row.record]);
    ofRecords.set(key, [...(ofRecords.get(key) ?? []), row]);
  }
  return [...ofRecords.values()].flatMap((all) => {
    const more = all.length - SHOWN_COLUMNS;
    if (more <= 1) return all;
    return [...all.slice(0, SHOWN_COLUMNS), { ...all[0], column: `and ${count(more)} more: --json lists them` }];
  });
}

function sumsOf({ count: rows, total, amounts }: Finding, currency: string | undefined): string[] {
  return [
    ...("orders" in total
      ? [quantity(Number(total.orders), "order")]
      : "revenue" in total || rows > 1
        ? [count(rows)]
        : []),
    ...(amounts
      ? amounts.map(({ revenue, currency: own }) => amount(revenue, own === null ? currency : String(own)))
      : "revenue" in total
        ? [amount(total.revenue, currency)]
        : []),
    ...("spend" in total ? [`${amount(total.spend, currency)} spent`] : []),
  ];
}

/** A line that sums up the rows that are not shown, and says where all of them are. */
function leftOff({ count: of, total, amounts = [], rows, sql }: Finding, currency: string | undefined): string[] {
  if (of <= rows.length) return [];
  const shownRevenue = rows.reduce((sum, row) => sum + Number(row.revenue ?? 0), 0);
  const rest =
    total.revenue === undefined || amounts.length > 1 ? "" : ` (${amount(total.revenue - shownRevenue, currency)})`;
  return [`… and ${count(of - rows.length)} more${rest}${sql ? `: lucra sql ${sql}` : ""}`];
}

function cell(name: string, row: Row, currency: string | undefined): string {
  const value = row[name];
  if (value === null || value === undefined) return "";
  if (AMOUNTS.has(name)) return amount(value, row.currency === undefined ? currency : String(row.currency ?? ""));
  return typeof value === "number" ? count(value) : printable(String(value));
}

const count = (value: unknown): string => Number(value).toLocaleString("en-US");

function amount(value: unknown, currency: string | undefined): string {
  const number = Number(value).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return currency ? `${currency} ${number}` : number;
}

/** `campaignName`: campaign name */
const words = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const INDENT = 4;

const indented = (text: string, by = INDENT): string => text.replaceAll(/^(?=.)/gm, " ".repeat(by));
