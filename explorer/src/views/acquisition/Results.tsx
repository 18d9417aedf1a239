import { FEW, isLoss, lossOf, resultOf } from "../../../../src/features/actions/loss.ts";
import { type Answer, dataOf, useAnswer } from "../../answer.ts";
import type { Contribution, Contributions, Source } from "../../answers.ts";
import type { Query } from "../../api.ts";
import { Banner } from "../../components/Banner.tsx";
import { Card } from "../../components/Card.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { Figure } from "../../components/Figure.tsx";
import { Lacking } from "../../components/Lacking.tsx";
import { NotAvailable } from "../../components/NotAvailable.tsx";
import { Segmented } from "../../components/Segmented.tsx";
import { type Column, type Sorting, Table } from "../../components/Table.tsx";
import { explainer } from "../../explain.ts";
import { figure, type Unit } from "../../format.ts";
import { arg, oneOf, set } from "../../route.ts";
import { hasAds } from "../../session.ts";
import { t } from "../../text.ts";
import { labelOf } from "../labels.ts";
import type { Asked } from "./asked.ts";
import { amount, channelName, count } from "./names.ts";
import { keyOf, ofNewCustomers } from "./sources.ts";

type Kind = "campaigns" | "channels";
/** A row with what its new customers alone left, or the row of totals. */
type Shown = Partial<Contribution> & Contributions["total"] & { readonly source?: Source | undefined };

export const RESULTS = ["campaigns", "channels"] as const;

const PATH = "/v1/acquisition/contribution";
const PAGE = 25;

export const contributionOf = (asked: Pick<Asked, "from" | "to">, kind: Kind): Query => ({
  path: PATH,
  params: { startDate: asked.from, endDate: asked.to, breakBy: kind === "campaigns" ? "campanha" : "origem" },
});

interface Measure {
  readonly name: keyof Contributions["total"] & string;
  readonly unit: Unit;
  readonly isOptional?: boolean;
}

/** The same columns in every organization: what is unknown is N/D. */
const MEASURES: readonly Measure[] = [
  { name: "revenue", unit: "currency" },
  { name: "netRevenue", unit: "currency" },
  { name: "costOfGoods", unit: "currency" },
  { name: "variableCosts", unit: "currency" },
  { name: "investment", unit: "currency" },
  { name: "orders", unit: "count" },
  { name: "contributionAfterAds", unit: "currency", isOptional: true },
  { name: "contributionProfit", unit: "currency", isOptional: true },
  { name: "costCoverage", unit: "ratio", isOptional: true },
];

/** Why a cost, and with it the result, is not known. */
function reasonOf(name: string, { revenue, investment }: Shown): string {
  const words = t().acquisition.results;
  if (investment === null && ["investment", "contributionAfterAds"].includes(name))
    return t().reason.hidden_spend ?? "";
  if (name === "contributionProfit") return t().reason.no_margin ?? "";
  return name === "costCoverage" || revenue === 0 ? words.noRevenue : words.unknownCosts;
}

const toneOf = (value: number | null): "good" | "bad" | undefined =>
  value === null || value === 0 ? undefined : value < 0 ? "bad" : "good";

export const rowKey = (kind: Kind, row: Contribution): string =>
  kind === "channels" ? (row.breakKey ?? "") : `${row.connector ?? ""}:${row.breakKey ?? ""}`;

function nameOf(kind: Kind, { breakKey, breakLabel }: Partial<Contribution>): string {
  if (breakKey === null || breakKey === undefined) return t().acquisition.results.without;
  return kind === "channels" ? channelName(breakKey) : (breakLabel ?? breakKey);
}

/** The costs of which something is not known: but for goods they count as 0. */
function Pending({ missing }: Contributions) {
  if (missing.length === 0) return null;
  const names = missing.map(({ item }) => labelOf(item, PATH).toLocaleLowerCase()).join(", ");
  const hasGoods = missing.some(({ item }) => item === "goods");
  const words = t().acquisition.results;
  return <Banner tone="warn">{`${words.pending(names)} ${hasGoods ? words.withoutGoods : ""}`}</Banner>;
}

/** Which of them lost money, by the one rule of the page. */
export function lossSentence(kind: Kind, rows: readonly Shown[], spend: number | null): string {
  const words = t().acquisition.results;
  const lost = rows.filter((row) => isLost(row, spend)).toSorted((a, b) => lossOf(b) - lossOf(a));
  const [first] = lost;
  if (spend === null) return words.lossOfNobody;
  const isUnknown = rows.some((row) => (row.investment ?? 0) > 0 && resultOf(row) === null);
  if (!first) return isUnknown ? words.lossUnknown : words.noLoss[kind];
  const all = lost.reduce((sum, row) => sum + lossOf(row), 0);
  return lost.length === 1
    ? words.lossOne[kind](nameOf(kind, first), amount(lossOf(first)))
    : words.losses[kind](count(lost.length), amount(all), nameOf(kind, first), amount(lossOf(first)));
}

const isLost = (row: Shown, spend: number | null): boolean => row.breakKey != null && isLoss(row, spend);

function columnsOf(kind: Kind, spend: number | null): Column<Shown>[] {
  const words = t().acquisition.results;
  const all = t().acquisition;
  return [
    {
      key: kind,
      label: kind === "campaigns" ? all.campaign : all.channel,
      value: (row) => nameOf(kind, row),
      show: (row) => (
        <>
          <span class="row-name">{nameOf(kind, row)}</span>
          {isLost(row, spend) && <span class="chip error result-chip">{words.lost}</span>}
          {row.connector && <small class="cell-note">{channelName(row.connector)}</small>}
        </>
      ),
    },
    {
      key: "result",
      label: words.result,
      hint: words.resultHint,
      unit: "currency",
      value: resultOf,
      reason: (row) => reasonOf("contributionAfterAds", row),
      tone: (row) => toneOf(resultOf(row)),
    },
    {
      key: "newOnly",
      label: words.newOnly,
      hint: words.newOnlyHint,
      unit: "currency",
      value: ({ source }) => (source ? ofNewCustomers(source) : undefined),
      reason: () => words.noNewOnly,
      show: ({ source }) => {
        const value = source && ofNewCustomers(source);
        if (value === undefined || value === null) return <NotAvailable reason={words.noNewOnly} />;
        return (
          <>
            {figure(value, "currency")}
            {source && source.newCustomers < FEW && (
              <small class="cell-note">{words.fewCustomers(source.newCustomers, count(source.newCustomers))}</small>
            )}
          </>
        );
      },
    },
    ...MEASURES.map(
      ({ name, unit, isOptional = false }): Column<Shown> => ({
        key: name,
        label: labelOf(name, PATH),
        unit,
        isOptional,
        value: (row) => row[name],
        reason: (row) => reasonOf(name, row),
      }),
    ),
  ];
}

/** Sorts all rows, not only those of a page. Rows without a value come last in both directions. */
function sortedBy(
  rows: readonly Shown[],
  columns: readonly Column<Shown>[],
  { by, descending }: Sorting,
): readonly Shown[] {
  const column = columns.find(({ key }) => key === by);
  return rows.toSorted((a, b) => {
    const [x, y] = [column?.value(a) ?? null, column?.value(b) ?? null];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y));
    return descending ? -order : order;
  });
}

interface Props {
  readonly asked: Asked;
  readonly sources: Readonly<Record<Kind, readonly Source[] | undefined>>;
}

/** What each campaign or channel earned or lost: with all of its orders, and with its new customers alone. */
export function Results({ asked, sources }: Props) {
  const kind = oneOf("results", RESULTS);
  const isFiltered = arg("result") === "loss";
  const query = contributionOf(asked, kind);
  const answer = useAnswer<Contributions>(query);
  const words = t().acquisition.results;
  const all = t().acquisition;
  return (
    <Card
      name="results"
      title={isFiltered ? words.titleOfLosses[kind] : words.title}
      question={words.question}
      query={query}
      answer={withSources(answer, sources[kind])}
      height={hasAds.value ? "large" : "small"}
      controls={
        <>
          <Segmented
            label={words.title}
            options={[
              ["campaigns", all.campaigns],
              ["channels", all.channels],
            ]}
            value={kind}
            change={(next) => set({ results: next === "campaigns" ? "" : next, resultsPage: "" })}
          />
          <Segmented
            label={all.result}
            options={[
              ["", all.everything],
              ["loss", all.lossOnly],
            ]}
            value={isFiltered ? "loss" : ""}
            change={(result) => set({ result, resultsPage: "" })}
          />
        </>
      }
    >
      {(data) => <Rows kind={kind} answer={data} sources={sources[kind]} isFiltered={isFiltered} />}
    </Card>
  );
}

/** Both bases are shown together: one of them alone would look like the whole result. */
const withSources = (answer: Answer<Contributions>, sources: readonly Source[] | undefined): Answer<Contributions> =>
  answer.state === "ready" && sources === undefined ? { state: "waiting", data: undefined } : answer;

interface RowsProps {
  readonly kind: Kind;
  readonly answer: Contributions;
  readonly sources: readonly Source[] | undefined;
  readonly isFiltered: boolean;
}

function Rows({ kind, answer, sources, isFiltered }: RowsProps) {
  const words = t().acquisition.results;
  const { data, total } = answer;
  const spend = total.investment;
  const known = new Map(sources?.map((source) => [keyOf(source), source]));
  const rows: Shown[] = data.map((row) => ({ ...row, source: known.get(rowKey(kind, row)) }));
  const columns = columnsOf(kind, spend);
  const sorting: Sorting = { by: arg("resultsSort") || "result", descending: arg("resultsOrder") === "desc" };
  const wanted = sortedBy(isFiltered ? rows.filter((row) => isLost(row, spend)) : rows, columns, sorting);
  const pages = Math.max(1, Math.ceil(wanted.length / PAGE));
  const page = Math.min(pages, Math.max(1, Math.trunc(Number(arg("resultsPage"))) || 1));
  const start = (page - 1) * PAGE;
  const turn = (to: number) => (): void => set({ resultsPage: to === 1 ? "" : String(to) });
  return (
    <>
      <Lacking answer={answer} />
      <Pending {...answer} />
      {data.length > 0 && <p class="sentence">{lossSentence(kind, rows, spend)}</p>}
      {wanted.length === 0 && data.length === 0 && <EmptySmall>{t().empty.points}</EmptySmall>}
      {wanted.length > 0 && (
        <Table<Shown>
          caption={words.title}
          rows={wanted.slice(start, start + PAGE)}
          keyOf={(row) => rowKey(kind, row as Contribution)}
          remember="results"
          sorting={{
            now: sorting,
            change: ({ by, descending }) =>
              set({ resultsSort: by, resultsOrder: descending ? "desc" : "", resultsPage: "" }),
          }}
          {...(isFiltered ? {} : { total: { name: t().table.total, row: total } })}
          canPick={({ breakKey }) => breakKey !== null}
          onPick={(row) => set({ [kind === "campaigns" ? "campaign" : "channel"]: rowKey(kind, row as Contribution) })}
          {...(pages > 1
            ? {
                pages: {
                  from: start + 1,
                  to: Math.min(wanted.length, start + PAGE),
                  of: wanted.length,
                  previous: page > 1 ? turn(page - 1) : undefined,
                  next: page < pages ? turn(page + 1) : undefined,
                },
              }
            : {})}
          columns={columns}
        />
      )}
      {data.length > 0 && <p class="note">{words.bases}</p>}
    </>
  );
}

/** The verdict on one campaign or channel, and what its result consists of. */
export function ResultOf({ asked, kind, of }: { asked: Asked; kind: Kind; of: Source }) {
  const query = contributionOf(asked, kind);
  const answer = dataOf(useAnswer<Contributions>(query));
  const row = answer?.data.find((one) => rowKey(kind, one) === keyOf(of));
  if (!answer || !row) return null;
  const isOnly = answer.data.filter(({ breakKey }) => breakKey === row.breakKey).length === 1;
  const name = isOnly ? row.breakKey : `${row.breakKey}:${row.connector ?? ""}`;
  const words = t().acquisition.results;
  return (
    <>
      <Verdict row={row} source={of} spend={answer.total.investment} />
      <section data-part="result">
        <h3>{words.title}</h3>
        <div class="figures">
          <Figure
            name="newOnly"
            label={words.newOnly}
            unit="currency"
            value={ofNewCustomers(of)}
            reason={words.noNewOnly}
          />
          {MEASURES.filter(({ name: one }) => one !== "revenue" && one !== "orders" && one !== "investment").map(
            (measure) => (
              <Figure
                key={measure.name}
                name={measure.name}
                label={labelOf(measure.name, PATH)}
                unit={measure.unit}
                value={row[measure.name]}
                reason={reasonOf(measure.name, row)}
                explain={name === null || row[measure.name] === null ? undefined : explainer(query, measure.name, name)}
              />
            ),
          )}
        </div>
      </section>
    </>
  );
}

/** One sentence with the result of all orders and, if it differs, that of the new customers. */
function Verdict({ row, source, spend }: { row: Contribution; source: Source; spend: number | null }) {
  const words = t().acquisition.results.verdicts;
  if (row.investment === 0) return <Banner tone="info">{words.free}</Banner>;
  const result = resultOf(row);
  if (result === null) return <Banner tone="info">{words.unknown}</Banner>;
  const alone = ofNewCustomers(source);
  const few =
    source.newCustomers < FEW
      ? t().acquisition.results.fewCustomers(source.newCustomers, count(source.newCustomers))
      : "";
  const ofNew = alone === null ? "" : ` ${words.ofNew(amount(alone))}${few && ` (${few})`}`;
  if (isLoss(row, spend)) return <Banner tone="bad">{`${words.lost(amount(-result))}${ofNew}`}</Banner>;
  const text = result < 0 ? words.even(amount(result)) : words.earned(amount(result));
  return <Banner tone={result < 0 ? "info" : "good"}>{`${text}${ofNew}`}</Banner>;
}
