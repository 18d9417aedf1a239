import { EmptySmall } from "../../components/EmptySmall.tsx";
import { figure } from "../../format.ts";
import { ofOrganization } from "../../platform/request.ts";
import { useResource } from "../../platform/use.ts";
import { said } from "../../text.ts";
import { campaigns as CAMPAIGNS } from "../../words/later/campaigns.ts";
import { useDraft } from "./draft.ts";
import { Failed } from "./failed.tsx";
import { Part } from "./fields.tsx";
import { mergedList } from "./merged.ts";
import { SaveBar } from "./SaveBar.tsx";

interface Stages {
  readonly interest: readonly string[];
  readonly decision: readonly string[];
}

interface Event {
  readonly event: string;
  readonly count: number | string;
  readonly recent: number | string;
}

/** Which events of the site show interest, and which decision. */
export function Funnel() {
  const words = said(CAMPAIGNS);
  const draft = useDraft<Stages>("funnel", {
    empty: { interest: [], decision: [] },
    merged: (base, own, theirs) => ({
      interest: mergedList(base.interest, own.interest, theirs.interest),
      decision: mergedList(base.decision, own.decision, theirs.decision),
    }),
  });
  const { data, failure, reload } = useResource<{ data: readonly Event[] }>(ofOrganization("events"));
  const found = draft.failure && !draft.base ? draft.failure : data ? undefined : failure;
  if (found) return <Failed failure={found} retry={() => void Promise.all([draft.reload(), reload()])} />;
  const { now } = draft;
  if (!now || !data) return <p class="skeleton skeleton-large" />;
  // Counts of a day and a name can be larger than a number of JSON, so that they are texts.
  const seen = data.data.map((one) => ({ ...one, count: Number(one.count), recent: Number(one.recent) }));
  const unseen = [...new Set([...now.interest, ...now.decision])].filter(
    (name) => !seen.some(({ event }) => event === name),
  );
  const rows = [...seen, ...unseen.map((event) => ({ event, count: 0, recent: 0 }))];
  const isFaulty = (now.interest.length === 0) !== (now.decision.length === 0);
  const sumOf = (names: readonly string[]): number =>
    seen.reduce((sum, { event, recent }) => sum + (names.includes(event) ? recent : 0), 0);
  const toggle = (stage: keyof Stages, event: string): void =>
    draft.change({
      ...now,
      [stage]: now[stage].includes(event) ? now[stage].filter((one) => one !== event) : [...now[stage], event],
    });
  const interest = sumOf(now.interest);
  if (rows.length === 0)
    return (
      <Part name="funnel" title={words.events}>
        <EmptySmall>{words.noEvents}</EmptySmall>
      </Part>
    );
  return (
    <>
      <Part name="funnel" title={words.events} lead={words.eventsLead}>
        <div class="effect-table">
          <table class="events">
            <thead>
              <tr>
                <th scope="col">{words.event}</th>
                <th scope="col">{words.recent}</th>
                <th scope="col" class="is-wide">
                  {words.total}
                </th>
                <th scope="col">{words.interest}</th>
                <th scope="col">{words.decision}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ event, count, recent }) => (
                <tr key={event} data-event={event}>
                  <th scope="row">{event}</th>
                  <td>{count === 0 ? words.unseen : figure(recent, "count")}</td>
                  <td class="is-wide">{figure(count, "count")}</td>
                  {(["interest", "decision"] as const).map((stage) => (
                    <td key={stage} class="is-tick">
                      <label>
                        <input
                          type="checkbox"
                          checked={now[stage].includes(event)}
                          aria-label={(stage === "interest" ? words.isInterest : words.isDecision)(event)}
                          onChange={() => toggle(stage, event)}
                        />
                      </label>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {isFaulty && (
          <p class="setting-error" role="status">
            {words.both}
          </p>
        )}
        {!isFaulty && interest > 0 && <p>{words.rate(figure(sumOf(now.decision) / interest, "ratio"))}</p>}
      </Part>
      <SaveBar
        hasEffect={false}
        isFaulty={isFaulty}
        sections={[
          {
            name: "funnel",
            draft,
            describe: (theirs) => {
              const stages = theirs as Stages;
              return (
                <p>
                  {words.interest}: {stages.interest.join(", ") || "–"}; {words.decision}:{" "}
                  {stages.decision.join(", ") || "–"}
                </p>
              );
            },
          },
        ]}
      />
    </>
  );
}
