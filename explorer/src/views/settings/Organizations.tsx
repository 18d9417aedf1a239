import { useState } from "preact/hooks";
import { resume } from "../../api.ts";
import { add, read, replace } from "../../platform/request.ts";
import { useChange, useResource } from "../../platform/use.ts";
import { writeAddress } from "../../route.ts";
import { shortOf } from "../../session.ts";
import { said } from "../../text.ts";
import { organizations as WORDS } from "../../words/later/organizations.ts";
import { Form, Loaded, labelOf, Panel, Refused } from "./parts.tsx";

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly currency: string | null;
  /** The file has faults, and earlier settings are in force. */
  readonly isFaulty: boolean;
}

const ALL = "/platform/organizations";

/** For operators: all organizations of the server. */
export function Organizations() {
  const words = said(WORDS);
  const resource = useResource<{ data: readonly Listed[] }>(ALL);
  const reload = async (): Promise<void> => {
    await resource.reload();
    // The switch in the header has them too.
    await resume();
  };
  return (
    <>
      <Panel title={words.list}>
        <Loaded of={resource}>
          {({ data }) => (
            <ul class="settings-rows">
              {data.map((one) => (
                <Row key={one.id} one={one} reload={reload} />
              ))}
            </ul>
          )}
        </Loaded>
      </Panel>
      <New reload={reload} />
    </>
  );
}

const settingsOf = (id: string): string =>
  writeAddress({ organization: shortOf(id), view: "settings", section: "organization", args: {} });

function Row({ one, reload }: { one: Listed; reload: () => Promise<void> }) {
  const words = said(WORDS);
  const change = useChange();
  const [name, setName] = useState<string | undefined>();
  const path = `${ALL}/${encodeURIComponent(one.id)}/name`;
  const rename = async (): Promise<void> => {
    const isDone = await change.run(async () => replace(path, { name: name?.trim() }, (await read(path)).tag));
    if (isDone) setName(undefined);
    await reload();
  };
  return (
    <li>
      <div class="settings-row">
        <div class="settings-row-text">
          <a href={settingsOf(one.id)}>{one.name}</a> {one.currency && <span class="note">{one.currency}</span>}
          <br />
          <code>{one.id}</code>
          {one.isFaulty && <p class="settings-fault">{words.faulty}</p>}
        </div>
        {name === undefined && (
          <button type="button" aria-label={labelOf(words.rename, one.name)} onClick={() => setName(one.name)}>
            {words.rename}
          </button>
        )}
      </div>
      {name !== undefined && (
        <Form change={change} submit={() => void rename()} canSave={name.trim() !== "" && name !== one.name}>
          <label class="field">
            <span>{words.name}</span>
            <input
              name="rename"
              value={name}
              required
              maxLength={200}
              autocomplete="off"
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          </label>
        </Form>
      )}
      <Refused failure={change.failure} keep={change.forget} />
    </li>
  );
}

function New({ reload }: { reload: () => Promise<void> }) {
  const words = said(WORDS);
  const change = useChange();
  const [name, setName] = useState("");
  const [currency, setCurrency] = useState("BRL");
  const create = async (): Promise<void> => {
    let id = "";
    const isDone = await change.run(async () => {
      ({ id } = await add<{ id: string }>(ALL, { name: name.trim(), ...(currency ? { currency } : {}) }));
    });
    if (!isDone) return;
    setName("");
    await reload();
    // Where its data are brought.
    location.hash = writeAddress({ organization: shortOf(id), view: "overview", section: "", args: {} });
  };
  return (
    <Panel title={words.create} lead={words.createLead}>
      <Form change={change} submit={() => void create()} button={words.createButton}>
        <Refused failure={change.failure} />
        <div class="settings-fields">
          <label class="field">
            <span>{words.name}</span>
            <input
              name="name"
              value={name}
              required
              maxLength={200}
              pattern=".*\S.*"
              autocomplete="off"
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          </label>
          <label class="field is-short">
            <span>{words.currency}</span>
            <input
              name="currency"
              value={currency}
              maxLength={3}
              pattern="[A-Z]{3}"
              autocomplete="off"
              onInput={({ currentTarget }) => setCurrency(currentTarget.value.toUpperCase())}
            />
          </label>
        </div>
      </Form>
    </Panel>
  );
}
