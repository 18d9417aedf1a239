import { useAnswer } from "../answer.ts";
import type { Cohorts } from "../answers.ts";
import { download, type Params, type Query } from "../api.ts";
import { defined } from "../definitions.ts";
import { closeExplanation, type Explained, explainQuery, openExplanation, readExplained } from "../explain.ts";
import { day, figure, shortDay, type Unit } from "../format.ts";
import { fieldsOf } from "../openapi.ts";
import { arg } from "../route.ts";
import { organization } from "../session.ts";
import { t } from "../text.ts";
import { cohortOf, isOfCells, sentenceOf, titleOf } from "../views/customers/cell.ts";
import { hiddenBecause } from "../views/known.ts";
import { knownLabel } from "../views/labels.ts";
import { fileParams } from "./Card.tsx";
import { Drawer } from "./Modal.tsx";
import { Problem } from "./Problem.tsx";
import { type Column, Table } from "./Table.tsx";

const lastOf = (path: string): string => path.split(".").at(-1) ?? path;

/** The parts of `/v1/explain` that the page shows. */
interface Explains {
  readonly figure: string;
  readonly value: number | null;
  readonly unit: string | null;
  readonly description: string;
  readonly formula: string | null;
  readonly nullWhen: string | null;
  readonly inputs: readonly { readonly figure: string; readonly value: number | null }[] | null;
  readonly sql: readonly { readonly file: string; readonly text: string }[];
  readonly rows: {
    readonly ordersUsed: number | null;
    readonly spendRows: number | null;
    readonly ordersLeftOut: readonly { readonly reason: string; readonly orders: number }[] | null;
  } | null;
  readonly orders: string | null;
  readonly sources:
    | readonly {
        readonly integrationId: string;
        readonly record: string;
        readonly rows: number;
        readonly newestDay: string | null;
      }[]
    | null;
}

/** The name of a figure: that of the last part of its path that has one. What cohorts count decides the name of their cells. */
export function nameOf(path: string, endpoint: string, params: Params = {}): string {
  const own = t().cohort.cells[params.view === "revenue" ? "revenue" : "logo"];
  if (isOfCells({ endpoint, params, figure: path }) && Object.hasOwn(own, lastOf(path)))
    return own[lastOf(path)] ?? path;
  const names = path.split(".").toReversed();
  const found = names.map((name) => knownLabel(name, endpoint)).find((name) => name !== undefined);
  return found ?? path;
}

/** The drawer of the figure that the address names. */
export function Explanation() {
  const explained = readExplained(arg("explain"));
  return explained ? <Opened key={arg("explain")} explained={explained} /> : null;
}

function Opened({ explained }: { explained: Explained }) {
  const answer = useAnswer<Explains>(explainQuery(explained));
  const cohort = cohortOf(explained);
  const name = nameOf(explained.figure, explained.endpoint, explained.params);
  return (
    <Drawer title={cohort ? `${name} · ${titleOf(cohort)}` : name} close={closeExplanation}>
      {answer.state === "failed" && <Problem failure={answer.failure} retry={answer.retry} />}
      {answer.state === "waiting" && (
        <p class="skeleton skeleton-medium" role="status">
          <span class="unseen">{t().frame.loading}</span>
        </p>
      )}
      {answer.state === "ready" && <Content data={answer.data} explained={explained} />}
    </Drawer>
  );
}

/** The unit of a figure, from the API document; of one that is deeper in the answer, the stated one. */
function unitOf({ endpoint, params }: Explained, path: string, stated?: string | null): Unit {
  const name = lastOf(path);
  const field = [...fieldsOf(endpoint), ...fieldsOf(endpoint, "data")].find((one) => one.name === name);
  const unit = field?.unit ?? UNITS.find((known) => known === stated) ?? "number";
  // The unit of a cohort's values depends on what is counted.
  if (stated === "count or currency") return params.view === "logo" ? "count" : "currency";
  return unit === "day" || unit === "instant" || unit === "flag" || unit === "text" ? "number" : unit;
}

const UNITS = ["currency", "count", "percent", "ratio", "months", "days", "units"] as const;

function Content({ data, explained }: { data: Explains; explained: Explained }) {
  const words = t().explanation;
  const { endpoint } = explained;
  const count = (value: number): string => figure(value, "count");
  const own = isOfCells(explained) ? cellDefinition(data.figure, explained.params) : undefined;
  const why = hiddenBecause(data.figure, data.inputs ?? []);
  return (
    <div class="explanation">
      <p class="explanation-value">
        {why ? t().notAvailable : figure(data.value, unitOf(explained, data.figure, data.unit))}
      </p>
      {isOfCells(explained) && <CellSentence explained={explained} />}
      {why && <p class="note">{words.hidden(t().reason[why] ?? why)}</p>}
      <section>
        <h3>{words.definition}</h3>
        <p>{own?.definition ?? <Defined text={data.description} />}</p>
      </section>
      {data.formula && (
        <section>
          <h3>{words.formula}</h3>
          <p class="formula">
            {own?.formula ?? (
              <Defined text={data.formula} read={(text) => withLabels(text, data.inputs ?? [], endpoint)} />
            )}
          </p>
        </section>
      )}
      {own?.hasInputs !== false && data.inputs && data.inputs.length > 0 && (
        <section>
          <h3>{words.inputs}</h3>
          <ul class="inputs">
            {data.inputs.map((input) => (
              <li key={input.figure}>
                <button
                  type="button"
                  class="link"
                  onClick={() => openExplanation({ ...explained, figure: input.figure })}
                >
                  {nameOf(input.figure, endpoint, explained.params)}
                </button>
                <span>
                  {hiddenBecause(input.figure, [])
                    ? t().notAvailable
                    : figure(input.value, unitOf(explained, input.figure))}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {data.nullWhen && data.nullWhen !== "never" && (
        <section>
          <h3>{words.nullWhen}</h3>
          <p>
            <Defined text={data.nullWhen} />
          </p>
        </section>
      )}
      {data.rows && (
        <section>
          <h3>{words.rows}</h3>
          <ul class="plain">
            {data.rows.ordersUsed !== null && <li>{words.ordersUsed(count(data.rows.ordersUsed))}</li>}
            {data.rows.spendRows !== null && data.rows.spendRows > 0 && (
              <li>{words.spendRows(count(data.rows.spendRows))}</li>
            )}
          </ul>
          {data.rows.ordersLeftOut && data.rows.ordersLeftOut.length > 0 && (
            <>
              <h4>{words.leftOut}</h4>
              <ul class="inputs">
                {data.rows.ordersLeftOut.map(({ reason, orders }) => (
                  <li key={reason}>
                    <span>{words.reasons[reason] ?? reason}</span>
                    <span>{count(orders)}</span>
                  </li>
                ))}
              </ul>
            </>
          )}
        </section>
      )}
      {data.orders && <Orders address={data.orders} count={data.rows?.ordersUsed ?? 0} />}
      {data.sources && data.sources.length > 0 && (
        <section>
          <h3>{words.sources}</h3>
          <ul class="inputs">
            {data.sources.map(({ integrationId, record, rows, newestDay }) => (
              <li key={`${integrationId} ${record}`}>
                <span>
                  {t().data.records[record] ?? record} · {integrationName(integrationId)}
                  {newestDay && <span class="muted"> {words.newest(day(newestDay))}</span>}
                </span>
                <span>{count(rows)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h3>{words.sql}</h3>
        {data.sql.slice(0, 1).map((one) => (
          <SqlFile key={one.file} {...one} />
        ))}
        {data.sql.length > 1 && (
          <details>
            <summary>{words.moreSql(count(data.sql.length - 1))}</summary>
            {data.sql.slice(1).map((one) => (
              <SqlFile key={one.file} {...one} />
            ))}
          </details>
        )}
      </section>
    </div>
  );
}

/** The account that a source is of, as the settings call it. */
const integrationName = (id: string): string =>
  organization.value?.connectors.find(({ integrationId }) => integrationId === id)?.name ?? id;

/** What a cell of the cohorts counts: the API has one text for all that it can count. */
function cellDefinition(path: string, { view }: Params) {
  if (lastOf(path) !== "absolute") return undefined;
  // A count of customers has no margin in it.
  return { ...t().cohort.cellDefinitions[view === "revenue" ? "revenue" : "logo"], hasInputs: view === "revenue" };
}

/** The answer is in the tab's memory, as the map shows it. */
function CellSentence({ explained }: { explained: Explained }) {
  const cohort = cohortOf(explained);
  const answer = useAnswer<Cohorts>({ path: explained.endpoint, params: explained.params });
  const text = cohort && answer.state === "ready" ? sentenceOf(answer.data, cohort) : "";
  return text === "" ? null : <p class="sentence">{text}</p>;
}

const SqlFile = ({ file, text }: { file: string; text: string }) => (
  <details>
    <summary>{file.replace(/^sql\//, "")}</summary>
    <pre>
      <code>{text}</code>
    </pre>
  </details>
);

/** A text of the service in the page's language; English and marked as such where it has no translation. */
function Defined({ text, read = (it) => it }: { text: string; read?: (text: string) => string }) {
  const own = defined(text);
  return <span lang={own === undefined ? "en" : undefined}>{read(own ?? text)}</span>;
}

/** A formula with its inputs as the page names them, instead of by their names in the API. */
function withLabels(formula: string, inputs: readonly { readonly figure: string }[], endpoint: string): string {
  const labels = new Map(inputs.map(({ figure: path }) => [path.split(".").at(-1) ?? path, nameOf(path, endpoint)]));
  return formula.replaceAll(/[a-z]+[A-Z]\w*|[a-z]+/g, (name) => labels.get(name) ?? name);
}

interface OrderRows {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly meta?: { readonly total?: number };
}

/** The request of an address that an answer gives; the organization is that of the page. */
export function queryOf(address: string): Query {
  const { pathname, searchParams } = new URL(address, location.origin);
  const params = Object.fromEntries([...searchParams].filter(([name]) => name !== "organizationId"));
  return { path: pathname, params, isWhole: true };
}

const FIRST = 10;

/** The first orders behind a figure, and all of them as a file. */
function Orders({ address, count }: { address: string; count: number }) {
  const words = t().explanation;
  const query = queryOf(address);
  const answer = useAnswer<OrderRows>({ ...query, params: { ...query.params, limit: FIRST } });
  const fields = fieldsOf(query.path, "data").filter(({ name }) => SHOWN.includes(name));
  const columns = fields.map(
    ({ name, unit }): Column<Readonly<Record<string, unknown>>> => ({
      key: name,
      label: t().orderField[name] ?? name,
      sortable: false,
      ...(unit === "currency" ? { unit } : {}),
      value: (row) => row[name] as string | number | null,
      ...(unit === "day" ? { show: (row) => shortDay(String(row[name])) } : {}),
      ...(name === "channel" ? { show: (row) => t().channels[String(row.channel)] ?? String(row.channel ?? "") } : {}),
      ...(name === "customer" ? { show: (row) => t().customerKind[String(row[name])] ?? "" } : {}),
    }),
  );
  return (
    <section>
      <h3>{words.orders}</h3>
      {answer.state === "failed" && <Problem failure={answer.failure} retry={answer.retry} />}
      {answer.state === "ready" && (
        <Table
          caption={words.orders}
          rows={answer.data.data}
          keyOf={(row, n) => `${row.orderId ?? n} ${row.integrationId ?? ""}`}
          columns={columns}
        />
      )}
      {count > FIRST && <p class="note">{words.firstOrders(figure(FIRST, "count"), figure(count, "count"))}</p>}
      <button
        type="button"
        class="quiet"
        onClick={() => void download(query, "csv", { all: true, ...fileParams(query.path) })}
      >
        {words.saveOrders}
      </button>
    </section>
  );
}

const SHOWN = ["orderId", "orderedOn", "revenue", "customer", "channel"];
