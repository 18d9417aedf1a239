import { useState } from "preact/hooks";
import { signOut } from "../../api.ts";
import { add } from "../../platform/request.ts";
import { useChange, useResource } from "../../platform/use.ts";
import { LOCAL, organizations, person } from "../../session.ts";
import { said } from "../../text.ts";
import { agents as WORDS } from "../../words/later/agents.ts";
import { Banner } from "../Banner.tsx";
import { Refused } from "../Refused.tsx";
import { Choices, Mark } from "../SignIn.tsx";

/** What an agent asks for, as the service has checked it. */
interface Asked {
  readonly client: { readonly name: string; readonly host: string | null };
  readonly redirectHost: string;
  readonly isLocal: boolean;
  readonly refusedAt: string;
}

/** An agent asks for access [D97]: who it says it is, where the answer goes, and for which organization. */
export function AgentConsent({ query }: { query: string }) {
  const words = said(WORDS);
  return (
    <main class="sign-in">
      <div class="sign-in-card">
        <div class="sign-in-head">
          <Mark />
          <h1>{words.title}</h1>
        </div>
        {person.value ? <OfPerson query={query} /> : <OfKey />}
        <Choices />
      </div>
    </main>
  );
}

function OfKey() {
  const words = said(WORDS);
  return (
    <>
      <Banner tone="warn">{words.key}</Banner>
      <button type="button" class="primary" onClick={() => void signOut()}>
        {words.signOut}
      </button>
    </>
  );
}

function OfPerson({ query }: { query: string }) {
  const words = said(WORDS);
  const { data, failure, reload } = useResource<Asked>(`/platform/me/agent-request?${query}`);
  const [outcome, setOutcome] = useState<"done" | "again" | undefined>();
  if (outcome) return <Banner tone="good">{words[outcome]}</Banner>;
  if (failure)
    return (
      <>
        {failure.kind === "invalid" && <p>{words.faulty}</p>}
        <Refused failure={failure} retry={() => void reload()} />
        <p>
          <a href="/explorer">{words.page}</a>
        </p>
      </>
    );
  if (!data) return <p role="status">{words.checking}</p>;
  return <Consent asked={data} query={query} done={setOutcome} />;
}

interface Props {
  readonly asked: Asked;
  readonly query: string;
  readonly done: (outcome: "done" | "again") => void;
}

function Consent({ asked, query, done }: Props) {
  const words = said(WORDS);
  const { run, isRunning, failure } = useChange();
  const all = organizations.value;
  const [chosen, setChosen] = useState(all.length === 1 ? (all[0]?.id ?? "") : "");
  const [isMissing, setMissing] = useState(false);
  const { client, redirectHost, isLocal, refusedAt } = asked;
  const allow = async (): Promise<void> => {
    setMissing(chosen === "");
    if (chosen === "") return;
    await run(async () => {
      const path = `/platform/organizations/${encodeURIComponent(chosen)}/agents`;
      const { location: next } = await add<{ location?: string }>(path, Object.fromEntries(new URLSearchParams(query)));
      done(next === undefined ? "again" : "done");
      if (next !== undefined) location.assign(next);
    });
  };
  return (
    <form
      class="agent-consent"
      onSubmit={(event) => {
        event.preventDefault();
        void allow();
      }}
    >
      <p>{words.asks(client.name)}</p>
      <dl class="sign-in-who">
        <dt>{words.name}</dt>
        <dd>{client.name}</dd>
        <dt>{words.host}</dt>
        <dd>{client.host ?? words.noHost}</dd>
        <dt>{words.redirect}</dt>
        <dd>{redirectHost}</dd>
        <dt>{words.as}</dt>
        <dd>{person.value?.email === LOCAL ? words.local : person.value?.email}</dd>
      </dl>
      {isLocal && <Banner tone="warn">{words.isLocal}</Banner>}
      <p class="note">{words.rights}</p>
      {all.length === 0 ? (
        <Banner tone="bad">{words.none}</Banner>
      ) : (
        <label class="field">
          <span>{words.organization}</span>
          <select
            name="organization"
            value={chosen}
            aria-invalid={isMissing}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          >
            {all.length > 1 && <option value="">{words.choose}</option>}
            {all.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {isMissing && chosen === "" && <Banner tone="bad">{words.noOrganization}</Banner>}
      {failure && <Refused failure={failure} retry={() => void allow()} />}
      <div class="account-actions">
        <button type="submit" class="primary" disabled={isRunning || all.length === 0}>
          {words.allow}
        </button>
        <button type="button" onClick={() => location.assign(refusedAt)}>
          {words.refuse}
        </button>
      </div>
    </form>
  );
}
