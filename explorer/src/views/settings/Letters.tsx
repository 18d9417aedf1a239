import { useState } from "preact/hooks";
import { MyLetters } from "../../components/account/MyLetters.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { Refused } from "../../components/Refused.tsx";
import { day } from "../../format.ts";
import { add, ofOrganization } from "../../platform/request.ts";
import { useChange, useResource } from "../../platform/use.ts";
import { said } from "../../text.ts";
import { letters as WORDS } from "../../words/later/letters.ts";
import { useDraft } from "./draft.ts";
import { Failed } from "./failed.tsx";
import { Part, SelectField, TextField } from "./fields.tsx";
import { mergedList } from "./merged.ts";
import { SaveBar } from "./SaveBar.tsx";

type Kind = "daily" | "weekly" | "monthly";
type Channel = "mail" | "slack" | "webhook";

interface Letter {
  readonly to?: string;
  readonly on: Kind;
  readonly at: string;
  readonly language?: string;
  readonly channel: Channel;
}

interface State {
  readonly to: string | null;
  readonly on: Kind;
  readonly channel: Channel;
  readonly day: string | null;
  readonly stage: keyof typeof WORDS.pt.stages | null;
}

const KINDS: readonly Kind[] = ["daily", "weekly", "monthly"];
const CHANNELS: readonly Channel[] = ["mail", "slack", "webhook"];

/** Letters of the organization: the own ones, everybody's, and the addresses of Slack. */
export function Letters() {
  return (
    <>
      <Everybodys />
      <Slack />
    </>
  );
}

function Everybodys() {
  const words = said(WORDS);
  const draft = useDraft<readonly Letter[]>("letters", { empty: [], merged: mergedList });
  const states = useResource<{ data: readonly State[] }>(ofOrganization("letters/state")).data?.data ?? [];
  if (draft.failure && !draft.base) return <Failed failure={draft.failure} retry={() => void draft.reload()} />;
  const { now } = draft;
  if (!now) return <p class="skeleton skeleton-medium" />;
  const stateOf = ({ to, on, channel }: Letter): string => {
    const found = states.find((one) => one.on === on && one.channel === channel && one.to === (to ?? null));
    return found?.day && found.stage ? words.last(day(found.day), words.stages[found.stage]) : words.never;
  };
  const nameOf = ({ to, on, channel }: Letter): string =>
    [words.channels[channel], to, words.kinds[on]].filter(Boolean).join(" · ");
  return (
    <>
      <MyLetters saved={() => void draft.reload()} isSavedBeside={draft.isSaved} />
      <Part name="letters" title={words.all} lead={words.allLead}>
        {now.length === 0 && <EmptySmall>{words.none}</EmptySmall>}
        <ul class="setting-rows">
          {now.map((letter) => (
            <li key={nameOf(letter)} data-letter={nameOf(letter)}>
              <div>
                <strong>{nameOf(letter)}</strong> {words.until(letter.at)} <span class="muted">{stateOf(letter)}</span>
              </div>
              <button
                type="button"
                class="link"
                aria-label={words.removeOf(nameOf(letter))}
                onClick={() => draft.change(now.filter((one) => one !== letter))}
              >
                {words.remove}
              </button>
            </li>
          ))}
        </ul>
        <NewLetter add={(letter) => draft.change([...now, letter])} />
      </Part>
      <SaveBar
        sections={[
          {
            name: "letters",
            draft,
            describe: (theirs) => (
              <ul>
                {(theirs as readonly Letter[]).map((letter) => (
                  <li key={nameOf(letter)}>{nameOf(letter)}</li>
                ))}
              </ul>
            ),
          },
        ]}
      />
    </>
  );
}

function NewLetter({ add: added }: { readonly add: (letter: Letter) => void }) {
  const words = said(WORDS);
  const [channel, setChannel] = useState<Channel>("mail");
  const [on, setOn] = useState<Kind>("daily");
  const [at, setAt] = useState("08:00");
  const [to, setTo] = useState("");
  const [isLacking, setLacking] = useState(false);
  const submit = (event: Event): void => {
    event.preventDefault();
    const receiver = to.trim();
    const lacks = (channel !== "webhook" && receiver === "") || at === "";
    setLacking(lacks);
    if (lacks) return;
    added({ ...(channel === "webhook" ? {} : { to: receiver }), on, at, channel });
    setTo("");
  };
  return (
    <form class="setting-form" onSubmit={submit} data-form="letter">
      <h4>{words.add}</h4>
      <div class="setting-pair">
        <SelectField
          label={words.channel}
          value={channel}
          options={CHANNELS.map((one) => [one, words.channels[one]] as const)}
          change={setChannel}
        />
        <SelectField
          label={words.when}
          value={on}
          options={KINDS.map((one) => [one, words.kinds[one]] as const)}
          change={setOn}
        />
        <TextField label={words.at} type="time" value={at} change={setAt} />
        {channel !== "webhook" && (
          <TextField
            label={channel === "mail" ? words.toMail : words.toSlack}
            value={to}
            change={setTo}
            error={isLacking ? words.needed : undefined}
          />
        )}
      </div>
      <div class="settings-actions">
        <button type="submit">{words.addNow}</button>
      </div>
    </form>
  );
}

/** Addresses of Slack: secrets, of which the page has the names alone. */
function Slack() {
  const words = said(WORDS);
  const path = ofOrganization("letters/slack");
  const { data, reload } = useResource<{ data: readonly string[] }>(path);
  const change = useChange();
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [isKept, setKept] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setKept(false);
    const isDone = await change.run(() => add(path, { name: name.trim(), url: url.trim() }));
    if (!isDone) return;
    setName("");
    setUrl("");
    setKept(true);
    await reload();
  };
  return (
    <Part name="slack" title={words.slack} lead={words.slackLead}>
      <ul class="setting-rows">
        {(data?.data ?? []).map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      <Refused failure={change.failure} />
      <form class="setting-form" onSubmit={(event) => void submit(event)} data-form="slack">
        <div class="setting-pair">
          <TextField label={words.slackName} value={name} change={setName} max={60} />
          <TextField label={words.slackUrl} value={url} change={setUrl} />
        </div>
        <div class="settings-actions">
          <button type="submit" disabled={change.isRunning || name.trim() === "" || url.trim() === ""}>
            {words.slackKeep}
          </button>
        </div>
        <p role="status">{isKept ? words.slackKept : ""}</p>
      </form>
    </Part>
  );
}
