import { signal } from "@preact/signals";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const theme = signal<Theme>("system");

/** Counts up when the colors may have changed; charts on canvas have to be drawn again. */
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
  /** For things side by side, in the order in which they are named. */
  readonly series: readonly string[];
}

/** The page's colors, of which the style sheet is the only source, for what is drawn on canvas. */
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

export const moves = (): boolean => !matchMedia("(prefers-reduced-motion: reduce)").matches;
