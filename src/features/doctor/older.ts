import { landedNames, titleOf } from "../../core/contract/record.ts";
import { identifier, literal, type Session } from "../../core/engine/database.ts";
import { footers, type IngestedFile, type LakePlace, landingOf } from "../../core/landing/ledger/ingested.ts";
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

/**
 * Fields of the record that exports landed before, each list of them with these exports: of their rows some have null there, because
 * no later landing has them with these fields.
 */
export async function olderExports(
  session: Session,
  place: LakePlace,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const landed: Landed[] = [];
  for (const { file, exports } of await footers(session, place)) {
    const isOfParts = holdsParts(file);
    const lacking = isOfParts ? [] : await lackingFields(session, place, file);
    landed.push({ file, exports, lacking, isOfParts });
  }
  const inUse = await rowsInUse(session, place, landed);
  const older = new Map<string, string>();
  for (const { file, exports, lacking, isOfParts } of landed) {
    for (const one of exports) {
      const fields = isOfParts ? await lackingOfParts(session, place, file, one) : lacking;
      if (fields.length > 0 && one.rows > 0 && (isOfParts || inUse.has(numbered(file, one))))
        older.set(one.name, fields.join(", "));
      // It landed again.
      else older.delete(one.name);
    }
  }
  const exportsOf = new Map<string, string[]>();
  for (const [name, fields] of older) exportsOf.set(fields, [...(exportsOf.get(fields) ?? []), name]);
  return exportsOf;
}

/** A landed file, its exports, and the fields that its rows lack. */
interface Landed {
  readonly file: string;
  readonly exports: readonly IngestedFile[];
  readonly lacking: readonly string[];
  readonly isOfParts: boolean;
}

const numbered = (file: string, { landing = landingOf(file), fileNo }: Pick<IngestedFile, "landing" | "fileNo">) =>
  `${file} ${landing} ${fileNo}`;

/** The exports that lack fields and have rows that did not land again with all fields. */
async function rowsInUse(
  session: Session,
  { record }: LakePlace,
  landed: readonly Landed[],
): Promise<ReadonlySet<string>> {
  const [lacking, whole] = [true, false].map((lacks) =>
    landed.filter((one) => !one.isOfParts && one.lacking.length > 0 === lacks).map(({ file }) => literal(file)),
  ) as [string[], string[]];
  if (lacking.length === 0) return new Set();
  const rows = (files: readonly string[]): string =>
    `read_parquet([${files.join(", ")}], union_by_name = true, filename = true)`;
  const sameRow = record.key.map((name) => `later.${identifier(name)} is not distinct from rows.${identifier(name)}`);
  // Every landing of a history is kept, as is every row of a table of one's own.
  const isReplaced =
    whole.length === 0 || record.history || record.ownTable
      ? "false"
      : `exists (from ${rows(whole)} as later where later._landing > rows._landing and ${sameRow.join(" and ")})`;
  const found = await session.rows(
    `select distinct filename, _landing, _file_no from ${rows(lacking)} as rows where not ${isReplaced}`,
  );
  return new Set(
    found.map((row) => numbered(String(row.filename), { landing: Number(row._landing), fileNo: Number(row._file_no) })),
  );
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
