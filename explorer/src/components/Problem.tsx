import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { Failure } from "../api.ts";
import { computingOf, saidBy } from "../serviceTexts.ts";
import { t } from "../text.ts";
import { secondsUntil } from "./Waiting.tsx";

/** Shows an error, its possible action and the time until the automatic retry. */
export function Problem({ failure, retry }: { failure: Failure; retry: () => void }) {
  const { kind, message, details, retryAt, requestId } = failure;
  const words = t().failure;
  const computing = computingOf(message);
  // A layout effect, because the network may be back before a passive effect runs.
  useLayoutEffect(() => {
    if (kind !== "network") return;
    addEventListener("online", retry);
    return () => removeEventListener("online", retry);
  }, [kind, retry]);
  return (
    <div class={`problem problem-${kind}`} role={computing ? "status" : "alert"}>
      <p class="problem-title">{words[computing ?? kind]}</p>
      {kind === "network" && <p>{words.networkHint}</p>}
      {kind !== "network" && !computing && saidBy(message) && <p>{saidBy(message)}</p>}
      {details.length > 0 && (
        <ul>
          {details.map((detail) => (
            <li key={detail.parameter}>
              <code>{detail.parameter}</code> {saidBy(detail.message)}
            </li>
          ))}
        </ul>
      )}
      {requestId && kind === "unforeseen" && (
        <p>
          {words.requestId} <code>{requestId}</code>
        </p>
      )}
      <div class="problem-actions">
        {retryAt !== undefined && <Countdown until={retryAt} done={retry} />}
        {kind !== "limited" && kind !== "notFound" && kind !== "invalid" && (
          <button type="button" onClick={retry}>
            {words.retry}
          </button>
        )}
      </div>
    </div>
  );
}

/** Counts the seconds down. Screen readers announce only the first number. */
function Countdown({ until, done }: { until: number; done: () => void }) {
  const [seconds, setSeconds] = useState(() => secondsUntil(until));
  useEffect(() => {
    const timer = setInterval(() => {
      const left = secondsUntil(until);
      setSeconds(left);
      if (left > 0) return;
      clearInterval(timer);
      done();
    }, 250);
    return () => clearInterval(timer);
  }, [until, done]);
  return (
    <p class="countdown" aria-live="off">
      {t().failure.retryIn(seconds)}
    </p>
  );
}
