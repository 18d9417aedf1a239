/** The relations that a SQL text reads. */
export interface Reads {
  /** The relations of the given names. */
  readonly reads: readonly string[];
  /** The records: `storea_orders`. */
  readonly records: readonly string[];
}

/** The relations and records that a SQL text reads: those after `from` and `join` that it does not define itself. */
export function readBy(sql: string, names: ReadonlySet<string>): Reads {
  const statement = withoutComments(sql);
  const own = new Set(
    [...statement.matchAll(/^\s*(\w+) as (?:materialized |not materialized )?\($/gm)].map(([, name]) => name),
  );
  const read = [...statement.matchAll(/\b(?:from|join)\s+([a-z_.]+)(?![a-z_.(])/g)].map(([, name]) => name ?? "");
  const distinct = [...new Set(read)].sort();
  return {
    reads: distinct.filter((name) => names.has(name) && !own.has(name)),
    records: distinct.filter((name) => name.startsWith("staging.")).map((name) => name.slice("staging.".length)),
  };
}

export const withoutComments = (sql: string): string => sql.replaceAll(/--.*$/gm, "");
