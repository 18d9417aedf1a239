import { useState } from "preact/hooks";
import { replace } from "../../../platform/request.ts";
import { useChange, useResource } from "../../../platform/use.ts";
import { STORES } from "../../../session.ts";
import { said } from "../../../text.ts";
import { connections as CONNECTIONS } from "../../../words/later/connections.ts";
import { Failed } from "../failed.tsx";
import { SelectField, TextField } from "../fields.tsx";
import { zoneOptions } from "../zones.ts";
import { cronOf, type Schedule, scheduleOf } from "./schedule.ts";
import { type Connection, fieldsOf, type Integration } from "./types.ts";

interface Props {
  readonly connection: Connection;
  readonly path: string;
  readonly done: (isChanged: boolean) => void;
}

/** Name, time zone and schedule of a source. */
export function ConnectionForm({ connection, path, done }: Props) {
  const { integration, scheduleWords } = connection;
  const words = said(CONNECTIONS);
  // Its own reading: the tag is that of the connection alone.
  const resource = useResource<{ integration: Integration }>(path);
  const [name, setName] = useState(integration.name ?? "");
  const [timezone, setTimezone] = useState(integration.timezone ?? "");
  const [schedule, setSchedule] = useState<Schedule>(() => scheduleOf(integration.schedule));
  const change = useChange();
  const save = async (): Promise<void> => {
    const { data, tag } = resource;
    if (!data) return;
    const fields = fieldsOf(data.integration, {
      name: name.trim() || null,
      timezone: timezone || null,
      schedule: cronOf(schedule, integration.schedule),
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
