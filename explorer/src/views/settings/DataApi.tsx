import { useState } from "preact/hooks";
import { Banner } from "../../components/Banner.tsx";
import { Copied } from "../../components/Copied.tsx";
import { instant } from "../../format.ts";
import { add, ofOrganization, read, remove } from "../../platform/request.ts";
import { useChange, useResource } from "../../platform/use.ts";
import { organization } from "../../session.ts";
import { said } from "../../text.ts";
import { dataApi as WORDS } from "../../words/later/dataApi.ts";
import { Confirm, Form, Loaded, labelOf, OnlyNow, Panel, Refused } from "./parts.tsx";

interface Credential {
  readonly client_id: string;
  readonly name: string;
  /** Whether it is of this organization alone. */
  readonly isOwn: boolean;
  readonly createdAt?: string;
  readonly overlapUntil?: string | null;
  readonly lastUsedAt: string | null;
}

interface Made {
  readonly client_id: string;
  /** Missing in the answer to a repeated request. */
  readonly client_secret?: string;
  readonly old_secret_until?: string | null;
}

const pathOf = (client: string): string => ofOrganization(`credentials/${encodeURIComponent(client)}`);

/** The credentials of the Data API: made, made again, ended. */
export function DataApi() {
  const words = said(WORDS);
  const resource = useResource<{ data: readonly Credential[] }>(ofOrganization("credentials"));
  const [made, setMade] = useState<Made | undefined>();
  const show = async (one: Made | undefined): Promise<void> => {
    setMade(one);
    await resource.reload();
  };
  return (
    <>
      {made && <Secret made={made} close={() => setMade(undefined)} />}
      <Panel title={words.list}>
        <Loaded of={resource}>
          {({ data }) =>
            data.length === 0 ? (
              <p class="note">{words.none}</p>
            ) : (
              <ul class="settings-rows">
                {data.map((one) => (
                  <Row key={one.client_id} credential={one} show={show} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Panel>
      <New show={show} />
      <Panel title={words.how}>
        <dl class="settings-facts">
          <dt>{words.organizationId}</dt>
          <dd>
            <Copied text={organization.value?.id ?? ""} />
          </dd>
          <dt>{words.address}</dt>
          <dd>
            <Copied text={`${location.origin}/v1`} />
          </dd>
        </dl>
        <p class="note">
          {words.limits} <a href="/docs">{words.docs}</a>
        </p>
      </Panel>
    </>
  );
}

function New({ show }: { show: (made: Made) => Promise<void> }) {
  const words = said(WORDS);
  const change = useChange();
  const [name, setName] = useState("");
  const create = async (): Promise<void> => {
    await change.run(async () => {
      await show(await add<Made>(ofOrganization("credentials"), { name: name.trim() }));
      setName("");
    });
  };
  return (
    <Panel title={words.create} lead={words.createLead}>
      <Form change={change} submit={() => void create()} button={words.createButton}>
        <Refused failure={change.failure} />
        <label class="field">
          <span>{words.name}</span>
          <input
            name="name"
            value={name}
            required
            maxLength={200}
            pattern=".*\S.*"
            placeholder={words.example}
            autocomplete="off"
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
      </Form>
    </Panel>
  );
}

/** The new secret, which is shown only now, and how to use it. */
function Secret({ made, close }: { made: Made; close: () => void }) {
  const words = said(WORDS);
  const { client_id, client_secret, old_secret_until } = made;
  if (client_secret === undefined)
    return (
      <Banner tone="warn" close={{ label: words.done, act: close }}>
        {words.shownBefore}
      </Banner>
    );
  const address = `${location.origin}/v1/profitability/cards?organizationId=${organization.value?.id}`;
  return (
    <OnlyNow>
      <p>
        <strong>{words.once}</strong>
      </p>
      <dl class="settings-facts">
        <dt>{words.id}</dt>
        <dd>
          <Copied text={client_id} />
        </dd>
        <dt>{words.secret}</dt>
        <dd>
          <Copied text={client_secret} />
        </dd>
        <dt>{words.try}</dt>
        <dd>
          <Copied text={`curl -s -H "x-client-id: ${client_id}" -H "x-client-secret: ${client_secret}" "${address}"`} />
        </dd>
      </dl>
      {old_secret_until && <p>{words.oldGoesOn(instant(old_secret_until))}</p>}
      {old_secret_until === null && <p>{words.oldEnded}</p>}
      <p>
        <button type="button" onClick={close}>
          {words.done}
        </button>
      </p>
    </OnlyNow>
  );
}

const OVERLAPS = ["now", "day", "week"] as const;
type Overlap = (typeof OVERLAPS)[number];

function Row({ credential, show }: { credential: Credential; show: (made: Made | undefined) => Promise<void> }) {
  const words = said(WORDS);
  const { client_id, name, isOwn, createdAt, overlapUntil, lastUsedAt } = credential;
  const change = useChange();
  const [overlap, setOverlap] = useState<Overlap>("day");
  const [isRenewing, setRenewing] = useState(false);
  const called = name || client_id;
  const end = (): Promise<boolean> =>
    change.run(async () => {
      const { tag } = await read(pathOf(client_id));
      await remove(pathOf(client_id), tag);
      await show(undefined);
    });
  const regenerate = (): Promise<boolean> =>
    change.run(async () => {
      const made = await add<Made>(`${pathOf(client_id)}/secrets`, { overlap });
      setRenewing(false);
      await show(made);
    });
  return (
    <li>
      <div class="settings-row">
        <div class="settings-row-text">
          <strong>{called}</strong> {name && <code>{client_id}</code>}
          <br />
          <span class="note">
            {[
              createdAt && words.made(instant(createdAt)),
              lastUsedAt === null ? words.neverUsed : words.used(instant(lastUsedAt)),
              overlapUntil && words.oldUntil(instant(overlapUntil)),
              !isOwn && words.ofOthers,
            ]
              .filter(Boolean)
              .join(" · ")}
          </span>
        </div>
        <div class="settings-actions">
          {isOwn && !isRenewing && (
            <button type="button" aria-label={labelOf(words.renew, called)} onClick={() => setRenewing(true)}>
              {words.renew}
            </button>
          )}
          <Confirm
            text={isOwn ? words.revoke : words.unbind}
            of={called}
            question={isOwn ? words.revokeAsk : words.unbindAsk}
            isDisabled={change.isRunning}
            act={() => void end()}
          />
        </div>
      </div>
      {isRenewing && (
        <fieldset class="settings-confirm">
          <legend>{words.renewAsk}</legend>
          <label class="field">
            <span>{words.overlap}</span>
            <select value={overlap} onChange={({ currentTarget }) => setOverlap(currentTarget.value as Overlap)}>
              {OVERLAPS.map((one) => (
                <option key={one} value={one}>
                  {words.overlaps[one]}
                </option>
              ))}
            </select>
          </label>
          <button type="button" class="primary" disabled={change.isRunning} onClick={() => void regenerate()}>
            {words.renewButton}
          </button>
          <button type="button" onClick={() => setRenewing(false)}>
            {words.cancel}
          </button>
        </fieldset>
      )}
      <Refused failure={change.failure} keep={change.forget} />
    </li>
  );
}
