import type { ComponentChildren } from "preact";
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
import { known } from "../../moment.ts";
import { hasAds, type Organization, organization } from "../../session.ts";
import { usePeriod, useStores, yesterday } from "../../stores.ts";
import { t } from "../../text.ts";
import { useAdvice, useCardsQuery } from "../overview/useAdvice.ts";
import { Findings } from "./Findings.tsx";
import { Integrations, knownIntegrations } from "./Integrations.tsx";
import { Checks, Claims, type Reconciliation, StoreCard } from "./Reconciliation.tsx";

type Report = Answers["DataQuality"];
type Finding = Report["findings"][number];

const QUALITY: Query = { path: "/v1/data-quality", params: {} };

/** What has landed, what does not count and why, and what to do; of what was known then only the reconciliation. */
export function Quality() {
  const { from, to } = usePeriod();
  const query: Query = { path: "/v1/profitability/reconciliation", params: { startDate: from, endDate: to } };
  const reconciled = useAnswer<Reconciliation>(query);
  const hasLanded = organization.value?.connectors.some(({ lastLandedAt }) => lastLandedAt !== null) ?? false;
  const after = (
    <>
      {dataOf(reconciled)?.stores.map((store, n) => (
        <StoreCard key={store.integrationId} {...{ store, n, query }} answer={reconciled} />
      ))}
      {hasAds.value && <Claims query={query} answer={reconciled} />}
      {hasLanded && <Checks query={query} answer={reconciled} />}
    </>
  );
  if (!known.value) return <OfNow>{after}</OfNow>;
  return (
    <>
      <Banner tone="warn">{t().known.quality}</Banner>
      {after}
    </>
  );
}

/** The report, which is of now, and what follows it. */
function OfNow({ children }: { children: ComponentChildren }) {
  const report = useAnswer<Report>(QUALITY);
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
        answer={isLoading && report.state === "ready" ? { state: "waiting", data: report.data } : report}
        height="large"
      >
        {({ findings }) => (
          <Findings
            findings={findings}
            advice={hasSales ? advised.advice : []}
            state={hasSales ? advised.state : "ready"}
            retry={advised.retry}
            hasLanded={hasLanded}
          />
        )}
      </Card>
      {isLoading && <p class="skeleton skeleton-large" />}
      {!isLoading && (
        <>
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
          {children}
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
