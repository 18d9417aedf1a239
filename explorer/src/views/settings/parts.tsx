import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Banner } from "../../components/Banner.tsx";
import { Refused } from "../../components/Refused.tsx";
import type { Change, Resource } from "../../platform/use.ts";
import { said, t } from "../../text.ts";
import { sections as WORDS } from "../../words/later/sections.ts";

export { Refused } from "../../components/Refused.tsx";

// What the sections of the settings are made of.

/** A box with a title, and what it is about. */
export function Panel({ title, lead, children }: { title: string; lead?: string; children: ComponentChildren }) {
  const id = useId();
  return (
    <section class="card-box settings-panel" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {lead && <p class="note">{lead}</p>}
      {children}
    </section>
  );
}

/** What was read, once it is there; why it could not be read. */
export function Loaded<T>({ of, children }: { of: Resource<T>; children: (data: T) => ComponentChildren }) {
  if (of.data !== undefined) return <>{children(of.data)}</>;
  if (of.failure) return <Refused failure={of.failure} retry={() => void of.reload()} />;
  return (
    <p class="skeleton skeleton-medium">
      <span class="unseen">{t().frame.loading}</span>
    </p>
  );
}

interface FormProps {
  readonly change: Change;
  readonly submit: () => void;
  readonly button?: string;
  /** Whether there is something to save. */
  readonly canSave?: boolean;
  /** Says that it is saved. */
  readonly isSaved?: boolean;
  readonly children: ComponentChildren;
}

/** Fields with a button that saves them. */
export function Form({ change, submit, button, canSave = true, isSaved = false, children }: FormProps) {
  const words = said(WORDS);
  return (
    <form
      class="settings-form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {children}
      <div class="settings-actions">
        <button type="submit" class="primary" disabled={change.isRunning || !canSave}>
          {change.isRunning ? words.saving : (button ?? words.save)}
        </button>
        <span role="status" class="note">
          {isSaved && !change.isRunning ? words.saved : ""}
        </span>
      </div>
    </form>
  );
}

interface ConfirmProps {
  /** On the button. */
  readonly text: string;
  /** What it is about, which screen readers say after the text. */
  readonly of?: string;
  /** What is asked before it is done. */
  readonly question: string;
  readonly isDisabled?: boolean;
  readonly act: () => void;
}

/** The name of a button of a row, for screen readers: what it says, and what it is about. */
export const labelOf = (text: string, of: string): string => `${text}: ${of}`;

/** A button that asks before it acts. */
export function Confirm({ text, of, question, isDisabled = false, act }: ConfirmProps) {
  const words = said(WORDS);
  const [isAsking, setAsking] = useState(false);
  const hasAsked = useRef(false);
  if (!isAsking)
    return (
      <button
        type="button"
        ref={hasAsked.current ? focused : null}
        aria-label={of && labelOf(text, of)}
        disabled={isDisabled}
        onClick={() => {
          hasAsked.current = true;
          setAsking(true);
        }}
      >
        {text}
      </button>
    );
  return (
    <fieldset class="settings-confirm">
      <legend>{question}</legend>
      <button
        type="button"
        class="danger"
        ref={focused}
        onClick={() => {
          setAsking(false);
          act();
        }}
      >
        {text}
      </button>
      <button type="button" onClick={() => setAsking(false)}>
        {words.cancel}
      </button>
    </fieldset>
  );
}

const focused = (button: HTMLElement | null): void => button?.focus();

/** A secret or a link that is shown only now. */
export function OnlyNow({ children }: { children: ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null);
  // It may be far from the button that made it.
  useEffect(() => place.current?.scrollIntoView({ block: "center" }), []);
  return (
    <Banner tone="warn">
      <div ref={place} class="settings-once">
        {children}
      </div>
    </Banner>
  );
}
