import type { Logger } from "pino";
import type { Endpoint } from "../contract/endpoint.ts";
import type { Accepted } from "../contract/param.ts";
import { loggable } from "../params/kinds.ts";

/** The request that a SQL file ran for. */
interface SlowRequest {
  readonly endpoint: Endpoint;
  readonly organizationId: string;
  readonly accepted: Accepted;
  readonly requestId: string;
}

/** Logs each SQL file that ran longer: enough to run it again, without personal data. */
export function slowQueries(slowMs: number, log: Logger) {
  return ({ endpoint, organizationId, accepted, requestId }: SlowRequest, sql: string, milliseconds: number): void => {
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
