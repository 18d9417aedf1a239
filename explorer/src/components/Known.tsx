import type { ComponentChildren } from "preact";
import { useCallback, useState } from "preact/hooks";
import { dataOf, useAnswer } from "../answer.ts";
import type { Pins } from "../answers.ts";
import type { Query } from "../api.ts";
import { clock, dayIn, daysBefore, isDay } from "../days.ts";
import { day, instant } from "../format.ts";
import { endOf, known } from "../moment.ts";
import { hashOf, set, type View } from "../route.ts";
import { organization } from "../session.ts";
import { t } from "../text.ts";
import { Banner } from "./Banner.tsx";
import { Icon } from "./Icon.tsx";
import { Popover } from "./Popover.tsx";

const PINS: Query = { path: "/v1/pins", params: {} };

/** The organization's pins, the newest first; none while they load, and of a service that has none. */
export const usePins = (isAsked = true): Pins["data"] =>
  dataOf(useAnswer<Pins>(isAsked ? PINS : undefined))?.data ?? [];

/** A moment in few words: the name of a pin, or the instant. */
export const momentText = (moment: string): string => (moment.includes("T") ? instant(moment) : moment);

/** In fewer words: an instant's day. */
const shortText = (moment: string): string =>
  moment.includes("T") ? day(dayIn(Date.parse(moment), organization.value?.timezones[0])) : moment;

/** When what the page shows was known, and the name of the pin; empty for now. */
export function knownText(): string {
  if (!known.value) return "";
  const name = momentText(known.value);
  const when = clock.value === undefined ? name : instant(new Date(clock.value).toISOString());
  return t().known.on(name === when ? when : `${when} (${name})`);
}

/** Next to the period: as known when. */
export function KnownButton() {
  const words = t().known;
  return (
    <MomentButton
      label={words.label}
      text={
        <>
          <span class="unseen">{words.label} </span>
          {known.value ? words.short(shortText(known.value)) : words.now}
        </>
      }
      value={known.value}
      empty={words.now}
      choose={(next) => set({ known: next })}
    >
      <p class="note">{words.hint}</p>
    </MomentButton>
  );
}

interface ButtonProps extends Omit<Props, "isOpen"> {
  readonly label: string;
  readonly text: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A button that opens the choice of a moment. */
export function MomentButton({ label, text, choose, children, ...props }: ButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const open = useCallback(() => setOpen(true), []);
  return (
    <Popover
      label={label}
      class="text-button"
      hasText
      onOpen={open}
      button={
        <>
          <Icon name="clock" />
          <span class={props.value ? "toolbar-strong" : "muted"}>{text}</span>
          <Icon name="down" />
        </>
      }
    >
      {(close) => (
        <div class="picker">
          <MomentPicker
            {...props}
            isOpen={isOpen}
            choose={(next) => {
              choose(next);
              close();
            }}
          />
          {children}
        </div>
      )}
    </Popover>
  );
}

interface Props {
  readonly value: string;
  /** The name of no choice, if that is one. */
  readonly empty?: string;
  /** Whether it is seen: before that the pins are not asked for. */
  readonly isOpen: boolean;
  readonly choose: (moment: string) => void;
}

/** A pin, or a day that is over: its end in the first store's time zone. */
export function MomentPicker({ value, empty, isOpen, choose }: Props) {
  const words = t().known;
  const zone = organization.value?.timezones[0];
  const last = daysBefore(dayIn(Date.now(), zone), 1);
  const [chosen, setChosen] = useState(value.includes("T") ? dayIn(Date.parse(value), zone) : "");
  const options = [
    ...(empty ? [["", empty, ""]] : []),
    ...usePins(isOpen).map(({ name, knownAt }) => [name, name, instant(knownAt)]),
  ];
  const isGood = isDay(chosen) && chosen <= last;
  return (
    <>
      <div class="picker-list">
        {options.map(([key = "", name, when]) => (
          <button key={key} type="button" class="menu-entry" aria-pressed={key === value} onClick={() => choose(key)}>
            <span>
              {name} <small class="muted">{when}</small>
            </span>
            {key === value && <Icon name="check" />}
          </button>
        ))}
      </div>
      <form
        class="own-dates"
        onSubmit={(event) => {
          event.preventDefault();
          if (isGood) choose(endOf(chosen, zone));
        }}
      >
        <label class="field">
          <span>{words.day}</span>
          <input
            type="date"
            value={chosen}
            max={last}
            onInput={({ currentTarget }) => setChosen(currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={!isGood}>
          {t().toolbar.apply}
        </button>
      </form>
    </>
  );
}

/** On every page while it shows what was known then, with the way back. */
export function KnownBanner({ view }: { view: View }) {
  const words = t().known;
  if (!known.value) return null;
  return (
    <Banner tone="info" action={{ text: words.back, act: () => set({ known: "" }) }}>
      <strong>{knownText()}.</strong> {view === "overview" && words.targets}{" "}
      <a href={hashOf("data", { tab: "changes", since: known.value, known: "" })}>{words.changed}</a>
    </Banner>
  );
}
