import type { Advice } from "../../advice.ts";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { Icon } from "../../components/Icon.tsx";
import { hashOf } from "../../route.ts";
import { t } from "../../text.ts";
import { linkText, textOf } from "./adviceText.ts";

interface Props {
  readonly advice: readonly Advice[];
  readonly isSettled: boolean;
}

/** More would not be a short list. */
const MOST = 7;

/** What to do, by the rules of `advice.ts`. */
export function Actions({ advice, isSettled }: Props) {
  const words = t().cockpit;
  return (
    <section
      class="card-box span-12"
      aria-labelledby="actions-title"
      data-actions={isSettled ? advice.length : "loading"}
    >
      <header class="card-head">
        <h2 id="actions-title">{words.actions}</h2>
      </header>
      {isSettled && advice.length === 0 && <EmptySmall>{words.nothingToDo}</EmptySmall>}
      <ol class="actions">
        {advice.slice(0, MOST).map((one) => (
          <li
            key={`${one.name} ${one.name === "target" ? one.figure : ""}`}
            class={`is-${one.is}`}
            data-advice={one.name}
          >
            <span class="action-kind">
              <Icon name={one.is === "fire" ? "alert" : "info"} />
              {one.is === "fire" ? words.fire : words.gap}
            </span>
            <span class="action-text">{textOf(one)}</span>
            <a href={hashOf(one.view, one.args)}>{linkText(one)}</a>
          </li>
        ))}
      </ol>
    </section>
  );
}
