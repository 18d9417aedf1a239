import type { StreamSet } from "../../core/contract/stream.ts";
import { FileError } from "../../core/landing/bytes/scan.ts";
import type { Shape } from "../../core/landing/map/shape.ts";
import { parseJson } from "../../core/landing/read/json.ts";
import { RowError, type SourceRow } from "../../core/landing/read/part.ts";
import { dayOf, isPython, wholeId } from "../../core/landing/read/values.ts";

/** Where a column goes in the vendor's object. */
interface Place {
  readonly path: readonly string[];
  readonly shape: Shape | undefined;
  readonly kind: "text" | "id" | "day" | "other";
}

type Naming = Pick<StreamSet, "rewrite" | "within"> & {
  readonly rename?: Readonly<Record<string, string>>;
  /** Names of the members of objects whose members the mapping does not name; the vendor's names are in camel case. */
  readonly open?: ReadonlySet<string>;
};

/** Texts that may look like JSON. */
const TEXTS = /(?:^|[._]|[a-z](?=[NTL]))(?:name|title|label|text|note|message|description|email|tags)$/i;
const IDS = /(?:^|[._])ids?$|[a-z]Ids?$/;
const DAYS = new Set(["date", "date_start", "date_stop"]);
/** The columns of a value of another type than the others of its column. */
const VARIANT = /__v_(?:text|double|bigint|bool|timestamp|date|time|decimal|complex|json|wei|binary)$/;

type Members = Record<string, unknown>;

/** Puts the columns of a table, or the members of an object in another spelling, into the vendor's object. */
export class Names {
  readonly #shape: Shape;
  readonly #naming: Naming;
  readonly #places = new Map<string, Place>();
  readonly #below = new Map<Shape, Names>();

  constructor(shape: Shape, naming: Naming = {}) {
    this.#shape = shape;
    this.#naming = naming;
  }

  /** The vendor's object. */
  object(row: SourceRow): Members {
    const object: Members = {};
    for (const column in row) {
      const value = row[column];
      if (value === undefined || value === "") continue;
      const place = this.place(column);
      put(object, place.path, this.#value(value, place, column));
    }
    return object;
  }

  place(column: string): Place {
    const known = this.#places.get(column);
    if (known) return known;
    const place = this.#find(column);
    this.#places.set(column, place);
    return place;
  }

  #find(column: string): Place {
    const { rename = {}, rewrite = [], within = [], open } = this.#naming;
    const renamed = rename[column];
    if (renamed !== undefined) return this.#at(renamed.split("."));
    const name = rewrite.reduce((text, [find, by]) => text.replace(find, by), column.replace(VARIANT, ""));
    for (const prefix of ["", ...within]) {
      const path = this.#shape.pathOf(prefix + name);
      if (path) return this.#at(path);
    }
    for (const prefix of within) {
      const below = memberOf(prefix, name);
      if (below !== undefined) return this.#at([prefix, camel(below)]);
      if (open?.has(camel(name)) && this.#shape.members.get(prefix)?.isOpen) return this.#at([prefix, camel(name)]);
    }
    const parts = name.split(name.includes("__") ? "__" : ".");
    const spelled = open ? parts.map(camel) : parts;
    if (parts.length === 1 || parts.includes("")) return this.#at(parts.length === 1 ? spelled : [name]);
    const first = this.#shape.pathOf(parts[0] ?? "") ?? spelled.slice(0, 1);
    return this.#at([...first, ...spelled.slice(1)]);
  }

  #at(path: readonly string[]): Place {
    const text = path.join(".");
    const last = path.at(-1) ?? "";
    const kind = TEXTS.test(text) ? "text" : IDS.test(last) ? "id" : DAYS.has(last) ? "day" : "other";
    // A member of an object that the mapping reads as a whole is known.
    const shape = this.#shape.at(path) ?? (this.#shape.at(path.slice(0, 1))?.isOpen ? OPEN : undefined);
    return { path, shape, kind };
  }

  #value(value: unknown, { shape, kind }: Place, column: string): unknown {
    if (typeof value === "string") {
      if (kind === "day") return dayOf(value.trim());
      if (kind === "id") {
        const whole = wholeId(value.trim());
        if (whole === undefined) throw new RowError(roundedId(column, value));
        return whole;
      }
      const first = value.charCodeAt(0) <= 0x20 ? value.trimStart().charCodeAt(0) : value.charCodeAt(0);
      // An object or a list.
      if (first !== 0x7b && first !== 0x5b) return value;
      if (kind === "text" && shape?.isLeaf !== false) return value;
      const parsed = parsedText(value, column, shape !== undefined);
      return parsed === undefined ? value : this.#nested(parsed, shape);
    }
    return typeof value === "object" && value !== null ? this.#nested(value, shape) : value;
  }

  #nested(value: unknown, shape: Shape | undefined): unknown {
    if (!shape || shape === OPEN) return value;
    if (Array.isArray(value)) {
      const { elements } = shape;
      return elements && !elements.isLeaf ? value.map((one) => this.#nested(one, elements)) : value;
    }
    if (typeof value !== "object" || value === null) return value;
    if (shape.members.size === 0) {
      // A property with its versions.
      if (!shape.isOpen && shape.elements === undefined && "value" in value) return (value as Members).value;
      return value;
    }
    let names = this.#below.get(shape);
    if (!names) {
      names = new Names(shape);
      this.#below.set(shape, names);
    }
    return names.object(value as SourceRow);
  }
}

const OPEN = {} as Shape;

const roundedId = (column: string, value: string): string =>
  `${column}: "${value}" was rounded by a spreadsheet, its last digits are lost: export it again, as text or with target-jsonl`;

/** The value of a JSON text; undefined if it is a text that only begins like one. */
function parsedText(text: string, column: string, isKnown: boolean): unknown {
  try {
    return parseJson(text);
  } catch {
    if (isKnown && isPython(text.trimStart())) {
      throw new FileError(
        `CSV: ${column} holds lists as Python prints them, which is not JSON: export JSON lines (target-jsonl) instead`,
      );
    }
    return undefined;
  }
}

/** `segments.ad_network_type`, `segments__ad_network_type`, `segments_ad_network_type` → `ad_network_type`. */
function memberOf(prefix: string, name: string): string | undefined {
  const rest = name.startsWith(prefix) ? name.slice(prefix.length) : "";
  return /^(?:[._]|[A-Z])/.test(rest) ? rest.replace(/^[._]+/, "") : undefined;
}

/** `ad_network_type` → `adNetworkType`. */
export const camel = (name: string): string =>
  name
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase())
    .replaceAll(/(?<!_)_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Sets a member, unless another column has given it a value. */
export function put(object: Members, path: readonly string[], value: unknown): void {
  let at = object;
  for (const name of path.slice(0, -1)) {
    const next = at[name];
    if (next === undefined || next === null) {
      // A null is no reason to make an object.
      if (value === null) return;
      at[name] = {};
    } else if (typeof next !== "object" || Array.isArray(next)) return;
    at = at[name] as Members;
  }
  const last = path.at(-1) ?? "";
  const present = at[last];
  if (present === undefined || present === null) at[last] = value;
  else if (isObject(present) && isObject(value)) {
    for (const [name, member] of Object.entries(value)) put(present, [name], member);
  }
}

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
