import { type Draft, useDraft } from "../draft.ts";
import type { Margin } from "./rules.ts";

/** The margin in an object of its own: none is a value too. */
export interface MarginValue {
  readonly margin: Margin | null;
}

export const useMarginDraft = (): Draft<MarginValue, Margin> =>
  useDraft<MarginValue, Margin>("margin", {
    empty: { margin: null },
    merged: (_base, own) => own,
    read: (value) => ({ margin: value }),
    written: ({ margin }) => margin,
  });
