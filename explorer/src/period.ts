import { daysBefore, isDay, monthsBefore, today } from "./days.ts";
import { arg } from "./route.ts";

export const PRESETS = ["7d", "30d", "90d", "12m", "month", "lastMonth", "all"] as const;
export type Preset = (typeof PRESETS)[number];
export const DEFAULT_PRESET: Preset = "12m";

/** Both days are inclusive; without them the period is the whole history. */
export interface Period {
  readonly from?: string;
  readonly to?: string;
}

/** A period with both days, for endpoints that do not accept the whole history. */
export interface Days {
  readonly from: string;
  readonly to: string;
  /** Whether the chosen period is longer. */
  readonly isCut: boolean;
}

const MAX_DAYS = 365;
const DAYS: Readonly<Partial<Record<Preset, number>>> = { "7d": 7, "30d": 30, "90d": 90, "12m": MAX_DAYS };

/** The preset in the address, or "custom" if the address has two days. */
export function chosen(): Preset | "custom" {
  if (isDay(arg("from")) && isDay(arg("to"))) return "custom";
  return PRESETS.find((preset) => preset === arg("period")) ?? DEFAULT_PRESET;
}

/** The chosen period. Presets end on the last day with a sale, so that an inactive store still shows data. */
export function periodUntil(last: string): Period {
  const preset = chosen();
  if (preset === "custom") {
    const [from, to] = [arg("from"), arg("to")].sort();
    return { from: from ?? last, to: to ?? last };
  }
  if (preset === "all") return {};
  if (preset === "month") return { from: monthsBefore(last, 0), to: last };
  if (preset === "lastMonth") return { from: monthsBefore(last, 1), to: daysBefore(monthsBefore(last, 0), 1) };
  return { from: daysBefore(last, (DAYS[preset] ?? MAX_DAYS) - 1), to: last };
}

/** The last days of a period, at most a year. */
export function yearOf({ from, to }: Period, last: string): Days {
  const end = [to ?? last, today()].sort()[0] ?? last;
  const earliest = daysBefore(end, MAX_DAYS - 1);
  const start = from === undefined || from < earliest ? earliest : from;
  return { from: start > end ? end : start, to: end, isCut: from === undefined || from < earliest };
}
