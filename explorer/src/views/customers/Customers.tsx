import { dataOf, useAnswer } from "../../answer.ts";
import type { Break, Cohorts, Paybacks } from "../../answers.ts";
import type { Query } from "../../api.ts";
import { Banner } from "../../components/Banner.tsx";
import { Bar, Select, wordsOf } from "../../components/Controls.tsx";
import { Segmented } from "../../components/Segmented.tsx";
import { arg, oneOf, set } from "../../route.ts";
import { hasAds, organization } from "../../session.ts";
import { lastDay, usePeriod } from "../../stores.ts";
import { t } from "../../text.ts";
import { labelOf } from "./breaks.ts";
import { Cumulative } from "./Cumulative.tsx";
import { chosenOf, GROUPS, isBreak, isPaid, MEASURES, type Measure, partsOf } from "./choices.ts";
import { type GroupBy, usualGroup } from "./cohortSteps.ts";
import { hasSpend } from "./curves.ts";
import { Forecast } from "./Forecast.tsx";
import { NewOrRecurring } from "./NewOrRecurring.tsx";
import { Payback } from "./Payback.tsx";
import { Steps } from "./Steps.tsx";
import { Values } from "./Values.tsx";

/** With fewer cohorts, the page suggests a longer period. */
const FEW = 3;

export function Customers() {
  const { from, to } = usePeriod();
  const last = lastDay();
  const measure = oneOf<Measure>("count", MEASURES);
  const asked: Break = isBreak(arg("break")) ? arg("break") : "";
  const hasCurves = isPaid(asked);
  const breakBy: Break = measure === "cumulative" && !hasCurves ? "" : asked;
  const usual = usualGroup(from ?? organization.value?.firstDay ?? last, to ?? last);
  const groupBy = measure === "cumulative" ? "month" : oneOf<GroupBy>("group", [usual, ...GROUPS]);
  const days = { startDate: from, endDate: to };
  const cohorts: Query = {
    path: "/v1/profitability/cohort",
    params: { ...days, view: measure === "revenue" ? "revenue" : "logo", groupBy, breakBy },
  };
  const paybacks: Query = { path: "/v1/profitability/payback", params: { ...days, breakBy: hasCurves ? breakBy : "" } };
  const cohortAnswer = useAnswer<Cohorts>(cohorts);
  const paybackAnswer = useAnswer<Paybacks>(paybacks);
  const words = t().cohort;
  const parts = dataOf(cohortAnswer);
  const chosen = chosenOf(parts?.data ?? [], breakBy);
  const about = breakBy !== "" && chosen[0] ? `: ${labelOf(chosen[0], partsOf(breakBy))}` : "";
  const paid = chosenOf(dataOf(paybackAnswer)?.data ?? [], hasCurves ? breakBy : "");
  // Without any spend there is nothing to compare the lines with.
  const span = !hasAds.value || (paid.length > 0 && !paid.some(hasSpend)) ? 12 : 6;
  const count = new Set(parts?.data.map(({ cohortMonth }) => cohortMonth)).size;
  return (
    <div class="page customers">
      <Controls measure={measure} groupBy={groupBy} usual={usual} breakBy={breakBy} />
      {parts && count < FEW && groupBy === "month" && (
        <Banner tone="info" action={{ text: words.moreMonths, act: () => set({ period: "12m", from: "", to: "" }) }}>
          {words.few(count)}
        </Banner>
      )}
      {breakBy !== "" && <Values query={cohorts} answer={cohortAnswer} breakBy={breakBy} />}
      {measure === "cumulative" ? (
        <Cumulative query={paybacks} answer={paybackAnswer} breakBy={breakBy} about={about} span={span} />
      ) : (
        <Steps
          query={cohorts}
          answer={cohortAnswer}
          view={measure}
          groupBy={groupBy}
          breakBy={breakBy}
          last={last}
          about={about}
          span={span}
        />
      )}
      <Payback
        query={paybacks}
        answer={paybackAnswer}
        about={hasCurves ? about : ""}
        rows={paid}
        span={span}
        isBroken={hasCurves && breakBy !== ""}
        note={hasCurves ? undefined : t().payback.otherBreak}
      />
      <Forecast />
      <NewOrRecurring />
    </div>
  );
}

interface ControlsProps {
  readonly measure: Measure;
  readonly groupBy: GroupBy;
  /** Without a choice. */
  readonly usual: GroupBy;
  readonly breakBy: Break;
}

function Controls({ measure, groupBy, usual, breakBy }: ControlsProps) {
  const words = t().cohort;
  const offered = wordsOf(words.breaks).filter(([name]) => measure !== "cumulative" || isPaid(name));
  const [first = "", second = ""] = partsOf(breakBy);
  const choose = (...parts: readonly string[]): void =>
    set({ break: parts.filter(Boolean).join(","), value: "", cohort: "" });
  return (
    <Bar label={words.controls}>
      <Segmented
        label={words.measure}
        options={MEASURES.map((name) => [name, words.measures[name]] as const)}
        value={measure}
        change={(count) => set({ count: count === "logo" ? "" : count })}
      />
      {measure !== "cumulative" && (
        <>
          <Segmented
            label={words.group}
            isLabelled
            options={GROUPS.map((name) => [name, words.groups[name]] as const)}
            value={groupBy}
            change={(group) => set({ group: group === usual ? "" : group })}
          />
          <Segmented
            label={words.show}
            options={[
              ["pct", words.shows.pct],
              ["absolute", words.shows.absolute],
            ]}
            value={oneOf("show", ["pct", "absolute"])}
            change={(show) => set({ show: show === "pct" ? "" : show })}
          />
        </>
      )}
      <Select<string>
        label={words.breakBy}
        options={offered}
        value={first}
        change={(next) => choose(next, next === second || next === "" ? "" : second)}
      />
      {first !== "" && (
        <Select<string>
          label={words.crossBy}
          options={[["", words.noCross], ...offered.filter(([name]) => name !== "" && name !== first)]}
          value={second}
          change={(next) => choose(first, next)}
        />
      )}
    </Bar>
  );
}
