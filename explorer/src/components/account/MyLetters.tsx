import { useEffect, useState } from "preact/hooks";
import { ofOrganization, replace } from "../../platform/request.ts";
import { useChange, useResource } from "../../platform/use.ts";
import { person } from "../../session.ts";
import { lang, said } from "../../text.ts";
import { letters as WORDS } from "../../words/later/letters.ts";
import { Drawer } from "../Modal.tsx";
import { Refused } from "../Refused.tsx";

const KINDS = ["daily", "weekly", "monthly"] as const;
type Kind = (typeof KINDS)[number];

interface Own {
  readonly on: Kind;
  readonly at: string;
  readonly language?: string;
}

const USUAL = "08:00";

interface Props {
  /** Hears that they were saved. */
  readonly saved?: () => void;
  /** Whether the letters of everybody were just saved beside it. */
  readonly isSavedBeside?: boolean;
}

/** The letters that the person gets: each is chosen and ended here, by everybody for themselves. */
export function MyLetters({ saved, isSavedBeside = false }: Props) {
  const words = said(WORDS);
  const path = ofOrganization("my-letters");
  const { data, tag, failure, reload } = useResource<{ letters: readonly Own[] }>(path);
  const change = useChange();
  const [shown, setShown] = useState<Kind | undefined>();
  const [isSaved, setSaved] = useState(false);
  const own = data?.letters ?? [];
  const save = async (letters: readonly Own[]): Promise<void> => {
    setSaved(false);
    const isDone = await change.run(() => replace(path, { letters }, tag));
    await reload();
    if (!isDone) return;
    setSaved(true);
    saved?.();
  };
  useEffect(() => {
    if (isSavedBeside) void reload();
  }, [isSavedBeside]);
  const of = (on: Kind): Own | undefined => own.find((one) => one.on === on);
  const set = (on: Kind, next: Own | undefined): Promise<void> =>
    save([...own.filter((one) => one.on !== on), ...(next ? [next] : [])]);
  return (
    <section data-part="my-letters">
      <h3>{words.mine}</h3>
      <p class="note">{person.value?.mail ? words.mineLead : words.noMail}</p>
      <Refused failure={failure ?? change.failure} retry={() => void reload()} />
      <ul class="setting-rows plain">
        {KINDS.map((on) => {
          const letter = of(on);
          return (
            <li key={on} data-letter={on}>
              <label>
                <input
                  type="checkbox"
                  checked={letter !== undefined}
                  disabled={!data || change.isRunning}
                  onChange={() => void set(on, letter ? undefined : { on, at: USUAL })}
                />{" "}
                {words.kinds[on]}
              </label>{" "}
              {letter && (
                <input
                  type="time"
                  aria-label={words.atOf(words.kinds[on])}
                  value={letter.at}
                  disabled={change.isRunning}
                  onChange={({ currentTarget: { value } }) => value && void set(on, { ...letter, at: value })}
                />
              )}{" "}
              <button
                type="button"
                class="link"
                aria-label={words.previewOf(words.kinds[on])}
                onClick={() => setShown(on)}
              >
                {words.preview}
              </button>
            </li>
          );
        })}
      </ul>
      <p role="status">{isSaved && !change.isRunning ? words.saved : ""}</p>
      {shown && <Preview on={shown} close={() => setShown(undefined)} />}
    </section>
  );
}

/** The newest letter as it would be sent now: its text. */
function Preview({ on, close }: { on: Kind; close: () => void }) {
  const words = said(WORDS);
  const language = lang.value === "pt" ? "pt-BR" : "en";
  const query = new URLSearchParams({ on, language });
  const { data, failure, reload } = useResource<{ subject: string; text: string }>(
    ofOrganization(`letters/preview?${query}`),
  );
  return (
    <Drawer title={words.previewTitle} close={close}>
      <Refused failure={failure} retry={() => void reload()} />
      {!data && !failure && <p class="skeleton skeleton-large" />}
      {data && <pre class="letter-preview">{data.text}</pre>}
    </Drawer>
  );
}
