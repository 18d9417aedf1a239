import { addDays, dayIn, daysBetween, earlierOf, laterOf } from "../../core/time/days.ts";
import { beginningOf, type Span, windowStart, windowsOf } from "./days.ts";
import type { Page, RecordPull, Session, Window } from "./declaration.ts";
import type { RecordState, Sweep } from "./state.ts";

/** Days that ads and analytics restate [D63]. */
const RESTATED_DAYS = 28;
const END_OF_DAYS = "9999-12-31";
/** A pull by change begins so many days before the last complete one. */
const OVERLAP_DAYS = 1;

/** When a sweep is made: by whose clock, and in which zone its days are. */
type Now = Pick<Session, "today" | "timezone" | "now">;

const earlierInstant = (a: string, b: string): string => (Date.parse(a) < Date.parse(b) ? a : b);

/** The sweep that follows a state: over everything at first, then over what may have changed [D63]. */
export function newSweep(pull: RecordPull, state: RecordState, since: string, { today, timezone, now }: Now): Sweep {
  const { completeAt, until, again } = state;
  const { mode, windowDays, dayOf, againDays = RESTATED_DAYS } = pull;
  const began = now.toISOString();
  const first = completeAt === undefined;
  if (first || mode === "whole") return { began, from: since, to: today, first };
  const last = dayIn(timezone, new Date(until === undefined ? completeAt : earlierInstant(until, completeAt)));
  if (mode === "days") {
    // Without a row ever, nothing is known to be complete.
    const seen = dayOf ? (again ?? since) : last;
    const day = earlierOf(seen, addDays(last, -againDays));
    return { began, from: laterOf(since, windowStart(day, windowDays)), to: today, first };
  }
  return { began, from: laterOf(since, addDays(last, -OVERLAP_DAYS)), to: today, first };
}

/** Whether a sweep that was interrupted is resumed: a first one only if it covers all days that are asked for now. */
export const isResumable = (sweep: Sweep, { completeAt }: RecordState, since: string): boolean =>
  sweep.first ? sweep.from <= since : completeAt !== undefined;

/** The windows of a sweep in the order in which they are asked for: the newest first where rows say their day. */
export function windowsIn(pull: RecordPull, sweep: Sweep): Span[] {
  const isWhole = pull.mode === "whole";
  const spans = windowsOf(sweep.from, sweep.to, isWhole ? undefined : longestWindow(pull, sweep));
  return pull.dayOf ? spans.reverse() : spans;
}

function longestWindow({ dayOf, windowDays, firstWindowDays = windowDays }: RecordPull, sweep: Sweep) {
  const { first, from, to } = sweep;
  // An account without rows for long is asked for its whole history again.
  const isLong = dayOf && daysBetween(from, to) > 2 * (firstWindowDays ?? 0);
  return first || isLong ? firstWindowDays : windowDays;
}

export const isDone = ({ dayOf }: RecordPull, { backTo, through }: Sweep, { from, to }: Span): boolean =>
  dayOf ? from >= (backTo ?? END_OF_DAYS) : to <= (through ?? "");

/** A sweep after a page of one of its windows. */
export function afterPage(pull: RecordPull, sweep: Sweep, span: Span, page: Page): Sweep {
  const again = sweep.again ?? againFrom(pull, page, span);
  const { keep, until } = page;
  return {
    ...sweep,
    ...(again === undefined ? {} : { again }),
    ...(keep === undefined ? {} : { keep }),
    ...(until === undefined ? {} : { until: earlierInstant(until, sweep.until ?? until) }),
  };
}

/**
 * The first day that the next pull asks for again, by the newest window with rows: its figures may have appeared while it
 * was read, and those before it were read later.
 */
function againFrom({ dayOf, againDays = RESTATED_DAYS }: RecordPull, { objects = [] }: Page, { from }: Span) {
  const newest = dayOf && objects.reduce<string>((day, row) => laterOf(day, dayOf(row) ?? ""), "");
  return newest ? earlierOf(from, addDays(newest, -againDays)) : undefined;
}

/** A sweep after the last page of one of its windows. */
export const afterWindow = ({ dayOf }: RecordPull, sweep: Sweep, { from, to }: Span): Sweep => ({
  ...sweep,
  ...(dayOf ? { backTo: from } : { through: to }),
});

/** The name of a window's files: the same for the same window, so that a pull of it later replaces them. */
export function windowName({ mode }: RecordPull, { first }: Sweep, { from, to, end }: Span, today: string): string {
  if (mode === "whole") return "whole";
  const last = to === today ? end : to;
  return mode === "days" ? `${from}_${last}` : `${first ? "created" : "changed"}-${from}_${last}`;
}

/** A window as the connector is asked for it. */
export function windowAsked(
  { first, keep }: Sweep,
  { from, to }: Span,
  since: string,
  resume: unknown,
  at: Now,
): Window {
  const end = beginningOf(addDays(to, 1), at.timezone).getTime();
  return {
    from,
    to,
    fromInstant: beginningOf(from, at.timezone).toISOString(),
    toInstant: new Date(Math.min(end, at.now.getTime())).toISOString(),
    first,
    sinceInstant: beginningOf(since, at.timezone).toISOString(),
    ...(resume === undefined ? {} : { resume }),
    ...(keep === undefined ? {} : { kept: keep }),
  };
}

/** The state of a record whose sweep has ended. */
export const completeState = (
  state: RecordState,
  done: Sweep,
  since: string,
  notes: readonly string[],
): RecordState => {
  const { until, keep, again = state.again } = done;
  return {
    since: earlierOf(since, state.since ?? since),
    completeAt: done.began,
    ...(until === undefined ? {} : { until }),
    ...(again === undefined ? {} : { again }),
    ...(keep === undefined ? {} : { keep }),
    ...(notes.length > 0 ? { notes } : {}),
  };
};
