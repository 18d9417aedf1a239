import { dataOf, useAnswer } from "../../answer.ts";
import type { Cards } from "../../answers.ts";
import type { Answers } from "../../answerTypes.ts";
import type { Query } from "../../api.ts";
import { Banner } from "../../components/Banner.tsx";
import { Card } from "../../components/Card.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { Table } from "../../components/Table.tsx";
import { figure } from "../../format.ts";
import { verdictOn } from "../../freshness.ts";
import { hasAds, type Organization, organization } from "../../session.ts";
import { usePeriod, useStores, yesterday } from "../../stores.ts";
import { t } from "../../text.ts";
import { useAdvice, useCardsQuery } from "../overview/useAdvice.ts";
import { Gaps } from "./Gaps.tsx";
import { Integrations, knownIntegrations } from "./Integrations.tsx";
import { Checks, Claims, type Reconciliation, StoreCard } from "./Reconciliation.tsx";

type Report = Answers["DataQuality"];
type Finding = Report["findings"][number];

const QUALITY: Query = { path: "/v1/data-quality", params: {} };

/** What has landed, what does not count and why, and what to do. */
export function Quality() {
  const { from, to } = usePeriod();
  const query: Query = { path: "/v1/profitability/reconciliation", params: { startDate: from, endDate: to } };
  const report = useAnswer<Report>(QUALITY);
  const reconciled = useAnswer<Reconciliation>(query);
  const hasSales = useStores().some(({ lastSaleDate }) => lastSaleDate !== null);
  const cardsQuery = useCardsQuery();
  const cards = useAnswer<Cards>(cardsQuery);
  const advised = useAdvice(cards);
  const words = t().data;
  // The findings can have any height, so what follows them is rendered with them, and nothing moves.
  const isLoading =
    (report.state === "waiting" && report.data === undefined) || (hasSales && advised.state === "waiting");
  const connectors = organization.value?.connectors ?? [];
  const hasLanded = connectors.some(({ lastLandedAt }) => lastLandedAt !== null);
  const names = new Map(dataOf(report)?.integrations.map(({ integrationId, name }) => [integrationId, name]));
  return (
    <>
      {report.state === "waiting" && !report.data && <p class="skeleton skeleton-verdict" />}
      {dataOf(report) && <Verdict findings={dataOf(report)?.findings ?? []} connectors={connectors} />}
      <Card
        name="integrations"
        title={words.integrations}
        question={words.integrationsQuestion}
        query={QUALITY}
        answer={report}
        meanwhile={<Integrations integrations={knownIntegrations(connectors)} />}
      >
        {({ integrations }) => <Integrations integrations={integrations} />}
      </Card>
      <Card
        name="findings"
        title={words.findings}
        question={words.findingsQuestion}
        query={QUALITY}
        answer={report}
        height="large"
      >
        {({ findings }) =>
          findings.length === 0 ? (
            <EmptySmall>{hasLanded ? words.noFindings : words.nothingToCheck}</EmptySmall>
          ) : (
            <ul class="findings">
              {findings.map((finding) => (
                <FindingItem key={finding.kind} finding={finding} />
              ))}
            </ul>
          )
        }
      </Card>
      {isLoading && <p class="skeleton skeleton-large" />}
      {!isLoading && (
        <>
          {hasSales && (
            <Gaps
              advice={advised.advice}
              state={advised.state}
              retry={advised.retry}
              query={cardsQuery}
              answer={cards}
            />
          )}
          <Card name="rejects" title={words.rejects} question={words.rejectsQuestion} query={QUALITY} answer={report}>
            {({ rejects }) =>
              rejects.length === 0 ? (
                <EmptySmall>{hasLanded ? words.noRejects : words.nothingToCheck}</EmptySmall>
              ) : (
                <Table
                  caption={words.rejects}
                  rows={rejects}
                  keyOf={(_, n) => String(n)}
                  initially={{ by: "rows", descending: true }}
                  columns={[
                    {
                      key: "reason",
                      label: words.reason,
                      value: ({ reason }) => reason,
                      show: ({ reason, integrationId, record }) => (
                        <>
                          {reason}
                          <small>
                            {names.get(integrationId) ?? integrationId} · {words.records[record] ?? record}
                          </small>
                        </>
                      ),
                    },
                    { key: "rows", label: words.rowsCount, unit: "count", value: ({ rows }) => rows, bar: true },
                    {
                      key: "file",
                      label: words.file,
                      value: ({ file, position }) => (position === null ? file : `${file}: ${position}`),
                    },
                  ]}
                />
              )
            }
          </Card>
          {dataOf(reconciled)?.stores.map((store, n) => (
            <StoreCard key={store.integrationId} {...{ store, n, query }} answer={reconciled} />
          ))}
          {hasAds.value && <Claims query={query} answer={reconciled} />}
          {hasLanded && <Checks query={query} answer={reconciled} />}
        </>
      )}
    </>
  );
}

interface VerdictProps {
  readonly findings: readonly Finding[];
  readonly connectors: Organization["connectors"];
}

function Verdict({ findings, connectors }: VerdictProps) {
  const words = t().data;
  const verdict = verdictOn({ findings, connectors, yesterday: yesterday() });
  const text = ((): string => {
    switch (verdict.name) {
      case "wrong":
        return verdict.count === 1 ? words.wrongOne : words.wrong(figure(verdict.count, "count"));
      case "notices":
        return words.notices(figure(verdict.count, "count"));
      case "missing":
        return words.silent(figure(verdict.count, "count"));
      case "stale":
        return words.staleData(verdict.source, figure(verdict.days, "days"));
      default:
        return words[verdict.name];
    }
  })();
  return (
    <div data-verdict={verdict.level}>
      <Banner tone={verdict.level}>{text}</Banner>
    </div>
  );
}

function FindingItem({ finding }: { finding: Finding }) {
  const { kind, level, title, count, orders, revenue, spend, examples } = finding;
  const words = t().data;
  const name = words.kinds[kind] ?? title;
  const advice = words.advice[kind];
  const amounts = [
    orders === null ? "" : words.orders(figure(orders, "count")),
    revenue === null ? "" : words.revenue(figure(revenue, "currency")),
    spend === null ? "" : words.spend(figure(spend, "currency")),
  ].filter(Boolean);
  return (
    <li class={`finding finding-${level}`} data-finding={kind}>
      <p class="finding-head">
        <span class={`chip ${level === "wrong" ? "error" : "pending"}`}>{words.levels[level]}</span>
        <strong>{name}</strong>
      </p>
      {amounts.length > 0 && <p class="finding-amounts">{amounts.join(" · ")}</p>}
      {advice && (
        <p class="finding-advice">
          <span class="muted">{words.toDo}:</span> {advice}
        </p>
      )}
      {examples.length > 0 && (
        <details>
          <summary>
            {words.examples} ({words.counted(figure(count, "count"))})
          </summary>
          <ul class="finding-examples">
            {examples.map((example, n) => (
              <li key={`${example.what} ${n}`}>{exampleText(example)}</li>
            ))}
            {count > examples.length && (
              <li class="muted">{words.andMore(figure(count - examples.length, "count"))}</li>
            )}
          </ul>
        </details>
      )}
    </li>
  );
}

function exampleText({ integration, what, reason, count, revenue, spend }: Finding["examples"][number]): string {
  const words = t().data;
  const amount = revenue ? figure(revenue, "currency") : spend ? figure(spend, "currency") : "";
  return [
    integration,
    what === null ? null : (words.records[what] ?? what),
    reason === null ? null : (words.why[reason] ?? reason),
    count === null || count === 0 ? null : figure(count, "count"),
    amount,
  ]
    .filter(Boolean)
    .join(" · ");
}
