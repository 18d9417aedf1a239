import type { AnalysisEndpoint, DocumentEndpoint, Part } from "../contract/endpoint.ts";
import { ApiError } from "../contract/error.ts";
import type { Text } from "../contract/longText.ts";
import type { Accepted } from "../contract/param.ts";
import { selectedMetrics, shownMembers, shownParts } from "./statements.ts";

/** A document in pieces, from the rows of its head and of its parts. */
export function documentText(endpoint: DocumentEndpoint, accepted: Accepted, rows: readonly string[][]): Text {
  const members: Text[] = [];
  const ofParts = [...rows];
  if (endpoint.head) {
    const [head] = ofParts.shift() ?? [];
    if (head === undefined) throw new ApiError("notFound");
    members.push(head.slice(1, -1));
  }
  if (endpoint.select) {
    const { chosen } = selectedMetrics(endpoint, accepted);
    members.push(
      `"selectedColumns":${JSON.stringify(chosen)},"availableColumns":${JSON.stringify(endpoint.select.metrics)}`,
    );
  }
  for (const [no, [name, part]] of shownParts(endpoint, accepted).entries()) {
    members.push([`${JSON.stringify(name)}:`, rowsText(part, ofParts[no] ?? [])]);
  }
  return ["{", members.map((member, no) => (no > 0 ? [",", member] : member)), "}"];
}

/** The members of an analysis before its rows. `left`: how many rows do not fit. */
export function headText(
  { echoParams: echo = [], leftOut }: AnalysisEndpoint,
  accepted: Accepted,
  envelope: string,
  left = 0,
): string {
  const added = [
    ...echo.map((name) => [name, accepted[name] ?? null]),
    ...(leftOut && left > 0 ? [[leftOut.column, left]] : []),
  ].map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return `${envelope.slice(1, -1)}${added.join("")}`;
}

/** The answer of an analysis in pieces, from the columns of each of its statements. `last`: members after all others, each after a comma. */
export function analysisText(
  endpoint: AnalysisEndpoint,
  accepted: Accepted,
  [[envelope = []] = [], [rows = [], left = []] = [], ...ofMembers]: readonly (readonly string[][])[],
  last = "",
): Text {
  const { shape, paged } = endpoint;
  const data = paged ? pageText(rows, accepted) : shape === "series" ? [`"data":`, listText(rows)] : undefined;
  const members = membersText(
    endpoint,
    accepted,
    ofMembers.map(([texts = []]) => texts),
  );
  return [
    "{",
    headText(endpoint, accepted, String(envelope[0]), Number(left[0] ?? 0)),
    data ? [",", data] : "",
    members,
    shape === "object" ? `,${String(rows[0]).slice(1, -1)}` : "",
    last,
    "}",
  ];
}

/** The further members of an analysis, each after a comma, from the rows of those that are not null. */
export function membersText(
  endpoint: AnalysisEndpoint,
  accepted: Accepted,
  rows: readonly (readonly string[])[],
): Text {
  const computed = [...rows];
  return shownMembers(endpoint, accepted).map(([name, member]) => [
    `,${JSON.stringify(name)}:`,
    member ? rowsText(member, computed.shift() ?? []) : "null",
  ]);
}

/** All rows of a SQL file, or its one row. */
const rowsText = ({ rows }: Pick<Part, "rows">, texts: readonly string[]): Text =>
  rows === "many" ? listText(texts) : String(texts[0]);

const listText = (rows: readonly string[]): Text => ["[", rows.map((row, no) => (no > 0 ? `,${row}` : row)), "]"];

/** The members of a page, from its rows and the row after it. */
export function pageText(rows: readonly string[], accepted: Accepted): Text {
  const page = Number(accepted.page);
  const limit = Number(accepted.limit);
  const meta = { page, limit, hasNextPage: rows.length > limit, hasPreviousPage: page > 1 };
  return [`"data":`, listText(rows.slice(0, limit)), `,"meta":${JSON.stringify(meta)}`];
}
