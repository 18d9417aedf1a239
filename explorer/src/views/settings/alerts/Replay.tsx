import { useId } from "preact/hooks";
import { useAnswer } from "../../../answer.ts";
import type { AlertReplay } from "../../../answers.ts";
import { Banner } from "../../../components/Banner.tsx";
import { Problem } from "../../../components/Problem.tsx";
import { day, figure } from "../../../format.ts";
import { said, t } from "../../../text.ts";
import { alerts as ALERTS } from "../../../words/later/alerts.ts";
import { type Alert, FIGURES, isRule, OF_THE_PRESENT, replayOf } from "./rule.ts";

/** So many causes are shown, the latest ones. */
const MOST_SHOWN = 12;

type Cause = AlertReplay["data"][number];

/** What an alert would have said over the history: how often, when, and what the data say of it. */
export function Replay({ alert, name }: { alert: Alert; name: string }) {
  const words = said(ALERTS);
  const id = useId();
  const hasHistory = isRule(alert) || !OF_THE_PRESENT.includes(alert.builtIn);
  const answer = useAnswer<AlertReplay>(
    hasHistory ? { path: "/v1/alerts/replay", params: replayOf(alert) } : undefined,
  );
  if (!hasHistory) return <p class="note">{words.noHistory}</p>;
  if (answer.state === "failed") return <Problem failure={answer.failure} retry={answer.retry} />;
  if (answer.state !== "ready")
    return (
      <p class="skeleton skeleton-medium">
        <span class="unseen">{t().frame.loading}</span>
      </p>
    );
  const { judgedDays, causes, isTooOften, isLongEnough, data } = answer.data;
  const unit = FIGURES[isRule(alert) ? alert.figure : alert.builtIn]?.unit ?? "units";
  const saysOf = ({ label, notes, endedCampaigns, silentStores }: Cause): string =>
    [
      label,
      notes && words.note(notes),
      endedCampaigns && words.ended(endedCampaigns),
      silentStores && words.quiet(silentStores),
    ]
      .filter(Boolean)
      .join("; ");
  return (
    <section aria-labelledby={id} data-replay={name}>
      <h4 id={id}>{words.result(name)}</h4>
      <p role="status">
        {judgedDays === 0
          ? words.notJudged
          : causes === 0
            ? words.silent(figure(judgedDays, "count"))
            : words.spoken(figure(causes, "count"), figure(judgedDays, "count"))}{" "}
        {judgedDays > 0 && !isLongEnough && words.tooShort}
      </p>
      {isTooOften && <Banner tone="warn">{words.tooOften}</Banner>}
      {data.length > 0 && (
        // It scrolls sideways on a phone.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it.
        <section class="table table-scrolls" tabIndex={0} aria-label={words.result(name)}>
          <table>
            <thead>
              <tr>
                {[words.since, words.until, words.was, words.expected, words.says].map((heading, n) => (
                  <th key={heading} scope="col" class={n === 2 || n === 3 ? "number" : ""}>
                    {heading}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.slice(0, MOST_SHOWN).map((cause, n) => (
                <tr key={`${cause.since} ${n}`}>
                  <th scope="row">{day(cause.since)}</th>
                  <td>{cause.until ? day(cause.until) : words.holds}</td>
                  <td class="number">{figure(cause.actual, unit)}</td>
                  <td class="number">{figure(cause.expected, unit)}</td>
                  <td>{saysOf(cause)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {data.length > MOST_SHOWN && <p class="note">{words.more(figure(data.length - MOST_SHOWN, "count"))}</p>}
    </section>
  );
}
