import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

interface Options<T extends string> {
  readonly label: string;
  readonly options: readonly (readonly [T, string])[];
  readonly value: T;
  readonly change: (value: T) => void;
}

export function Select<T extends string>({ label, options, value, change }: Options<T>) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={({ currentTarget }) => change(currentTarget.value as T)}>
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The entries of a dictionary as options, in their order. */
export const wordsOf = <T extends string>(words: Readonly<Record<T, string>>): [T, string][] =>
  Object.entries(words) as [T, string][];

interface InputProps {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
  readonly type?: "text" | "date" | "number" | "search";
  readonly max?: string;
  readonly hint?: string;
}

export function Input({ label, value, change, type = "text", max, hint }: InputProps) {
  // The unfinished input, which a render for a new answer must not discard.
  const [draft, setDraft] = useState<string | undefined>();
  return (
    <label class="field" title={hint}>
      <span>{label}</span>
      <input
        {...typed(type)}
        {...(type === "number" ? { step: "any" } : {})}
        {...(max ? { max } : {})}
        value={draft ?? value}
        autocomplete="off"
        onInput={({ currentTarget }) => setDraft(currentTarget.value)}
        onChange={({ currentTarget }) => {
          setDraft(undefined);
          change(currentTarget.value);
        }}
        onBlur={() => setDraft(undefined)}
      />
    </label>
  );
}

/** Preact's types accept only a literal as the type of an input. */
export const typed = (type: NonNullable<InputProps["type"]>): { type: "text" } => ({ type: type as "text" });

export function Bar({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <section class="bar" aria-label={label}>
      {children}
    </section>
  );
}
