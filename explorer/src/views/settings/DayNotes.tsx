import { useState } from "preact/hooks";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { today } from "../../days.ts";
import { day, range } from "../../format.ts";
import { organization } from "../../session.ts";
import { said } from "../../text.ts";
import { targets as TARGETS } from "../../words/later/targets.ts";
import { useDraft } from "./draft.ts";
import { Failed } from "./failed.tsx";
import { Part, TextField, Tick } from "./fields.tsx";
import { mergedList } from "./merged.ts";
import { SaveBar } from "./SaveBar.tsx";

interface Note {
  readonly from: string;
  readonly until?: string;
  readonly text: string;
  readonly sale?: true;
}

const daysOf = ({ from, until }: Note): string => (until ? range(from, until) : day(from));

/** Days that charts show, and what happened on them. */
export function DayNotes() {
  const words = said(TARGETS);
  const draft = useDraft<readonly Note[]>("notes", { empty: [], merged: mergedList });
  const [from, setFrom] = useState(today(organization.value?.timezones[0]));
  const [until, setUntil] = useState("");
  const [text, setText] = useState("");
  const [isSale, setSale] = useState(false);
  const [fault, setFault] = useState<string | undefined>();
  if (draft.failure && !draft.base) return <Failed failure={draft.failure} retry={() => void draft.reload()} />;
  const { now } = draft;
  if (!now) return <p class="skeleton skeleton-medium" />;
  const shown = now.toSorted((a, b) => b.from.localeCompare(a.from) || a.text.localeCompare(b.text));
  const row = (note: Note) => (
    <>
      <strong>{daysOf(note)}</strong> {note.text} {note.sale && <span class="chip">{words.saleShort}</span>}
    </>
  );
  const add = (event: Event): void => {
    event.preventDefault();
    const isLacking = from === "" || text.trim() === "";
    const found = isLacking ? words.needed : until !== "" && until < from ? words.backwards : undefined;
    setFault(found);
    if (found !== undefined) return;
    draft.change([
      ...now,
      {
        from,
        ...(until && until !== from ? { until } : {}),
        text: text.trim(),
        ...(isSale ? { sale: true as const } : {}),
      },
    ]);
    setText("");
    setUntil("");
    setSale(false);
  };
  return (
    <>
      <Part name="notes" title={words.notes} lead={words.notesLead}>
        {shown.length === 0 && <EmptySmall>{words.noNotes}</EmptySmall>}
        <ul class="setting-rows">
          {shown.map((note) => (
            <li key={JSON.stringify(note)} data-note={note.text}>
              <div>{row(note)}</div>
              <button
                type="button"
                class="link"
                aria-label={words.removeNote(note.text)}
                onClick={() => draft.change(now.filter((one) => one !== note))}
              >
                {words.remove}
              </button>
            </li>
          ))}
        </ul>
        <form class="setting-form" onSubmit={add} data-form="note">
          <h4>{words.add}</h4>
          <div class="setting-pair">
            <TextField label={words.from} type="date" value={from} change={setFrom} />
            <TextField label={words.until} type="date" value={until} change={setUntil} />
            <TextField label={words.text} value={text} change={setText} max={80} hint={words.textHint} error={fault} />
          </div>
          <Tick label={words.sale} checked={isSale} change={setSale} />
          <div class="settings-actions">
            <button type="submit">{words.addNow}</button>
          </div>
        </form>
      </Part>
      <SaveBar
        sections={[
          {
            name: "notes",
            draft,
            describe: (theirs) => (
              <ul>
                {(theirs as readonly Note[]).map((note) => (
                  <li key={JSON.stringify(note)}>{row(note)}</li>
                ))}
              </ul>
            ),
          },
        ]}
      />
    </>
  );
}
