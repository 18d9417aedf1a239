import { useEffect, useState } from "preact/hooks";
import { limitedUntil } from "../api.ts";
import { t } from "../text.ts";

/** Says that the limit of requests is reached, and counts the seconds until the page goes on by itself. */
export function Waiting() {
  const until = limitedUntil.value;
  return until === undefined ? null : <Countdown until={until} />;
}

function Countdown({ until }: { until: number }) {
  const [seconds, setSeconds] = useState(() => secondsUntil(until));
  useEffect(() => {
    const count = (): void => setSeconds(secondsUntil(until));
    count();
    const timer = setInterval(count, 250);
    return () => clearInterval(timer);
  }, [until]);
  const words = t().failure;
  return (
    <div class="limit-note">
      <span role="status">{words.limitReached}</span>{" "}
      <span class="countdown" aria-live="off">
        {words.goesOn(seconds)}
      </span>
    </div>
  );
}

export const secondsUntil = (instant: number): number => Math.max(0, Math.ceil((instant - Date.now()) / 1000));
