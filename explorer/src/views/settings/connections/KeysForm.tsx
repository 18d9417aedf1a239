import { useState } from "preact/hooks";
import { daysBefore, today } from "../../../days.ts";
import { day, instant } from "../../../format.ts";
import { read, removeNow, replace } from "../../../platform/request.ts";
import { useChange, useResource } from "../../../platform/use.ts";
import { said } from "../../../text.ts";
import { connections as CONNECTIONS } from "../../../words/later/connections.ts";
import { Failed } from "../failed.tsx";
import { SelectField, TextField } from "../fields.tsx";
import { isSame } from "../merged.ts";
import { Confirm } from "../parts.tsx";
import { Progress } from "../progress.tsx";
import { type Connection, fieldsOf, type Integration, type Keys } from "./types.ts";

interface Props {
  readonly connection: Connection;
  readonly path: string;
  readonly done: (isChanged: boolean) => void;
}

const YEARS_3 = 1096;

/** The account of a source and the vendor's keys for it, which are checked at once. */
export function KeysForm({ connection: { integration, account }, path, done }: Props) {
  const words = said(CONNECTIONS);
  const { data: known, failure, reload } = useResource<Keys>(`${path}/keys`);
  const [names, setNames] = useState<Readonly<Record<string, string>>>(integration.pull?.account ?? {});
  const [since, setSince] = useState(integration.pull?.since ?? daysBefore(today(), YEARS_3));
  const [way, setWay] = useState(0);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [isTried, setTried] = useState(false);
  const [checked, setChecked] = useState<string | undefined>();
  const change = useChange();
  if (failure && !known) return <Failed failure={failure} retry={() => void reload()} />;
  if (!known) return <p class="skeleton skeleton-small" />;
  const set = known.sets[way] ?? [];
  const lacking = (name: string): string | undefined =>
    isTried && !(values[name] ?? "").trim() ? words.needed : undefined;
  const isLacking =
    set.some((name) => !(values[name] ?? "").trim()) ||
    Object.entries(account).some(([name, { required }]) => required && !(names[name] ?? "").trim()) ||
    since === "";
  const check = (): Promise<boolean> =>
    change.run(async () => {
      const { data, tag } = await read<{ integration: Integration }>(path);
      const said_ = Object.fromEntries(Object.entries(names).filter(([, value]) => value.trim() !== ""));
      const records = data.integration.pull?.records;
      const pull = { since, account: said_, ...(records ? { records } : {}) };
      const fields = fieldsOf(data.integration, { pull });
      if (!isSame(fieldsOf(data.integration), fields)) await replace(path, fields, tag);
      const keys = Object.fromEntries(set.map((name) => [name, (values[name] ?? "").trim()]));
      const before = await read<Keys>(`${path}/keys`);
      const { account: found } = await replace<{ account: string | null }>(`${path}/keys`, { keys }, before.tag);
      setChecked(found ?? "");
      setValues({});
      await reload();
    });
  if (checked !== undefined)
    return (
      <div class="setting-form">
        <p role="status" class="upload-landed" data-checked>
          {words.checked(checked)}
        </p>
        <div class="settings-actions">
          <button type="button" class="primary" onClick={() => done(true)}>
            {words.save}
          </button>
        </div>
      </div>
    );
  return (
    <form
      class="setting-form"
      data-form="keys"
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (!isLacking) void check();
      }}
    >
      <p class="note">{words.keysLead}</p>
      {words.where[integration.connector] && <p>{words.where[integration.connector]}</p>}
      {known.isComplete && (
        <p class="note">{words.keysKept(known.keys.map((name) => words.fields[name] ?? name).join(", "))}</p>
      )}
      {known.isAskedAgain && <p class="cost-unsaid">{words.keysAgain}</p>}
      {known.endsAt && <p class="note">{words.keysEnd(instant(known.endsAt))}</p>}
      <div class="setting-pair">
        {Object.entries(account).map(([name, { required }]) => (
          <TextField
            key={name}
            name={name}
            label={words.fields[name] ?? name}
            value={names[name] ?? ""}
            change={(value) => setNames({ ...names, [name]: value })}
            error={isTried && required && !(names[name] ?? "").trim() ? words.needed : undefined}
          />
        ))}
        <TextField
          label={words.since}
          type="date"
          value={since}
          change={setSince}
          hint={since ? day(since) : undefined}
        />
      </div>
      {known.sets.length > 1 && (
        <SelectField
          label={words.ways}
          value={String(way)}
          options={known.sets.map(
            (one, at) => [String(at), one.map((name) => words.fields[name] ?? name).join(" + ")] as const,
          )}
          change={(at) => setWay(Number(at))}
        />
      )}
      <div class="setting-pair">
        {set.map((name) => (
          <TextField
            key={name}
            name={name}
            type="password"
            label={words.fields[name] ?? name}
            value={values[name] ?? ""}
            change={(value) => setValues({ ...values, [name]: value })}
            error={lacking(name)}
          />
        ))}
      </div>
      {change.isRunning && <Progress label={words.checking} />}
      {change.failure && <Failed failure={change.failure} />}
      <div class="settings-actions">
        <button type="submit" class="primary" disabled={change.isRunning}>
          {words.check}
        </button>
        <button type="button" disabled={change.isRunning} onClick={() => done(false)}>
          {words.cancel}
        </button>
        {known.keys.length > 0 && (
          <Confirm
            text={words.forget}
            question={words.forgetSure}
            isDisabled={change.isRunning}
            act={() =>
              void change.run(async () => {
                await removeNow(`${path}/keys`);
                await reload();
              })
            }
          />
        )}
      </div>
    </form>
  );
}
