import type { ComponentChildren } from "preact";
import { isInPoints, shownChange, toneOf } from "../change.ts";
import { Sparkline } from "../charts/Sparkline.tsx";
import type { Point } from "../charts/series.ts";
import { change as changeText, difference, figure, hero, isFlat, rough, type Unit } from "../format.ts";
import { t } from "../text.ts";
import { Icon } from "./Icon.tsx";
import { NotAvailable } from "./NotAvailable.tsx";

export interface FigureProps {
  /** Its name in the API. */
  readonly name: string;
  readonly label: string;
  /** What the figure is computed with, if its name does not say so. */
  readonly basis?: string | undefined;
  readonly unit: Unit;
  /** Null: not available, never 0. */
  readonly value: number | null;
  /** Why there is no value. */
  readonly reason?: string | undefined;
  /** The better direction, as the metric declares it; without one a change is neither good nor bad. */
  readonly better?: "more" | "less" | undefined;
  /** The value compared with; `undefined` without a comparison. */
  readonly before?: number | null | undefined;
  /** Why the value compared with is not known. */
  readonly beforeReason?: string | undefined;
  /** In percent, from the API. */
  readonly change?: number | null | undefined;
  /** The days of the period compared with that have data, if not all of them do: then no percentage is shown. */
  readonly incomplete?: { readonly known: number; readonly of: number } | undefined;
  /** Instead of a comparison, where the values are not comparable. */
  readonly note?: ComponentChildren;
  readonly line?: { readonly points: readonly Point[]; readonly values: readonly (number | null)[] } | undefined;
  readonly target?: number | undefined;
  /** A value of which only the size is known: it is rounded, and paler. */
  readonly isRough?: boolean;
  readonly size?: "hero" | "normal" | "small";
  /** Opens the explanation. */
  readonly explain?: (() => void) | undefined;
}

/** A figure with its change, judged by the metric's better direction, its course and its target. */
export function Figure(props: FigureProps) {
  const { name, label, basis, unit, value, reason, size = "normal", explain, line, target, better } = props;
  const exact = figure(value, unit);
  const shown = props.isRough ? rough(value ?? 0, unit) : size === "small" ? exact : hero(value ?? 0, unit);
  const text =
    value === null ? (
      <NotAvailable reason={reason} />
    ) : (
      <span title={shown === exact ? undefined : exact} data-exact={exact}>
        {shown}
      </span>
    );
  return (
    <article class={`figure figure-${size}`} data-metric={name}>
      <h3 class="figure-name">
        {explain ? (
          <button
            type="button"
            class="figure-explain"
            aria-label={t().figure.explain(label)}
            title={value === null || shown === exact ? undefined : exact}
            onClick={explain}
          >
            {label}
          </button>
        ) : (
          label
        )}
      </h3>
      <p class={`figure-value value${isBelowZero(props) ? " bad" : ""}${props.isRough ? " is-rough" : ""}`}>{text}</p>
      <Before {...props} />
      {basis && <p class="before figure-basis">{basis}</p>}
      {target !== undefined && value !== null && (
        <Target value={value} target={target} unit={unit} isLess={better === "less"} />
      )}
      {line && <Sparkline label={label} points={line.points} values={line.values} unit={unit} />}
    </article>
  );
}

/** A loss, as everything of which more is better and that is below 0. */
const isBelowZero = ({ value, better }: FigureProps): boolean => better === "more" && value !== null && value < 0;

function Before(props: FigureProps) {
  const { value, before, beforeReason, incomplete, note, unit, better } = props;
  const words = t().figure;
  if (note !== undefined) return <p class="before">{note}</p>;
  if (before === undefined || (before === null && value === null)) return <p class="before" />;
  if (incomplete) {
    return <p class="before">{words.incomplete(figure(incomplete.known, "count"), figure(incomplete.of, "count"))}</p>;
  }
  const change = shownChange(props);
  return (
    <p class="before">
      {change !== null && <Change value={change} better={better} hasPoints={isInPoints(unit)} />}
      {before === null ? (
        <span>{words.before([t().notAvailable, beforeReason].filter(Boolean).join(": "))}</span>
      ) : (
        <span title={figure(before, unit)}>{words.before(hero(before, unit))}</span>
      )}
    </p>
  );
}

interface ChangeProps {
  /** In percent, or in percentage points. */
  readonly value: number;
  readonly better?: FigureProps["better"];
  readonly hasPoints?: boolean;
}

/** A change. Its direction and verdict are an arrow and words too, not only a color. */
export function Change({ value, better, hasPoints = false }: ChangeProps) {
  const tone = toneOf(value, better);
  const words = t().figure;
  const text = hasPoints ? t().products.points(difference(value)) : changeText(value);
  if (text === "") return null;
  return (
    <span class={`change ${tone ?? ""}`}>
      {!isFlat(value) && <Icon name={value > 0 ? "up" : "fall"} />}
      {text}
      <span class="unseen">
        {" "}
        {tone ? `(${tone === "good" ? words.better : words.worse}) ` : ""}
        {words.changed},{" "}
      </span>
    </span>
  );
}

interface TargetProps {
  readonly value: number;
  readonly target: number;
  readonly unit: Unit;
  readonly isLess: boolean;
}

/** A bar up to the target. Below a target that is a limit, the bar is full when the limit is reached. */
export function Target({ value, target, unit, isLess }: TargetProps) {
  const isReached = isLess ? value <= target : value >= target;
  const share = target === 0 ? 1 : Math.max(0, Math.min(1, value / target));
  const words = t().figure;
  return (
    <p class={`target ${isReached ? "good" : "bad"}`}>
      <span class="target-track" aria-hidden="true">
        <span style={{ width: `${share * 100}%` }} />
      </span>
      <span>
        {words.target(hero(target, unit))} <span class="unseen">{isReached ? words.reached : words.missed}</span>
      </span>
    </p>
  );
}
