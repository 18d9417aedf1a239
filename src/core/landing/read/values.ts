/** `2025-03-01 7:05:00.123 +0000`; without a zone it is UTC. */
const ISO =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:[T ](\d\d?):(\d\d)(?::(\d\d)(\.\d+)?)?)?\s*(?:(Z|UTC|GMT)|([+-]\d\d)(?::?(\d\d))?)?$/i;
const NUMBER = /^\d{9,17}(?:\.\d+)?$/;

/** When a tool read a row, as ISO 8601 with microseconds: from seconds, milliseconds, microseconds or a text. */
export function instantOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  const text = String(value).trim();
  if (NUMBER.test(text)) return fromEpoch(text);
  const found = ISO.exec(text);
  if (!found) return undefined;
  const [, year, month, day, hour = "0", minute = "00", second = "00", fraction = "", , offset, minutes = "00"] = found;
  const two = (part = ""): string => part.padStart(2, "0");
  const zone = offset === undefined ? "+00:00" : `${offset}:${minutes}`;
  return `${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}:${second}${fraction}${zone}`;
}

function fromEpoch(text: string): string {
  const [whole = "", fraction = ""] = text.split(".");
  // Seconds have ten digits, milliseconds thirteen, microseconds sixteen.
  const digits = whole.length <= 11 ? 0 : whole.length <= 14 ? 3 : 6;
  const split = whole.length - digits;
  const micros = `${whole.slice(split)}${fraction}`.slice(0, 6).padEnd(6, "0");
  return `${new Date(Number(whole.slice(0, split)) * 1000).toISOString().slice(0, 19)}.${micros}+00:00`;
}

/** A day that was written as the instant of its midnight, in UTC. */
const MIDNIGHT = /^(\d{4}-\d\d-\d\d)[T ]00:00(?::00(?:\.0+)?)?(?:Z|\+00(?::?00)?)?$/;

export const dayOf = (text: string): string => MIDNIGHT.exec(text)?.[1] ?? text;

export const isTrue = (value: unknown): boolean => value === true || /^(true|t|1)$/i.test(String(value ?? ""));

export const isFilled = (value: unknown): boolean =>
  value !== undefined && value !== null && String(value).trim() !== "";

/** The text of an id: without the type of a gid, and without the fraction that a spreadsheet or a float adds. */
export function idText(value: unknown): string {
  const text = String(value).trim();
  // Text after a number, as in `gid://shopify/InventoryLevel/90?inventory_item_id=1`, distinguishes objects.
  return wholeId(text.replace(/^gid:\/\/shopify\/\w+\/(\d+)$/, "$1")) ?? text;
}

/** An id that a spreadsheet or a float has rounded: `1,2021E+17`. */
const isRounded = (value: unknown): boolean =>
  typeof value === "string" && /^\d+(?:[.,]\d+)?E\+?\d+$/i.test(value.trim());

const FLOAT = /^[+-]?\d{1,40}(?:\.\d{0,40}(?:E[+-]?\d{1,4})?|E[+-]\d{1,4})$/i;

/** An id that was a whole number, and exact, as the integer; undefined if it may have lost digits. Other texts are unchanged. */
export function wholeId(text: string): string | undefined {
  if (!FLOAT.test(text)) return isRounded(text) ? undefined : text;
  const number = Number(text);
  return Number.isSafeInteger(number) ? String(number) : undefined;
}

/** The text of a list or a dictionary in Python: `[{'id': 1}]`. */
export const isPython = (text: string): boolean => /^(?:\[\s*)*\{\s*'|^\[\s*'/.test(text);
