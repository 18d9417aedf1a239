import type { Logger } from "pino";
import type { Endpoint } from "../contract/endpoint.ts";
import { type Accepted, loggable } from "../contract/param.ts";

/** What a SQL file ran for. */
interface Asked {
  readonly endpoint: Endpoint;
  readonly organizationId: string;
  readonly accepted: Accepted;
  readonly requestId: string;
}

/** A line of the log for each SQL file that ran longer: enough to run it again, and nothing of a person. */
export function slowQueries(slowMs: number, log: Logger) {
  return ({ endpoint, organizationId, accepted, requestId }: Asked, sql: string, milliseconds: number): void => {
    if (milliseconds <= slowMs) return;
    const { organizationId: _, ...params } = endpoint.params;
    log.warn(
      {
        sql,
        milliseconds: Math.round(milliseconds),
        endpoint: endpoint.path,
        organization: organizationId,
        parameters: loggable(params, accepted),
        requestId,
      },
      "slow query",
    );
  };
}
