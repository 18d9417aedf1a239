import { DAY_MS } from "./days.ts";

/** To make one takes longer than to use it for a hundred instants. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  clocks.set(zone, clock);
  return clock;
}

/** The offset of a zone at an instant, in milliseconds. */
function offsetOf(instant: number, zone: string): number {
  const parts = clockOf(zone).formatToParts(instant);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  return (
    Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second")) -
    Math.floor(instant / 1000) * 1000
  );
}

/** How many days of a zone are remembered: those of a century. */
const MOST_DAYS = 40_000;
/** By zone and day: its offset, or null if that changes on this day. */
const days = new Map<string, Map<number, number | null>>();

/** The same, looked up once for all instants of a day. */
function knownOffset(instant: number, zone: string): number {
  const own = days.get(zone) ?? new Map<number, number | null>();
  days.set(zone, own);
  const day = Math.floor(instant / DAY_MS);
  let offset = own.get(day);
  if (offset === undefined) {
    const first = offsetOf(day * DAY_MS, zone);
    offset = first === offsetOf((day + 1) * DAY_MS, zone) ? first : null;
    if (own.size >= MOST_DAYS) own.clear();
    own.set(day, offset);
  }
  return offset ?? offsetOf(instant, zone);
}

/** The first instant after the gap of a local time that a clock has skipped: between the two instants that it might be. */
function afterGap(local: number, zone: string): number {
  const offsets = [offsetOf(local - DAY_MS, zone), offsetOf(local + DAY_MS, zone)];
  let [before, after] = [local - Math.max(...offsets), local - Math.min(...offsets)];
  const offset = offsetOf(after, zone);
  while (after - before > 1000) {
    const middle = Math.floor((before + after) / 2000) * 1000;
    if (offsetOf(middle, zone) === offset) after = middle;
    else before = middle;
  }
  return after;
}

/**
 * A local time (`2025-01-15 10:00`) as an instant; one that does not exist is the first instant after the gap. Other texts are
 * returned unchanged, also those with a zone.
 */
export function instantIn(text: string | undefined, zone: string): string | undefined {
  const parts = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(:\d{2})?)?$/.exec(text ?? "");
  if (!parts) return text;
  const local = Date.parse(`${parts[1]}T${parts[2] ?? "00:00"}${parts[3] ?? ":00"}Z`);
  if (Number.isNaN(local)) return text;
  const first = local - knownOffset(local, zone);
  const instant = local - knownOffset(first, zone);
  const exists = instant + knownOffset(instant, zone) === local;
  return new Date(exists ? instant : afterGap(local, zone)).toISOString();
}
