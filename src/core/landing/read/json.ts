import { parse } from "lossless-json";

/** A long number, which a double may not hold, or one with an exponent, as a value anywhere in the text. */
const MAY_LOSE = /[:[,]\s*-?(?:[\d.]{16}|\d+(?:\.\d+)?[eE])/;

/** Parses JSON. A number that a double would change, such as a long id, becomes its text. */
export function parseJson(text: string): unknown {
  return MAY_LOSE.test(text) ? parse(text, undefined, numberOrText) : JSON.parse(text);
}

function numberOrText(text: string): number | string {
  const number = Number(text);
  return String(number) === text ? number : text;
}

/** The texts of a document, and the values of its numbers that JSON does not have. */
const NO_JSON = /"(?:[^"\\]|\\.)*"|-?(?:NaN|Infinity)/g;

/** Parses what the engine writes: it writes numbers that JSON does not have without quotes. They become texts. */
export function parseEngineJson(text: string): unknown {
  if (!/NaN|Infinity/.test(text)) return parseJson(text);
  return parseJson(text.replaceAll(NO_JSON, (found) => (found.startsWith('"') ? found : `"${found}"`)));
}
