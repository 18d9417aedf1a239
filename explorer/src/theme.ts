import { signal } from "@preact/signals";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const theme = signal<Theme>("system");

/** Counts up when the colors may have changed, so that charts redraw their canvas. */
export const repaint = signal(0);

const root = document.documentElement;
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  repaint.value += 1;
});
theme.subscribe((chosen) => {
  if (chosen === "system") delete root.dataset.theme;
  else root.dataset.theme = chosen;
  repaint.value = repaint.peek() + 1;
});

export interface Colors {
  readonly ink: string;
  readonly muted: string;
  readonly line: string;
  readonly surface: string;
  readonly accent: string;
  readonly contrast: string;
  /** The colors of the series of a chart, in their order. */
  readonly series: readonly string[];
}

/** The page's colors for charts on canvas, read from the style sheet, which is their only definition. */
export function colors(): Colors {
  const style = getComputedStyle(root);
  const color = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    ink: color("ink"),
    muted: color("muted"),
    line: color("line"),
    surface: color("surface"),
    accent: color("accent"),
    contrast: color("contrast"),
    series: Array.from({ length: 9 }, (_, n) => color(`series-${n + 1}`)),
  };
}

export const isAnimated = (): boolean => !matchMedia("(prefers-reduced-motion: reduce)").matches;
