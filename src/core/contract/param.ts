/**
 * Query parameters and their allowed values. Validation, documents and tests derive from these; SQL reads the accepted
 * values as members of one struct variable `p`, named in snake case and typed by their kind in `params/kinds.ts`.
 */
interface Common {
  readonly description: string;
  readonly required?: boolean;
  /** The day since which it is deprecated; it is still accepted. */
  readonly deprecated?: string;
  /** An empty value is wrong, not one that was not sent. */
  readonly refusesEmpty?: boolean;
  /** An empty value is a value. */
  readonly keepsEmpty?: boolean;
}

export type Param = Common &
  (
    | { readonly kind: "text"; readonly maxLength?: number; readonly pattern?: string }
    | { readonly kind: "uuid" }
    /** `YYYY-MM-DD`, a day that exists. */
    | { readonly kind: "day" }
    /**
     * A day or an ISO 8601 instant, as a bound. SQL gets an instant: the first within the period for
     * `from`, the first after it for `to` (a day ends with the day, an instant includes itself: +1 microsecond).
     */
    | { readonly kind: "from" | "to" }
    | {
        readonly kind: "choice";
        readonly of: readonly string[];
        readonly fallback?: string;
        readonly anyCase?: boolean;
      }
    /** One of these, or two different ones with a comma between them, as they are. */
    | { readonly kind: "crossing"; readonly of: readonly string[] }
    /** An instant, a day or the name of a pin: what was known then answers. It is accepted as an instant, and no query reads it. */
    | { readonly kind: "known" }
    /** A whole number within these bounds. */
    | { readonly kind: "integer"; readonly least: number; readonly most: number }
    /** A decimal number. */
    | { readonly kind: "number" }
    | { readonly kind: "flag"; readonly fallback?: "true" | "false" }
    /**
     * Repeated, comma-separated or both; blanks and duplicates do not count. SQL gets the parts joined by commas.
     * `including`: a parameter with a single value, which is added as one more part.
     */
    | {
        readonly kind: "list";
        readonly of?: readonly string[];
        readonly most?: number;
        readonly maxLength?: number;
        readonly including?: string;
      }
    /** Never sent: the day (UTC) or the instant of the answer, by the service's clock. */
    | { readonly kind: "today" | "now" }
    /**
     * Never sent: the first day of the current month and the day before today, by the clock of the organization's first store, or the amounts
     * of its targets, its alerts or its noted days, as JSON text.
     */
    | { readonly kind: "settings"; readonly of: OfSettings }
    /** Never an error: clamped to its bounds and rounded down; a value that is not a number becomes the fallback. */
    | { readonly kind: "paging"; readonly least: number; readonly most: number; readonly fallback: number }
  );

export type OfSettings = "monthStart" | "yesterday" | "targets" | "alerts" | "notes";

export type Params = Readonly<Record<string, Param>>;

/** Two parameters that bound a period. */
export interface PeriodRule {
  readonly start: string;
  readonly end: string;
  /** The treatment of one bound without the other. */
  readonly bothOrNone?: "ignored" | "refused";
  /** Neither may be after today (UTC). */
  readonly notFuture?: boolean;
  /** Maximum days from the start to the end. */
  readonly mostDays?: number;
  /**
   * The answer also covers the days that it is compared with, which must not begin before year 1: as many right before,
   * or those that the parameter chooses [D50], unless the other two bound them. `always`: `none` is refused.
   */
  readonly compared?:
    | true
    | {
        readonly by: string;
        readonly unless?: { readonly start: string; readonly end: string };
        readonly always?: boolean;
      };
  /** Default of a missing bound: the end is today, the start makes the period this many days long. */
  readonly days?: number;
  /** A parameter that names a period ending today, used if neither bound is sent: its values in days. */
  readonly preset?: { readonly parameter: string; readonly days: Readonly<Record<string, number>> };
}

/** Two numbers that bound a figure. */
export interface RangeRule {
  readonly least: string;
  readonly most: string;
}

/** Stricter than the format of `ajv-formats`, which also accepts `urn:uuid:`: ids are names of folders. */
export const UUID = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

/** A UUID in lower case. Any other text is unchanged. */
export const canonicalId = (id: string): string => (UUID.test(id) ? id.toLowerCase() : id);

export const organizationId: Param = {
  kind: "text",
  maxLength: 128,
  required: true,
  description: "The organization whose data is read.",
};

/** The period that a period is compared with [D50]; `sql/setup/periods.sql` computes it. */
export const COMPARISONS = ["previous", "year", "weekdays", "none"] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** The values that a crossing names. */
export const crossedIn = (accepted: string | number | null | undefined): string[] =>
  accepted === null || accepted === undefined ? [] : String(accepted).split(",");

/** Whether a request can send it. */
export const isSent = ({ kind }: Param): boolean => !["today", "now", "settings"].includes(kind);

/** `startDate` → `start_date`. */
export const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Accepted values: text, a number, a day or an instant (UTC, to the microsecond) as text; null if not sent. */
export type Accepted = Readonly<Record<string, string | number | null>>;
