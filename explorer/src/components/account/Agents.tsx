import { instant } from "../../format.ts";
import { removeNow } from "../../platform/request.ts";
import { useChange, useResource } from "../../platform/use.ts";
import { said } from "../../text.ts";
import { agents as WORDS } from "../../words/later/agents.ts";
import { Refused } from "../Refused.tsx";

interface Agent {
  readonly id: string;
  readonly organizationName: string;
  readonly clientName: string;
  readonly clientHost: string | null;
  readonly createdAt: string;
  readonly usedAt: string;
}

const AGENTS = "/platform/me/agents";

/** The agents that the person let in [D97]. Where none can sign in there is nothing to show. */
export function Agents() {
  const words = said(WORDS);
  const { data, failure, reload } = useResource<{ data: readonly Agent[] }>(AGENTS);
  const change = useChange();
  if (failure?.kind === "notFound") return null;
  const end = async ({ id }: Agent): Promise<void> => {
    await change.run(() => removeNow(`${AGENTS}/${encodeURIComponent(id)}`));
    await reload();
  };
  return (
    <>
      <h3>{words.list}</h3>
      <Refused failure={failure ?? change.failure} retry={() => void reload()} />
      {data?.data.length === 0 && <p class="note">{words.noList}</p>}
      <ul class="account-sessions plain">
        {data?.data.map((one) => (
          <li key={one.id}>
            <span>
              <strong>{one.clientName}</strong>
              <br />
              <span class="note">
                {words.at(one.organizationName, one.clientHost)};{" "}
                {words.since(instant(one.createdAt), instant(one.usedAt))}
              </span>
            </span>
            <button
              type="button"
              disabled={change.isRunning}
              aria-label={words.endOf(one.clientName, one.organizationName)}
              onClick={() => void end(one)}
            >
              {words.end}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
