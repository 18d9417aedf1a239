import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { kindOf } from "../../contract/field.ts";
import { landedFields, type RecordDeclaration, relationOf } from "../../contract/record.ts";
import {
  type Child,
  idsOf,
  missingStreams,
  namesOf,
  type Stream,
  type StreamSet,
  streamId,
  streamsIn,
} from "../../contract/stream.ts";
import { identifier, literal, type Session } from "../../engine/database.ts";
import { stagingMacros } from "../../engine/sql.ts";
import { sha256OfText } from "../../files/checksum.ts";
import { publish } from "../../files/durable.ts";
import type { OrganizationFolders } from "../../files/organizationFolders.ts";
import { LISTED_REJECTS } from "../bytes/limits.ts";
import { exportsIn, type LakePlace, landings } from "../ledger/ingested.ts";
import { REPORT_BY } from "../read/part.ts";
import { streamSetsOf } from "../read/partKinds.ts";
import { LONGEST_SHOWN, listRejects, putRejects } from "../read/rejects.ts";
import { atWork } from "../work.ts";
import { JOIN_MACROS, joinedObjects } from "./join.ts";
import { checkedRows, vendorMapping } from "./mapping.ts";
import { shapeOf } from "./shape.ts";

/** Rejection reason: no column of the row, except its key, is a field. */
export const EMPTIED = "none of its columns is a field but its key";

/** The objects that the parts of a record make, mapped like other exports. A file that is derived: it can be removed. */
interface Assembly {
  readonly file: string;
  /** Rows that are new or differ from those before, and those of them whose key was there before. */
  readonly landed: number;
  readonly replaced: number;
  readonly rejected: number;
}

/** Streams that have landed, but not those that they belong to. */
interface WaitingStream {
  /** The file that holds one of them. */
  readonly file: string;
  readonly reason: string;
}

/** The streams of the parts of a record that have landed. */
async function presentStreams(session: Session, parts: readonly string[]): Promise<ReadonlySet<string>> {
  const footers = await exportsIn(session, parts);
  return new Set(footers.flatMap(({ exports }) => exports.flatMap(({ streams = [] }) => streams)));
}

/** Warnings about parts that landed. */
export async function warningsOf(
  session: Session,
  { parts }: { readonly parts: readonly string[] },
): Promise<string[]> {
  const reports = [...(await presentStreams(session, parts))].filter((stream) => stream.startsWith(REPORT_BY)).sort();
  if (reports.length < 2) return [];
  const by = reports.map((report) => `(${report.slice(REPORT_BY.length) || "no dimension"})`).join(" and ");
  return [`reports by other dimensions are in one record, and their figures add up: ${by}; keep one of them`];
}

/** The streams that wait for another one, with the reason. */
export async function waitingStreams(session: Session, place: LakePlace): Promise<WaitingStream[]> {
  const { parts } = await landings(place);
  const exports = (await exportsIn(session, parts)).flatMap((footer) => footer.exports);
  const present = new Set(exports.flatMap(({ streams = [] }) => streams));
  const found: WaitingStream[] = [];
  for (const set of streamSetsOf(place.record)) {
    const held = new Set(streamsIn(set.root).flatMap((stream) => idsOf(set, stream)));
    const own = [...present].filter((id) => held.has(id)).sort();
    const missing = await missingIn(session, set, present, parts);
    if (own.length === 0 || missing.length === 0) continue;
    const file = exports.find(({ streams = [] }) => streams.some((stream) => held.has(stream)))?.name ?? "";
    const names = own.map((id) => id.slice(streamId(set, "").length)).join(", ");
    const absent = missing.map((stream) => namesOf(stream)[0]).join(", ");
    const reason = `${names}: nothing lands without ${absent}, which is missing: export it into this record's folder too`;
    found.push({ file, reason });
  }
  return found;
}

/** The streams without which nothing lands. Objects may hold what would otherwise be in a stream. */
async function missingIn(
  session: Session,
  set: StreamSet,
  present: ReadonlySet<string>,
  parts: readonly string[],
): Promise<readonly Stream[]> {
  const missing: Stream[] = [];
  for (const stream of missingStreams(set, present)) {
    const child: Partial<Child> = stream;
    if (child.unless === undefined || (await hasObjectWithout(session, set, child, parts))) missing.push(stream);
  }
  return missing;
}

/** Whether an object lacks what a stream would give it. An empty list lacks nothing. */
async function hasObjectWithout(
  session: Session,
  set: StreamSet,
  { unless = "", into }: Partial<Child>,
  parts: readonly string[],
): Promise<boolean> {
  if (parts.length === 0) return false;
  const [found] = await session.texts(
    `select count(*) from read_parquet([${parts.map(literal).join(", ")}], union_by_name = true)
      where stream in (${idsOf(set, set.root).map(literal).join(", ")}) and not deleted
        ${into ? `and (object ->> ${literal(`$.${into}`)}) is distinct from '[]'` : ""}
        and coalesce(${unless
          .split("|")
          .map((one) => `object ->> ${literal(`$.${one}`)}`)
          .join(", ")}) is null`,
  );
  return found !== "0";
}

const landingOf = (file: string): number => Number(path.basename(file).split(".")[1]);

/** The assembled files of an organization. */
const folderOf = ({ mart }: OrganizationFolders): string => path.join(mart, "assembled");

/** A hash of the code that joins and maps the parts of a record. */
function codeOf({ record, currency }: AssembledPlace): string {
  const joins = streamSetsOf(record).map((set) => joinedObjects(record, set, new Set()));
  return sha256OfText(
    JSON.stringify([
      streamSetsOf(record),
      record,
      checkedRows(record, vendorMapping(record), currency?.toUpperCase()),
      stagingMacros(record.connector),
      JOIN_MACROS,
      joins,
    ]),
  );
}

/** A record of an integration, and the organization's currency: rows in another one are rejected [D4]. */
type AssembledPlace = LakePlace & { readonly currency?: string | undefined };

/** The name says what the file was made from: the parts, and the code. */
function nameOf(place: AssembledPlace, parts: readonly string[]): string {
  const { record, integration } = place;
  const hash = sha256OfText(JSON.stringify([codeOf(place), parts.map((file) => path.basename(file))]));
  return `${relationOf(record)}.${integration.id}.${hash.slice(0, 32)}.parquet`;
}

/**
 * The file of a record's assembled rows for one integration, made if it is missing; undefined without parts.
 * Grain: that of the record's mapping. Columns: those of a landed file, and _extracted_at, _deleted. `aside`: another folder for
 * it, where it replaces none and no rejects are listed.
 */
export async function assembledFile(
  session: Session,
  place: AssembledPlace,
  parts: readonly string[],
  aside?: string,
): Promise<{ file: string; made?: Assembly } | undefined> {
  if (parts.length === 0) return undefined;
  const { folders, integration, record } = place;
  const folder = folderOf(folders);
  await mkdir(folder, { recursive: true });
  const name = nameOf(place, parts);
  const file = path.join(folder, name);
  const names = await readdir(folder);
  if (names.includes(name)) return { file };
  if (aside !== undefined) return { file: await madeAside(session, place, parts, path.join(aside, name)) };
  const before = names
    .filter((other) => other.startsWith(`${relationOf(record)}.${integration.id}.`))
    .map((other) => path.join(folder, other));
  const kept = record.history ? await keptReadings(session, place, before, parts) : undefined;
  const made = await atWork(folders.dataDir, (work) => make(session, place, { parts, work, file, before, kept }));
  for (const other of before) await rm(other, { force: true });
  return { file, made };
}

/** Readings are made of all parts, as they would have been one after the other. */
async function madeAside(
  session: Session,
  place: AssembledPlace,
  parts: readonly string[],
  file: string,
): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true });
  await atWork(place.folders.dataDir, (work) =>
    make(session, place, { parts, work, file, before: [], kept: undefined, isAside: true }),
  );
  return file;
}

interface Task {
  readonly parts: readonly string[];
  readonly work: string;
  readonly file: string;
  readonly before: readonly string[];
  readonly kept: KeptReadings | undefined;
  /** Its rejects are listed with the newest data. */
  readonly isAside?: boolean;
}

/** A file of earlier readings, and the last landing that it reads: what landed later does not change them. */
interface KeptReadings {
  readonly file: string;
  readonly since: number;
}

async function keptReadings(
  session: Session,
  place: AssembledPlace,
  before: readonly string[],
  parts: readonly string[],
): Promise<KeptReadings | undefined> {
  if (before.length === 0) return undefined;
  const rows = await session.rows(
    `select file_name, decode(value) as made_from from parquet_kv_metadata([${before.map(literal).join(", ")}])
      where decode(key) = 'made_from' order by file_name`,
  );
  for (const { file_name, made_from } of rows) {
    const { code, parts: read } = JSON.parse(String(made_from)) as { code: string; parts: readonly string[] };
    const added = parts.filter((file) => !read.includes(path.basename(file))).map(landingOf);
    const since = Math.max(0, ...read.map(landingOf));
    const isKept = code === codeOf(place) && read.every((name) => parts.some((file) => path.basename(file) === name));
    if (isKept && added.every((landing) => landing > since)) return { file: String(file_name), since };
  }
  return undefined;
}

/** Members that hold the values of a report by their names. */
const NAMED = ["dimensions", "metrics"];

/** SQL for the reason why an object is rejected of which no field is known but its key; null if its members are known. */
function emptied(object: string, record: RecordDeclaration): string {
  const { members } = shapeOf(record);
  const constants = streamSetsOf(record).flatMap(({ root }) => Object.keys(root.constants ?? {}));
  const known = [...members.keys(), ...NAMED, ...constants].map(literal).join(", ");
  const metrics = [...(members.get("metrics")?.members.keys() ?? []), ""].map(literal).join(", ");
  const names = `list_concat(
      list_filter(json_keys(${object}), lambda name: name not in (${known})),
      list_filter(coalesce(json_keys(${object}, '$.metrics'), []), lambda name: name not in (${metrics}))
    )`;
  return `(
    select case when len(names) * 2 >= len(json_keys(${object}))
      then ${literal(`${EMPTIED}: `)} || array_to_string(names[1:10], ', ') end
    from (select ${names} as names)
  )`;
}

async function make(
  session: Session,
  place: AssembledPlace,
  { parts, work, file, before, kept, isAside = false }: Task,
): Promise<Assembly> {
  const { record, integration, currency } = place;
  await session.set("organization_currency", currency ?? null);
  await openObjects(session, record, parts, kept?.since);
  const checked = checkedRows(record, vendorMapping(record), currency?.toUpperCase());
  const version = record.version ? identifier(record.version) : undefined;
  const key = record.key.map(identifier);
  const own = new Set([...record.key, ...(record.required ?? [])]);
  const others = landedFields(record).flatMap(([name, field]) =>
    own.has(name)
      ? []
      : [kindOf(field) === "list" ? `len(checked.${identifier(name)}) > 0` : `checked.${identifier(name)} is not null`],
  );
  const finished = path.join(work, "assembled.parquet");
  // A deleted object has its key, and no other field that is required.
  await session.run(
    `create or replace temp table assembled as
      select checked.* exclude (_file_no, _position, _problem),
        objects.as_of as _landing, objects.file_no as _file_no, objects.position as _position,
        objects.landed_at as _landed_at, objects.extracted_at as _extracted_at, objects.deleted as _deleted,
        objects.key as _object_key,
        ${literal(integration.id)} as _integration_id,
        case when not objects.deleted or ${key.map((name) => `${name} is null`).join(" or ")}
          then nullif(concat_ws('; ', objects.fault, checked._problem,
            case when checked._problem is null and not objects.deleted and not (${others.join(" or ") || "true"})
              then ${emptied("objects.object", record)} end
          ), '') end as _problem,
        checked._position as _object_no
      from (${checked}) as checked join objects on objects.object_no = checked._position`,
  );
  const versioned = version
    ? `, case when _deleted then coalesce(${version}, _extracted_at) else ${version} end as ${version}`
    : "";
  const fresh = `select * exclude (_problem, _object_no) replace (_position as _position${versioned}) from assembled
    where _problem is null`;
  const madeFrom = { code: codeOf(place), parts: parts.map((name) => path.basename(name)) };
  await session.run(
    `copy (${record.history ? withReadings(fresh, kept) : fresh})
      to ${literal(finished)} (format parquet, compression zstd, kv_metadata {made_from: ${literal(JSON.stringify(madeFrom))}})`,
  );
  const listed = isAside ? [] : parts.filter((name) => landingOf(name) > (kept?.since ?? 0));
  const rejected = listed.length > 0 ? await listProblems(session, place, listed, work) : 0;
  const counts = await countChanged(session, record, finished, before);
  await publish(finished, file);
  await session.run(
    "drop table assembled; drop table objects; drop table if exists joined; drop view vendor_rows; drop view vendor_contexts; drop view parts",
  );
  return { file, ...counts, rejected };
}

/** The kept readings and the new ones. No reading of an object counts that is deleted as of the last landing. */
const withReadings = (fresh: string, kept: KeptReadings | undefined): string => `
  with gone as (
    select key from joined where deleted and as_of = (select max(as_of) from joined)
  ),
  readings as (
    select *, _deleted as _is_deletion from (${fresh})
    ${kept ? `union all by name select * from read_parquet(${literal(kept.file)}, hive_partitioning = false)` : ""}
  )
  select * replace (_is_deletion or coalesce(_object_key in (from gone), false) as _deleted) from readings`;

/** Creates `objects`, and the views that mappings read. */
async function openObjects(
  session: Session,
  record: RecordDeclaration,
  parts: readonly string[],
  since = 0,
): Promise<void> {
  await session.run(
    `${JOIN_MACROS};
      create or replace temp view parts as from read_parquet([${parts.map(literal).join(", ")}], union_by_name = true)`,
  );
  const present = await presentStreams(session, parts);
  const sets: StreamSet[] = [];
  for (const set of streamSetsOf(record)) {
    if ((await missingIn(session, set, present, parts)).length === 0) sets.push(set);
  }
  const none = `select '' as object, '' as key, 0 as as_of, 0 as touched, 0 as landing, 0 as file_no, 0::bigint as position, null::timestamptz as extracted_at,
    false as deleted, '' as fault, null::timestamptz as landed_at where false`;
  const rows = sets.map((set) => `(${joinedObjects(record, set, present, since)})`);
  const all = [none, ...rows].join(" union all by name ");
  // A reading of each landing that changed it; `joined` also knows what is deleted.
  const joined = record.history ? "(from joined where touched = as_of)" : `(${all})`;
  await session.run(
    `drop view if exists vendor_rows; drop view if exists vendor_contexts;
      ${record.history ? `create or replace temp table joined as ${all};` : ""}
      create or replace temp table objects as
        select row_number() over (order by as_of, landing, file_no, position, object)::bigint as object_no, *
        from ${joined};
      create temp view vendor_rows as
        select 0 as file_no, object_no as position, -1 as report, object as "row" from objects;
      create temp view vendor_contexts as
        select 0 as file_no, 0 as report, '' as key, '' as context where false;
      ${stagingMacros(record.connector)}`,
  );
}

/** Lists the objects that could not be mapped with the file of their root. Returns how many they are. */
async function listProblems(
  session: Session,
  place: LakePlace,
  parts: readonly string[],
  work: string,
): Promise<number> {
  const { folders, integration, record } = place;
  const footers = await exportsIn(session, parts);
  const personal = new Set(
    streamSetsOf(record).flatMap((set) =>
      set.personal ? streamsIn(set.root).flatMap((stream) => idsOf(set, stream)) : [],
    ),
  );
  const files = footers.flatMap(({ file, exports }) =>
    exports.map(({ name, fileNo, streams = [] }) => ({
      name,
      landing: landingOf(file),
      fileNo,
      isPersonal: streams.some((stream) => personal.has(stream)),
    })),
  );
  const folder = folders.rejects(integration.id, record.name);
  const values = files
    .map(({ landing, fileNo, isPersonal }, at) => `(${at}, ${landing}, ${fileNo}, ${isPersonal})`)
    .join(", ");
  const key = record.key.map((name) => `${literal(name)}, assembled.${identifier(name)}`).join(", ");
  const rows = session.chunks(
    `with files(file_no, landing, original_no, is_personal) as (values ${values}),
      problems as (
        select distinct files.file_no, objects.position, _problem as reason,
          case when files.is_personal then json_object(${key})::varchar
            else left(objects.object, ${LONGEST_SHOWN + 1}) end as "row"
        from assembled
        join objects on objects.object_no = assembled._object_no
        join files on files.landing = objects.landing and files.original_no = objects.file_no
        where _problem is not null
      )
      select file_no, position, reason,
        if(sum(strlen("row")) over (partition by file_no order by position, reason, "row") <= ${LISTED_REJECTS}, "row", '')
      from problems order by all`,
  );
  const named = files.map(({ name }, fileNo) => ({
    fileNo,
    file: { name } as Parameters<typeof listRejects>[1][number]["file"],
  }));
  const listed = await listRejects(rows, named, path.join(work, "problems"));
  for (const [at, { name }] of files.entries()) await putRejects(folder, `${name}.joined`, listed.files.get(at)?.list);
  return [...listed.files.values()].reduce((sum, one) => sum + one.rows, 0);
}

/** Compares the assembled rows with those that were there before. */
async function countChanged(
  session: Session,
  record: RecordDeclaration,
  file: string,
  before: readonly string[],
): Promise<Pick<Assembly, "landed" | "replaced">> {
  const fields = [...landedFields(record).map(([name]) => name), ...(record.segmented ? ["_segment"] : [])];
  const columns = fields.map(identifier).join(", ");
  const key = [...record.key, ...(record.segmented ? ["_segment"] : [])].map(identifier).join(", ");
  const earlier =
    before.length === 0
      ? `(select ${columns} from fresh where false)`
      : `(select ${columns} from read_parquet([${before.map(literal).join(", ")}], union_by_name = true))`;
  const [row] = await session.rows(
    `with fresh as (select ${columns} from read_parquet(${literal(file)}) where not _deleted),
      earlier as (from ${earlier}),
      changed as (from fresh except all from earlier)
    select count(*)::int as landed,
      (count(*) - count(distinct (${key})) filter ((${key}) not in (select (${key}) from earlier)))::int as replaced
    from changed`,
  );
  return { landed: Number(row?.landed ?? 0), replaced: Number(row?.replaced ?? 0) };
}
