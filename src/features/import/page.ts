import { quantity, shortened } from "../../core/contract/text.ts";
import { changeText, stayText } from "../../core/landing/lake/sums.ts";
import { printable } from "../../core/terminal/table.ts";
import type { Changes } from "./instead.ts";
import type { Preview } from "./preview.ts";

export interface Orders {
  readonly counted: number;
  /** By the reason why they are not counted. */
  readonly uncounted: Readonly<Record<string, number>>;
  /** Statuses of orders that do not count and that no rule knows, with their orders. */
  readonly unknown?: Readonly<Record<string, number>>;
}

/** A file's kind, and the result of its import. */
export interface Imported {
  readonly file: string;
  /**
   * `ready`: a dry run; `imported`: in its folder; `landed`: instead of another; `known`: the same content is there, or has landed; `left out`: a tool's
   * stream that no record reads.
   */
  readonly state: "ready" | "imported" | "landed" | "known" | "left out" | "refused";
  readonly reason?: string;
  /** The files of a folder that are the record's streams. */
  readonly files?: readonly string[];
  readonly record?: string;
  readonly vendor?: string;
  readonly tool?: string;
  readonly organization?: string;
  readonly integration?: string;
  /** The names of both. */
  readonly account?: string;
  /** Why nothing of it lands yet, although the file is right; what is to be set before; what the file cannot give. */
  readonly notes?: readonly string[];
  /** The place of the export below the data folder. */
  readonly place?: string;
  readonly columns?: {
    readonly used: readonly string[];
    /** Columns of the record that have no value in any row. */
    readonly empty?: readonly string[];
    readonly unused: readonly string[];
  };
  /** Headings by the column that they mean. */
  readonly mapped?: Readonly<Record<string, string>>;
  readonly orders?: Orders;
  readonly changes?: Changes;
  /** Words that say what expenses are for, and that nothing knows: their rows would be rejected. */
  readonly unknownItems?: readonly string[];
  readonly preview?: Omit<
    Preview,
    "refusal" | "tool" | "filled" | "telling" | "unknown" | "unknownItems" | "notes" | "sums"
  >;
}

/** The writer of a file, if its name does not say it. */
const BY: Readonly<Record<string, string>> = { download: "a download from its pages", tool: "by an EL tool" };

/** How many reasons a report lists. */
const MOST_REASONS = 5;

export function print(imported: Imported, isDryRun: boolean): void {
  const { file, state, reason } = imported;
  if (state === "refused") console.error(printable(`not imported: ${file}: ${reason}`));
  else if (state === "left out") console.log(printable(`left out: ${file}: ${reason}`));
  else show(imported, isDryRun);
}

function show({ file, state, reason, ...report }: Imported, isDryRun: boolean): void {
  const {
    files,
    record,
    vendor,
    tool,
    account,
    place,
    columns,
    mapped = {},
    notes = [],
    preview,
    orders,
    changes,
  } = report;
  const { rows = 0, replaced = 0, rejected = 0, reasons = {}, firstDay, lastDay, amount } = preview ?? {};
  const named = (names: readonly string[] = []): string[] =>
    names.map((name) => (mapped[name] ? `${name} ← ${mapped[name]}` : name));
  const lines: [string, string][] = [
    ["record", `${record}, ${vendor}${tool ? `, ${BY[tool] ?? `by ${tool}`}` : ""}`],
    ["account", `${account}`],
    ...(files ? [["files", `${files.length}: ${shortened(files)}`] as [string, string]] : []),
    ["rows", `${rows}${replaced > 0 ? `, ${replaced} more replaced by a later row of the same key` : ""}`],
    ...(rejected > 0 ? [["rejected", `${rejected}: ${shownReasons(reasons)}`] as [string, string]] : []),
    ...(firstDay ? [["days", `${firstDay} to ${lastDay}`] as [string, string]] : []),
    ...(amount ? [["sum", `${amount.field} ${amount.sum.replace(/(\.\d\d)0+$/, "$1")}`] as [string, string]] : []),
    ...(orders ? [["orders", shownOrders(orders)] as [string, string]] : []),
    ...shownChanges(changes),
    ["columns", named(columns?.used).join(", ")],
    ["empty", named(columns?.empty).join(", ")],
    ...(columns && columns.unused.length > 0 ? [["unused", shortened(columns.unused)] as [string, string]] : []),
    ...notes.map((note): [string, string] => ["note", note]),
    [
      state,
      ["imported", "landed"].includes(state)
        ? [place, reason].filter(Boolean).join(": ")
        : state === "known"
          ? `${reason}`
          : "",
    ],
  ];
  console.log(printable(file));
  for (const [title, text] of lines.filter(([, text]) => text !== ""))
    console.log(printable(`  ${title.padEnd(9)} ${text}`));
  if (isDryRun) console.log("  nothing was changed");
}

/** What a table of expenses or fees changes, and how it could take the place of another one. */
const shownChanges = (changes: Changes | undefined): [string, string][] => [
  ["changes", changes ? changeText(changes) : ""],
  ...(changes?.others ?? []).map((other): [string, string] => [
    "stays",
    `${stayText(other)}: --instead-of ${JSON.stringify(other.file)} lands this table and revokes that one (landing ${other.landing}), all its ${quantity(other.of, "row")}`,
  ]),
];

export const shownReasons = (reasons: Readonly<Record<string, number>>): string =>
  Object.entries(reasons)
    .slice(0, MOST_REASONS)
    .map(([reason, rows]) => `${rows} × ${reason}`)
    .join("; ");

/** `1 of 3 count; not counted: 2 unpaid` */
function shownOrders({ counted, uncounted, unknown = {} }: Orders): string {
  const others = Object.entries(uncounted);
  const all = others.reduce((sum, [, orders]) => sum + orders, counted);
  const said = `${counted} of ${all} count`;
  if (others.length === 0) return said;
  const statuses = Object.entries(unknown).map(([status, orders]) => `${status} (${orders})`);
  const hint = statuses.length > 0 ? `; no rule knows the statuses ${shortened(statuses)}` : "";
  return `${said}; not counted: ${others.map(([reason, orders]) => `${orders} ${reason}`).join(", ")}${hint}${
    (uncounted.unpaid ?? 0) > counted || counted === 0 ? ABOUT : ""
  }`;
}

const ABOUT = " (docs/exports.md says what makes an order count)";
