import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Answer } from "../answer.ts";
import type { Query } from "../api.ts";
import { sqlOf } from "../openapi.ts";
import { t } from "../text.ts";
import { Actions, Source } from "./Actions.tsx";
import { Problem } from "./Problem.tsx";

interface Props<T> {
  readonly name: string;
  readonly title: string;
  readonly query: Query;
  readonly answer: Answer<T>;
  readonly note?: ComponentChildren;
  readonly controls?: ComponentChildren;
  readonly wide?: boolean;
  /** The SQL files of this picture, if it uses only some of the answer's. */
  readonly sql?: readonly string[];
  readonly children: (data: T) => ComponentChildren;
  /** The figures of a chart as a table. */
  readonly table?: (data: T) => ComponentChildren;
}

/** A section with a title, actions and content; without an answer it shows the loading state or the error. */
export function Picture<T>(props: Props<T>) {
  const { name, title, query, answer, note, controls, wide, children, table } = props;
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
          <Actions query={query} />
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
      <Source files={props.sql ?? sqlOf(query.path)} />
    </section>
  );
}
