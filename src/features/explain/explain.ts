import { answerFields } from "../../core/contract/answer.ts";
import { type Endpoint, type ExplainEndpoint, ROOT, sentFilters } from "../../core/contract/endpoint.ts";
import type { Field } from "../../core/contract/field.ts";
import type { Accepted } from "../../core/contract/param.ts";
import type { Session } from "../../core/engine/database.ts";
import type { EndpointRequest, Explain, RunQuery } from "../../core/engine/ports.ts";
import { readSql } from "../../core/engine/sql.ts";
import { type Explained, understood } from "../../core/params/explained.ts";
import { validate } from "../../core/params/validate.ts";
import { countLeftOut, countSales, countSelected, countSpend, countUsed, type LeftOut } from "./counts.ts";
import { rulesIn, rulesOf, sqlBehind } from "./files.ts";
import { filesOfSources, type Sources } from "./locate.ts";
import { readAnswer } from "./reading.ts";
import { type Selection, selectionOf } from "./selection.ts";
import type { Sets } from "./sets.ts";
import { sourcesIn } from "./sources.ts";

/** The endpoint whose pages have the orders behind a figure. */
const ORDERS = "/v1/profitability/orders";

/** Its parameters have no rule that depends on the time. */
const NO_TIME = new Date(0);

/** The explanation of a figure of an answer, as JSON text. */
export async function explanation(
  { of }: ExplainEndpoint,
  { asked: explained, answer, organizationId }: Parameters<Explain>[1],
  run: RunQuery,
  signal: AbortSignal,
): Promise<string> {
  const { endpoint, accepted } = explained;
  const sources = await sourcesOf(explained, run);
  const { sets, ...read } = await readAnswer({ ...explained, accepted, sources }, answer, signal);
  const sql = sqlBehind(sqlFileOf(endpoint, read.member));
  const selection = selectionOfAll(sets);
  const pages = of.find(({ path }) => path === ORDERS);
  const selected =
    selection && pages ? await fingerprintOfPages(pages, { organizationId, ...selection }, run) : undefined;
  const counted = await run("explain/rows", explained, (session) =>
    count(session, sets, sentFilters(endpoint, accepted) !== undefined),
  );
  const { formula = null, nullWhen = "never", description, unit } = read.field;
  return JSON.stringify({
    endpoint: addressOf(endpoint, explained),
    parameters: understood(explained),
    figure: read.figure,
    row: explained.row,
    value: read.value,
    unit: typeof unit === "string" ? unit : null,
    description,
    formula,
    nullWhen,
    ...(read.value === null ? { isNullBecause: whyNull(read.field, endpoint) } : {}),
    inputs: read.inputs,
    sql: sql.files.map(({ name, text }) => ({ file: `sql/${name}.sql`, text })),
    decisions: [...new Set([...rulesIn([description, formula ?? "", nullWhen]), ...rulesOf(sql.files)])],
    rows: counted.rows,
    orders:
      selected !== undefined && selected === counted.fingerprint
        ? `${ORDERS}?${new URLSearchParams({ organizationId, ...selection, ...knownIn(accepted) })}`
        : null,
    sources: await run("explain/sources", explained, (session) => sourcesIn(session, sql.records, sets)),
    asOf: read.asOf ?? (await run("explain/as-of", explained, asOf)),
  });
}

/** Pages of orders are of what was known, as the figure is. */
const knownIn = ({ knownAt = null }: Accepted): Record<string, string> =>
  knownAt === null ? {} : { knownAt: String(knownAt) };

const addressOf = ({ path }: Endpoint, { accepted }: Explained): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(accepted[name])));

/** The SQL file that computes a member of an answer: its part, the envelope, or the root. */
function sqlFileOf({ path, envelope = [], parts }: Endpoint, member: string): string {
  const { [ROOT]: root, ...named } = parts;
  const isOfEnvelope = envelope.some((name) => name === member) && !Object.hasOwn(root?.fields ?? {}, member);
  const file = isOfEnvelope ? "envelope" : (named[member]?.sql ?? (root ?? Object.values(named)[0])?.sql);
  if (file === undefined) throw new Error(`${path} has no SQL file`);
  return file;
}

function whyNull({ nullWhen, presentWhen }: Field, endpoint: Endpoint): string {
  if (nullWhen !== undefined) return nullWhen;
  return presentWhen === undefined
    ? `the answer of ${endpoint.path} has no such value`
    : `it is there only when ${presentWhen}`;
}

/** Values that name rows and are not in the answer. */
async function sourcesOf({ endpoint, accepted, figure, row }: Explained, run: RunQuery): Promise<Sources> {
  const sources = new Map<string, (string | null)[]>();
  if (row === null) return sources;
  for (const file of filesOfSources(endpoint, answerFields(endpoint), figure)) {
    sources.set(file, await sourcesOfRows(file, { endpoint, accepted }, run));
  }
  return sources;
}

/** A value for each row of the answer, in order, which distinguishes rows with equal keys. */
async function sourcesOfRows(file: string, asked: EndpointRequest, run: RunQuery): Promise<(string | null)[]> {
  return run(file, asked, async (session) => {
    const sources: (string | null)[] = [];
    for await (const [chunk = []] of session.chunks(readSql(file))) {
      for (const source of chunk) sources.push(source === null ? null : String(source));
    }
    return sources;
  });
}

/** The parameters that select the orders of a figure; undefined if they are of several sets. */
function selectionOfAll({ orders: [set, ...others], sales, isCompared }: Sets): Selection | undefined {
  const isOne = others.length === 0 && sales.length === 0 && !isCompared;
  return set && isOne ? selectionOf(set) : undefined;
}

async function fingerprintOfPages(
  endpoint: EndpointRequest["endpoint"],
  sent: Selection,
  run: RunQuery,
): Promise<string> {
  const asked = { endpoint, accepted: validate(endpoint, sent, NO_TIME) };
  return (await run("explain/orders", asked, countSelected)).fingerprint;
}

interface Counted {
  readonly rows: {
    readonly ordersUsed: number;
    readonly ordersLeftOut: readonly LeftOut[];
    readonly spendRows: number;
  };
  /** Fingerprint of the orders used; undefined if orders play no part. */
  readonly fingerprint: string | undefined;
}

async function count(session: Session, { orders, sales, spend }: Sets, isFiltered: boolean): Promise<Counted> {
  const used = orders.length > 0 ? await countUsed(session, orders) : undefined;
  const rows = {
    ordersUsed: (used?.orders ?? 0) + (await countSales(session, sales)),
    ordersLeftOut: await countLeftOut(session, orders),
    spendRows: await countSpend(session, spend, isFiltered),
  };
  return { rows, fingerprint: used?.fingerprint };
}

async function asOf(session: Session): Promise<string | null> {
  const [text] = await session.rows("select instant_text(as_of) as as_of from organization");
  return text?.as_of === null || text?.as_of === undefined ? null : String(text.as_of);
}
