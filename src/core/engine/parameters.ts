import type { Endpoint } from "../contract/endpoint.ts";
import { type Accepted, type Params, snake } from "../contract/param.ts";
import { sqlTypeOf } from "../params/kinds.ts";
import type { Session, StructMember } from "./database.ts";

/** Sets `p`: the accepted values under snake-case names, each with the declared type, null if not sent. */
export async function setParameters(session: Session, params: Params, accepted: Accepted): Promise<void> {
  await session.setStruct("p", structMembersOf(params, accepted));
}

/** The parameters that the envelope reads, of an endpoint that has none. */
const UNDATED: Params = {
  startDate: { kind: "day", description: "Not sent." },
  endDate: { kind: "day", description: "Not sent." },
};

/** The accepted values, with the days of the envelope where the endpoint names them otherwise. */
export function withDates({ periods = [], params }: Endpoint, accepted: Accepted): Accepted {
  const [rule] = periods;
  if (!rule || params.startDate || params[rule.start]?.kind !== "settings") return accepted;
  return { ...accepted, startDate: accepted[rule.start] ?? null, endDate: accepted[rule.end] ?? null };
}

/** Sets what the queries of an endpoint read. */
export async function setVariables(
  session: Session,
  folder: string,
  { endpoint, accepted }: { readonly endpoint: Endpoint; readonly accepted: Accepted },
): Promise<void> {
  await session.set("marts", folder);
  const params = endpoint.envelope ? { ...UNDATED, ...endpoint.params } : endpoint.params;
  await setParameters(session, params, withDates(endpoint, accepted));
}

export const structMembersOf = (params: Params, accepted: Accepted): StructMember[] =>
  Object.entries(params)
    .filter(([, { kind }]) => kind !== "known")
    .map(([name, param]) => ({ name: snake(name), type: sqlTypeOf(param), value: accepted[name] ?? null }));
