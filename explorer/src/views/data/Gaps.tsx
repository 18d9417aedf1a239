import type { Advice } from "../../advice.ts";
import type { Answer } from "../../answer.ts";
import type { Cards } from "../../answers.ts";
import type { Query } from "../../api.ts";
import { Card } from "../../components/Card.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { hashOf } from "../../route.ts";
import { t } from "../../text.ts";
import { linkText, textOf } from "../overview/adviceText.ts";
import type { AdviceState } from "../overview/useAdvice.ts";

interface Props {
  readonly advice: readonly Advice[];
  /** Whether all answers are there that say what is missing. */
  readonly state: AdviceState;
  readonly retry: () => void;
  readonly query: Query;
  readonly answer: Answer<Cards>;
}

/** What the figures of the period lack, as the overview says it, and what to do about each. */
export function Gaps({ advice, state, retry, query, answer }: Props) {
  const words = t().data;
  const gaps = advice.filter((one) => one.is === "gap");
  return (
    <Card name="gaps" title={words.gaps} question={words.gapsQuestion} query={query} answer={answer}>
      {() => (
        <>
          {state === "failed" && (
            <p class="actions-unknown">
              {t().cockpit.notAllKnown}{" "}
              <button type="button" class="link" onClick={retry}>
                {t().failure.retry}
              </button>
            </p>
          )}
          {state === "ready" && gaps.length === 0 && <EmptySmall>{words.noGaps}</EmptySmall>}
          <ul class="findings">
            {gaps.map((one) => (
              <li key={one.name} class="finding finding-notice" data-gap={one.name}>
                <p>{textOf(one)}</p>
                <p class="finding-advice">
                  <span class="muted">{words.toDo}:</span> {words.todo[one.name]}{" "}
                  {one.view !== "data" && <a href={hashOf(one.view, one.args)}>{linkText(one)}</a>}
                </p>
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}
