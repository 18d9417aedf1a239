import type { Ajv } from "ajv";
import formats from "ajv-formats";
import { UUID } from "../contract/param.ts";
import { isDay, isInstant } from "./instant.ts";

/** Checks in addition to those of the package: years from 1, and no `urn:uuid:`, since ids are names of folders. */
const STRICTER = { date: isDay, uuid: (text: string) => UUID.test(text) };

/**
 * The formats of schemas: those of `ajv-formats`, with stricter checks on top. Only `date-time` is Lucra's own: an instant
 * may be without seconds or offset, which the package demands.
 */
export function addFormats(ajv: Ajv): Ajv {
  formats.default(ajv, ["date", "uuid"]);
  for (const name of ["date", "uuid"] as const) {
    const isPackaged = checkOf(ajv, name);
    ajv.addFormat(name, (text: string) => isPackaged(text) && STRICTER[name](text));
  }
  return ajv.addFormat("date-time", isInstant);
}

function checkOf({ formats: known }: Ajv, name: string): (text: string) => boolean {
  const format = known[name] as RegExp | { readonly validate: (text: string) => boolean };
  return format instanceof RegExp ? (text) => format.test(text) : format.validate;
}
