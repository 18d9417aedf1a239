import { type Node, type ParseError, parseTree } from "jsonc-parser";
import { wordsOf } from "./fields.ts";
import { emptied, isOrder, kindOf, type Leaf, NOBODY, type Reading, type Verdict, verdictOf } from "./verdict.ts";

/** A place of the text that is written otherwise. */
interface Edit {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** Deeper texts are not parsed as JSON within JSON. */
const DEEPEST = 4;

/**
 * Edits a text of JSON: every row in it, in whatever envelope it stands. Undefined if it is no JSON. `parent`: the order that a
 * row of a child table belongs to.
 */
export function editedJson(text: string, reading: Reading, parent?: string, depth = 0): string | undefined {
  if (depth === 0 && parent === undefined && reading.mayMatch?.(text) === false) return text;
  const tree = treeOf(text);
  return tree === undefined ? undefined : new JsonEditing(text, reading, parent, depth).edited(tree);
}

/** Null of a text without any value. */
function treeOf(text: string): Node | null | undefined {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true, allowEmptyContent: true });
  return errors.length > 0 ? undefined : (tree ?? null);
}

/** The editing of one text. */
class JsonEditing {
  readonly #text: string;
  readonly #reading: Reading;
  readonly #parent: string | undefined;
  readonly #depth: number;
  readonly #edits: Edit[] = [];

  constructor(text: string, reading: Reading, parent?: string, depth = 0) {
    this.#text = text;
    this.#reading = reading;
    this.#parent = parent;
    this.#depth = depth;
  }

  edited(tree: Node | null): string {
    if (tree) this.#node(tree);
    return this.#applied();
  }

  /** JSON in a text of a row that is decided already, such as its address. */
  editedWithin(tree: Node | null, leaf: Leaf, verdict: Verdict): string {
    if (tree) for (const [inner, node] of this.#leaves(tree, leaf)) this.#value(node, inner, verdict);
    return this.#applied();
  }

  #node(node: Node): void {
    if (node.type === "object" && isRow(node)) this.#row(node);
    else if (node.type === "string") this.#value(node, { path: [], value: String(node.value), depth: 1 }, NOBODY);
    else {
      for (const child of node.children ?? []) {
        const value = node.type === "object" ? child.children?.[1] : child;
        if (value) this.#node(value);
      }
    }
  }

  #row(node: Node): void {
    const found = this.#leaves(node, { path: [], depth: 0 });
    const leaves = found.map(([leaf]) => leaf);
    const verdict = verdictOf(leaves, this.#reading, this.#parent);
    const before = this.#edits.length;
    for (const [leaf, one] of found) this.#value(one, leaf, verdict);
    const isTaken = this.#edits.length > before;
    if (verdict.isAccount || verdict.isOwn) this.#number(node, leaves, verdict);
    if (!isTaken) return;
    const row = this.#text.slice(node.offset, node.offset + node.length);
    this.#reading.onRow?.({ row, isOwn: verdict.isOwn, order: verdict.order });
  }

  /** The values below a node; numbers with all their digits. */
  #leaves(
    node: Node,
    { path, depth }: Pick<Leaf, "path" | "depth">,
    found: [Leaf, Node][] = [],
  ): readonly [Leaf, Node][] {
    if (node.type === "object") {
      for (const { children = [] } of node.children ?? []) {
        const [key, value] = children;
        if (key && value)
          this.#leaves(value, { path: [...path, ...wordsOf(String(key.value))], depth: depth + 1 }, found);
      }
    } else if (node.type === "array") {
      for (const child of node.children ?? []) this.#leaves(child, { path, depth: depth + 1 }, found);
    } else if (node.type !== "null") {
      const value =
        node.type === "number" ? this.#text.slice(node.offset, node.offset + node.length) : String(node.value);
      found.push([{ path, value, depth }, node]);
    }
    return found;
  }

  #value(node: Node, leaf: Leaf, verdict: Verdict): void {
    // Whether a person agreed to something stays.
    if (node.type === "boolean") return;
    const value =
      node.type === "number"
        ? emptied(leaf, verdict, this.#reading)
        : editedText(leaf, verdict, this.#reading, this.#depth);
    if (value === leaf.value) return;
    // The number in place of an id is one, too.
    this.#put(node, value !== null && node.type === "number" ? value : JSON.stringify(value));
  }

  #put({ offset, length }: Node, text: string): void {
    this.#edits.push({ offset, length, text });
  }

  /** Gives an order without a customer's id the number, where its vendor has one: sums by customer stay. */
  #number(row: Node, leaves: readonly Leaf[], { number, order }: Verdict): void {
    const { isDerived, isParts, connector } = this.#reading;
    if (number === undefined || order === undefined || isDerived) return;
    const profile = memberOf(row, "clientProfileData");
    const customer = memberOf(row, "customer");
    if (profile?.type === "object") this.#member(profile, "userProfileId", number);
    else if (customer?.type === "null") this.#put(customer, JSON.stringify({ id: number }));
    else if (customer?.type === "object") {
      if (!OTHER_IDS.some((name) => memberOf(customer, name)?.value)) this.#member(customer, "id", number);
    } else if (memberOf(row, "customer_id")) this.#member(row, "customer_id", number);
    else if (isParts && isOrder(leaves)) {
      if (connector === "storeb") this.#member(row, "customer", { id: number });
      else if (connector === "storea") this.#member(row, "clientProfileData", { userProfileId: number });
    }
  }

  /** A member that is not there, or empty. */
  #member(node: Node, name: string, value: unknown): void {
    const there = memberOf(node, name);
    if (there?.type === "null" || there?.value === "") this.#put(there, JSON.stringify(value));
    if (there) return;
    const comma = (node.children ?? []).length > 0 ? "," : "";
    const text = `${JSON.stringify(name)}:${JSON.stringify(value)}${comma}`;
    this.#edits.push({ offset: node.offset + 1, length: 0, text });
  }

  #applied(): string {
    const pieces: string[] = [];
    let end = 0;
    for (const { offset, length, text } of this.#edits.sort((a, b) => a.offset - b.offset)) {
      pieces.push(this.#text.slice(end, offset), text);
      end = offset + length;
    }
    return pieces.length === 0 ? this.#text : pieces.join("") + this.#text.slice(end);
  }
}

const OTHER_IDS = ["admin_graphql_api_id", "legacyResourceId"];

const memberOf = (node: Node, name: string): Node | undefined =>
  node.children?.find(({ children = [] }) => children[0]?.value === name)?.children?.[1];

/** Whether an object is one row: it says something itself, and does not only hold rows. */
function isRow(node: Node): boolean {
  const members = (node.children ?? []).map(({ children = [] }) => [String(children[0]?.value), children[1]] as const);
  const named = members.map(([name, value]) => [wordsOf(name).join(" "), value] as const);
  const has = (pattern: RegExp): boolean => named.some(([name]) => pattern.test(name));
  // An envelope of a tool or of an API.
  if (
    has(/^(airbyte data|airbyte ab id|record|node|nodes|edges|results|list|data|orders|customers|contacts|stream)$/)
  ) {
    const isEnvelope = named.some(
      ([name, value]) =>
        /^(airbyte data|record|node|nodes|edges|results|list|data|orders|customers|contacts)$/.test(name) &&
        (value?.type === "object" ||
          (value?.type === "array" && value.children?.some(({ type }) => type === "object")) ||
          name === "airbyte data"),
    );
    if (
      isEnvelope &&
      !has(/^(line items|order group|financial status|client profile data|properties|email|first name)$/)
    )
      return false;
  }
  return (
    members.some(([, value]) => value !== undefined && value.type !== "object" && value.type !== "array") ||
    has(/^(customer|client profile data|properties)$/)
  );
}

/** A text of a row, or a cell of a table: null if it is emptied. JSON in it is edited as such. */
export function editedText(leaf: Leaf, verdict: Verdict, reading: Reading, depth = 0): string | null {
  const isEmptied = verdict.isOwn && kindOf(leaf.path, reading.connector) !== undefined;
  if (!isEmptied && depth < DEEPEST && /^\s*[[{]/.test(leaf.value)) {
    if (!verdict.isOwn) return editedJson(leaf.value, reading, undefined, depth + 1) ?? emptied(leaf, verdict, reading);
    const tree = treeOf(leaf.value);
    if (tree !== undefined)
      return new JsonEditing(leaf.value, reading, undefined, depth + 1).editedWithin(tree, leaf, verdict);
  }
  return emptied(leaf, verdict, reading);
}
