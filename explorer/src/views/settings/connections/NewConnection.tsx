import { useState } from "preact/hooks";
import { add, ofOrganization } from "../../../platform/request.ts";
import { useChange } from "../../../platform/use.ts";
import { STORES } from "../../../session.ts";
import { said } from "../../../text.ts";
import { connections as CONNECTIONS } from "../../../words/later/connections.ts";
import { Failed } from "../failed.tsx";
import { Choice, SelectField, TextField } from "../fields.tsx";
import { likelyZone, zoneOptions } from "../zones.ts";
import type { Integration } from "./types.ts";

interface Props {
  readonly done: (added: Integration) => void;
  readonly close?: () => void;
  /** What it is, if that is known. */
  readonly only?: Connector;
}

type Connector = (typeof CONNECTORS)[number];
const CONNECTORS = ["storea", "storeb", "socialads", "searchads", "webanalytics", "crm", "finance"] as const;

/** Adds a source: what it is, its name, and the time zone of a store. */
export function NewConnection({ done, close, only }: Props) {
  const words = said(CONNECTIONS);
  const [connector, setConnector] = useState<Connector | undefined>(only);
  const [name, setName] = useState("");
  const [timezone, setTimezone] = useState(likelyZone);
  const change = useChange();
  const isStore = connector !== undefined && STORES.includes(connector);
  const save = async (): Promise<void> => {
    let added: Integration | undefined;
    const isDone = await change.run(async () => {
      const body = {
        connector,
        ...(name.trim() ? { name: name.trim() } : {}),
        ...(isStore && timezone ? { timezone } : {}),
      };
      ({ integration: added } = await add<{ integration: Integration }>(ofOrganization("connections"), body));
    });
    if (isDone && added) done(added);
  };
  return (
    <form
      class="setting-form"
      data-form="new-connection"
      onSubmit={(event) => {
        event.preventDefault();
        if (connector !== undefined) void save();
      }}
    >
      {only === undefined && (
        <Choice
          legend={words.addLead}
          value={connector}
          options={CONNECTORS.map((one) => [one, words.vendors[one] ?? one] as const)}
          change={setConnector}
        />
      )}
      {connector !== undefined && (
        <div class="setting-pair">
          <TextField label={words.name} value={name} change={setName} max={80} hint={words.nameHint} />
          {isStore && (
            <SelectField
              label={words.timezone}
              value={timezone}
              options={zoneOptions(timezone)}
              change={setTimezone}
              hint={words.timezoneHint}
            />
          )}
        </div>
      )}
      {change.failure && <Failed failure={change.failure} />}
      <div class="settings-actions">
        <button type="submit" class="primary" disabled={connector === undefined || change.isRunning}>
          {words.addNow}
        </button>
        {close && (
          <button type="button" onClick={close}>
            {words.cancel}
          </button>
        )}
      </div>
    </form>
  );
}
