import { landedNames, titleOf } from "../../core/contract/record.ts";
import { literal, type Session } from "../../core/engine/database.ts";
import { footers, type IngestedFile, type LakePlace } from "../../core/landing/ledger/ingested.ts";
import { holdsParts } from "../../core/landing/ledger/verify.ts";

/** A stream whose exports land with more since a version: a member of its objects, or a stream of other rows in its files. */
interface Grown {
  readonly record: string;
  readonly stream: string;
  readonly member?: string;
  readonly others?: string;
  readonly fields: readonly string[];
}

const GROWN: readonly Grown[] = [
  {
    record: "storeb/orders",
    stream: "download:shopify_orders",
    member: "shipping_address",
    fields: ["source_name", "shipping_city", "shipping_state", "shipping_country"],
  },
  {
    record: "storeb/orders",
    stream: "fivetran:transaction",
    others: "fivetran:order_transaction",
    fields: ["payment_method"],
  },
];

/** Fields of the record that exports landed before, each list of them with these exports: their rows have null there. */
export async function olderExports(
  session: Session,
  place: LakePlace,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const older = new Map<string, string>();
  for (const { file, exports } of await footers(session, place)) {
    const lacking = holdsParts(file) ? [] : await lackingFields(session, place, file);
    for (const one of exports) {
      const fields = holdsParts(file) ? await lackingOfParts(session, place, file, one) : lacking;
      if (fields.length > 0 && one.rows > 0) older.set(one.name, fields.join(", "));
      // It landed again.
      else older.delete(one.name);
    }
  }
  const exportsOf = new Map<string, string[]>();
  for (const [name, fields] of older) exportsOf.set(fields, [...(exportsOf.get(fields) ?? []), name]);
  return exportsOf;
}

async function lackingFields(session: Session, { record }: LakePlace, file: string): Promise<string[]> {
  const columns = new Set((await session.columns(`from read_parquet(${literal(file)})`)).map(({ name }) => name));
  return landedNames(record).filter((name) => !columns.has(name));
}

async function lackingOfParts(
  session: Session,
  { record }: LakePlace,
  file: string,
  { fileNo, streams = [] }: IngestedFile,
): Promise<string[]> {
  const found: string[] = [];
  for (const grown of GROWN.filter((one) => one.record === titleOf(record))) {
    const { stream, member, others, fields } = grown;
    if (others !== undefined && streams.includes(stream) && !streams.includes(others)) found.push(...fields);
    if (member === undefined) continue;
    const rows = await session.rows(
      `from read_parquet(${literal(file)}) where file_no = ${fileNo} and stream = ${literal(stream)}
        and not json_exists(object, ${literal(`$.${member}`)}) limit 1`,
    );
    if (rows.length > 0) found.push(...fields);
  }
  return found;
}
