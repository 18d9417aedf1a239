import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Failure } from "../../api.ts";
import { Icon } from "../../components/Icon.tsx";
import { figure } from "../../format.ts";
import { said } from "../../text.ts";
import { saving as SAVING } from "../../words/later/saving.ts";
import type { Draft } from "./draft.ts";
import { EffectTable } from "./EffectTable.tsx";
import { type Effect, effectOf } from "./effect.ts";
import { Failed } from "./failed.tsx";
import { Progress } from "./progress.tsx";
import { renewed } from "./renewed.ts";

/** A section that is saved here, with its name at the service. */
interface Saved {
  readonly name: string;
  /** What it is called, where several are saved in one place. */
  readonly title?: string;
  // biome-ignore lint/suspicious/noExplicitAny: sections of several kinds are saved together.
  readonly draft: Draft<any>;
  /** What somebody else saved, in words. */
  readonly describe?: (theirs: unknown) => ComponentChildren;
}

interface Props {
  readonly sections: readonly Saved[];
  /** Whether figures depend on it: then the effect is shown before it is saved. */
  readonly hasEffect?: boolean;
  /** What must be right before it can be saved. */
  readonly isFaulty?: boolean;
}

type Shown =
  | { readonly is: "nothing" }
  | { readonly is: "computing"; readonly since: number }
  | { readonly is: "left" }
  | { readonly is: "failed"; readonly failure: Failure }
  | { readonly is: "ready"; readonly effect: Effect };

/** What is not saved yet: its effect, the button that saves it, and what to do where somebody else was first. */
export function SaveBar({ sections, hasEffect = false, isFaulty = false }: Props) {
  const words = said(SAVING);
  const [shown, setShown] = useState<Shown>({ is: "nothing" });
  const stop = useRef<AbortController | undefined>(undefined);
  // One after the other: each has an effect of its own.
  const current = sections.find(({ draft }) => draft.isChanged);
  const conflict = sections.find(({ draft }) => draft.theirs !== undefined);
  const failed = sections.find(({ draft }) => draft.failure && draft.base)?.draft.failure;
  const isSaving = sections.some(({ draft }) => draft.isSaving);
  const asked = JSON.stringify([current?.name, current?.draft.toSend]);
  // The effect of what was is not that of what is.
  useEffect(() => {
    stop.current?.abort();
    setShown({ is: "nothing" });
  }, [asked]);
  useEffect(() => () => stop.current?.abort(), []);
  const see = async (): Promise<void> => {
    if (!current) return;
    const asking = new AbortController();
    stop.current = asking;
    setShown({ is: "computing", since: Date.now() });
    try {
      const effect = await effectOf(current.name, current.draft.toSend, asking.signal);
      if (!asking.signal.aborted) setShown({ is: "ready", effect });
    } catch (error) {
      if (asking.signal.aborted) return;
      setShown({ is: "failed", failure: error instanceof Failure ? error : new Failure("unforeseen", String(error)) });
    }
  };
  const leave = (): void => {
    stop.current?.abort();
    setShown({ is: "left" });
  };
  const save = async (): Promise<void> => {
    if (!(await current?.draft.save())) return;
    setShown({ is: "nothing" });
    await renewed();
  };
  if (conflict) return <Conflict saved={conflict} />;
  const isSaved = sections.some(({ draft }) => draft.isSaved);
  if (!current)
    return (
      <p class="save-said" role="status">
        {isSaved && (
          <>
            <Icon name="check" /> {hasEffect ? words.saved : words.savedPlain}
          </>
        )}
      </p>
    );
  const isSeen = !hasEffect || shown.is === "ready";
  return (
    <section class="save-bar" aria-label={words.unsaved} data-save={shown.is}>
      {shown.is === "computing" && <Computing since={shown.since} leave={leave} />}
      {shown.is === "ready" && <EffectTable effect={shown.effect} />}
      {shown.is === "left" && <p class="note">{words.left}</p>}
      {shown.is === "failed" && (
        <>
          <p class="note">{words.failed}</p>
          <Failed failure={shown.failure} retry={() => void see()} />
        </>
      )}
      {failed && <Failed failure={failed} />}
      <div class="settings-actions">
        <p class="save-note">{current.title ? words.unsavedOf(current.title) : words.unsaved}</p>
        {!isSeen && shown.is !== "computing" && (
          <button
            type="button"
            class={shown.is === "nothing" ? "primary" : ""}
            disabled={isFaulty || isSaving}
            onClick={() => void see()}
          >
            {shown.is === "nothing" ? words.seeEffect : words.again}
          </button>
        )}
        {(isSeen || shown.is === "left" || shown.is === "failed") && (
          <button type="button" class="primary" disabled={isFaulty || isSaving} onClick={() => void save()}>
            {isSaving ? words.saving : isSeen ? words.save : words.saveWithout}
          </button>
        )}
        <button type="button" class="quiet" disabled={isSaving} onClick={() => current.draft.discard()}>
          {words.discard}
        </button>
      </div>
    </section>
  );
}

/** How long it has been computed, once that is long; it can be left at any time. */
function Computing({ since, leave }: { since: number; leave: () => void }) {
  const words = said(SAVING);
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - since) / 1000)), 1000);
    return () => clearInterval(timer);
  }, [since]);
  return (
    <div class="effect-computing">
      <Progress label={seconds < LONG_S ? words.computing : words.computingLong(figure(seconds, "count"))} />
      <button type="button" onClick={leave}>
        {words.leave}
      </button>
    </div>
  );
}

/** After so many seconds the time is shown. */
const LONG_S = 5;

/** Somebody else saved first: what is in force now, and what to do with the own changes. */
function Conflict({ saved: { draft, describe } }: { saved: Saved }) {
  const words = said(SAVING);
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <section ref={place} class="save-bar is-conflict" tabIndex={-1} role="alert" data-conflict>
      <p>
        <strong>{words.conflict}</strong> {words.conflictLead}
      </p>
      {describe && (
        <>
          <p class="note">{words.theirs}:</p>
          {describe(draft.theirs)}
        </>
      )}
      <div class="settings-actions">
        <button type="button" class="primary" onClick={draft.merge}>
          {words.merge}
        </button>
        <button type="button" onClick={draft.takeTheirs}>
          {words.takeTheirs}
        </button>
      </div>
    </section>
  );
}
