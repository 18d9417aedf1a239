import { LRUCache } from "lru-cache";
import { type Endpoint, isOfStore } from "../contract/endpoint.ts";
import { ENVELOPE } from "../contract/envelope.ts";
import type { Compared, Current, Known } from "../contract/generations.ts";
import type { Text } from "../contract/longText.ts";
import type { Accepted } from "../contract/param.ts";
import { identifier } from "./database.ts";
import { versionOf } from "./generations.ts";
import type { Statement } from "./parts.ts";
import { readSql } from "./sql.ts";

/** The coverage of an answer that is not computed from spend. */
const WITHOUT_ACCOUNTS = "{stores: coverage.stores, accounts: coverage.accounts[:0]}";

/** What `asOf` and `coverage` are of one store. */
const STORE = "optional_parameter('integration_id')";
const OF_STORE = [
  ["storeAsOf", `(select instant_text(last_landed_at) from integrations where integration_id = ${STORE})`],
  [
    "storeCoverage",
    `{
      stores: list_filter(coverage.stores, lambda one: one.integrationId = ${STORE}),
      accounts: list_filter(coverage.accounts, lambda one: list_contains(account_ids, one.integrationId))
    }`,
  ],
  [
    "storeCoverageWithoutAccounts",
    `{stores: list_filter(coverage.stores, lambda one: one.integrationId = ${STORE}), accounts: coverage.accounts[:0]}`,
  ],
];

/** The query of the row of `sql/envelope.sql`: one object with the JSON text of each field. */
export function envelopeStatement(): Statement {
  const fields = Object.keys(ENVELOPE).map((name) => [name, identifier(name)]);
  const members = [...fields, ["withoutAccounts", WITHOUT_ACCOUNTS], ...OF_STORE].map(
    ([name, value]) => `${identifier(String(name))}: coalesce(to_json(${value})::varchar, 'null')`,
  );
  return {
    name: "envelope",
    sql: `select to_json({${members.join(", ")}})::varchar as text from (${readSql("envelope")}) cross join filtered_accounts()`,
  };
}

/** The members of an answer's envelope, from the row of the query. */
export function envelopeText(endpoint: Endpoint, accepted: Accepted, row: string): string {
  const { envelope = [], withoutSpend } = endpoint;
  const texts: Readonly<Record<string, string>> = JSON.parse(row);
  const others: Readonly<Record<string, string>> = {
    ...(withoutSpend ? { coverage: "withoutAccounts" } : {}),
    ...(isOfStore(endpoint, accepted)
      ? { asOf: "storeAsOf", coverage: withoutSpend ? "storeCoverageWithoutAccounts" : "storeCoverage" }
      : {}),
  };
  const textOf = (name: string): string | undefined => texts[others[name] ?? name];
  return envelope.map((name) => `${JSON.stringify(name)}:${textOf(name)}`).join(",");
}

/** The members with which an answer says what was known. */
export const knownText = ({ knownAt, knownState, settingsSince }: Known, { after }: Partial<Compared> = {}): string => {
  const later = after ? { comparedAt: after.knownAt, comparedState: after.knownState } : {};
  return JSON.stringify({ knownAt, knownState, settingsSince, ...later }).slice(1, -1);
};

/** An answer, which is an object, that says what was known. */
export function withKnown(text: Text, known: Known, compared?: Compared): Text {
  if (Buffer.isBuffer(text)) return withKnown(text.toString(), known, compared);
  const [first, ...others] = typeof text === "string" ? [text] : text;
  if (typeof first !== "string") return [withKnown(first ?? "", known, compared), ...others];
  return [`{${knownText(known, compared)},`, first.slice(1), ...others];
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
  at(
    organization: string,
    generation: Current,
    { startDate, endDate, compare = "previous", integrationId }: Accepted,
  ): Remembered {
    const key = JSON.stringify([organization, versionOf(generation), startDate, endDate, compare, integrationId]);
    return {
      row: this.#rows.get(key),
      remember: (row: string): void => void this.#rows.set(key, row),
    };
  }
}
