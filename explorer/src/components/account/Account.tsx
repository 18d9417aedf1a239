import { useState } from "preact/hooks";
import { signOut } from "../../api.ts";
import { instant } from "../../format.ts";
import { later } from "../../later.tsx";
import { removeNow } from "../../platform/request.ts";
import { useChange, useResource } from "../../platform/use.ts";
import { LOCAL, organization, person } from "../../session.ts";
import { said, t } from "../../text.ts";
import { account as WORDS } from "../../words/later/account.ts";
import { Drawer } from "../Modal.tsx";
import { Refused } from "../Refused.tsx";
import { Agents } from "./Agents.tsx";

interface Session {
  readonly id: string;
  readonly createdAt: string;
  readonly usedAt: string;
  readonly agent?: string;
  readonly isThis: boolean;
}

const MyLetters = later(() => import("./MyLetters.tsx").then((one) => one.MyLetters));

const SESSIONS = "/platform/me/sessions";

/** The person's own: where the person is signed in, and the ways out. */
export function Account({ close }: { close: () => void }) {
  const words = said(WORDS);
  const { frame } = t();
  const { data, failure, reload } = useResource<{ data: readonly Session[] }>(SESSIONS);
  const change = useChange();
  const [isAsking, setAsking] = useState(false);
  const end = async (ended: readonly Session[]): Promise<void> => {
    await change.run(async () => {
      for (const { id } of ended) await removeNow(`${SESSIONS}/${encodeURIComponent(id)}`);
    });
    await reload();
  };
  const others = (data?.data ?? []).filter(({ isThis }) => !isThis);
  const everywhere = async (): Promise<void> => {
    await end(others);
    await signOut();
    close();
  };
  const email = person.value?.email ?? "";
  return (
    <Drawer title={frame.sessions} close={close}>
      <div class="explanation">
        <p>{frame.signedInAs(email === LOCAL ? frame.local : email)}.</p>
        <Refused failure={failure ?? change.failure} retry={() => void reload()} />
        {!data && !failure && (
          <p class="skeleton">
            <span class="unseen">{frame.loading}</span>
          </p>
        )}
        <ul class="account-sessions plain">
          {data?.data.map((one) => (
            <li key={one.id}>
              <span>
                <strong>{deviceOf(one.agent ?? "")}</strong>{" "}
                {one.isThis && <span class="account-this">{words.isThis}</span>}
                <br />
                <span class="note">{words.since(instant(one.createdAt), instant(one.usedAt))}</span>
              </span>
              {!one.isThis && (
                <button
                  type="button"
                  disabled={change.isRunning}
                  aria-label={words.endOf(deviceOf(one.agent ?? ""))}
                  onClick={() => void end([one])}
                >
                  {words.end}
                </button>
              )}
            </li>
          ))}
        </ul>
        <p class="note">{words.hint}</p>
        {organization.value && email !== LOCAL && <MyLetters />}
        <Agents />
        {isAsking ? (
          <div class="account-actions">
            <p>{words.everywhereAsk}</p>
            <button type="button" class="primary" disabled={change.isRunning} onClick={() => void everywhere()}>
              {words.everywhereYes}
            </button>
            <button type="button" onClick={() => setAsking(false)}>
              {words.no}
            </button>
          </div>
        ) : (
          <div class="account-actions">
            <button type="button" onClick={() => void signOut().then(close)}>
              {words.here}
            </button>
            <button type="button" disabled={!data} onClick={() => setAsking(true)}>
              {words.everywhere}
            </button>
          </div>
        )}
      </div>
    </Drawer>
  );
}

/** The name of a browser and its system, as far as they say it. */
function deviceOf(agent: string): string {
  const browser = ["Edg", "OPR", "Firefox", "Chrome", "Safari"].find((name) => agent.includes(`${name}/`));
  const system = ["Android", "iPhone", "iPad", "Windows", "Macintosh", "Linux"].find((name) => agent.includes(name));
  const named = [
    { Edg: "Edge", OPR: "Opera" }[browser ?? ""] ?? browser,
    system === "Macintosh" ? "macOS" : system,
  ].filter(Boolean);
  return named.length === 0 ? said(WORDS).unknown : named.join(" · ");
}
