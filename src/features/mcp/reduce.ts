import { answerFields } from "../../core/contract/answer.ts";
import { ENVELOPE } from "../../core/contract/envelope.ts";
import type { Field, Fields } from "../../core/contract/field.ts";
import { membersOf } from "../../core/contract/field.ts";
import { endpointOf, sectionFields, under } from "./sections.ts";
import { type Cut, type Question, type Section, ToolError } from "./tool.ts";

/** Elements of a list that a result does not carry. */
export interface More {
  /** The list, as a path in the result without positions. */
  readonly list: string;
  shown: number;
  readonly of: number;
  readonly rest: string;
}

/** A list of a result that may be shortened further. */
export interface Shortened {
  readonly holder: Record<string, unknown>;
  readonly name: string;
  readonly keep: "first" | "last";
  readonly path: string;
  readonly total: number;
}

export interface Reduced {
  readonly answer: Record<string, unknown>;
  readonly lists: readonly Shortened[];
  readonly cells: readonly More[];
  /** Data that its figures lack, as sentences [D23]. */
  readonly lacks: readonly string[];
}

type Json = Record<string, unknown>;

/** Where a value is. */
interface Place {
  readonly holder: Json;
  readonly member: string;
  /** Whether it is in an element of a list. */
  readonly inRow: boolean;
}

/** The part of an answer that a result carries. No value is changed. */
export function reduced(name: string, section: Section, question: Question, answer: Json, address: string): Reduced {
  const fields = sectionFields(section);
  const lists: Shortened[] = [];
  const cells = new Map<string, More>();
  const object = (value: Json, within: Fields, path: string, inRow = false): Json => {
    const isChosenHere = section.chosen?.at.includes(path) && question.metrics;
    const of = section.chosen?.of ?? [];
    const kept: Json = path ? {} : { address };
    for (const [member, field] of Object.entries(within)) {
      if (!Object.hasOwn(value, member)) continue;
      if (isChosenHere && of.includes(member) && !question.metrics?.has(member)) continue;
      kept[member] = inner(value[member], field, under(path, member), { holder: kept, member, inRow });
    }
    return kept;
  };
  const inner = (value: unknown, field: Field, path: string, { holder, member, inRow }: Place): unknown => {
    const members = membersOf(field.unit);
    if (!members || typeof value !== "object" || value === null) return value;
    const cut = question.lists?.[path];
    if (Array.isArray(value)) {
      const rule = section.lists?.[path];
      const keep = rule?.keep ?? "first";
      const taken = cutTo(value as Record<string, unknown>[], cut, keep);
      if (rule && !inRow) {
        const total = rule.total ? Number(at(answer, rule.total)) : value.length;
        lists.push({ holder, name: member, keep, path: under(name, path), total });
      } else if (taken.length < value.length) noteCells(path, taken.length, value.length);
      return taken.map((row) => object(row, members, path, true));
    }
    if (typeof field.unit === "object" && "keyed" in field.unit) {
      const all = Object.entries(value as Record<string, Record<string, unknown>>);
      const taken = cut ? all.slice(0, cut.top) : all;
      if (taken.length < all.length) noteCells(path, taken.length, all.length);
      return Object.fromEntries(taken.map(([key, cell]) => [key, object(cell, members, path, true)]));
    }
    return object(value as Json, members, path, inRow);
  };
  const noteCells = (path: string, shown: number, total: number): void => {
    const list = under(name, path);
    const before = cells.get(list);
    if (!before || before.of < total)
      cells.set(list, { list, shown, of: total, rest: "send a larger `steps`, or ask the section's `address`" });
  };
  const { coverage, marginConfigured } = answerFields(endpointOf(section.endpoint));
  const lacks = [
    ...(coverage === ENVELOPE.coverage && answer.coverage ? lacksOf(answer.coverage as Coverage) : []),
    ...(marginConfigured === ENVELOPE.marginConfigured ? costsLackedBy(answer) : []),
    ...costsMissingIn(answer),
  ];
  return { answer: object(answer, fields, ""), lists, cells: [...cells.values()], lacks };
}

interface Coverage {
  readonly stores: readonly Covered[];
  readonly accounts: readonly Covered[];
}

interface Covered {
  readonly integrationId: string;
  readonly lastDay: string | null;
}

/** An agent must not read a day without data as one without sales. */
function lacksOf({ stores, accounts }: Coverage): string[] {
  const sentence =
    (what: string) =>
    ({ integrationId, lastDay }: Covered): string =>
      `The ${what} ${integrationId} has no data${lastDay === null ? "" : ` after ${lastDay}`}: what came later is unknown, not 0.`;
  return [...stores.map(sentence("store")), ...accounts.map(sentence("ad account"))];
}

/** An agent must not quote revenue as profit [D16]. */
function costsLackedBy({ marginConfigured, marginItemStatus }: Json): string[] {
  if (marginConfigured === false)
    return [
      "No margin is configured: contribution, profit, LTV and ROI are computed with 100 % of the revenue, as if nothing had costs. Do not call them profit.",
    ];
  const pending = Object.entries((marginItemStatus ?? {}) as Json).flatMap(([item, status]) =>
    status === "pending" ? [item] : [],
  );
  return pending.length === 0
    ? []
    : [`Costs of the margin are unknown and count as 0, so that profit is too high: ${pending.join(", ")}.`];
}

/** Whoever shows a total shows what is not known of it [D74]. */
function costsMissingIn({ missing }: Json): string[] {
  const items = Array.isArray(missing) ? missing.map(({ item }) => String(item)) : [];
  if (items.length === 0) return [];
  const goods = items.includes("goods") ? " Without the cost of all goods, totals after `netRevenue` are null." : "";
  return [
    `Not all costs are known (\`missing\`): ${items.join(", ")}. Only what is known is deducted: say so with every total.${goods}`,
  ];
}

const at = (value: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);

/** The first or last elements, in the chosen order; nulls come last. The sort is stable: ties keep the answer's order. */
function cutTo(rows: readonly Record<string, unknown>[], cut: Cut | undefined, keep: "first" | "last") {
  if (!cut) return rows;
  const { top, sortBy, order = "desc" } = cut;
  if (!sortBy) return keep === "first" ? rows.slice(0, top) : rows.slice(-top);
  const sign = order === "asc" ? 1 : -1;
  const sorted = [...rows].sort((one, other) => {
    const [a, b] = [one[sortBy] ?? null, other[sortBy] ?? null];
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    return a === b ? 0 : (a < b ? -1 : 1) * sign;
  });
  return sorted.slice(0, top);
}

/** The most bytes of a result. */
export const MOST_BYTES = 25_000;
/** Characters that remain of a text if nothing else can be shortened. */
const BRIEF = 160;
/** The share of a list that remains each time. */
const SHARE = 0.7;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** A result with what it says about itself. */
export interface Result extends Record<string, unknown> {
  definitions?: Record<string, string>;
  notes: string[];
  more: More[];
}

/** Shortens the longest lists until the result has at most so many bytes, and says what is left out. */
export function capped(result: Result, lists: readonly Shortened[], restOf: (list: Shortened) => string): Result {
  const others = result.more;
  const lengthOf = ({ holder, name }: Shortened): number => (holder[name] as unknown[]).length;
  const note = (): void => {
    const shortened = lists
      .filter((list) => lengthOf(list) < list.total)
      .map((list): More => ({ list: list.path, shown: lengthOf(list), of: list.total, rest: restOf(list) }));
    result.more = [...others, ...shortened];
  };
  note();
  while (bytesOf(result) > MOST_BYTES) {
    const longest = lists
      .filter((list) => lengthOf(list) > 1)
      .map((list) => ({ list, bytes: bytesOf(list.holder[list.name]) }))
      .sort((a, b) => b.bytes - a.bytes)[0]?.list;
    if (!longest) break;
    const { holder, name, keep } = longest;
    const rows = holder[name] as unknown[];
    const most = Math.floor(rows.length * SHARE);
    holder[name] = keep === "first" ? rows.slice(0, most) : rows.slice(-most);
    note();
  }
  return bytesOf(result) > MOST_BYTES ? withoutLongTexts(result, lists, note) : result;
}

function withoutLongTexts(result: Result, lists: readonly Shortened[], note: () => void): Result {
  if (result.definitions) {
    result.definitions = {};
    result.notes.push("The definitions are left out, because the result is long: describe_metrics has them.");
  }
  if (bytesOf(result) <= MOST_BYTES) return result;
  result.notes.push(`Texts are cut to ${BRIEF} characters, because the result is long.`);
  for (const name of Object.keys(result)) result[name] = brief(result[name]);
  if (bytesOf(result) <= MOST_BYTES) return result;
  for (const { holder, name } of lists) holder[name] = [];
  note();
  for (const list of lists) {
    const [section = "", member = ""] = list.path.split(".");
    const kept = member ? (result[section] as Record<string, unknown>) : result;
    kept[member || section] = [];
  }
  if (bytesOf(result) <= MOST_BYTES) return result;
  throw new ToolError({
    pt: "O resultado é longo demais: peça menos, com outro período, filtros ou métricas.",
    en: "The result is too long: ask for less, by another period, filters or metrics.",
  });
}

function brief(value: unknown): unknown {
  if (typeof value === "string")
    return value.length > BRIEF ? `${value.slice(0, BRIEF).replace(/[\ud800-\udbff]$/, "")}…` : value;
  if (Array.isArray(value)) return value.map(brief);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, brief(inner)]));
}
