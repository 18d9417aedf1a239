import { brief } from "../../contract/text.ts";
import { instantIn } from "../../time/zoned.ts";
import { FileError } from "../bytes/scan.ts";
import type { ReadSettings } from "./part.ts";

/** How many characters of a cell or a heading are shown. */
const LONGEST_QUOTED = 60;

const quoted = (cell: string): string => `"${brief(cell, LONGEST_QUOTED)}"`;

/** A cell of a table: a text, or a number of a spreadsheet, which has a type of its own. */
export type Cell = string | number;

/**
 * What a program writes in its own way: in its language, or as a spreadsheet shortens it. An instant without an offset is
 * one of the account's time zone, unless it is ISO 8601 with a time: that one is in UTC.
 */
export type CellKind = "number" | "date" | "instant" | "id";

type Numbers = "pt-BR" | "en";

/** `1,234.56`. The first of several groups does not begin with 0. `1.`, as a cut file may end, is a number only here. */
const EN = /^[+-]?(?:(?:\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
/** `1.234,56`. */
const PT = /^[+-]?(?:(?:\d+|[1-9]\d{0,2}(?:\.\d{3})+)(?:,\d*)?|,\d+)(?:e[+-]?\d+)?$/i;

/** The number that a text is in each format, with a decimal point and without groups; undefined if it is none. */
function readings(text: string): { en: string | undefined; pt: string | undefined } {
  return {
    en: EN.test(text) ? text.replaceAll(",", "") : undefined,
    pt: PT.test(text) ? text.replaceAll(".", "").replace(",", ".") : undefined,
  };
}

/** The signs of currencies in front of amounts that belong to one currency only: `$` may be several. */
const SIGNS: Readonly<Record<string, string>> = { BRL: "R$", EUR: "€", GBP: "£", USD: "US$" };

/** An amount without the sign of a currency: `-R$ 1.234,50` is `-1.234,50`. */
function withoutSign(text: string, sign: string | undefined): string {
  const at = sign === undefined ? -1 : text.indexOf(sign);
  if (sign === undefined || at < 0) return text;
  const [before, after] = [text.slice(0, at).trim(), text.slice(at + sign.length).trim()];
  return /^[+-]?$/.test(before) && after !== "" ? before + after : text;
}

/** Day and month in either order, the year, perhaps a time. */
const DATE =
  /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:(?:,? +|T)(\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?([ap])\.?m\.?)?( ?Z| ?[+-]\d{2}:?\d{2})?)?$/i;
const YEAR_FIRST = /^(\d{4})\/(\d{1,2})\/(\d{1,2})(?=$|[ T])/;

/** The digits of a number that a spreadsheet keeps. */
const EXACT_DIGITS = 15;
const SHORTENED = EXACT_DIGITS + 1;

const DAY_LENGTH = "2025-02-03".length;

const two = (digits: string): string => digits.padStart(2, "0");

/** The hour of a clock with 12 hours as one of 24. */
function hourOf(hour: string, half: string | undefined): string {
  if (!half) return hour;
  return String((Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0));
}

/** The text as ISO 8601; unchanged if it is no date that begins or ends with the year. */
function isoDate(text: string, isDayFirst: boolean): string {
  const parts = DATE.exec(text);
  if (!parts) return text.replace(YEAR_FIRST, (_, year, month, day) => `${year}-${two(month)}-${two(day)}`);
  const [, first = "", , second = "", year, hour, minute, seconds = "00", half, zone = ""] = parts;
  const [day, month] = isDayFirst ? [first, second] : [second, first];
  const date = `${year}-${two(month)}-${two(day)}`;
  return hour ? `${date}T${two(hourOf(hour, half))}:${minute}:${seconds}${zone.trim()}` : date;
}

/** How the numbers and dates of one file are read. */
export interface Formats {
  cell(kind: CellKind | undefined, cell: Cell): string;
}

/**
 * Collects how a file writes its numbers and dates, over all its rows: `1.234` alone is a thousand or a little more than
 * one, and 99,90 next to it says which.
 */
export class FormatSurvey {
  readonly #settings: ReadSettings;
  readonly #isSpreadsheet: boolean;
  /** That of the organization's currency: an amount of another one is none. */
  readonly #sign: string | undefined;
  #en: string | undefined;
  #pt: string | undefined;
  #either: string | undefined;
  #dayFirst: string | undefined;
  #monthFirst: string | undefined;
  #eitherDate: string | undefined;
  #shortened: { column: string; cell: string } | undefined;
  /** By column: an id of more digits than a spreadsheet keeps, and whether any has a digit other than 0 after those. */
  readonly #long = new Map<string, { cell: string; isWhole: boolean }>();

  /** `isSpreadsheet`: its dates have a type of their own, and none has a time zone. */
  constructor(settings: ReadSettings, isSpreadsheet = false) {
    this.#settings = settings;
    this.#isSpreadsheet = isSpreadsheet;
    this.#sign = SIGNS[settings.currency ?? ""];
  }

  add(kind: CellKind, cell: Cell, column: string): void {
    // A spreadsheet's number has been read by the program that wrote it.
    if (typeof cell === "number" || cell === "") return;
    if (kind === "number") this.#number(cell);
    else if (kind === "id") this.#id(cell, column);
    else this.#date(cell);
  }

  #id(cell: string, column: string): void {
    if (cell.length < SHORTENED) {
      if (/^\s*\d(?:[.,]\d+)?e\+?\d+\s*$/i.test(cell)) this.#shortened ??= { column, cell: cell.trim() };
      return;
    }
    const digits = trimmed(cell);
    if (/^\d(?:[.,]\d+)?e\+?\d+$/i.test(digits)) this.#shortened ??= { column, cell: digits };
    else if (/^\d+$/.test(digits)) {
      const found = this.#long.get(column) ?? { cell: digits, isWhole: false };
      found.isWhole ||= /[1-9]/.test(digits.slice(EXACT_DIGITS));
      this.#long.set(column, found);
    }
  }

  #number(cell: string): void {
    const point = cell.indexOf(".");
    const comma = cell.indexOf(",");
    if (point < 0 && comma < 0) return;
    // Nothing new: one point, in a file that has decimal points.
    if (this.#en !== undefined && comma < 0 && cell.indexOf(".", point + 1) < 0) return;
    const text = withoutSign(trimmed(cell), this.#sign);
    const { en, pt } = readings(text);
    if (en === undefined && pt === undefined) return;
    if (pt === undefined) this.#en ??= text;
    else if (en === undefined) this.#pt ??= text;
    else if (en !== pt) this.#either ??= text;
  }

  #date(cell: string): void {
    const text = trimmed(cell);
    const parts = DATE.exec(text);
    if (!parts) return;
    const [first, second] = [Number(parts[1]), Number(parts[3])];
    if (first > 12 && second <= 12) this.#dayFirst ??= text;
    else if (second > 12 && first <= 12) this.#monthFirst ??= text;
    else if (first <= 12 && first !== second) this.#eitherDate ??= text;
  }

  /** Decides for the whole file; refuses it if its rows contradict each other, or none of them decides. */
  decide(): Formats {
    this.#refuseShortenedIds();
    const numbers = this.#numbers();
    const isDayFirst = this.#isDayFirst();
    return {
      cell: (kind, cell) => {
        if (typeof cell === "number") return kind === "date" ? serialDate(cell) : String(cell);
        if (kind === "number") return inEnglish(withoutSign(cell, this.#sign), numbers);
        if (kind === "date") return isoDate(trimmed(cell), isDayFirst);
        return kind === "instant" ? this.#instant(trimmed(cell), isDayFirst) : cell;
      },
    };
  }

  /** A day is one of the account's time zone, and so is a time that a person or a spreadsheet has written. */
  #instant(text: string, isDayFirst: boolean): string {
    const { timezone = "UTC" } = this.#settings;
    const iso = isoDate(text, isDayFirst);
    const isLocal = this.#isSpreadsheet || iso !== text || iso.length === DAY_LENGTH;
    return isLocal && timezone !== "UTC" ? (instantIn(iso, timezone) ?? iso) : iso;
  }

  /** A spreadsheet keeps 15 digits: the others have become zeros, in all ids of the column. */
  #refuseShortenedIds(): void {
    const zeros = [...this.#long].find(([, { isWhole }]) => !isWhole);
    const found = this.#shortened ?? (zeros ? { column: zeros[0], cell: zeros[1].cell } : undefined);
    if (!found) return;
    throw new FileError(
      `has ids that a spreadsheet has shortened, such as ${quoted(found.cell)} in column ${brief(found.column, LONGEST_QUOTED)}: land the file as it was ` +
        "downloaded, without saving it in a spreadsheet",
    );
  }

  #numbers(): Numbers {
    if (this.#en !== undefined && this.#pt !== undefined) {
      throw new FileError(
        `has numbers in two formats, ${quoted(this.#en)} and ${quoted(this.#pt)}: export it with decimal points or with decimal commas`,
      );
    }
    if (this.#en !== undefined) return "en";
    if (this.#pt !== undefined) return "pt-BR";
    if (this.#either === undefined) return "en";
    if (this.#settings.numbers) return this.#settings.numbers;
    const { en, pt } = readings(this.#either);
    throw new FileError(
      `has only numbers that read in two ways, such as ${quoted(this.#either)}: set "numbers" of its integration to "pt-BR" ` +
        `(${pt}) or to "en" (${en})`,
    );
  }

  /** With decimal commas the day comes first; decimal points do not decide. */
  #isDayFirst(): boolean {
    if (this.#dayFirst !== undefined && this.#monthFirst !== undefined) {
      throw new FileError(
        `has dates in two formats, "${this.#dayFirst}" and "${this.#monthFirst}": export it with dates as YYYY-MM-DD`,
      );
    }
    if (this.#dayFirst !== undefined || this.#monthFirst !== undefined) return this.#dayFirst !== undefined;
    if (this.#eitherDate === undefined) return true;
    if (this.#settings.numbers) return this.#settings.numbers === "pt-BR";
    if (this.#pt !== undefined) return true;
    throw new FileError(
      `has only dates that read in two ways, such as ${quoted(this.#eitherDate)}: set "numbers" of its integration to "pt-BR" ` +
        `(${isoDate(this.#eitherDate, true)}) or to "en" (${isoDate(this.#eitherDate, false)})`,
    );
  }
}

/** The days since 1899-12-30 that a spreadsheet keeps a date as, from 1954 to 2118, as ISO 8601; other numbers unchanged. */
function serialDate(days: number): string {
  if (days < 20_000 || days >= 80_000) return String(days);
  const text = new Date(Date.UTC(1899, 11, 30) + Math.round(days * 86_400) * 1000).toISOString();
  return Number.isInteger(days) ? text.slice(0, 10) : text.slice(0, 19);
}

/** A number with a decimal point and without groups; another text is kept. */
function inEnglish(cell: string, numbers: Numbers): string {
  if (numbers === "en" && !cell.includes(",")) return cell;
  return readings(trimmed(cell))[numbers === "en" ? "en" : "pt"] ?? cell;
}

/** Without white space around it; `trim` also removes the non-breaking space. */
const trimmed = (cell: string): string => cell.trim();

/** Text in the refusal of a file in another currency. */
export const OTHER_CURRENCY = ", and the organization's currency is ";

export const foreignFile = (found: string, currency: string): FileError =>
  new FileError(`has amounts in ${found}${OTHER_CURRENCY}${currency}`);
