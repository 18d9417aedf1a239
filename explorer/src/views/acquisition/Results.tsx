import { dataOf, useAnswer } from "../../answer.ts";
import type { Contribution, Contributions } from "../../answers.ts";
import type { Query } from "../../api.ts";
import { Banner } from "../../components/Banner.tsx";
import { Card } from "../../components/Card.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { Figure } from "../../components/Figure.tsx";
import { Segmented } from "../../components/Segmented.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { explainer } from "../../explain.ts";
import type { Unit } from "../../format.ts";
import { arg, oneOf, set } from "../../route.ts";
import { hasAds } from "../../session.ts";
import { t } from "../../text.ts";
import { labelOf } from "../labels.ts";
import type { Asked } from "./asked.ts";
import { channelName } from "./names.ts";
import { isExact, keyOf, lossesFirst } from "./sources.ts";

type Kind = "campaigns" | "channels";
/** The rows, and the row of totals. */
type Shown = Partial<Contribution> & Contributions["total"];

export const RESULTS = ["campaigns", "channels"] as const;

const PATH = "/v1/acquisition/contribution";
const PAGE = 25;

export const contributionOf = (asked: Asked, kind: Kind): Query => ({
  path: PATH,
  params: { startDate: asked.from, endDate: asked.to, breakBy: kind === "campaigns" ? "campanha" : "origem" },
});

interface Measure {
  readonly name: keyof Contributions["total"] & string;
  readonly unit: Unit;
  readonly isOptional?: boolean;
  readonly isResult?: boolean;
}

const MEASURES: readonly Measure[] = [
  { name: "contributionAfterAds", unit: "currency", isResult: true },
  { name: "revenue", unit: "currency" },
  { name: "costOfGoods", unit: "currency" },
  { name: "variableCosts", unit: "currency" },
  { name: "investment", unit: "currency" },
  { name: "contributionProfit", unit: "currency", isResult: true },
  { name: "orders", unit: "count" },
  { name: "costCoverage", unit: "ratio", isOptional: true },
];

/** Why a cost, and with it the result, is not known. */
function reasonOf(name: string, { revenue }: Shown): string {
  const words = t().acquisition.results;
  return name === "costCoverage" || revenue === 0 ? words.noRevenue : words.unknownCosts;
}

const toneOf = ({ isResult }: Measure, value: number | null): "good" | "bad" | undefined =>
  isResult && value !== null && value !== 0 ? (value < 0 ? "bad" : "good") : undefined;

export const rowKey = (kind: Kind, row: Contribution): string =>
  kind === "channels" ? (row.breakKey ?? "") : `${row.connector ?? ""}:${row.breakKey ?? ""}`;

function nameOf(kind: Kind, { breakKey, breakLabel }: Partial<Contribution>): string {
  if (breakKey === null || breakKey === undefined) return t().acquisition.results.without;
  return kind === "channels" ? channelName(breakKey) : (breakLabel ?? breakKey);
}

/** What is unknown of all rows is not shown at first. */
function measuresOf(answer: Contributions | undefined): readonly Measure[] {
  const isUnknown = ({ name }: Measure): boolean =>
    answer !== undefined && answer.data.length > 0 && answer.data.every((row) => row[name] === null);
  const measures = MEASURES.map((measure) => (isUnknown(measure) ? { ...measure, isOptional: true } : measure));
  const [unknown, byMargin] = ["contributionAfterAds", "contributionProfit"];
  if (!answer || isExact(answer.data)) return measures;
  const first = measures.filter(({ name }) => name === byMargin);
  const others = measures.filter(({ name }) => name !== byMargin && name !== unknown);
  return [...first, ...others, ...measures.filter(({ name }) => name === unknown)];
}

/** The costs that the result by the margin takes for 0. */
function Pending({ marginItemStatus, marginConfigured }: Contributions) {
  const words = t().acquisition.results;
  const pending = Object.entries(marginItemStatus ?? {}).filter(([, status]) => status === "pending");
  if (pending.length === 0 && marginConfigured) return null;
  const names = pending.map(([name]) => labelOf(name, PATH).toLocaleLowerCase()).join(", ");
  return <Banner tone="warn">{pending.length === 0 ? words.noMargin : words.pending(names)}</Banner>;
}

/** What each campaign or channel earned or lost, the largest loss first. */
export function Results({ asked }: { asked: Asked }) {
  const kind = oneOf("results", RESULTS);
  const query = contributionOf(asked, kind);
  const answer = useAnswer<Contributions>(query);
  const words = t().acquisition.results;
  const all = t().acquisition;
  const columns: Column<Shown>[] = [
    {
      key: kind,
      label: kind === "campaigns" ? all.campaign : all.channel,
      sortable: false,
      value: (row) => nameOf(kind, row),
      show: (row) => (
        <>
          {nameOf(kind, row)}
          {row.connector && <small class="cell-note">{channelName(row.connector)}</small>}
        </>
      ),
    },
    ...measuresOf(dataOf(answer)).map(
      (measure): Column<Shown> => ({
        key: measure.name,
        label: labelOf(measure.name, PATH),
        unit: measure.unit,
        sortable: false,
        isOptional: measure.isOptional ?? false,
        value: (row) => row[measure.name],
        reason: (row) => reasonOf(measure.name, row),
        tone: (row) => toneOf(measure, row[measure.name]),
      }),
    ),
  ];
  const rows = lossesFirst(dataOf(answer)?.data ?? []);
  const pages = Math.max(1, Math.ceil(rows.length / PAGE));
  const page = Math.min(pages, Math.max(1, Math.trunc(Number(arg("resultsPage"))) || 1));
  const start = (page - 1) * PAGE;
  const turn = (to: number) => (): void => set({ resultsPage: to === 1 ? "" : String(to) });
  return (
    <Card
      name="results"
      title={words.title}
      question={words.question}
      query={query}
      answer={answer}
      height={hasAds.value ? "large" : "small"}
      controls={
        <Segmented
          label={words.title}
          options={[
            ["campaigns", all.campaigns],
            ["channels", all.channels],
          ]}
          value={kind}
          change={(next) => set({ results: next === "campaigns" ? "" : next, resultsPage: "" })}
        />
      }
    >
      {({ data, total, ...others }) => (
        <>
          <Pending {...{ data, total, ...others }} />
          {data.length === 0 ? (
            <EmptySmall>{t().empty.points}</EmptySmall>
          ) : (
            <Table<Shown>
              caption={words.title}
              rows={rows.slice(start, start + PAGE)}
              keyOf={(row) => rowKey(kind, row as Contribution)}
              remember="results"
              total={{ name: t().table.total, row: total }}
              canPick={({ breakKey }) => breakKey !== null}
              onPick={(row) =>
                set({ [kind === "campaigns" ? "campaign" : "channel"]: rowKey(kind, row as Contribution) })
              }
              {...(pages > 1
                ? {
                    pages: {
                      from: start + 1,
                      to: Math.min(data.length, start + PAGE),
                      of: data.length,
                      previous: page > 1 ? turn(page - 1) : undefined,
                      next: page < pages ? turn(page + 1) : undefined,
                    },
                  }
                : {})}
              columns={columns}
            />
          )}
        </>
      )}
    </Card>
  );
}

/** The result of one campaign or channel. */
export function ResultOf({ asked, kind, of }: { asked: Asked; kind: Kind; of: Parameters<typeof keyOf>[0] }) {
  const query = contributionOf(asked, kind);
  const data = dataOf(useAnswer<Contributions>(query))?.data;
  const row = data?.find((one) => rowKey(kind, one) === keyOf(of));
  if (!data || !row) return null;
  const isOnly = data.filter(({ breakKey }) => breakKey === row.breakKey).length === 1;
  const name = isOnly ? row.breakKey : `${row.breakKey}:${row.connector ?? ""}`;
  return (
    <section data-part="result">
      <h3>{t().acquisition.results.title}</h3>
      <div class="figures">
        {MEASURES.filter(({ name: one }) => one !== "revenue" && one !== "orders" && one !== "investment").map(
          (measure) => (
            <Figure
              key={measure.name}
              name={measure.name}
              label={labelOf(measure.name, PATH)}
              unit={measure.unit}
              value={row[measure.name]}
              reason={reasonOf(measure.name, row)}
              explain={name === null ? undefined : explainer(query, measure.name, name)}
            />
          ),
        )}
      </div>
    </section>
  );
}
