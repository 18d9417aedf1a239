import { useEffect, useState } from "preact/hooks";
import { Failure, generation } from "../../api.ts";
import { Banner } from "../../components/Banner.tsx";
import { Problem } from "../../components/Problem.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { dayIn } from "../../days.ts";
import { change, day, figure, isFlat, range, withCurrency } from "../../format.ts";
import { COMPARISONS, chosen, comparison, type Period, PRESETS, periodUntil } from "../../period.ts";
import { arg, route, set, writeAddress } from "../../route.ts";
import { type Organization, organizations, shortOf } from "../../session.ts";
import { said, t } from "../../text.ts";
import { portfolio as WORDS } from "../../words/later/portfolio.ts";
import { textOf } from "../overview/adviceText.ts";
import { lineOf } from "./lines.ts";
import { type Line, type Sum, sumsOf } from "./sums.ts";

/** Organizations that are read at a time; each asks one question after the other. */
const AT_ONCE = 3;

type Read =
  | { readonly is: "waiting" }
  | { readonly is: "ready"; readonly line: Line | undefined }
  | { readonly is: "failed"; readonly failure: Failure };

interface Row {
  readonly about: Organization;
  readonly read: Read;
  readonly retry: () => void;
}

/** The organizations that somebody sees, side by side [D94]. */
export function Portfolio() {
  const words = said(WORDS);
  const rows = useRows();
  const isWaiting = rows.some(({ read }) => read.is === "waiting");
  const lines = rows.flatMap(({ read }) => (read.is === "ready" && read.line ? [read.line] : []));
  const failed = rows.filter(({ read }) => read.is === "failed").length;
  const state = isWaiting ? "waiting" : "ready";
  return (
    <div class="page portfolio" data-picture="portfolio" aria-busy={isWaiting} data-portfolio={state}>
      {rows.length < 2 && <Banner tone="info">{words.one}</Banner>}
      <Choices />
      <section class="card-box span-12">
        <Table caption={t().frame.views.portfolio} columns={columns()} rows={rows} keyOf={({ about }) => about.id} />
        <p class="note">{words.note}</p>
      </section>
      {!isWaiting && (
        <section class="card-box span-12" data-part="sums">
          <header class="card-head">
            <h2>{words.sums}</h2>
          </header>
          {failed > 0 ? (
            <p class="note">{failed === 1 ? words.incompleteOne : words.incomplete(figure(failed, "count"))}</p>
          ) : (
            <Table
              caption={words.sums}
              columns={sumColumns()}
              rows={sumsOf(lines)}
              keyOf={({ currency }) => currency ?? ""}
            />
          )}
        </section>
      )}
    </div>
  );
}

/** Periods by name and comparisons: days of one's own are chosen in an organization. */
function Choices() {
  const words = said(WORDS);
  const { presets, comparisons } = t().toolbar;
  const period = chosen();
  const days = period === "custom" ? [rangeOf(periodUntil(""))] : [];
  return (
    <div class="portfolio-choices span-12">
      <label class="field">
        <span>{words.period}</span>
        <select
          name="period"
          value={period}
          onChange={({ currentTarget: { value } }) => value !== "custom" && set({ period: value, from: "", to: "" })}
        >
          {days.map((text) => (
            <option key={text} value="custom">
              {text}
            </option>
          ))}
          {PRESETS.map((name) => (
            <option key={name} value={name}>
              {presets[name]}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>{words.compare}</span>
        <select
          name="compare"
          value={comparison({})}
          onChange={({ currentTarget: { value } }) => set({ compare: value, compareFrom: "", compareTo: "" })}
        >
          {COMPARISONS.filter((kind) => kind !== "own" || arg("compare") === "own").map((kind) => (
            <option key={kind} value={kind}>
              {comparisons[kind]}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

const rangeOf = ({ from = "", to = "" }: Period): string => range(from, to);

const lineIn = ({ read }: Row): Line | undefined => (read.is === "ready" ? read.line : undefined);

const percent = (pct: number | null | undefined): string =>
  pct === null || pct === undefined ? "–" : isFlat(pct) ? change(0) : change(pct);

const toneOf = (pct: number | null | undefined): "good" | "bad" | undefined =>
  pct === null || pct === undefined || isFlat(pct) ? undefined : pct > 0 ? "good" : "bad";

function columns(): readonly Column<Row>[] {
  const words = said(WORDS);
  const { metric } = t();
  const amountOf = (name: "revenue" | "contribution3"): readonly Column<Row>[] => [
    {
      key: name,
      label: metric[name] ?? name,
      unit: "currency",
      // Amounts of two currencies have no order.
      sortable: false,
      value: (row) => lineIn(row)?.[name],
      show: (row) => shown(row, (line) => withCurrency(line.currency, () => figure(line[name], "currency"))),
    },
    {
      key: `${name}Pct`,
      label: words.change(metric[name] ?? name),
      unit: "percent",
      value: (row) => lineIn(row)?.[`${name}Pct`],
      show: (row) => shown(row, (line) => percent(line[`${name}Pct`])),
      tone: (row) => toneOf(lineIn(row)?.[`${name}Pct`]),
    },
  ];
  return [
    {
      key: "name",
      label: words.organization,
      value: ({ about }) => about.name,
      show: ({ about }) => <a href={overviewOf(about)}>{about.name}</a>,
    },
    ...amountOf("revenue"),
    ...amountOf("contribution3"),
    {
      key: "orders",
      label: metric.orders ?? "orders",
      unit: "count",
      value: (row) => lineIn(row)?.orders,
      show: (row) => shown(row, (line) => figure(line.orders, "count")),
    },
    {
      key: "fresh",
      label: words.fresh,
      value: ({ about }) => about.asOf,
      show: ({ about: { asOf, timezones } }) =>
        asOf === null ? words.never : day(dayIn(Date.parse(asOf), timezones[0])),
    },
    { key: "first", label: words.first, sortable: false, value: () => "", show: (row) => <First {...row} /> },
  ];
}

/** A cell of an organization that was read; one without data has no figures. */
function shown({ read }: Row, text: (line: Line) => string): string {
  if (read.is === "ready") return read.line ? text(read.line) : t().notAvailable;
  return read.is === "failed" ? "–" : "…";
}

/** What its overview would say first, or why it could not be read. */
function First({ about, read, retry }: Row) {
  const words = said(WORDS);
  if (read.is === "waiting") return <span class="unseen">{t().frame.loading}</span>;
  if (read.is === "failed")
    return (
      <div data-failed={about.id}>
        <Problem failure={read.failure} retry={retry} />
      </div>
    );
  if (!read.line) return <>{words.never}</>;
  const { first, currency } = read.line;
  return <span class="portfolio-first">{first ? withCurrency(currency, () => textOf(first)) : words.nothing}</span>;
}

function sumColumns(): readonly Column<Sum>[] {
  const words = said(WORDS);
  const { metric } = t();
  const amount = (name: "revenue" | "contribution3"): Column<Sum> => ({
    key: name,
    label: metric[name] ?? name,
    unit: "currency",
    sortable: false,
    value: (sum) => sum[name],
    show: (sum) => withCurrency(sum.currency, () => figure(sum[name], "currency")),
  });
  return [
    { key: "currency", label: words.currency, value: ({ currency }) => currency ?? words.without },
    { key: "count", label: words.count, unit: "count", value: ({ count }) => count },
    amount("revenue"),
    amount("contribution3"),
    { key: "orders", label: metric.orders ?? "orders", unit: "count", value: ({ orders }) => orders },
  ];
}

const KEPT = ["period", "from", "to", "compare", "compareFrom", "compareTo"];

/** The overview of an organization, with the same period and comparison. */
function overviewOf({ id }: Organization): string {
  const args = Object.fromEntries(Object.entries(route.value.args).filter(([name]) => KEPT.includes(name)));
  return writeAddress({ organization: shortOf(id), view: "overview", section: "", args });
}

/** Reads all organizations, a few at a time, and again when the period, the comparison or the tab's answers change. */
function useRows(): readonly Row[] {
  const all = organizations.value;
  const asked = JSON.stringify([generation.value, ...KEPT.map(arg), ...all.map(({ id }) => id)]);
  const [found, setFound] = useState<{ readonly asked: string; readonly reads: ReadonlyMap<string, Read> }>();
  const readOne = async (about: Organization, isCurrent: () => boolean): Promise<void> => {
    const read = await lineOf(about).then(
      (line): Read => ({ is: "ready", line }),
      (error: unknown): Read => ({
        is: "failed",
        failure: error instanceof Failure ? error : new Failure("unforeseen", String(error)),
      }),
    );
    if (isCurrent()) note(about, read);
  };
  const note = (about: Organization, read: Read): void =>
    setFound((now) => ({
      asked,
      reads: new Map([...(now?.asked === asked ? now.reads : []), [about.id, read]]),
    }));
  useEffect(() => {
    let isCurrent = true;
    const left = [...all];
    const work = async (): Promise<void> => {
      for (let next = left.shift(); next && isCurrent; next = left.shift()) await readOne(next, () => isCurrent);
    };
    for (let n = 0; n < AT_ONCE; n++) void work();
    return () => {
      isCurrent = false;
    };
  }, [asked]);
  const reads = found?.asked === asked ? found.reads : new Map<string, Read>();
  return all.map((about) => ({
    about,
    read: reads.get(about.id) ?? { is: "waiting" },
    retry: () => {
      note(about, { is: "waiting" });
      void readOne(about, () => true);
    },
  }));
}
