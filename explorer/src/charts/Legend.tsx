import { t } from "../text.ts";
import { type Color, colorClass } from "./series.ts";

export interface Entry {
  readonly key: string;
  readonly name: string;
  readonly color: Color;
  readonly shape: "bar" | "line" | "dashed";
  /** As the series: paler the smaller it is. */
  readonly strength?: number | undefined;
}

interface Props {
  readonly entries: readonly Entry[];
  /** The series that stays when the others fade. */
  readonly picked: string | undefined;
  readonly point: (key: string | undefined) => void;
  readonly pick: (key: string | undefined) => void;
}

/** The names of the series. Pointing at one fades the others; a click keeps it so. */
export function Legend({ entries, picked, point, pick }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be read as a part of a form
    <div class="chart-legend" role="group" aria-label={t().chart.legend}>
      {entries.map(({ key, name, color, shape, strength }) => (
        <button
          key={key}
          type="button"
          class={`chart-legend-entry ${colorClass(color)}`}
          aria-pressed={picked === key}
          onPointerEnter={() => point(key)}
          onPointerLeave={() => point(undefined)}
          onFocus={() => point(key)}
          onBlur={() => point(undefined)}
          onClick={() => pick(picked === key ? undefined : key)}
        >
          <span
            class={`swatch swatch-${shape}`}
            style={{ opacity: strength === undefined ? undefined : 0.25 + 0.75 * strength }}
            aria-hidden="true"
          />
          {name}
        </button>
      ))}
    </div>
  );
}
