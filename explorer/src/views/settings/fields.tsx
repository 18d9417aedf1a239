import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { typed } from "../../components/Controls.tsx";
import { arg } from "../../route.ts";

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
}

interface TextProps extends FieldProps {
  readonly value: string;
  readonly change: (value: string) => void;
  readonly type?: "text" | "date" | "time" | "password" | undefined;
  /** Proposed values. */
  readonly list?: readonly string[] | undefined;
  readonly isNumber?: boolean | undefined;
  readonly max?: number | undefined;
  readonly unit?: string | undefined;
  readonly name?: string | undefined;
}

/** A text field whose hint and fault belong to it for screen readers too. */
export function TextField(props: TextProps) {
  const { label, value, change, type = "text", hint, error, list, isNumber, max, unit, name } = props;
  const id = useId();
  const notes = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return (
    <div class={`setting${error ? " is-wrong" : ""}`}>
      <label for={id}>{label}</label>
      <span class="setting-input">
        <input
          id={id}
          {...typed(type as "text")}
          {...(name ? { name } : {})}
          {...(isNumber ? { inputMode: "decimal" as const } : {})}
          {...(list ? { list: `${id}-list` } : {})}
          {...(max ? { maxLength: max } : {})}
          {...(notes ? { "aria-describedby": notes } : {})}
          {...(error ? { "aria-invalid": true } : {})}
          class={isNumber ? "is-number" : ""}
          autocomplete="off"
          value={value}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
        {unit && <span class="setting-unit">{unit}</span>}
      </span>
      {list && (
        <datalist id={`${id}-list`}>
          {list.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      {hint && (
        <small id={`${id}-hint`} class="muted">
          {hint}
        </small>
      )}
      {error && (
        <small id={`${id}-error`} class="setting-error" role="alert">
          {error}
        </small>
      )}
    </div>
  );
}

interface SelectProps<T extends string> extends FieldProps {
  readonly value: T;
  readonly options: readonly (readonly [T, string])[];
  readonly change: (value: T) => void;
}

export function SelectField<T extends string>({ label, value, options, change, hint, error }: SelectProps<T>) {
  const id = useId();
  const notes = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return (
    <div class={`setting${error ? " is-wrong" : ""}`}>
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        {...(notes ? { "aria-describedby": notes } : {})}
        onChange={({ currentTarget }) => change(currentTarget.value as T)}
      >
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
      {hint && (
        <small id={`${id}-hint`} class="muted">
          {hint}
        </small>
      )}
      {error && (
        <small id={`${id}-error`} class="setting-error" role="alert">
          {error}
        </small>
      )}
    </div>
  );
}

interface ChoiceProps<T extends string> {
  readonly legend: string;
  readonly options: readonly (readonly [T, ComponentChildren])[];
  readonly value: T | undefined;
  readonly change: (value: T) => void;
  readonly error?: string | undefined;
}

/** A few exclusive choices, each with its sentence. */
export function Choice<T extends string>({ legend, options, value, change, error }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset class={`setting-choice${error ? " is-wrong" : ""}`}>
      <legend>{legend}</legend>
      {options.map(([key, text]) => (
        <label key={key}>
          <input type="radio" name={name} value={key} checked={key === value} onChange={() => change(key)} />
          <span>{text}</span>
        </label>
      ))}
      {error && (
        <small class="setting-error" role="alert">
          {error}
        </small>
      )}
    </fieldset>
  );
}

interface TickProps {
  readonly label: ComponentChildren;
  readonly checked: boolean;
  readonly change: (checked: boolean) => void;
}

export const Tick = ({ label, checked, change }: TickProps) => (
  <label class="setting-tick">
    <input type="checkbox" checked={checked} onChange={({ currentTarget }) => change(currentTarget.checked)} />
    <span>{label}</span>
  </label>
);

interface PartProps {
  /** Its name in addresses: a notice that leads here ends at it. */
  readonly name: string;
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of a section: title, what it is for, and its fields. */
export function Part({ name, title, lead, tools, children }: PartProps) {
  const id = useId();
  const place = useField(name);
  return (
    <section ref={place} class="card-box settings-panel" aria-labelledby={id} data-part={name}>
      <header class="setting-head">
        <div>
          <h3 id={id} tabIndex={-1}>
            {title}
          </h3>
          {lead && <p class="note">{lead}</p>}
        </div>
        {tools && <div class="setting-tools">{tools}</div>}
      </header>
      {children}
    </section>
  );
}

/** How long a field is followed while what is above it loads. */
const FOLLOWED_MS = 4_000;

/** Scrolls to a field that the address names, and gives it the focus: its heading, or itself. */
export function useField(name: string) {
  const place = useRef<HTMLElement>(null);
  const isAsked = arg("field") === name;
  useEffect(() => {
    const field = place.current;
    if (!isAsked || !field) return;
    const follow = (): void => field.scrollIntoView({ block: "start" });
    follow();
    field.querySelector<HTMLElement>("h3, h4, input, button")?.focus({ preventScroll: true });
    const sizes = new ResizeObserver(follow);
    sizes.observe(document.body);
    const end = (): void => {
      sizes.disconnect();
      clearTimeout(timer);
      for (const event of OWN) removeEventListener(event, end);
    };
    const timer = setTimeout(end, FOLLOWED_MS);
    for (const event of OWN) addEventListener(event, end, { passive: true });
    return end;
  }, [isAsked]);
  return place;
}

/** The user's own movements end it. */
const OWN = ["wheel", "touchstart", "keydown", "pointerdown"] as const;
