import { useState } from "preact/hooks";
import { isDay, lengthOf, today } from "../days.ts";
import { isFilterable } from "../filter.ts";
import { day, instant, range, shortDay, shortInstant, shortRange } from "../format.ts";
import { known } from "../moment.ts";
import {
  COMPARISONS,
  type Comparison,
  chosen,
  comparison,
  GRANULARITIES,
  type Granularity,
  hasWholeMonths,
  PRESETS,
} from "../period.ts";
import { arg, route, set } from "../route.ts";
import { organization } from "../session.ts";
import { lastDay, soldUntil, useCompared, useGranularity, usePeriod } from "../stores.ts";
import { t } from "../text.ts";
import { FilterButton, FilterPicker, FilterPills } from "./Filter.tsx";
import { Icon } from "./Icon.tsx";
import { KnownButton, MomentPicker } from "./Known.tsx";
import { walk } from "./Menu.tsx";
import { Sheet } from "./Modal.tsx";
import { Popover } from "./Popover.tsx";
import { Segmented } from "./Segmented.tsx";

/** What a view can choose in the toolbar. */
export interface Tools {
  readonly period?: boolean;
  readonly compare?: boolean;
  readonly granularities?: readonly Granularity[];
}

/** Period, comparison and granularity. On a phone one button opens all of them. */
export function Toolbar({ tools, asOf }: { tools: Tools; asOf?: string | null }) {
  const [isOpen, setOpen] = useState(false);
  const words = t().toolbar;
  const text = usePeriodText();
  const against = useComparisonText();
  const isFiltering = isFilterable(route.value.view);
  if (!tools.period) return null;
  return (
    <section class="toolbar" aria-label={words.label}>
      <div class="toolbar-wide">
        <Popover
          label={words.period}
          hasText
          class="text-button"
          button={
            <>
              <Icon name="calendar" />
              <span class="unseen">{words.period}: </span>
              <span class="toolbar-strong">{text.name}</span>
              <span class="muted period-days">{text.days}</span>
              <Icon name="down" />
            </>
          }
        >
          {(close) => <PeriodPicker done={close} />}
        </Popover>
        {tools.compare && (
          <Popover
            label={words.compare}
            hasText
            class="text-button"
            button={
              <>
                <span class="muted">{against}</span>
                <Icon name="down" />
              </>
            }
          >
            {(close) => <ComparisonPicker done={close} />}
          </Popover>
        )}
        {tools.granularities && <GranularityPicker offered={tools.granularities} />}
        {isFiltering && <FilterButton />}
        <KnownButton />
        {text.lack && <p class="toolbar-lack">{text.lack}</p>}
        <Freshness asOf={asOf} />
      </div>
      <button type="button" class="toolbar-narrow" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon name="calendar" />
        <span class="toolbar-lines">
          <span>
            <span class="toolbar-strong">{text.name}</span> <span class="muted">{text.shortDays}</span>
          </span>
          {tools.compare && <span class="muted toolbar-against">{against}</span>}
        </span>
        <Icon name="down" />
      </button>
      {isFiltering && <FilterPills />}
      {text.lack && <p class="toolbar-lack toolbar-lack-narrow">{text.lack}</p>}
      {isOpen && (
        <Sheet title={words.label} close={() => setOpen(false)}>
          <h3 class="picker-title">{words.period}</h3>
          <PeriodPicker done={() => {}} />
          {isFiltering && (
            <>
              <h3 class="picker-title">{t().filter.label}</h3>
              <FilterPicker done={() => {}} />
            </>
          )}
          <h3 class="picker-title">{t().known.label}</h3>
          <div class="picker">
            <MomentPicker value={known.value} empty={t().known.now} isOpen choose={(next) => set({ known: next })} />
          </div>
          {tools.compare && (
            <>
              <h3 class="picker-title">{words.compare}</h3>
              <ComparisonPicker done={() => {}} />
            </>
          )}
          {tools.granularities && (
            <>
              <h3 class="picker-title">{words.by}</h3>
              <GranularityPicker offered={tools.granularities} />
            </>
          )}
          <Freshness asOf={asOf} />
        </Sheet>
      )}
    </section>
  );
}

interface PeriodText {
  readonly name: string;
  readonly days: string;
  /** The days in a narrow place, without the year. */
  readonly shortDays: string;
  /** What the data of the period lack at its end. */
  readonly lack: string;
}

function usePeriodText(): PeriodText {
  const { from, to } = usePeriod();
  const words = t().toolbar;
  const now = chosen();
  const last = lastDay();
  const sold = organization.value && soldUntil(organization.value, last);
  const days = from && to ? range(from, to) : "";
  const lack =
    to !== undefined && to > last
      ? words.dataUntil(shortDay(last))
      : sold === undefined
        ? ""
        : words.noSales(day(sold));
  if (now === "custom") return { name: days, days: "", shortDays: "", lack };
  const shortDays = from && to ? shortRange(from, to) : "";
  return { name: words.presets[now], days: hasWholeMonths() ? words.wholeMonths(days) : days, shortDays, lack };
}

function useComparisonText(): string {
  const words = t().toolbar;
  const compared = useCompared();
  const period = usePeriod();
  if (!compared) return words.comparisons.none;
  const kind = comparison(period);
  return words.versus(kind === "own" ? range(compared.from, compared.to) : words.comparisons[kind].toLocaleLowerCase());
}

/** The periods by name, and two days. */
export function PeriodPicker({ done }: { done: () => void }) {
  const { from, to } = usePeriod();
  const last = lastDay();
  const now = chosen();
  const words = t().toolbar;
  return (
    <div class="picker">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the buttons within */}
      <div class="picker-list picker-presets" onKeyDown={walk}>
        {PRESETS.map((preset) => (
          <button
            key={preset}
            type="button"
            class="menu-entry"
            aria-pressed={preset === now}
            onClick={() => {
              set({ period: preset, from: "", to: "" });
              done();
            }}
          >
            <span>{words.presets[preset]}</span>
            {preset === now && <Icon name="check" />}
          </button>
        ))}
      </div>
      <OwnDates
        from={from ?? organization.value?.firstDay ?? last}
        to={to ?? last}
        apply={(start, end) => {
          set({ from: start, to: end, period: "" });
          done();
        }}
      />
      <p class="note">{words.anchored(day(last))}</p>
    </div>
  );
}

/** What the period is compared with. */
export function ComparisonPicker({ done }: { done: () => void }) {
  const period = usePeriod();
  const compared = useCompared(period);
  const now = comparison(period);
  const words = t().toolbar;
  const choose = (kind: Comparison): void => {
    set({ compare: kind, compareFrom: "", compareTo: "" });
    done();
  };
  return (
    <div class="picker">
      <div class="picker-list">
        {COMPARISONS.filter((kind) => kind !== "own").map((kind) => (
          <button key={kind} type="button" class="menu-entry" aria-pressed={kind === now} onClick={() => choose(kind)}>
            <span>{words.comparisons[kind]}</span>
            {kind === now && <Icon name="check" />}
          </button>
        ))}
      </div>
      {compared && (
        <OwnDates
          from={compared.from}
          to={compared.to}
          apply={(compareFrom, compareTo) => {
            set({ compare: "own", compareFrom, compareTo });
            done();
          }}
        />
      )}
    </div>
  );
}

/** Two days that count when they are applied: while they are typed, nothing is requested. */
function OwnDates(props: { from: string; to: string; apply: (from: string, to: string) => void }) {
  const [from, setFrom] = useState(props.from);
  const [to, setTo] = useState(props.to);
  const words = t().toolbar;
  const isGood = isDay(from) && isDay(to) && lengthOf(from, to) >= 1;
  return (
    <form
      class="own-dates"
      onSubmit={(event) => {
        event.preventDefault();
        if (isGood) props.apply(from, to);
      }}
    >
      <label class="field">
        <span>{words.from}</span>
        <input type="date" value={from} max={today()} onInput={({ currentTarget }) => setFrom(currentTarget.value)} />
      </label>
      <label class="field">
        <span>{words.to}</span>
        <input type="date" value={to} max={today()} onInput={({ currentTarget }) => setTo(currentTarget.value)} />
      </label>
      <button type="submit" disabled={!isGood}>
        {words.apply}
      </button>
    </form>
  );
}

function GranularityPicker({ offered }: { offered: readonly Granularity[] }) {
  const now = useGranularity(offered);
  const words = t().toolbar;
  return (
    <Segmented
      label={words.by}
      options={GRANULARITIES.filter((name) => offered.includes(name)).map(
        (name) => [name, words.granularities[name]] as const,
      )}
      value={now}
      change={(by) => set({ by })}
    />
  );
}

function Freshness({ asOf }: { asOf: string | null | undefined }) {
  if (asOf === undefined) return null;
  const words = t().toolbar;
  if (asOf === null) return <p class="freshness">{words.neverFresh}</p>;
  return (
    <p class="freshness" title={words.fresh(instant(asOf))}>
      {words.fresh(shortInstant(asOf))}
    </p>
  );
}

/** Whether an own period or comparison is in the address. */
export const hasOwnDates = (): boolean => arg("from") !== "" || arg("compareFrom") !== "";
