import type { ComponentChildren } from "preact";
import type { Failure } from "../api.ts";
import { type Read, Refusal } from "../platform/request.ts";
import { said, t } from "../text.ts";
import { refused as WORDS } from "../words/later/refused.ts";

interface RefusedProps {
  readonly failure: Failure | undefined;
  readonly retry?: (() => void) | undefined;
  /** Of something that changed meanwhile: what is there now, in words. */
  readonly show?: (present: unknown) => ComponentChildren;
  /** Makes the change on top of what is there now. */
  readonly redo?: ((present: Read<unknown>) => void) | undefined;
  /** Gives up the change for what is there now. */
  readonly keep?: (() => void) | undefined;
}

/** Why the platform refused something, in its own words, and what can be done. Nothing without a failure. */
export function Refused({ failure, retry, show, redo, keep }: RefusedProps) {
  const words = said(WORDS);
  if (!failure) return null;
  if (!(failure instanceof Refusal))
    return (
      <div class="problem" role="alert">
        <p class="problem-title">{t().failure[failure.kind]}</p>
        <p>{failure.kind === "network" ? words.network : failure.message}</p>
        {retry && <Again retry={retry} />}
      </div>
    );
  const { present } = failure;
  if (present)
    return (
      <div class="problem problem-busy" role="alert">
        <p class="problem-title">{words.changedNow}</p>
        {show && <div>{show(present.data)}</div>}
        <div class="problem-actions">
          {redo && (
            <button type="button" onClick={() => redo(present)}>
              {words.useMine}
            </button>
          )}
          {keep && (
            <button type="button" onClick={keep}>
              {words.useTheirs}
            </button>
          )}
        </div>
      </div>
    );
  const details = failure.details.filter(({ message }) => message !== failure.message);
  return (
    <div class={`problem problem-${failure.kind}`} role="alert">
      <p class="problem-title">{failure.message || t().failure[failure.kind]}</p>
      {failure.reason === "interrupted" && <p>{words.interrupted}</p>}
      {details.length > 0 && (
        <ul>
          {details.map(({ parameter, message }) => (
            <li key={`${parameter} ${message}`}>
              {parameter && <code>{parameter}</code>} {message}
            </li>
          ))}
        </ul>
      )}
      {failure.requestId && (
        <p>
          {t().failure.requestId} <code>{failure.requestId}</code>
        </p>
      )}
      {retry && ["limited", "busy", "unforeseen"].includes(failure.kind) && <Again retry={retry} />}
    </div>
  );
}

/** Nothing is repeated by itself: it may be a change. */
const Again = ({ retry }: { retry: () => void }) => (
  <div class="problem-actions">
    <button type="button" onClick={retry}>
      {t().failure.retry}
    </button>
  </div>
);
