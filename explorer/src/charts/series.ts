import type { Unit } from "../format.ts";

/** A role of the style sheet: the accent of this page, its counterpart, a neutral, or one of the palette's colors. */
export type Color = "accent" | "contrast" | "muted" | "good" | "bad" | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** A position on the horizontal axis. */
export interface Point {
  readonly key: string;
  /** The short text on the axis. */
  readonly label: string;
  /** The full text in the tooltip. */
  readonly title?: string;
  /** In progress: its values will change. Lines to it are dotted, bars are pale. */
  readonly isOpen?: boolean;
  /** What happened then, by the notes of the settings. */
  readonly note?: string | undefined;
}

export interface Series {
  readonly key: string;
  readonly name: string;
  /** `stack`: all stacked series of a chart are one bar. */
  readonly as: "line" | "bar" | "stack";
  readonly color: Color;
  /** One per point; null leaves a gap, and is not zero. */
  readonly values: readonly (number | null)[];
  /** Values of the period compared with: thin and dashed. `titles` has the full texts of its own points. */
  readonly comparison?: { readonly titles?: readonly string[] };
  /** Its points from this position on are in progress, if that differs from the points' own `isOpen`. */
  readonly openFrom?: number;
  /** The interval around a line, per point. */
  readonly band?: readonly (readonly [number, number] | null)[];
  /** Fades older series of many; from 0 to 1. */
  readonly strength?: number;
  /** One of many behind the others: not in the legend, and named only where it is pointed at. */
  readonly isBehind?: boolean;
  /** Emphasized, such as the average of the others. */
  readonly isBold?: boolean;
  /** Its unit if it differs from the chart's: it then gets an axis on the right. */
  readonly unit?: Unit;
}

/** A horizontal line, such as a target. */
export interface Level {
  readonly value: number;
  readonly label: string;
}

/** A marked position, between two points too. */
export interface Mark {
  readonly at: number;
  readonly value: number;
  readonly label: string;
}

export const colorClass = (color: Color): string => `color-${color}`;
