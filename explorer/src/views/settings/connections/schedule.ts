/** When a source is fetched, as people choose it. */
export interface Schedule {
  readonly kind: "none" | "half" | "hour" | "daily" | "own";
  /** `HH:MM`, of `daily`. */
  readonly at: string;
}

const HALF = "*/30 * * * *";
const HOUR = "0 * * * *";

/** The choice that a cron expression is; one that is none of them stays as it is. */
export function scheduleOf(cron: string | null): Schedule {
  const at = "06:00";
  if (cron === null) return { kind: "none", at };
  if (cron === HALF) return { kind: "half", at };
  if (cron === HOUR) return { kind: "hour", at };
  const [, minute, hour] = /^(\d{1,2}) (\d{1,2}) \* \* \*$/.exec(cron) ?? [];
  return minute !== undefined && hour !== undefined
    ? { kind: "daily", at: `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}` }
    : { kind: "own", at };
}

export function cronOf({ kind, at }: Schedule, before: string | null): string | null {
  const [hour = "6", minute = "0"] = at.split(":");
  const all = { none: null, half: HALF, hour: HOUR, daily: `${Number(minute)} ${Number(hour)} * * *`, own: before };
  return all[kind];
}
