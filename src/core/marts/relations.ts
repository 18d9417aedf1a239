import { readBy, withoutComments } from "../engine/reads.ts";
import { readSql, sqlFiles } from "../engine/sql.ts";

/** How the rows of a relation are split into several files: by ranges of days, or of order ids. */
interface PartitionRule {
  /** The column whose value decides the partition of a row. */
  readonly by: string;
  readonly bounds: "days" | "ids";
}

/**
 * A relation that is derived from the landed records: `sql/core/<name>.sql`. The header of the file declares it; a list may
 * continue in the next line after a comma:
 *
 *     -- Key: <columns> | all but the sums | one row | none        the unique key
 *     -- Kept for: analyses | row endpoints | increments | nothing
 *     -- Partition: days of <column> | ids of <column>     in several files; otherwise in one, `<name>.parquet`
 *     -- Order: <expressions>                   how the rows are sorted when they are kept
 *     -- Row group: <rows>                   rows that are read together, if fewer than the engine's default
 *     -- Per: order | order version | customer  an increment replaces the rows of these only
 *     -- Sums: <columns>                        over groups by all its other columns, the first one a count of rows:
 *                                               an increment adds the new rows and subtracts those they replace;
 *                                               of several relations with `Per`, all are of customers
 *     -- Surrogate: <column> of <relation.column>
 *
 * The relations that it reads are taken from the SQL itself.
 */
export interface CoreRelation {
  readonly name: string;
  /** The columns of the unique key, or all but some of them as one expression; empty for a relation of one row, undefined without a key. */
  readonly key: readonly string[] | undefined;
  /** The readers of its files after the derivation; without one it is dropped. */
  readonly keptFor: KeptFor;
  readonly partition: PartitionRule | undefined;
  readonly order: string | undefined;
  /** Rows of a row group of its files. A query that selects by the leading columns of the order reads few groups. */
  readonly rowGroup: number | undefined;
  /** `order version`: its rows depend only on the version of the order. */
  readonly per: Per | undefined;
  /** Its columns that are sums over rows of other relations, by group of its other columns. */
  readonly sums: readonly string[];
  /** A column of surrogate numbers for another relation's column. */
  readonly surrogate: { readonly column: string; readonly of: string } | undefined;
  /** The meaning of a row. */
  readonly grain: string;
  /** The core relations it reads. */
  readonly reads: readonly string[];
  /** The records it reads: `storea_orders`. */
  readonly records: readonly string[];
  /** Whether it reads when integrations landed last, which differs after every landing. */
  readonly readsLandings: boolean;
}

const KEPT_FOR = ["analyses", "row endpoints", "increments", "nothing"] as const;
type KeptFor = (typeof KEPT_FOR)[number];
const PER = ["order", "order version", "customer"] as const;
type Per = (typeof PER)[number];

export const isMaterialized = ({ keptFor }: CoreRelation): boolean => keptFor !== "nothing";

/** Reads the declaration of a relation from its SQL file. */
export function relationIn(name: string, sql: string, names: ReadonlySet<string>): CoreRelation {
  const declared = (word: string): string | undefined =>
    new RegExp(`^-- ${word}: ((?:.*,\n--)*.+)$`, "m").exec(sql)?.[1]?.replaceAll(/\n-- */g, " ");
  const oneOf = <T extends string>(word: string, values: readonly T[]): T | undefined => {
    const value = declared(word);
    const known = values.find((one) => one === value);
    if (value !== undefined && !known) throw new Error(`sql/core/${name}.sql: ${word}: one of ${values.join(", ")}`);
    return known;
  };
  const key = declared("Key");
  const keptFor = oneOf("Kept for", KEPT_FOR);
  if (!key || !keptFor) throw new Error(`sql/core/${name}.sql declares no key or no use`);
  const sums = declared("Sums")?.split(", ") ?? [];
  const [, bounds, by] = /^(days|ids) of (\w+)$/.exec(declared("Partition") ?? "") ?? [];
  const [, column, of] = /^(\w+) of ([\w.]+)$/.exec(declared("Surrogate") ?? "") ?? [];
  return {
    name,
    key: keyOf(key, sums),
    keptFor,
    partition: by ? { by, bounds: bounds as PartitionRule["bounds"] } : undefined,
    order: declared("Order"),
    rowGroup: declared("Row group") ? Number(declared("Row group")) : undefined,
    per: oneOf("Per", PER),
    sums,
    surrogate: column && of ? { column, of } : undefined,
    grain: grainIn(sql),
    ...readBy(sql, names),
    readsLandings: /\blast_landed_at\b/.test(withoutComments(sql)),
  };
}

function keyOf(declared: string, sums: readonly string[]): string[] | undefined {
  if (declared === "none") return undefined;
  if (declared === "one row") return [];
  return declared === "all but the sums" ? [`* exclude (${sums.join(", ")})`] : declared.split(", ");
}

/** The sentence after `Grain:`, which may continue in the next line. */
function grainIn(sql: string): string {
  const [, sentence = ""] = /^-- Grain: ((?:.|\n-- )*?)\.(?:\s|$)/m.exec(sql) ?? [];
  return sentence.replaceAll(/\n-- /g, " ").replace(/^one row per /, "");
}

function readRelations(): CoreRelation[] {
  const names = sqlFiles("core/").filter((name) => name !== "macros");
  const known = new Set(names);
  return names.map((name) => relationIn(name, readSql(`core/${name}`), known));
}

/** The relations, each after those that it reads. */
export function inOrder(relations: readonly CoreRelation[]): CoreRelation[] {
  const sorted: CoreRelation[] = [];
  let left = relations;
  while (left.length > 0) {
    const ready = left.filter(({ reads }) => !left.some(({ name }) => reads.includes(name)));
    if (ready.length === 0) throw new Error(`these read each other: ${left.map(({ name }) => name).join(", ")}`);
    sorted.push(...ready);
    left = left.filter((relation) => !ready.includes(relation));
  }
  return sorted;
}

/** All relations, each after those that it reads. */
export const CORE: readonly CoreRelation[] = inOrder(readRelations());

/** The relation with this name. */
export function relation(name: string): CoreRelation {
  const found = CORE.find((one) => one.name === name);
  if (!found) throw new Error(`no relation ${name}`);
  return found;
}

/** The names of the relations that another one reads. */
export const READ: ReadonlySet<string> = new Set(CORE.flatMap(({ reads }) => reads));

/** The staged records read this one, so it is derived before them. */
export const INTEGRATIONS = relation("integrations");

/** The partitions of all others are cut by its days. */
export const STORE_ORDERS = relation("store_orders");

/** The relations of which an increment replaces rows. */
export const PER_ROW: readonly CoreRelation[] = CORE.filter(({ per }) => per !== undefined);

/** Those of them whose rows depend only on the orders of a customer. */
export const PER_CUSTOMER: readonly CoreRelation[] = PER_ROW.filter(({ per }) => per === "customer");

/** The others. */
export const WHOLE: readonly CoreRelation[] = CORE.filter((one) => !PER_ROW.includes(one) && one !== INTEGRATIONS);

/** Those of them that orders are derived from. */
export const BEFORE_ORDERS: readonly CoreRelation[] = WHOLE.filter((one) =>
  PER_ROW.some((other) => dependsOn(other, one)),
);

function dependsOn(one: CoreRelation, other: CoreRelation): boolean {
  return one.reads.some((name) => name === other.name || dependsOn(relation(name), other));
}

/** The relations whose inputs differ once these records have new files; the others stay as they are. */
export function outdatedBy(records: ReadonlySet<string>): ReadonlySet<CoreRelation> {
  const outdated = new Set<CoreRelation>();
  for (const one of CORE) {
    const isOutdated =
      one.records.some((record) => records.has(record)) ||
      one.reads.some((name) => (name === INTEGRATIONS.name ? one.readsLandings : outdated.has(relation(name))));
    if (isOutdated) outdated.add(one);
  }
  return outdated;
}

/** The relations and those they read that are not kept, directly or not, each after those that it reads. */
export function withUnkept(relations: readonly CoreRelation[]): CoreRelation[] {
  const needed = new Set(relations);
  for (const one of CORE.toReversed()) {
    if (!needed.has(one)) continue;
    for (const read of one.reads.map(relation)) if (!isMaterialized(read)) needed.add(read);
  }
  return CORE.filter((one) => needed.has(one));
}
