import type { RecordDeclaration } from "../../contract/record.ts";
import { misspelled, type Spelling, textsIn, vendorMapping } from "./mapping.ts";

/** The members of the vendor's objects that a mapping reads, in the vendor's names. */
export class Shape {
  readonly members = new Map<string, Shape>();
  /** The shape of the elements of a list. */
  elements: Shape | undefined;
  /** Whether it is an object or a list whose members the shape does not know. */
  isOpen = false;
  /** The paths of all members below this one, by their names without case and separators. */
  #paths: Map<string, readonly string[]> | undefined;

  get isLeaf(): boolean {
    return this.members.size === 0 && this.elements === undefined;
  }

  /** The path that a name means: `campaign_id`, `campaign__id` and `campaignId` are all `campaign.id`. */
  pathOf(name: string): readonly string[] | undefined {
    if (this.members.has(name)) return [name];
    this.#paths ??= new Map(pathsBelow(this).reverse());
    return this.#paths.get(canonical(name));
  }

  at(path: readonly string[]): Shape | undefined {
    let shape: Shape | undefined = this;
    for (const name of path) shape = shape?.members.get(name);
    return shape;
  }

  add(value: unknown): void {
    if (Array.isArray(value)) {
      this.elements ??= new Shape();
      this.elements.add(value[0]);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        const shape = this.members.get(name) ?? new Shape();
        shape.add(member);
        this.members.set(name, shape);
      }
    } else if (value === "JSON") this.isOpen = true;
  }
}

/** Paths of few names first. */
function pathsBelow(shape: Shape): [string, readonly string[]][] {
  const found: [string, readonly string[]][] = [];
  const walk = (one: Shape, path: readonly string[]): void => {
    for (const [name, member] of one.members) {
      found.push([canonical([...path, name].join("")), [...path, name]]);
      walk(member, [...path, name]);
    }
  };
  walk(shape, []);
  return found.sort(([, a], [, b]) => a.length - b.length);
}

/** A name without case and separators. White space is none: tools do not write it, downloads do. */
export const canonical = (name: string): string => name.replaceAll(/[._]/g, "").toLowerCase();

/** The shapes in a mapping, as it parses objects by them. */
const PARSED: Spelling = {
  name: "from_json",
  pattern: /\bfrom_json\s*\([^']*'(\s*[[{][^']*)'/g,
  form: `from_json(…, '{"name": "VARCHAR"}')`,
};

const shapes = new Map<string, Shape>();

/** The members that a mapping of the record reads. Fails if it writes a shape in another form than expected. */
export function shapeIn(record: RecordDeclaration, mapping: string): Shape {
  const shape = new Shape();
  for (const text of textsIn(record, mapping, PARSED)) {
    const parsed = parse(text);
    if (parsed === undefined) throw misspelled(record, PARSED);
    shape.add(Array.isArray(parsed) ? parsed[0] : parsed);
  }
  return shape;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The members that the mapping of a record reads, of the object and of the elements of its lists. */
export function shapeOf(record: RecordDeclaration): Shape {
  const name = `${record.connector}/${record.name}`;
  const known = shapes.get(name);
  if (known) return known;
  const shape = shapeIn(record, vendorMapping(record));
  shapes.set(name, shape);
  return shape;
}
