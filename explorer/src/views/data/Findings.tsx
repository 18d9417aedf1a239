import type { Advice } from "../../../../src/features/actions/advice.ts";
import type { Answers } from "../../answerTypes.ts";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { type Place, ToSettings } from "../../components/ToSettings.tsx";
import { figure } from "../../format.ts";
import { hashOf } from "../../route.ts";
import { t } from "../../text.ts";
import { linkText, textOf } from "../overview/adviceText.ts";
import type { AdviceState } from "../overview/useAdvice.ts";
import { attentionTo } from "./attention.ts";

type Finding = Answers["DataQuality"]["findings"][number];

interface Props {
  readonly findings: readonly Finding[];
  /** What the figures of the period lack is among it. */
  readonly advice: readonly Advice[];
  /** Whether all answers are there that say what is missing. */
  readonly state: AdviceState;
  readonly retry: () => void;
  readonly hasLanded: boolean;
}

/** What does not count or is missing, each thing once, and what to do about it. */
export function Findings({ findings, advice, state, retry, hasLanded }: Props) {
  const words = t().data;
  const all = attentionTo(findings, advice);
  return (
    <>
      {state === "failed" && (
        <p class="actions-unknown">
          {t().cockpit.notAllKnown}{" "}
          <button type="button" class="link" onClick={retry}>
            {t().failure.retry}
          </button>
        </p>
      )}
      {state !== "failed" && all.length === 0 && (
        <EmptySmall>{hasLanded ? words.noFindings : words.nothingToCheck}</EmptySmall>
      )}
      <ul class="findings">
        {all.map(({ finding, gaps }) =>
          finding ? (
            <FindingItem key={finding.kind} finding={finding} gaps={gaps} />
          ) : (
            gaps.map((gap) => <GapItem key={keyOf(gap)} gap={gap} />)
          ),
        )}
      </ul>
    </>
  );
}

/** Where in the settings something can be done about it. */
const PLACE_OF_GAP: Readonly<Partial<Record<Advice["name"], Place>>> = {
  margin: "margin",
  media: "connections",
  funnel: "funnel",
  stale: "connections",
  goods: "costs",
  costs: "costs",
  unclassified: "campaigns",
  unclassifiable: "campaigns",
};
const PLACE_OF_FINDING: Readonly<Record<string, Place>> = {
  unconfiguredFolders: "connections",
  storesInUtc: "connections",
  unclassifiedCampaigns: "campaigns",
  itemsWithoutCost: "costs",
  unknownCosts: "costs",
  hiddenSpend: "stores",
  unknownPayments: "payments",
  oldData: "connections",
  emptyIntegrations: "files",
  silentIntegrations: "files",
};

const keyOf = ({ name, args }: Advice): string => `${name} ${args?.store ?? ""}`;

/** What only the figures of the period lack. */
function GapItem({ gap }: { gap: Advice }) {
  const words = t().data;
  return (
    <li class="finding finding-notice">
      <GapText gap={gap} />
      <p class="finding-advice">
        <span class="muted">{words.toDo}:</span> {words.todo[gap.name]}{" "}
        {PLACE_OF_GAP[gap.name] && <ToSettings place={PLACE_OF_GAP[gap.name] as Place} />}
      </p>
    </li>
  );
}

const GapText = ({ gap }: { gap: Advice }) => (
  <p data-gap={gap.name}>
    {/* How old the data are is no matter of the period. */}
    {gap.name !== "stale" && <span class="muted">{t().data.inPeriod}: </span>}
    {textOf(gap)} {gap.view !== "data" && <a href={hashOf(gap.view, gap.args)}>{linkText(gap)}</a>}
  </p>
);

function FindingItem({ finding, gaps }: { finding: Finding; gaps: readonly Advice[] }) {
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
      {gaps.map((gap) => (
        <GapText key={keyOf(gap)} gap={gap} />
      ))}
      {advice && (
        <p class="finding-advice">
          <span class="muted">{words.toDo}:</span> {advice}{" "}
          {PLACE_OF_FINDING[kind] && <ToSettings place={PLACE_OF_FINDING[kind] as Place} />}
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
