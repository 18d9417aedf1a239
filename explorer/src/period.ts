import { daysBefore, isDay, monthsBefore, today } from "./days.ts";
import { arg } from "./route.ts";

export const PRESETS = ["7d", "30d", "90d", "12m", "month", "lastMonth", "all"] as const;
export type Preset = (typeof PRESETS)[number];
export const DEFAULT_PRESET: Preset = "12m";

/** Both days are in it; without them it is the whole history. */
export interface Period {
  readonly from?: string;
  readonly to?: string;
}

/** A part of history, for what cannot be asked for the whole of it. */
export interface Days {
  readonly from: string;
  readonly to: string;
  /** Whether it is shorter than the period that was chosen. */
  readonly isCut: boolean;
}

const MOST_DAYS = 365;
const DAYS: Readonly<Partial<Record<Preset, number>>> = { "7d": 7, "30d": 30, "90d": 90, "12m": MOST_DAYS };

/** The preset in the address, "custom" when it has days of its own. */
export function chosen(): Preset | "custom" {
  if (isDay(arg("from")) && isDay(arg("to"))) return "custom";
  return PRESETS.find((preset) => preset === arg("period")) ?? DEFAULT_PRESET;
}

/** The chosen period. Presets end on the last day with a sale: of a shop at rest they still show something. */
export function periodUntil(last: string): Period {
  const preset = chosen();
  if (preset === "custom") {
    const [from, to] = [arg("from"), arg("to")].sort();
    return { from: from ?? last, to: to ?? last };
  }
  if (preset === "all") return {};
  if (preset === "month") return { from: monthsBefore(last, 0), to: last };
  if (preset === "lastMonth") return { from: monthsBefore(last, 1), to: daysBefore(monthsBefore(last, 0), 1) };
  return { from: daysBefore(last, (DAYS[preset] ?? MOST_DAYS) - 1), to: last };
}

/** The same, of at most a year: its last days. */
export function yearOf({ from, to }: Period, last: string): Days {
  const end = [to ?? last, today()].sort()[0] ?? last;
  const earliest = daysBefore(end, MOST_DAYS - 1);
  const start = from === undefined || from < earliest ? earliest : from;
  return { from: start > end ? end : start, to: end, isCut: from === undefined || from < earliest };
}
