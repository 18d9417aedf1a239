import { parse } from "lossless-json";

/** An integer that a double cannot hold, a long fraction, or an exponent, anywhere in the text. */
const MAY_LOSE = /\d{16}|\d[eE][+-]?\d/;

/** Parses JSON. A number that a double would change, such as a long id, becomes its text. */
export function parseJson(text: string): unknown {
  return MAY_LOSE.test(text) ? parse(text, undefined, numberOrText) : JSON.parse(text);
}

function numberOrText(text: string): number | string {
  const number = Number(text);
  return String(number) === text ? number : text;
}
