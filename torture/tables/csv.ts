/**
 * Readers that the attack on tables compares Lucra with. They share no code with `src/`, on purpose: a fault of one is not
 * a fault of the other.
 */

/** A table by RFC 4180, whose lines may also end in LF or CR alone; undefined if its quotes are wrong. Blank lines are left out. */
export function readCsv(text: string, separator: string): string[][] | undefined {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  let isBlank = true;
  const endRow = (): void => {
    if (!isBlank) rows.push(row);
    row = [];
    isBlank = true;
  };
  for (;;) {
    let cell = "";
    if (text[at] === '"') {
      isBlank = false;
      for (at++; ; at++) {
        if (at >= text.length) return undefined;
        if (text[at] !== '"') cell += text[at];
        else if (text[at + 1] === '"') cell += text[++at];
        else break;
      }
      at++;
    } else {
      const from = at;
      while (at < text.length && text[at] !== separator && text[at] !== "\n" && text[at] !== "\r") {
        if (text[at] === '"') return undefined;
        at++;
      }
      cell = text.slice(from, at);
    }
    if (cell !== "") isBlank = false;
    row.push(cell);
    if (at >= text.length) {
      endRow();
      return rows;
    }
    const mark = text[at++];
    if (mark === separator) isBlank = false;
    else if (mark === "\n" || mark === "\r") {
      if (mark === "\r" && text[at] === "\n") at++;
      endRow();
    } else return undefined;
  }
}

export type Notation = "en" | "pt-BR";

/** The number that a text is in one notation, normalized: `1.234,50` in pt-BR is `1234.5`. */
export function numberIn(text: string, notation: Notation): string | undefined {
  const [point, group] = notation === "en" ? [".", ","] : [",", "."];
  const [mantissa = "", exponent, ...more] = text.trim().toLowerCase().split("e");
  if (more.length > 0 || (exponent !== undefined && !/^[+-]?\d{1,3}$/.test(exponent))) return undefined;
  const sign = /^[+-]/.test(mantissa) ? (mantissa[0] as string) : "";
  const [whole = "", fraction, ...others] = mantissa.slice(sign.length).split(point);
  if (others.length > 0 || (fraction !== undefined && !/^\d*$/.test(fraction))) return undefined;
  const groups = whole.split(group);
  if (!groups.every((digits) => /^\d*$/.test(digits)) || whole + (fraction ?? "") === "") return undefined;
  if (groups.length > 1) {
    const [first = "", ...others] = groups;
    if (!/^[1-9]\d{0,2}$/.test(first) || !others.every((digits) => digits.length === 3)) return undefined;
  }
  return normalized(`${sign}${groups.join("")}.${fraction ?? ""}`, Number(exponent ?? 0));
}

/** A number without zeros that do not count. It has as many decimals as are landed: six. */
export function normalized(text: string, exponent = 0): string | undefined {
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text);
  if (!parts) return undefined;
  const [, sign, whole = "", fraction = ""] = parts;
  const shift = fraction.length - exponent;
  let units = BigInt(whole + fraction || "0");
  // Units of a millionth, rounded half up.
  if (shift <= 6) units *= 10n ** BigInt(6 - shift);
  else units = (units * 2n + 10n ** BigInt(shift - 6)) / (2n * 10n ** BigInt(shift - 6));
  if (sign === "-") units = -units;
  const digits = String(units < 0n ? -units : units).padStart(7, "0");
  const decimals = digits.slice(-6).replace(/0+$/, "");
  return `${units < 0n ? "-" : ""}${digits.slice(0, -6)}${decimals && `.${decimals}`}`;
}

/** The notation of a table's numbers; undefined if they are of both, or of either. */
export function notationOf(texts: readonly string[]): Notation | undefined {
  const pairs = texts.map((text) => [numberIn(text, "en"), numberIn(text, "pt-BR")] as const);
  const isEn = pairs.some(([en, pt]) => en !== undefined && pt === undefined);
  const isPt = pairs.some(([en, pt]) => en === undefined && pt !== undefined);
  if (isEn !== isPt) return isEn ? "en" : "pt-BR";
  return isEn || pairs.some(([en, pt]) => en !== pt) ? undefined : "en";
}

/** A day with its year first, as `YYYY-MM-DD`. */
export function dayIn(text: string): string | undefined {
  const parts = /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})$/.exec(text.trim());
  if (!parts) return undefined;
  const [, year, , month, day] = parts.map(Number) as [number, number, number, number, number];
  const at = new Date(Date.UTC(year, month - 1, day));
  if (year < 1900 || year > 2200 || at.getUTCMonth() !== month - 1 || at.getUTCDate() !== day) return undefined;
  return at.toISOString().slice(0, 10);
}

/** A time with its zone as milliseconds since the epoch; undefined if it is written in another way. */
export function instantIn(text: string): number | undefined {
  const parts = /^(\d{4}-\d\d-\d\d)[T ](\d\d):(\d\d)(?::(\d\d))? ?(Z|[+-]\d\d:?\d\d)$/.exec(text.trim());
  const day = parts && dayIn(parts[1] as string);
  if (!parts || !day) return undefined;
  const [, , hour, minute, second = "00", zone = ""] = parts;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  if (zone !== "Z" && (hours > 14 || minutes > 59)) return undefined;
  const offset = zone === "Z" ? 0 : (hours * 60 + minutes) * (zone[0] === "-" ? -1 : 1);
  return Date.parse(`${day}T${hour}:${minute}:${second}Z`) - offset * 60_000;
}

/** Whether bytes, each a character, are UTF-8. */
export const isUtf8 = (text: string): boolean =>
  Buffer.from(Buffer.from(text, "latin1").toString("utf8")).toString("latin1") === text;

/** What Windows-1252 has in the places of control characters, by code point. (Node decodes it as Latin-1 in some versions.) */
const WINDOWS = new Map(
  Object.entries({
    "20ac": 0x80,
    "201a": 0x82,
    "192": 0x83,
    "201e": 0x84,
    "2026": 0x85,
    "2020": 0x86,
    "2021": 0x87,
    "2c6": 0x88,
    "2030": 0x89,
    "160": 0x8a,
    "2039": 0x8b,
    "152": 0x8c,
    "17d": 0x8e,
    "2018": 0x91,
    "2019": 0x92,
    "201c": 0x93,
    "201d": 0x94,
    "2022": 0x95,
    "2013": 0x96,
    "2014": 0x97,
    "2dc": 0x98,
    "2122": 0x99,
    "161": 0x9a,
    "203a": 0x9b,
    "153": 0x9c,
    "17e": 0x9e,
    "178": 0x9f,
  }).map(([point, byte]) => [byte, String.fromCodePoint(Number.parseInt(point, 16))]),
);

/** Bytes, each a character, as UTF-8, or else as Windows-1252. */
export const decoded = (text: string): string =>
  isUtf8(text)
    ? Buffer.from(text, "latin1").toString("utf8")
    : [...text].map((one) => WINDOWS.get(one.charCodeAt(0)) ?? one).join("");
