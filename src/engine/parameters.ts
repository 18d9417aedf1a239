import { type Accepted, type Params, snake } from "../contract/param.ts";
import { sqlTypeOf } from "../params/kinds.ts";
import type { Member, Session } from "./database.ts";

/** Sets `p`: the accepted values under snake-case names, each with the declared type, null if not sent. */
export async function setParameters(session: Session, params: Params, accepted: Accepted): Promise<void> {
  await session.setStruct("p", membersOf(params, accepted));
}

export const membersOf = (params: Params, accepted: Accepted): Member[] =>
  Object.entries(params).map(([name, param]) => ({
    name: snake(name),
    type: sqlTypeOf(param),
    value: accepted[name] ?? null,
  }));
