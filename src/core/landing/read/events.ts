import { createHash } from "node:crypto";
import path from "node:path";
import type { RecordDeclaration } from "../../contract/record.ts";
import { type StreamSet, streamId } from "../../contract/stream.ts";
import { literal } from "../../engine/database.ts";
import { FileError } from "../bytes/scan.ts";
import { type FileSample, type Part, type PartSource, RowError, type SourceRow } from "./part.ts";
import { isFilled, isTrue } from "./values.ts";

/** Events of web analytics one by one, as the warehouse export has them: they are added up while a file is read. */
export function eventSource(record: RecordDeclaration, sample: FileSample): PartSource | undefined {
  const { columns } = sample;
  const has = (...names: string[]): boolean => names.every((name) => columns.includes(name));
  const isExport = has("event_date", "event_name") && (has("event_timestamp") || has("event_params"));
  const isTable = has("_fivetran_synced", "name", "date", "timestamp", "user_pseudo_id");
  if (record.connector !== "webanalytics" || !(isExport || isTable)) return undefined;
  if (record.name === "customers" || (isTable && record.name !== "events")) {
    throw new FileError(
      `holds events one by one, which say nothing of ${record.name}: export a report of the Data API by date instead`,
    );
  }
  return new Events(record.name === "items" ? ofItems : ofEvents, sample);
}

/** The streams of the final and of the intraday tables. */
const FINAL = streamId({ tool: "bigquery" }, "events");
const INTRADAY = streamId({ tool: "bigquery" }, "events_intraday");

export const isOfEvents = ({ tool }: StreamSet): boolean => tool === "bigquery";

/** Counts of one event name or one item on one day, in one file. */
interface Sum {
  readonly dimensions: Readonly<Record<string, string>>;
  readonly metrics: Record<string, number>;
  /** Hashes, because those of several files are counted together. */
  readonly users: Set<string>;
  readonly sessions: Set<string>;
}

/** The sum that an event adds to, and the figures that it adds. */
type Added = readonly {
  readonly dimensions: Readonly<Record<string, string>>;
  readonly metrics: Readonly<Record<string, number>>;
}[];

interface Day {
  readonly date: string;
  readonly isIntraday: boolean;
  readonly sums: Map<string, Sum>;
  /** Identifies the events of the day: a copy of the file has the same. */
  fingerprint: bigint;
  events: number;
}

/** `events_20250108-000000000000.json`: the day's table, and the number of the file. */
const TABLE = /^events_(?:intraday_|fresh_)?(\d{8})(?:.*?[-_](\d{6,}))?(?:\.|$)/;

class Events implements PartSource {
  readonly name = "BigQuery";
  readonly unused: ReadonlySet<string> = new Set();
  readonly streams: readonly string[];
  readonly #added: (event: SourceRow) => Added;
  readonly #sample: FileSample;
  readonly #isIntraday: boolean;
  readonly #days = new Map<string, Day>();
  readonly #hashes = new Map<string, string>();

  constructor(added: (event: SourceRow) => Added, sample: FileSample) {
    this.#added = added;
    this.#sample = sample;
    this.#isIntraday = /events_intraday_/.test(sample.name);
    this.streams = [this.#isIntraday ? INTRADAY : FINAL];
  }

  parts(event: SourceRow): readonly Part[] {
    const date = String(event.event_date ?? event.date ?? "")
      .replaceAll("-", "")
      .slice(0, 8);
    if (!/^\d{8}$/.test(date)) throw new RowError("event_date: missing");
    const isIntraday = this.#isIntraday || isTrue(event.is_intraday);
    const day = this.#day(date, isIntraday);
    const user = isFilled(event.user_pseudo_id) ? String(event.user_pseudo_id) : undefined;
    const session = param(event, "ga_session_id");
    day.events++;
    const added = this.#added(event);
    day.fingerprint += fingerprintOf(event, session, added, this.#sample.name);
    for (const { dimensions, metrics } of added) {
      const key = JSON.stringify(dimensions);
      let sum = day.sums.get(key);
      if (!sum) {
        sum = { dimensions: { date, ...dimensions }, metrics: {}, users: new Set(), sessions: new Set() };
        day.sums.set(key, sum);
      }
      for (const [name, value] of Object.entries(metrics)) sum.metrics[name] = (sum.metrics[name] ?? 0) + value;
      if (user === undefined) continue;
      sum.users.add(this.#hash(user));
      if (isFilled(session)) sum.sessions.add(this.#hash(`${user} ${session}`));
    }
    return [];
  }

  /** The parts of a day are those of one file: of several versions of it the newest counts. */
  end(): readonly Part[] {
    const { name, modified } = this.#sample;
    return [...this.#days.values()].flatMap(({ date, isIntraday, sums, fingerprint, events }) =>
      [...sums.values()].map(({ users, sessions, ...sum }) => ({
        stream: isIntraday ? INTRADAY : FINAL,
        key: `${date} ${fileKey(name)}`,
        parent: date,
        load: `${events} ${BigInt.asUintN(64, fingerprint)}`,
        extractedAt: modified,
        object: JSON.stringify({ ...sum, users: [...users], sessions: [...sessions] }),
      })),
    );
  }

  #day(date: string, isIntraday: boolean): Day {
    const key = `${date} ${isIntraday}`;
    const found = this.#days.get(key);
    if (found) return found;
    const day: Day = { date, isIntraday, sums: new Map(), fingerprint: 0n, events: 0 };
    this.#days.set(key, day);
    return day;
  }

  #hash(text: string): string {
    const found = this.#hashes.get(text);
    if (found) return found;
    const hash = createHash("sha256").update(text).digest("base64").slice(0, 11);
    this.#hashes.set(text, hash);
    return hash;
  }
}

/** The file's number in its table; files in a table's folder may have other names. */
function fileKey(name: string): string {
  const base = path.posix.basename(name);
  const table = TABLE.exec(base);
  if (table) return table[2] ?? "";
  const isOfTable = TABLE.test(path.posix.basename(path.posix.dirname(name)));
  return (isOfTable ? /\d{12}/.exec(base)?.[0] : undefined) ?? name;
}

/** Identifies an event by its time and by what it adds. Without a time, equal ones of two files are two. */
function fingerprintOf(event: SourceRow, session: unknown, added: Added, file: string): bigint {
  const at = event.event_timestamp ?? event.timestamp;
  const identity = [
    isFilled(at) ? at : file,
    event.event_name ?? event.name,
    event.user_pseudo_id ?? "",
    event.event_bundle_sequence_id ?? event.bundle_sequence_id ?? "",
    event.batch_event_index ?? "",
    session ?? "",
    JSON.stringify(added),
  ];
  return createHash("sha256").update(identity.map(String).join("\n")).digest().readBigUInt64LE();
}

/** The value of an event's parameter. */
function param(event: SourceRow, name: string): unknown {
  if (!Array.isArray(event.event_params)) return event[`param_${name}`];
  const value = (event.event_params as SourceRow[]).find((one) => one.key === name)?.value as SourceRow | undefined;
  return value && (value.int_value ?? value.double_value ?? value.float_value ?? value.string_value);
}

/** Finite, or 0. */
const figure = (value: unknown): number => (Number.isFinite(Number(value)) ? Number(value) : 0);

const ofEvents = (event: SourceRow): Added => [
  {
    dimensions: { eventName: String(event.event_name ?? event.name ?? "") },
    metrics: { eventCount: 1, eventValue: figure(param(event, "value")) },
  },
];

/** The metrics of items, by the event that counts for them. */
const ITEM_METRICS: Readonly<Record<string, string>> = {
  view_item: "itemsViewed",
  add_to_cart: "itemsAddedToCart",
  begin_checkout: "itemsCheckedOut",
  purchase: "itemsPurchased",
};
const NO_ITEMS = Object.fromEntries([...Object.values(ITEM_METRICS), "itemRevenue"].map((name) => [name, 0]));

function ofItems(event: SourceRow): Added {
  const metric = ITEM_METRICS[String(event.event_name)];
  if (metric === undefined || !Array.isArray(event.items)) return [];
  return (event.items as SourceRow[]).map((item) => ({
    dimensions: {
      itemId: isFilled(item.item_id) ? String(item.item_id) : "(not set)",
      ...(isFilled(item.item_name) ? { itemName: String(item.item_name) } : {}),
    },
    metrics: {
      ...NO_ITEMS,
      [metric]: isFilled(item.quantity) ? figure(item.quantity) : 1,
      ...(metric === "itemsPurchased" ? { itemRevenue: figure(item.item_revenue) } : {}),
    },
  }));
}

/**
 * SQL that adds up what files of events say of the same day, as rows of a report.
 * Grain: the dimensions of the record. Intraday tables count only for days that have no final one.
 * Columns: those of `joinedObjects`.
 */
export const EVENT_REPORT = `with files as (
    select stream, key, parent as day, load, landing, file_no, any_value(extracted_at) as extracted_at
    from parts where stream in (${literal(FINAL)}, ${literal(INTRADAY)}) group by all
  ),
  newest as (
    from files qualify row_number() over (
      partition by stream, key order by extracted_at desc nulls last, landing desc, file_no desc
    ) = 1
  ),
  -- Copies of a file under other names.
  once as (
    from newest qualify row_number() over (partition by day, load order by stream, landing, file_no, key) = 1
  ),
  counted as (
    from once where stream = ${literal(FINAL)} or day not in (select day from once where stream = ${literal(FINAL)})
  ),
  sums as (
    select parts.* replace (parts.object::json as object)
    from parts join counted
      on counted.stream = parts.stream and counted.key = parts.key and counted.landing = parts.landing
        and counted.file_no = parts.file_no
  ),
  figures as (
    select object -> '$.dimensions' as dimensions,
      json_object(
        ${["eventCount", "eventValue", ...Object.values(ITEM_METRICS), "itemRevenue"]
          .map((name) => `'${name}', fsum((object ->> '$.metrics.${name}')::double)`)
          .join(", ")}
      ) as metrics,
      len(list_distinct(flatten(list(object ->> '$.users[*]')))) as users,
      len(list_distinct(flatten(list(object ->> '$.sessions[*]')))) as sessions,
      max(landing) as landing, arg_max(file_no, landing) as file_no, arg_max(position, landing) as position,
      max(landed_at) as landed_at
    from sums group by all
  )
  select json_object(
      'dimensions', dimensions,
      'metrics', json_merge_patch('{}', metrics, json_object(
        'eventCountPerUser', (metrics ->> '$.eventCount')::double / nullif(users, 0),
        'eventsPerSession', (metrics ->> '$.eventCount')::double / nullif(sessions, 0)
      ))
    )::varchar as object,
    null::varchar as key, landing as as_of, landing as touched, landing, file_no, position,
    null::timestamptz as extracted_at, false as deleted, null::varchar as fault, landed_at
  from figures`;
