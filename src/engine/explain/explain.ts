import { answerFields } from "../../contract/answer.ts";
import type { Endpoint, ExplainEndpoint } from "../../contract/endpoint.ts";
import { ApiError } from "../../contract/error.ts";
import type { Field } from "../../contract/field.ts";
import { CONNECTOR_KINDS, type Connector } from "../../contract/record.ts";
import { type Explained, understood } from "../../params/explained.ts";
import { validate } from "../../params/validate.ts";
import type { Session } from "../database.ts";
import { readSql } from "../sql.ts";
import {
  countLeftOut,
  countSales,
  countSpend,
  type Selection,
  selectedOrders,
  selectionOf,
  usedOrders,
} from "./counts.ts";
import { behind, rulesIn, rulesOf } from "./files.ts";
import { inputsOf } from "./formula.ts";
import { type Located, located } from "./found.ts";
import { type Made, madeOf } from "./places.ts";
import { isObject } from "./tree.ts";

/** Runs a query over the generation that gave the answer, with the parameters of an endpoint. */
export type OfGeneration = <T>(name: string, asked: Asked, query: (session: Session) => Promise<T>) => Promise<T>;

/** An endpoint and its accepted parameters. */
export type Asked = Pick<Explained, "endpoint" | "accepted">;

/** The endpoint whose pages have the orders behind a figure. */
const ORDERS = "/v1/profitability/orders";

/** Its parameters have no rule that depends on the time. */
const NO_TIME = new Date(0);

/** The explanation of a figure of an answer, as JSON text. */
export async function explanation(
  { of }: ExplainEndpoint,
  explained: Explained,
  answer: string,
  organizationId: string,
  run: OfGeneration,
): Promise<string> {
  const { endpoint, accepted } = explained;
  const body = JSON.parse(answer) as Record<string, unknown>;
  const root = { at: [], fields: answerFields(endpoint), value: body };
  const place = await located(endpoint, root, explained.figure, explained.row, (file) =>
    sourcesOf(file, explained, run),
  );
  const { found, base } = place;
  refuseFailedBlock(place);
  const sql = behind(fileOf(endpoint, found.path[0] ?? ""));
  const made = madeOf(found, { endpoint, accepted, body, source: place.source });
  const selection =
    made.orders.length === 1 && made.orders[0] && !made.isCompared ? selectionOf(made.orders[0]) : undefined;
  const pages = of.find(({ path }) => path === ORDERS);
  const isExact = pages !== undefined && selection !== undefined && made.sales.length === 0;
  const selected = isExact
    ? await run(
        "explain/orders",
        { endpoint: pages, accepted: validate(pages, { organizationId, ...selection }, NO_TIME) },
        selectedOrders,
      )
    : undefined;
  const counted = await run("explain/rows", explained, (session) => count(session, made));
  const { formula = null, nullWhen = "never", description, unit } = found.field;
  return JSON.stringify({
    endpoint: addressOf(endpoint, explained),
    parameters: understood(explained),
    figure: place.figure,
    row: explained.row,
    value: found.value,
    unit: typeof unit === "string" ? unit : null,
    description,
    formula,
    nullWhen,
    ...(found.value === null ? { isNullBecause: whyNull(found.field, endpoint) } : {}),
    inputs: inputsOf(found, base).map(({ figure, value }) => ({ figure, value })),
    sql: sql.files.map(({ name, text }) => ({ file: `sql/${name}.sql`, text })),
    decisions: [...new Set([...rulesIn([description, formula ?? "", nullWhen]), ...rulesOf(sql.files)])],
    rows: counted.rows,
    orders: selection && selected === counted.used ? ordersAddress(organizationId, selection) : null,
    sources: await run("explain/sources", explained, (session) => sourcesIn(session, sql.records, kindsOf(made))),
    asOf: asOfIn(place) ?? (await run("explain/as-of", explained, asOf)),
  });
}

const addressOf = ({ path }: Endpoint, { accepted }: Explained): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(accepted[name])));

/** The SQL file that computes a member of an answer. */
function fileOf(endpoint: Endpoint, member: string): string {
  switch (endpoint.shape) {
    case "document":
      return endpoint.parts[member]?.sql ?? endpoint.head?.sql ?? Object.values(endpoint.parts)[0]?.sql ?? "";
    case "blocks":
      return endpoint.blocks[member]?.sql ?? endpoint.found.sql;
    case "object":
    case "series":
    case "model":
      if (endpoint.envelope.some((name) => name === member && !Object.hasOwn(endpoint.fields, name))) return "envelope";
      return (endpoint.shape !== "model" && endpoint.members?.[member]?.sql) || endpoint.sql;
    default:
      throw new Error(`${endpoint.path} has no SQL file`);
  }
}

/** A block that could not be read is read again by the next request: there is nothing to explain yet. */
function refuseFailedBlock({ found }: Located): void {
  if (found.levels.some(({ value }) => value.state === "error")) throw new ApiError("damaged");
}

function whyNull({ nullWhen, presentWhen }: Field, endpoint: Endpoint): string {
  if (nullWhen !== undefined) return nullWhen;
  return presentWhen === undefined
    ? `the answer of ${endpoint.path} has no such value`
    : `it is there only when ${presentWhen}`;
}

/** What tells rows with the same key apart, where the answer does not have it. */
async function sourcesOf(file: string, asked: Asked, run: OfGeneration): Promise<(string | null)[]> {
  return run(file, asked, async (session) => {
    const rows = await session.rows(readSql(file));
    return rows.map((row) => {
      const [source] = Object.values(row);
      return source === null || source === undefined ? null : String(source);
    });
  });
}

interface Counted {
  readonly rows: object;
  /** Names the set of orders used. */
  readonly used: string | undefined;
}

async function count(session: Session, { orders, sales, spend }: Made): Promise<Counted> {
  const used = orders.length > 0 ? await usedOrders(session, orders) : undefined;
  const rows = {
    ordersUsed: (used?.orders ?? 0) + (await countSales(session, sales)),
    ordersLeftOut: await countLeftOut(session, orders),
    spendRows: await countSpend(session, spend),
  };
  return { rows, used: used?.name };
}

function ordersAddress(organizationId: string, selection: Selection): string {
  const query = new URLSearchParams({ organizationId, ...selection });
  return `${ORDERS}?${query}`;
}

/** The kinds of connectors whose records a figure is made of; undefined if its declaration does not say. */
function kindsOf({ orders, spend, sales, also }: Made): ReadonlySet<string> | undefined {
  const kinds = new Set<string>(also);
  if (orders.length > 0 || sales.length > 0) kinds.add("store");
  if (spend.length > 0) kinds.add("ads");
  // The names of campaigns decide to which one an order is attributed.
  const values = orders.flatMap(({ own, first }) => [own, first]);
  if (values.some((value) => value && ["strategy", "campaign"].includes(value.attribute))) kinds.add("ads");
  return kinds.size === 0 ? undefined : kinds;
}

async function sourcesIn(
  session: Session,
  records: ReadonlySet<string>,
  kinds: ReadonlySet<string> | undefined,
): Promise<object[]> {
  const rows = await session.rows(readSql("explain/sources"));
  return rows
    .filter(
      ({ connector, record }) =>
        records.has(`${connector}_${record}`) && (kinds?.has(CONNECTOR_KINDS[connector as Connector]) ?? true),
    )
    .map(({ integrationId, record, files, rows: number, newestDay, lastLandedAt }) => ({
      integrationId,
      record,
      files: Number(files),
      rows: Number(number),
      newestDay,
      lastLandedAt,
    }));
}

/** The `asOf` next to the figure, or that of the answer. */
function asOfIn({ found }: Located): string | undefined {
  const level = found.levels.findLast(({ value }) => typeof value.asOf === "string");
  return level && isObject(level.value) ? String(level.value.asOf) : undefined;
}

async function asOf(session: Session): Promise<string | null> {
  const [text] = await session.rows("select instant_text(as_of) as as_of from organization");
  return text?.as_of === null || text?.as_of === undefined ? null : String(text.as_of);
}
