import type { AnyEndpoint } from "../contract/endpoint.ts";
import { ApiError } from "../contract/error.ts";
import { wording } from "../contract/failures.ts";
import type { PeriodRule } from "../contract/param.ts";
import { addDays, dayIn } from "../time/days.ts";
import { addressed } from "./explained.ts";
import type { Sent } from "./validate.ts";

/** The clock of an organization: the time, and the zones of its accounts. */
export interface DataClock {
  readonly now: Date;
  readonly timezones: readonly string[];
}

/** The days of a request whose period is always the last full ones [D57]. */
export function withLastDays(endpoint: AnyEndpoint, query: Sent, days: number, clock: DataClock): Sent {
  const { start, end } = periodOf(endpoint, query);
  const last = lastFullDay(clock);
  return { ...query, [start]: addDays(last, 1 - days), [end]: last };
}

/** The parameters that the days fill in: those of the first period; of an explanation, those of what it explains. */
function periodOf(endpoint: AnyEndpoint, query: Sent): PeriodRule {
  const about = endpoint.by === "explain" ? addressed(endpoint.of, String(query.endpoint))?.endpoint : endpoint;
  const [period] = about?.periods ?? [];
  if (!period) throw new ApiError("invalid", [{ parameter: "days", message: wording.noPeriod }]);
  const sent = [period.start, period.end].filter((name) => query[name] !== undefined);
  if (sent.length > 0) {
    throw new ApiError(
      "invalid",
      sent.map((parameter) => ({ parameter, message: wording.periodOfDays })),
    );
  }
  return period;
}

/** The last day that is over in every time zone of the organization. */
function lastFullDay({ now, timezones }: DataClock): string {
  const zones = timezones.length > 0 ? timezones : ["UTC"];
  const [earliest = ""] = zones.map((zone) => dayIn(zone, now)).sort();
  return addDays(earliest, -1);
}
