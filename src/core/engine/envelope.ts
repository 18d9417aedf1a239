import { LRUCache } from "lru-cache";
import type { Endpoint } from "../contract/endpoint.ts";
import { ENVELOPE } from "../contract/envelope.ts";
import type { Accepted } from "../contract/param.ts";
import { identifier } from "./database.ts";
import { type Current, versionOf } from "./generations.ts";
import type { Statement } from "./parts.ts";
import { readSql } from "./sql.ts";

/** The coverage of an answer that is not computed from spend. */
const WITHOUT_ACCOUNTS = "{stores: coverage.stores, accounts: coverage.accounts[:0]}";

/** The query of the row of `sql/envelope.sql`: one object with the JSON text of each field. */
export function envelopeStatement(): Statement {
  const fields = Object.keys(ENVELOPE).map((name) => [name, identifier(name)]);
  const members = [...fields, ["withoutAccounts", WITHOUT_ACCOUNTS]].map(
    ([name, value]) => `${identifier(String(name))}: coalesce(to_json(${value})::varchar, 'null')`,
  );
  return {
    name: "envelope",
    sql: `select to_json({${members.join(", ")}})::varchar as text from (${readSql("envelope")})`,
  };
}

/** The members of an answer's envelope, from the row of the query. */
export function envelopeText({ envelope = [], withoutSpend }: Endpoint, row: string): string {
  const texts: Readonly<Record<string, string>> = JSON.parse(row);
  const textOf = (name: string): string | undefined =>
    texts[name === "coverage" && withoutSpend ? "withoutAccounts" : name];
  return envelope.map((name) => `${JSON.stringify(name)}:${textOf(name)}`).join(",");
}

/** A row, if it was computed before. */
export interface Remembered {
  readonly row: string | undefined;
  remember(row: string): void;
}

/** The rows of the latest envelopes: a page asks several questions about the same days. */
export class LatestEnvelopes {
  readonly #rows = new LRUCache<string, string>({ max: 2_000 });

  /** Remembered by what it depends on: the derived files and the days. Without `compare` the period before is compared. */
  at(organization: string, generation: Current, { startDate, endDate, compare = "previous" }: Accepted): Remembered {
    const key = JSON.stringify([organization, versionOf(generation), startDate, endDate, compare]);
    return {
      row: this.#rows.get(key),
      remember: (row: string): void => void this.#rows.set(key, row),
    };
  }
}
