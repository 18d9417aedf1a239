import type { ComponentChildren } from "preact";

interface Props<T extends string> {
  readonly label: string;
  readonly options: readonly (readonly [T, ComponentChildren])[];
  readonly value: T;
  readonly change: (value: T) => void;
  /** Shows the label next to the buttons; otherwise only screen readers read it. */
  readonly isLabelled?: boolean;
}

/** A few exclusive choices side by side. */
export function Segmented<T extends string>({ label, options, value, change, isLabelled }: Props<T>) {
  return (
    <fieldset class="segmented">
      <legend class={isLabelled ? "" : "unseen"}>{label}</legend>
      {options.map(([key, text]) => (
        <button key={key} type="button" aria-pressed={key === value} onClick={() => change(key)}>
          {text}
        </button>
      ))}
    </fieldset>
  );
}
