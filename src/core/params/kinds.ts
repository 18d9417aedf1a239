import { wording } from "../contract/failures.ts";
import { type Accepted, canonicalId, isSent, type Param, type Params } from "../contract/param.ts";
import { firstIn, firstOut } from "./instant.ts";

/** A parameter as it was sent: a repeated one is a list. */
export type SentValue = string | readonly string[];

type JsonSchema = Readonly<Record<string, unknown>>;

/** Everything that depends on a parameter's kind. */
interface Kind<P extends Param> {
  /** Type of the accepted value as a member of `p`. */
  readonly sqlType: "varchar" | "date" | "timestamptz" | "bigint";
  /** Schema of the value that `read` returns, in the API document as well as for validation. */
  schema(param: P): JsonSchema;
  /** The value that the schema is checked against; a text that cannot be read is unchanged. Default: the text. */
  read?(sent: SentValue, param: P): unknown;
  /** The accepted value of one that fits the schema. Default: as text. */
  accept?(value: unknown): string | number | null;
  /** The values in a line of the reference, without the default. */
  values(param: P): string;
  /** Rules of its values beyond the schema, as a sentence. */
  note?(param: P): string;
  /** The message to a client whose value breaks a keyword of the schema. */
  fault(param: P, keyword: string): string;
  /** Whether it may contain a person's e-mail or name. */
  isFreeText?(param: P): boolean;
}

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

const unless = (missing: unknown, schema: JsonSchema): JsonSchema => (missing === undefined ? {} : schema);

const BOUND = {
  sqlType: "timestamptz",
  // Generators of clients read the type of each branch.
  schema: () => ({
    anyOf: [
      { type: "string", format: "date" },
      { type: "string", format: "date-time" },
    ],
  }),
  values: () => "date or date-time",
  note: () => "A date, or a date and time (ISO 8601).",
  fault: () => "Deve ser uma data existente (AAAA-MM-DD) ou data e hora ISO 8601.",
} as const;

const CLOCK = {
  schema: () => ({}),
  values: () => "",
  fault: () => "O valor não é válido.",
} as const;

const KINDS: { readonly [K in Param["kind"]]: Kind<Extract<Param, { kind: K }>> } = {
  text: {
    sqlType: "varchar",
    schema: ({ maxLength, pattern }) => ({
      type: "string",
      ...unless(maxLength, { maxLength }),
      ...unless(pattern, { pattern }),
    }),
    values: ({ maxLength }) => (maxLength ? `text, up to ${maxLength} characters` : "text"),
    fault: ({ maxLength }, keyword) =>
      keyword === "maxLength"
        ? `Deve ter no máximo ${maxLength} caracteres.`
        : "Contém caracteres que não são permitidos.",
    isFreeText: () => true,
  },
  uuid: {
    sqlType: "varchar",
    schema: () => ({ type: "string", format: "uuid" }),
    accept: (value) => canonicalId(String(value)),
    values: () => "uuid",
    fault: () => "Deve ser um UUID.",
  },
  day: {
    sqlType: "date",
    schema: () => ({ type: "string", format: "date" }),
    values: () => "date",
    fault: () => "Deve ser uma data existente no formato AAAA-MM-DD.",
  },
  from: { ...BOUND, accept: (value) => firstIn(String(value)) },
  to: { ...BOUND, accept: (value) => firstOut(String(value)) },
  choice: {
    sqlType: "varchar",
    schema: ({ of, fallback }) => ({ type: "string", enum: of, ...unless(fallback, { default: fallback }) }),
    read: (sent, { anyCase }) => (anyCase && typeof sent === "string" ? sent.toUpperCase() : sent),
    values: ({ of }) => quoted(of),
    note: ({ anyCase }) => (anyCase ? "Case-insensitive." : ""),
    fault: ({ of }) => `Deve ser um destes valores: ${of.join(", ")}.`,
  },
  crossing: {
    sqlType: "varchar",
    schema: ({ of }) => ({ type: "string", pattern: `^(${of.join("|")})(,(?!\\1$)(${of.join("|")}))?$` }),
    values: ({ of }) => `one or two of ${quoted(of)}`,
    note: () => "Two different ones cross, with only a comma between them.",
    fault: ({ of }) => `Deve ser um destes valores, ou dois diferentes separados só por vírgula: ${of.join(", ")}.`,
  },
  known: {
    sqlType: "varchar",
    schema: () => ({ type: "string", minLength: 1 }),
    values: () => "date, date-time or the name of a pin",
    fault: () => wording.knownAt,
  },
  integer: {
    sqlType: "bigint",
    schema: ({ least, most }) => ({ type: "integer", minimum: least, maximum: most }),
    read: (sent) => (typeof sent === "string" && /^\d{1,15}$/.test(sent) ? Number(sent) : sent),
    accept: Number,
    values: ({ least, most }) => `whole number from ${least} to ${most}`,
    fault: ({ least, most }) => `Deve ser um número inteiro de ${least} a ${most}.`,
  },
  number: {
    sqlType: "varchar",
    schema: () => ({ type: "number" }),
    read: (sent) => {
      const number = typeof sent === "string" && DECIMAL.test(sent) ? Number(sent) : Number.NaN;
      return Number.isFinite(number) ? number : sent;
    },
    values: () => "number",
    fault: () => "Deve ser um número, com ponto decimal.",
  },
  flag: {
    sqlType: "varchar",
    schema: ({ fallback }) => ({ type: "boolean", ...unless(fallback, { default: fallback === "true" }) }),
    read: (sent) => (sent === "true" || sent === "false" ? sent === "true" : sent),
    values: () => "true or false",
    fault: () => "Deve ser true ou false.",
  },
  list: {
    sqlType: "varchar",
    schema: ({ of, most, maxLength }) => ({
      type: "array",
      items: { type: "string", ...unless(of, { enum: of }), ...unless(maxLength, { maxLength }) },
      ...unless(most, { maxItems: most }),
    }),
    read: partsOf,
    accept: (value) => (Array.isArray(value) && value.length > 0 ? value.join(",") : null),
    values: ({ of, most }) => (of ? `some of ${quoted(of)}` : `up to ${most} texts`),
    note: () => "Separated by commas, or sent several times; blanks and duplicates do not count.",
    fault: ({ of, most, maxLength }, keyword) => {
      if (keyword === "maxItems") return `Deve ter no máximo ${most} valores distintos.`;
      return keyword === "enum"
        ? `Cada valor deve ser um destes: ${of?.join(", ")}.`
        : `Cada valor deve ter no máximo ${maxLength} caracteres.`;
    },
    isFreeText: ({ of }) => of === undefined,
  },
  today: { ...CLOCK, sqlType: "date" },
  now: { ...CLOCK, sqlType: "timestamptz" },
  settings: { ...CLOCK, sqlType: "varchar" },
  paging: {
    sqlType: "bigint",
    schema: ({ least, most, fallback }) => ({
      type: "integer",
      minimum: least,
      ...(most < Number.MAX_SAFE_INTEGER ? { maximum: most } : {}),
      default: fallback,
    }),
    read: clamp,
    accept: Number,
    values: () => "integer",
    note: () =>
      "A value out of bounds becomes the nearest bound, one that is not a number the default; only a repeated one is an error.",
    fault: () => "O valor não é válido.",
  },
};

const kindOf = (param: Param): Kind<Param> => KINDS[param.kind] as Kind<Param>;

export const sqlTypeOf = (param: Param) => kindOf(param).sqlType;

/** The schema of the parameter's values, also in the API document. */
export const paramSchema = (param: Param): JsonSchema => kindOf(param).schema(param);

/** Reads the sent value as the type of the schema; returns it unchanged if it cannot be read. */
export const readParam = (param: Param, sent: SentValue): unknown => kindOf(param).read?.(sent, param) ?? sent;

/** The accepted value of a value that was read; the fallback if there is none, or several where one is expected. */
export function acceptedValue(param: Param, value: unknown): string | number | null {
  const isMissing = value === undefined || (Array.isArray(value) && param.kind !== "list");
  if (isMissing) return "fallback" in param ? (param.fallback ?? null) : null;
  const { accept = String } = kindOf(param);
  return accept(value);
}

/** The parameter's values and its default, for the reference. */
export function valuesOf(param: Param): string {
  const fallback = "fallback" in param && param.fallback !== undefined ? `; default \`${param.fallback}\`` : "";
  return kindOf(param).values(param) + fallback;
}

/** The parameter's meaning, and its rules beyond its schema. */
export function describe(param: Param): string {
  const deprecated = param.deprecated ? `Deprecated since ${param.deprecated}.` : "";
  return [param.description, kindOf(param).note?.(param), deprecated].filter(Boolean).join(" ");
}

export const faultOf = (param: Param, keyword: string): string => kindOf(param).fault(param, keyword);

export const isFreeText = (param: Param): boolean => kindOf(param).isFreeText?.(param) ?? false;

/** The distinct parts of a list. */
export function partsOf(sent: SentValue): string[] {
  const all = [sent].flat().flatMap((text) => text.split(","));
  return [...new Set(all.map((part) => part.trim()).filter((part) => part !== ""))];
}

/** One value is never an error: one that is not a number becomes the fallback, others are rounded down and clamped. */
function clamp(
  sent: SentValue,
  { least, most, fallback }: { least: number; most: number; fallback: number },
): number | SentValue {
  if (typeof sent !== "string") return sent;
  const number = sent.trim() !== "" ? Number(sent) : Number.NaN;
  return Number.isNaN(number) ? fallback : Math.min(most, Math.max(least, Math.floor(number)));
}

/** The accepted values for a log. Only the length of free text is logged. */
export function loggable(params: Params, accepted: Accepted): Readonly<Record<string, string | number>> {
  const shown: Record<string, string | number> = {};
  for (const [name, param] of Object.entries(params)) {
    const value = accepted[name] ?? null;
    if (value !== null && isSent(param)) shown[name] = isFreeText(param) ? `… (${String(value).length})` : value;
  }
  return shown;
}
