import { type AnswerPart, type Endpoint, ROOT, sentFilters } from "../contract/endpoint.ts";
import type { Field, Fields } from "../contract/field.ts";
import type { Text } from "../contract/longText.ts";
import { type Accepted, crossedIn } from "../contract/param.ts";
import { identifier } from "./database.ts";
import { pageRange, pageSql, rowsName } from "./rows.ts";
import { readSql } from "./sql.ts";

/** A query by the name of its SQL file. The rows are texts, in the column `text`. */
export interface Statement {
  readonly name: string;
  readonly sql: string;
  /** The same with the texts of many rows as one. */
  readonly joinedSql?: string;
}

/** A part of the answer to one request. */
export interface ShownPart {
  readonly name: string;
  readonly part: AnswerPart;
  /** The fields that its rows carry. */
  readonly fields: Fields;
  /** Null in this answer, and not computed. */
  readonly isNull: boolean;
}

/** The computed rows of a part. */
export interface PartRows {
  /** Its rows as JSON, or texts of several. Of a page also the row after it, which shows that there is a next page. */
  readonly texts: readonly (string | Buffer)[];
  /** How many rows do not fit into the answer. */
  readonly left?: number;
  /** They are all rows of a part that is sent in pages otherwise. */
  readonly isWhole?: boolean;
}

/** The parts that the answer to this request has. */
export function shownParts(endpoint: Endpoint, accepted: Accepted): ShownPart[] {
  return Object.entries(endpoint.parts)
    .filter(([_, { when }]) => !when || (accepted[when] ?? "false") !== "false")
    .map(([name, part]) => ({
      name,
      part,
      fields: fieldsOf(part, endpoint, accepted),
      isNull: part.nullIf !== undefined && isSent(accepted, part.nullIf.parameter) === part.nullIf.isSent,
    }));
}

const isSent = (accepted: Accepted, parameter: string): boolean => (accepted[parameter] ?? null) !== null;

const carries = ({ parameter, unless }: NonNullable<AnswerPart["only"]>, accepted: Accepted): boolean =>
  isSent(accepted, parameter) && (!unless || accepted[unless.parameter] !== unless.is || isSent(accepted, unless.but));

function fieldsOf({ fields, only, selected }: AnswerPart, endpoint: Endpoint, accepted: Accepted): Fields {
  if (only && !carries(only, accepted)) return without(fields, only.fields);
  return withCrossings(selected ? without(fields, metricsOf(endpoint, accepted).left) : fields, accepted);
}

/** The fields, those of a crossing with the number of their values in this answer. */
const withCrossings = (fields: Fields, accepted: Accepted): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const { unit } = field;
      if (typeof unit !== "object" || !("crossed" in unit)) return [name, field];
      return [name, { ...field, unit: { ...unit, of: crossedIn(accepted[unit.crossed]).length } }];
    }),
  );

export const without = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** The metrics that rows carry, and those that they do not. */
function metricsOf({ select }: Endpoint, accepted: Accepted): { chosen: string[]; left: string[] } {
  const sent = select && accepted[select.parameter];
  const isChosen = (metric: string): boolean => !sent || String(sent).split(",").includes(metric);
  const metrics = select?.metrics ?? [];
  return { chosen: metrics.filter(isChosen), left: metrics.filter((metric) => !isChosen(metric)) };
}

/** The rows of a part as JSON texts: written by the engine, so that no value is converted afterwards. */
export function statementOf({ part, fields }: ShownPart, accepted: Accepted, all = false): Statement | undefined {
  const { record, sql, from, leftOut, paged } = part;
  if (record) return { name: rowsName(record), sql: pageSql(record, accepted) };
  if (sql === undefined || from) return undefined;
  const members = Object.entries(fields).map(([name, field]) => `${identifier(name)}: ${valueSql(name, field)}`);
  const left = leftOut ? `, ${identifier(leftOut.column)}` : "";
  const page = paged && !all ? ` ${pageRange(accepted, 1)}` : "";
  const rows = `select to_json({${members.join(", ")}})::varchar as text${left} from (${readSql(sql)})${page}`;
  return { name: sql, sql: rows, ...(leftOut ? { joinedSql: joined(rows, leftOut.column) } : {}) };
}

/** Rows whose texts are one value: conversions of values take most of the time of the thread that serves all requests. */
const JOINED_ROWS = 64;

/** The texts of many rows in UTF-8, joined by commas in the order of the query, which their numbers keep. */
const joined = (rows: string, left: string): string =>
  `select encode(string_agg(text, ',' order by row_no)) as text, any_value(${identifier(left)})
    from (select *, row_number() over () - 1 as row_no from (${rows}))
    group by row_no // ${JOINED_ROWS}
    order by row_no // ${JOINED_ROWS}`;

/** The SQL has the values of a crossing as a list, also where it is of one. */
const valueSql = (name: string, { unit }: Field): string =>
  typeof unit === "object" && "crossed" in unit && unit.of !== 2 ? `${identifier(name)}[1]` : identifier(name);

/** A selection of the rows of a SQL file as JSON texts. */
export const jsonStatement = (name: string, select = ""): Statement => ({
  name,
  sql: `select to_json(answer)::varchar as text from (${select} from (${readSql(name)})) as answer`,
});

/** A member of an answer, or those of its root: their text without braces. */
interface MemberText {
  readonly name: string;
  readonly text: Text;
}

/** The computed pieces of an answer: the members of its envelope as JSON, and the parts that are not null. */
interface Computed {
  readonly envelope: string | undefined;
  readonly parts: ReadonlyMap<string, PartRows>;
}

/** The answer in pieces. */
export const answerText = (endpoint: Endpoint, accepted: Accepted, computed: Computed): Text => {
  const members = membersText(endpoint, accepted, computed);
  return ["{", members.map(({ text }, no) => (no > 0 ? [",", text] : text)), "}"];
};

/** The members of the answer, in their order: the envelope, accepted parameters, the root, the other parts. */
export function membersText(endpoint: Endpoint, accepted: Accepted, { envelope, parts }: Computed): MemberText[] {
  const shown = shownParts(endpoint, accepted).filter(({ part }) => !part.inTables);
  const before = [
    ...(envelope === undefined ? [] : [{ name: ROOT, text: envelope }]),
    ...filtersText(endpoint, accepted),
    ...(endpoint.echo ?? []).map((name) => member(name, JSON.stringify(accepted[name] ?? null))),
    ...shown.flatMap(({ name, part }) => leftText(part, parts.get(name))),
  ];
  const named = shown.filter(({ name }) => name !== ROOT).map((one) => partText(one, accepted, parts.get(one.name)));
  return [...before, ...rootText(parts.get(ROOT)), ...selectionText(endpoint, accepted), ...named];
}

const member = (name: string, text: Text): MemberText => ({ name, text: [`${JSON.stringify(name)}:`, text] });

function filtersText(endpoint: Endpoint, accepted: Accepted): MemberText[] {
  const sent = sentFilters(endpoint, accepted);
  return sent ? [member("filters", JSON.stringify(sent))] : [];
}

const leftText = ({ leftOut }: AnswerPart, { left = 0 }: PartRows = { texts: [] }): MemberText[] =>
  leftOut && left > 0 ? [member(leftOut.column, String(left))] : [];

function rootText(root: PartRows | undefined): MemberText[] {
  const text = root?.texts[0] && String(root.texts[0]).slice(1, -1);
  return text ? [{ name: ROOT, text }] : [];
}

function selectionText(endpoint: Endpoint, accepted: Accepted): MemberText[] {
  const { select } = endpoint;
  if (!select) return [];
  return [
    member("selectedColumns", JSON.stringify(metricsOf(endpoint, accepted).chosen)),
    member("availableColumns", JSON.stringify(select.metrics)),
  ];
}

/** A list of rows, or the one row; a page has its position after it. */
function partText(
  { name, part, isNull }: ShownPart,
  accepted: Accepted,
  computed: PartRows = { texts: [] },
): MemberText {
  const { texts, isWhole } = computed;
  if (isNull) return member(name, "null");
  if (part.rows === "one") return member(name, String(texts[0]));
  if (!part.paged || isWhole) return member(name, listText(texts));
  const page = Number(accepted.page);
  const limit = Number(accepted.limit);
  const meta = { page, limit, hasNextPage: texts.length > limit, hasPreviousPage: page > 1 };
  return member(name, [listText(texts.slice(0, limit)), `,"meta":${JSON.stringify(meta)}`]);
}

const listText = (rows: PartRows["texts"]): Text => [
  "[",
  rows.map((row, no) => (no === 0 ? row : typeof row === "string" ? `,${row}` : [",", row])),
  "]",
];
