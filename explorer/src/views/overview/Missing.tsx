import { useState } from "preact/hooks";
import type { Advice } from "../../advice.ts";
import { Icon } from "../../components/Icon.tsx";
import { hashOf } from "../../route.ts";
import { t } from "../../text.ts";
import { linkText, textOf } from "./adviceText.ts";

interface Props {
  readonly advice: readonly Advice[];
  /** Whether all answers that advice is read off are there. */
  readonly isSettled: boolean;
}

/** What the figures lack, in one line with its action; a button shows the others. Its place is kept while it loads. */
export function Missing({ advice, isSettled }: Props) {
  const [isOpen, setOpen] = useState(false);
  const words = t().cockpit;
  if (!isSettled && advice.length === 0) return <div class="missing missing-none" data-missing="loading" />;
  const shown = isOpen ? advice : advice.slice(0, 1);
  return (
    <section
      class={`missing${advice.length === 0 ? " missing-none" : ""}`}
      aria-label={advice.length === 0 ? words.complete : words.missing(advice.length)}
      data-missing={advice.length}
    >
      <Icon name={advice.length === 0 ? "check" : "alert"} />
      {advice.length === 0 ? (
        <p>{words.complete}</p>
      ) : (
        <ul>
          {shown.map((one) => (
            <li key={one.name} data-advice={one.name}>
              <span>{textOf(one)}</span> <a href={hashOf(one.view, one.args)}>{linkText(one)}</a>
            </li>
          ))}
        </ul>
      )}
      {advice.length > 1 && (
        <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? words.showLess : words.showAll(advice.length - 1)}
        </button>
      )}
    </section>
  );
}
