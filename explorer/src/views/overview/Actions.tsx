import { useState } from "preact/hooks";
import type { Advice } from "../../../../src/features/actions/advice.ts";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { Icon } from "../../components/Icon.tsx";
import { figure, hero } from "../../format.ts";
import { hashOf } from "../../route.ts";
import { t } from "../../text.ts";
import { linkText, textOf } from "./adviceText.ts";
import type { AdviceState } from "./useAdvice.ts";

interface Props {
  readonly advice: readonly Advice[];
  readonly state: AdviceState;
  readonly retry: () => void;
}

/** The first ones; a button shows the others. */
const FIRST = 3;

/** What to do, by the rules of `advice.ts`. Its place is kept while it loads. */
export function Actions({ advice, state, retry }: Props) {
  const [isOpen, setOpen] = useState(false);
  const words = t().cockpit;
  const isWaiting = state === "waiting";
  const shown = isWaiting ? [] : isOpen ? advice : advice.slice(0, FIRST);
  return (
    <section
      class={`card-box span-12 actions-card${isWaiting ? " is-waiting" : ""}`}
      aria-label={words.asks.act}
      data-actions={isWaiting ? "loading" : state === "failed" ? "failed" : advice.length}
    >
      {state === "failed" && (
        <p class="actions-unknown">
          <Icon name="alert" /> {words.notAllKnown}{" "}
          <button type="button" class="link" onClick={retry}>
            {t().failure.retry}
          </button>
        </p>
      )}
      {state === "ready" && advice.length === 0 && <EmptySmall>{words.nothingToDo}</EmptySmall>}
      {shown.length > 0 && (
        <ol class="actions">
          {shown.map((one) => (
            <li
              key={`${one.name} ${one.name === "target" ? one.figure : (one.args?.store ?? "")}`}
              class={`is-${one.is}`}
              data-advice={one.name}
            >
              <span class="action-kind">
                <Icon name={one.is === "fire" ? "alert" : "info"} />
                {one.is === "fire" ? words.fire : words.gap}
              </span>
              <span class="action-text">
                {textOf(one)}
                {one.stake !== undefined && one.stake > 0 && (
                  <small class="action-stake"> {words.stake(hero(one.stake, "currency"))}</small>
                )}
              </span>
              <a href={hashOf(one.view, one.args)}>{linkText(one)}</a>
            </li>
          ))}
        </ol>
      )}
      {!isWaiting && advice.length > FIRST && (
        <button type="button" class="link actions-all" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? words.showLess : words.showAll(figure(advice.length, "count"))}
        </button>
      )}
    </section>
  );
}
