import { useState } from "preact/hooks";
import { Copied } from "../../components/Copied.tsx";
import { instant } from "../../format.ts";
import { endOf } from "../../moment.ts";
import { add, ofOrganization, read, remove } from "../../platform/request.ts";
import { useChange, useResource } from "../../platform/use.ts";
import { hashOf } from "../../route.ts";
import { organization, person } from "../../session.ts";
import { said } from "../../text.ts";
import { links as WORDS } from "../../words/later/links.ts";
import { Confirm, Form, Loaded, OnlyNow, Panel, Refused } from "./parts.tsx";
import { Shares } from "./Shares.tsx";

interface Link {
  readonly id: string;
  readonly name: string;
  /** Path and query. */
  readonly endpoint: string;
  readonly days: number | null;
  readonly knownAt: string | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
}

interface Pin {
  readonly name: string;
  readonly knownAt: string;
}

interface Pins {
  readonly data: readonly Pin[];
}

/** Addresses that open data without a password, and pins. */
export function Links() {
  const pins = useResource<Pins>(`/v1/pins?organizationId=${encodeURIComponent(organization.value?.id ?? "")}`);
  return (
    <>
      {person.value?.shares && <Shares />}
      <ShareLinks pins={pins.data?.data ?? []} />
      <PinList pins={pins} />
    </>
  );
}

function ShareLinks({ pins }: { pins: readonly Pin[] }) {
  const words = said(WORDS);
  const resource = useResource<{ isOn: boolean; data: readonly Link[] }>(ofOrganization("links"));
  return (
    <Panel title={words.links} lead={words.linksLead}>
      <Loaded of={resource}>
        {({ isOn, data }) => (
          <>
            {data.length === 0 && <p class="note">{words.noLinks}</p>}
            <ul class="settings-rows">
              {data.map((link) => (
                <LinkRow key={link.id} link={link} reload={resource.reload} />
              ))}
            </ul>
            {isOn ? <NewLink pins={pins} reload={resource.reload} /> : <p class="note">{words.off}</p>}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function LinkRow({ link, reload }: { link: Link; reload: () => Promise<void> }) {
  const words = said(WORDS);
  const change = useChange();
  const path = ofOrganization(`links/${encodeURIComponent(link.id)}`);
  const name = link.name || link.id;
  const revoke = async (): Promise<void> => {
    await change.run(async () => remove(path, (await read(path)).tag));
    await reload();
  };
  return (
    <li>
      <div class="settings-row">
        <div class="settings-row-text">
          <strong>{name}</strong> <code>{link.endpoint}</code>
          <br />
          <span class="note">
            {[
              link.days !== null && words.lastDays(String(link.days)),
              link.knownAt !== null && words.asKnown(link.knownAt.includes("T") ? instant(link.knownAt) : link.knownAt),
              words.made(instant(link.createdAt)),
              link.expiresAt === null ? words.forEver : words.until(instant(link.expiresAt)),
            ]
              .filter(Boolean)
              .join(" · ")}
          </span>
        </div>
        <Confirm
          text={words.revoke}
          of={name}
          question={words.revokeAsk}
          isDisabled={change.isRunning}
          act={() => void revoke()}
        />
      </div>
      <Refused failure={change.failure} keep={change.forget} />
    </li>
  );
}

/** Path and query of an address of the API, also out of a curl line that a card copies. */
function endpointIn(text: string): string {
  const [found = text.trim()] = /\/v1\/[^\s"']+/.exec(text) ?? [];
  return found.replace(/([?&])organizationId=[^&]*&?/, "$1").replace(/[?&]$/, "");
}

function NewLink({ pins, reload }: { pins: readonly Pin[]; reload: () => Promise<void> }) {
  const words = said(WORDS);
  const change = useChange();
  const [name, setName] = useState("");
  const [address, setAddress] = useState("");
  const [days, setDays] = useState("");
  const [lasts, setLasts] = useState("30");
  const [pin, setPin] = useState("");
  const [url, setUrl] = useState<string | undefined>();
  const create = async (): Promise<void> => {
    setUrl(undefined);
    await change.run(async () => {
      const made = await add<{ url?: string }>(ofOrganization("links"), {
        name: name.trim(),
        endpoint: endpointIn(address),
        ...(days ? { days: Number(days) } : {}),
        ...(lasts ? { expiresInDays: Number(lasts) } : {}),
        ...(pin ? { knownAt: pin } : {}),
      });
      setUrl(made.url ?? "");
      setName("");
      setAddress("");
    });
    await reload();
  };
  return (
    <Form change={change} submit={() => void create()} button={words.create}>
      {url !== undefined && (
        <OnlyNow>
          <p>
            <strong>{url ? words.once : words.shownBefore}</strong>
          </p>
          {url && <Copied text={url} />}
        </OnlyNow>
      )}
      <Refused failure={change.failure} />
      <div class="settings-fields">
        <Text label={words.name} name="name" value={name} change={setName} isRequired />
        <Text
          label={words.address}
          name="endpoint"
          value={address}
          change={setAddress}
          hint={words.addressHint}
          isRequired
        />
      </div>
      <div class="settings-fields">
        <Days label={words.days} name="days" value={days} change={setDays} hint={words.daysHint} />
        <Days label={words.lasts} name="lasts" value={lasts} change={setLasts} hint={words.lastsHint} />
        {pins.length > 0 && (
          <label class="field">
            <span>{words.pin}</span>
            <select name="pin" value={pin} onChange={({ currentTarget }) => setPin(currentTarget.value)}>
              <option value="">{words.noPin}</option>
              {pins.map((one) => (
                <option key={one.name} value={one.name}>
                  {one.name}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
    </Form>
  );
}

interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly change: (value: string) => void;
  readonly hint?: string;
  readonly isRequired?: boolean;
  readonly pattern?: string;
}

function Text({ label, name, value, change, hint, isRequired = false, pattern }: FieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        name={name}
        value={value}
        required={isRequired}
        {...(pattern ? { pattern } : {})}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      {hint && <small>{hint}</small>}
    </label>
  );
}

function Days({ label, name, value, change, hint }: FieldProps) {
  return (
    <label class="field is-short">
      <span>{label}</span>
      <input
        type="number"
        name={name}
        value={value}
        min={1}
        max={3650}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      {hint && <small>{hint}</small>}
    </label>
  );
}

function PinList({ pins }: { pins: ReturnType<typeof useResource<Pins>> }) {
  const words = said(WORDS);
  return (
    <Panel title={words.pins} lead={words.pinsLead}>
      <Loaded of={pins}>
        {({ data }) => (
          <>
            {data.length === 0 && <p class="note">{words.noPins}</p>}
            <ul class="settings-rows">
              {data.map((pin) => (
                <PinRow key={pin.name} pin={pin} reload={pins.reload} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
      <NewPin reload={pins.reload} />
    </Panel>
  );
}

function PinRow({ pin: { name, knownAt }, reload }: { pin: Pin; reload: () => Promise<void> }) {
  const words = said(WORDS);
  const change = useChange();
  const path = ofOrganization(`pins/${encodeURIComponent(name)}`);
  const end = async (): Promise<void> => {
    await change.run(async () => remove(path, (await read(path)).tag));
    await reload();
  };
  return (
    <li>
      <div class="settings-row">
        <div class="settings-row-text">
          <a href={hashOf("overview", { known: name })}>{name}</a>
          <br />
          <span class="note">{words.asKnown(instant(knownAt))}</span>
        </div>
        <Confirm
          text={words.removePin}
          of={name}
          question={words.removePinAsk}
          isDisabled={change.isRunning}
          act={() => void end()}
        />
      </div>
      <Refused failure={change.failure} keep={change.forget} />
    </li>
  );
}

function NewPin({ reload }: { reload: () => Promise<void> }) {
  const words = said(WORDS);
  const change = useChange();
  const [name, setName] = useState("");
  const [day, setDay] = useState("");
  const create = async (): Promise<void> => {
    const at = day && endOf(day, organization.value?.timezones[0]);
    const isDone = await change.run(() => add(ofOrganization("pins"), { name, ...(at ? { at } : {}) }));
    if (!isDone) return;
    setName("");
    await reload();
  };
  return (
    <Form change={change} submit={() => void create()} button={words.createPin}>
      <Refused failure={change.failure} />
      <div class="settings-fields">
        <Text
          label={words.pinName}
          name="pin"
          value={name}
          change={(next) => setName(next.toLowerCase())}
          hint={words.pinNameHint}
          pattern="[a-z0-9][a-z0-9\-]{0,39}"
          isRequired
        />
        <label class="field is-short">
          <span>{words.pinDay}</span>
          <input type="date" name="day" value={day} onInput={({ currentTarget }) => setDay(currentTarget.value)} />
          <small>{words.pinDayHint}</small>
        </label>
      </div>
    </Form>
  );
}
