import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Answer } from "../answer.ts";
import type { Asked } from "../api.ts";
import { sqlOf } from "../openapi.ts";
import { t } from "../text.ts";
import { Actions, Source } from "./Actions.tsx";
import { Problem } from "./Problem.tsx";

interface Props<T> {
  readonly name: string;
  readonly title: string;
  readonly asked: Asked;
  readonly answer: Answer<T>;
  readonly note?: ComponentChildren;
  readonly controls?: ComponentChildren;
  readonly wide?: boolean;
  /** The SQL files behind it, where they are some of those behind the answer. */
  readonly sql?: readonly string[];
  /** The picture itself. */
  readonly children: (data: T) => ComponentChildren;
  /** The same figures as a table, for a picture that is drawn. */
  readonly table?: (data: T) => ComponentChildren;
}

/** Something to look at, with its title, its question, and what is the case while there is no answer. */
export function Picture<T>(props: Props<T>) {
  const { name, title, asked, answer, note, controls, wide, children, table } = props;
  const [isTable, setTable] = useState(false);
  const data = answer.state === "failed" ? undefined : answer.data;
  const isWaiting = answer.state === "waiting";
  return (
    <section class={`picture${wide ? " wide" : ""}`} aria-labelledby={`${name}-title`} data-picture={name}>
      <header>
        <h2 id={`${name}-title`}>{title}</h2>
        <div class="picture-tools">
          {controls}
          {table && (
            <button type="button" class="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
              {t().actions.table}
            </button>
          )}
          <Actions asked={asked} />
        </div>
      </header>
      {note && <p class="note">{note}</p>}
      <div class={`picture-body${isWaiting ? " waiting" : ""}`} aria-busy={isWaiting}>
        {answer.state === "failed" && <Problem failure={answer.failure} retry={answer.retry} />}
        {isWaiting && data === undefined && (
          <p class="skeleton" role="status">
            {t().loading}
          </p>
        )}
        {data !== undefined && (isTable && table ? table(data) : children(data))}
      </div>
      <Source files={props.sql ?? sqlOf(asked.path)} />
    </section>
  );
}
