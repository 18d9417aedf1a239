import { useState } from "preact/hooks";
import { filterStores } from "../../../filter.ts";
import { replace } from "../../../platform/request.ts";
import { useChange, useResource } from "../../../platform/use.ts";
import { ADS, STORES } from "../../../session.ts";
import { said } from "../../../text.ts";
import { connections as CONNECTIONS } from "../../../words/later/connections.ts";
import { Failed } from "../failed.tsx";
import { SelectField, TextField, Tick } from "../fields.tsx";
import { zoneOptions } from "../zones.ts";
import { cronOf, type Schedule, scheduleOf } from "./schedule.ts";
import { type Connection, fieldsOf, type Integration } from "./types.ts";

interface Props {
  readonly connection: Connection;
  readonly path: string;
  readonly done: (isChanged: boolean) => void;
}

/** Name, time zone and schedule of a source; of an ad account, whose spend it has. */
export function ConnectionForm({ connection, path, done }: Props) {
  const { integration, scheduleWords } = connection;
  const words = said(CONNECTIONS);
  // Its own reading: the tag is that of the connection alone.
  const resource = useResource<{ integration: Integration }>(path);
  const [name, setName] = useState(integration.name ?? "");
  const [timezone, setTimezone] = useState(integration.timezone ?? "");
  const [schedule, setSchedule] = useState<Schedule>(() => scheduleOf(integration.schedule));
  const [stores, setStores] = useState(integration.stores ?? []);
  const all = filterStores.value;
  // An account of the only store needs to say nothing.
  const hasStores = ADS.includes(integration.connector) && all.length > 1;
  const change = useChange();
  const save = async (): Promise<void> => {
    const { data, tag } = resource;
    if (!data) return;
    const fields = fieldsOf(data.integration, {
      name: name.trim() || null,
      timezone: timezone || null,
      schedule: cronOf(schedule, integration.schedule),
      ...(hasStores ? { stores: stores.length > 0 ? stores : null } : {}),
    });
    if (await change.run(() => replace(path, fields, tag))) done(true);
  };
  const kinds = ["none", "half", "hour", "daily"] as const;
  return (
    <form
      class="setting-form"
      data-form="connection"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div class="setting-pair">
        <TextField label={words.name} value={name} change={setName} max={80} hint={words.nameHint} />
        {STORES.includes(integration.connector) && (
          <SelectField
            label={words.timezone}
            value={timezone}
            options={zoneOptions(timezone)}
            change={setTimezone}
            hint={words.timezoneHint}
          />
        )}
        <SelectField<Schedule["kind"]>
          label={words.schedule}
          value={schedule.kind}
          options={[
            ...kinds.map((kind) => [kind, words.schedules[kind]] as const),
            ...(scheduleOf(integration.schedule).kind === "own"
              ? [["own", words.schedules.own(scheduleWords ?? integration.schedule ?? "")] as const]
              : []),
          ]}
          change={(kind) => setSchedule({ ...schedule, kind })}
        />
        {schedule.kind === "daily" && (
          <TextField
            label={words.at}
            type="time"
            value={schedule.at}
            change={(at) => setSchedule({ ...schedule, at: at || "06:00" })}
          />
        )}
      </div>
      {hasStores && (
        <fieldset class="setting-choice" data-field="stores">
          <legend>{words.stores}</legend>
          {all.map(({ integrationId: id, name: store }) => (
            <Tick
              key={id}
              label={store}
              checked={stores.includes(id)}
              change={(isOn) => setStores(isOn ? [...stores, id] : stores.filter((one) => one !== id))}
            />
          ))}
          <small class="muted">{stores.length > 1 ? words.severalStores : words.storesHint}</small>
        </fieldset>
      )}
      {change.failure && <Failed failure={change.failure} />}
      <div class="settings-actions">
        <button type="submit" class="primary" disabled={change.isRunning || !resource.data}>
          {change.isRunning ? words.saving : words.save}
        </button>
        <button type="button" disabled={change.isRunning} onClick={() => done(false)}>
          {words.cancel}
        </button>
      </div>
    </form>
  );
}
