import type { Answers } from "../../answerTypes.ts";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { ToSettings } from "../../components/ToSettings.tsx";
import { day, figure, instant } from "../../format.ts";
import { ageOf, levelOf } from "../../freshness.ts";
import type { Organization } from "../../session.ts";
import { yesterday } from "../../stores.ts";
import { t } from "../../text.ts";

type Integration = Answers["DataQuality"]["integrations"][number];

/** An integration; what examining its files tells comes later. */
type Known = Pick<Integration, "integrationId" | "name" | "lastLandedAt"> &
  Partial<Pick<Integration, "schedule" | "records" | "lastSync">> & { readonly newestDay?: string | null };

/** What is known of the integrations before their files have been examined: the same rows, of the same height. */
export const knownIntegrations = (connectors: Organization["connectors"]): readonly Known[] =>
  connectors.map(({ integrationId, name, connector, newestDay, lastLandedAt }) => ({
    integrationId,
    name: name ?? connector,
    newestDay,
    lastLandedAt,
  }));

/** How fresh each integration is, what has landed, and how its last sync ended. */
export function Integrations({ integrations }: { integrations: readonly Known[] }) {
  const words = t().data;
  const sum = ({ records }: Known, name: "rows" | "rejected" | "waiting"): number | null =>
    records ? records.reduce((all, record) => all + (record[name] ?? 0), 0) : null;
  const counted = (name: "rows" | "rejected" | "waiting"): Partial<Column<Known>> => ({
    value: (one) => sum(one, name),
    show: (one) => (one.records ? figure(sum(one, name), "count") : "…"),
  });
  if (integrations.length === 0)
    return (
      <EmptySmall>
        {words.noIntegrations} <ToSettings place="connections" />
      </EmptySmall>
    );
  return (
    <>
      <Table
        caption={words.integrations}
        rows={integrations}
        keyOf={({ integrationId }) => integrationId}
        columns={[
          {
            key: "name",
            label: words.integration,
            value: ({ name }) => name,
            show: ({ name, schedule }) => (
              <>
                {name}
                <small>{schedule === undefined ? "…" : (schedule ?? words.byHand)}</small>
              </>
            ),
          },
          {
            key: "newestDay",
            label: words.newestDay,
            value: newest,
            show: (one) => (
              <Newest
                day={newest(one)}
                hasRows={one.records ? (sum(one, "rows") ?? 0) > 0 : one.lastLandedAt !== null}
              />
            ),
          },
          {
            key: "lastLandedAt",
            label: words.lastLanded,
            value: ({ lastLandedAt }) => lastLandedAt,
            show: ({ lastLandedAt }) => (lastLandedAt === null ? words.never : instant(lastLandedAt)),
          },
          {
            key: "lastSync",
            label: words.lastSync,
            value: ({ lastSync }) => lastSync?.outcome,
            show: ({ lastSync, lastLandedAt }) =>
              lastSync === null ? (
                words.never
              ) : lastSync ? (
                <Sync sync={lastSync} hasData={lastLandedAt !== null} />
              ) : (
                <Unknown />
              ),
          },
          {
            key: "rows",
            label: words.rowsCount,
            unit: "count",
            bar: true,
            value: (one) => sum(one, "rows"),
            ...counted("rows"),
          },
          {
            key: "rejected",
            label: words.rejected,
            unit: "count",
            value: (one) => sum(one, "rejected"),
            ...counted("rejected"),
            tone: (one) => ((sum(one, "rejected") ?? 0) > 0 ? "bad" : undefined),
          },
          {
            key: "waiting",
            label: words.waiting,
            unit: "count",
            value: (one) => sum(one, "waiting"),
            ...counted("waiting"),
            tone: (one) => ((sum(one, "waiting") ?? 0) > 0 ? "bad" : undefined),
          },
        ]}
      />
      {integrations.map(({ integrationId, name, records = [] }) => (
        <details key={integrationId} class="records">
          <summary>{words.details(name)}</summary>
          <Table
            caption={words.details(name)}
            rows={records}
            keyOf={({ record }) => record}
            columns={[
              { key: "record", label: words.record, value: ({ record }) => words.records[record] ?? record },
              {
                key: "newestDay",
                label: words.newestDay,
                value: (record) => record.newestDay,
                show: (record) => dayOrNone(record.newestDay),
              },
              { key: "files", label: words.files, unit: "count", value: ({ files }) => files },
              { key: "rows", label: words.rowsCount, unit: "count", value: ({ rows }) => rows, bar: true },
              { key: "rejected", label: words.rejected, unit: "count", value: ({ rejected }) => rejected },
              { key: "waiting", label: words.waiting, unit: "count", value: ({ waiting }) => waiting },
            ]}
          />
        </details>
      ))}
    </>
  );
}

/** The newest day of any record. */
const newest = ({ records, newestDay = null }: Known): string | null =>
  records
    ? (records
        .flatMap((record) => record.newestDay ?? [])
        .sort()
        .at(-1) ?? null)
    : newestDay;

const dayOrNone = (text: string | null): string => (text === null ? "–" : day(text));

/** The newest day and its age, in the color of what that does to the figures. */
function Newest({ day: newestDay, hasRows }: { day: string | null; hasRows: boolean }) {
  const words = t().data;
  // The rows of some records, such as customers, have no day.
  if (newestDay === null) return <span class="muted">{hasRows ? words.noDays : words.nothingYet}</span>;
  const age = ageOf(newestDay, yesterday());
  const level = levelOf(age);
  return (
    <>
      {day(newestDay)}
      {age > 0 && (
        <small class={level === "good" ? "cell-note" : `cell-note ${level}`}>{words.ago(figure(age, "days"))}</small>
      )}
    </>
  );
}

interface SyncProps {
  readonly sync: NonNullable<Integration["lastSync"]>;
  /** Whether anything has ever landed: a sync that found nothing has received nothing. */
  readonly hasData: boolean;
}

function Sync({ sync: { endedAt, outcome, reason }, hasData }: SyncProps) {
  const words = t().data;
  const isEmpty = outcome === "ok" && !hasData;
  return (
    <span class="sync">
      <span
        class={`chip ${isEmpty ? "pending" : outcome === "ok" ? "ready" : outcome === "rejected" ? "pending" : "error"}`}
      >
        {isEmpty ? words.nothingYet : words.outcomes[outcome]}
      </span>
      <small>{instant(endedAt)}</small>
      {reason && <small>{reason}</small>}
    </span>
  );
}

/** As high as the outcome of a sync. */
const Unknown = () => (
  <span class="sync">
    <span class="chip">…</span>
    <small>…</small>
  </span>
);
