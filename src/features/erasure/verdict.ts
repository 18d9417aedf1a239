import { isErasedNumber } from "../../core/landing/ledger/erasures.ts";
import { documentOf, type Erased, emailsIn, idOf, idOfDocument, type Mode, phoneOf, withoutEmails } from "./erased.ts";
import { type Personal, personal } from "./fields.ts";

/** Where rows are from, and what to do with them. */
export interface Reading {
  readonly erased: Erased;
  readonly mode: Mode;
  /** Undefined where it is not known, as of a file that was uploaded and not placed yet. */
  readonly connector?: string | undefined;
  readonly record?: string | undefined;
  readonly integrations: readonly string[];
  /** False of a text without anything that is looked for: it is not parsed. */
  readonly mayMatch?: ((text: string) => boolean) | undefined;
  /** Rows of derived files have other ids of customers. */
  readonly isDerived?: boolean;
  /** Objects of files of parts, in the vendor's names. */
  readonly isParts?: boolean;
  /** Rows from which something was, or would be, taken. */
  readonly onRow?: ((row: Found) => void) | undefined;
}

export interface Found {
  /** The row as JSON. */
  readonly row: string;
  /** Whether it is of the customer; otherwise only an e-mail in it is erased, or another order's store id is replaced. */
  readonly isOwn: boolean;
  readonly order?: string | undefined;
}

/** One value of a row, wherever it stands. */
export interface Leaf {
  readonly path: readonly string[];
  readonly value: string;
  /** How deep: the members of the row itself are at 1. */
  readonly depth: number;
}

/** What the identifying values of a row say. */
export interface Verdict {
  /** The number in place of the customer's id. */
  readonly number: string | undefined;
  readonly isOwn: boolean;
  readonly order: string | undefined;
  /** The id in it is replaced, though the row stays: another order of the same customer. */
  readonly isAccount: boolean;
  /** Whether the row is the customer itself, so that its own id is the customer's. */
  readonly isCustomer: boolean;
  /** The instant of the row, if it says one: what came after an erasure stays. */
  readonly at: string | undefined;
}

export const NOBODY: Verdict = {
  number: undefined,
  isOwn: false,
  order: undefined,
  isAccount: false,
  isCustomer: false,
  at: undefined,
};

const DATES =
  /^(creation date|created at|created|createdate|create date|processed at|date|data|data de criacao|criado em|data do pedido|placed at)$/;
const ORDER_ID = /^(order id|order|pedido|id do pedido|numero do pedido|n do pedido|parent id)$/;

const STAFF = new Set(["seller", "sellers", "staff", "vendor", "merchant", "employee", "shop", "store"]);

/** The instant of a row, if it says one. */
const instantOf = (leaves: readonly Leaf[]): string | undefined =>
  leaves
    .filter(({ path, depth }) => isDate(path) && (depth === 1 || path[0] === "properties"))
    .map(({ value }) => timeOf(value))
    .find((time) => time !== undefined);

export const isDate = (path: readonly string[]): boolean => DATES.test(path.join(" ").replace(/^properties /, ""));

/** No instant is written longer. */
const LONGEST_INSTANT = 64;

function timeOf(text: string): string | undefined {
  if (text.length > LONGEST_INSTANT) return undefined;
  if (/^\d{4}-\d{2}-\d{2}/.test(text)) {
    const spaced = text
      .replace(" ", "T")
      .replace(/ ?UTC$/, "Z")
      .replace(/(\.\d{3})\d+/, "$1")
      .replace(
        /(:\d{2}(?:\.\d+)?) ?([+-]\d{2}):?(\d{2})?$/,
        (_, clock, hours, minutes) => `${clock}${hours}:${minutes ?? "00"}`,
      );
    const hasZone = !spaced.includes("T") || /(Z|[+-]\d{2}:\d{2})$/.test(spaced);
    const time = Date.parse(hasZone ? spaced : `${spaced}Z`);
    return Number.isNaN(time) ? undefined : new Date(time).toISOString();
  }
  const [, day = "", month = "", year = "", clock = "00:00"] =
    /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})(?:[ T]+(\d{1,2}:\d{2}(?::\d{2})?))?/.exec(text) ?? [];
  if (year === "") return undefined;
  // Of a day and a month that may be either, the earlier instant: a later order is only one that certainly is.
  const of = (d: string, m: string): number =>
    Date.parse(`${year}-${m.padStart(2, "0")}-${d.padStart(2, "0")}T${clock.padStart(5, "0")}Z`);
  const times = [of(day, month), of(month, day)].filter((time) => !Number.isNaN(time));
  return times.length === 0 ? undefined : new Date(Math.min(...times)).toISOString();
}

/** Whether a row has what only an order has. */
export function isOrder(leaves: readonly Leaf[]): boolean {
  return leaves.some(
    ({ path, depth }) =>
      depth <= 2 &&
      /^(order group|total price|total price set .*|financial status|display financial status|line items .*|fulfillment status|sales channel|seller order id|landing site|order number|totals .*)$/.test(
        path.join(" "),
      ),
  );
}

/** The ids of orders that a row names: its own if it is one, and that of the order it belongs to. */
function ordersIn(leaves: readonly Leaf[]): string[] {
  const own = isOrder(leaves);
  const isPart = leaves.some(({ path, depth }) => depth === 1 && path.join(" ") === "order id");
  return leaves
    .filter(({ path, depth, value }) => {
      if (depth > 1 || value === "") return false;
      const name = path.join(" ");
      if (ORDER_ID.test(name)) return name !== "parent id" || value.includes("/Order/");
      const isOwnId = name === "id" || name === "admin graphql api id" || name === "legacy resource id";
      return isOwnId && !isPart && (own || value.includes("/Order/"));
    })
    .map(({ value }) => value);
}

/** Decides what a row is, by its values. Orders that are met become known by their id. */
export function verdictOf(leaves: readonly Leaf[], reading: Reading, parent?: string): Verdict {
  const { erased, mode, integrations, connector } = reading;
  const at = instantOf(leaves);
  const orders = [...ordersIn(leaves), ...(parent === undefined || parent === "" ? [] : [parent])];
  let linked: string | undefined;
  for (const order of orders) {
    for (const integration of integrations) {
      const known = erased.find("order", idOf(integration, order));
      if (known?.asked) return { number: known.number, isOwn: true, order, isAccount: true, isCustomer: false, at };
      if (known) linked = known.number;
    }
  }
  let number = linked;
  let [isOwn, isAccount] = [false, linked !== undefined];
  let until = "";
  const look = (found: ReturnType<Erased["find"]>, isOfAccount: boolean): void => {
    if (!found || (at !== undefined && at > found.until)) return;
    // The account says which of several numbers it is.
    if (linked === undefined && (isOfAccount || number === undefined)) number = found.number ?? number;
    if (isOfAccount) isAccount = true;
    if (found.asked || mode === "land") isOwn = true;
    if (found.until > until) until = found.until;
  };
  const isOfOrder = isOrder(leaves);
  let isCustomer = false;
  const customersOwn = (leaf: Leaf): boolean =>
    leaf.depth === 1 &&
    leaf.path.join(" ") === "id" &&
    !isOfOrder &&
    orders.length === 0 &&
    leaves.some(({ path }) =>
      /^(orders count|number of orders|first name|last name|default address .*|verified email)$/.test(path.join(" ")),
    );
  for (const leaf of leaves) {
    if (leaf.value === "") continue;
    const kind = kindOf(leaf.path, connector);
    // Who works for the store is not whose order it is.
    if (kind === "email" && leaf.path.some((word) => STAFF.has(word))) continue;
    if (kind === "email") for (const email of emailsIn(leaf.value)) look(erased.find("email", email), false);
    else if (kind === "phone" && phoneOf(leaf.value).length === 8)
      look(erased.find("phone", phoneOf(leaf.value)), false);
    else if (kind === "document") {
      look(erased.find("document", documentOf(leaf.value)), false);
      for (const integration of integrations)
        look(erased.find("customer", idOf(integration, idOfDocument(leaf.value))), true);
    } else if (kind === "customer" || customersOwn(leaf)) {
      if (kind !== "customer") isCustomer = true;
      // Some stores take the e-mail for an id.
      if (leaf.value.includes("@")) for (const email of emailsIn(leaf.value)) look(erased.find("email", email), false);
      for (const integration of integrations) look(erased.find("customer", idOf(integration, leaf.value)), true);
    }
  }
  if (!isOwn && !isAccount) return { ...NOBODY, at };
  const [order] = orders;
  if (isOwn && order !== undefined && number !== undefined) {
    for (const integration of integrations) {
      erased.add("order", idOf(integration, order), { number, asked: true }, until);
    }
  }
  return { number, isOwn, order, isAccount, isCustomer, at };
}

const kinds = new Map<string, Personal | undefined>();

export function kindOf(path: readonly string[], connector: string | undefined): Personal | undefined {
  const id = `${connector} ${path.join(" ")}`;
  if (kinds.has(id)) return kinds.get(id);
  const kind = personal(path, connector);
  if (kinds.size > 20_000) kinds.clear();
  kinds.set(id, kind);
  return kind;
}

/** The value of a field of an erased row: null if it is emptied, unchanged otherwise. */
export function emptied(leaf: Leaf, verdict: Verdict, reading: Reading): string | null {
  const { connector, erased } = reading;
  const isOwnId = verdict.isCustomer && leaf.depth === 1 && leaf.path.join(" ") === "id";
  const kind = isOwnId ? "customer" : kindOf(leaf.path, connector);
  if (leaf.value === "") return "";
  if (kind === "customer" && reading.isDerived) return leaf.value;
  if (kind === "customer" && (verdict.isOwn || verdict.isAccount)) {
    if (isErasedNumber(leaf.value)) return leaf.value;
    if (verdict.number === undefined) return null;
    return leaf.value.replace(/^(gid:\/\/shopify\/Customer\/)?.*$/s, `$1${verdict.number}`);
  }
  if (verdict.isOwn && kind !== undefined) return null;
  return withoutEmails(leaf.value, (email) => isAskedEmail(email, verdict, erased)).text;
}

/** Of the rows of others only e-mails go that were asked for, and none of what came later. */
function isAskedEmail(email: string, { at, isOwn }: Verdict, erased: Erased): boolean {
  const found = erased.find("email", email);
  return found !== undefined && (found.asked || isOwn) && (at === undefined || isOwn || at <= found.until);
}
