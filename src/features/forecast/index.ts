import { Forecast } from "./forecast.ts";
import type { Model } from "./model.ts";

interface Declared {
  /** Another revision computes other figures from the same rows: kept figures of another one are not used. */
  readonly revision: number;
  readonly make: () => Model;
}

/** The models that endpoints name. */
export const MODELS = {
  forecast: { revision: 2, make: () => new Forecast() },
} satisfies Readonly<Record<string, Declared>>;

export type ModelName = keyof typeof MODELS;
