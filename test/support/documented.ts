import { readFileSync } from "node:fs";
import path from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { endpointAt } from "../../src/core/endpoints/index.ts";
import { OPENAPI } from "../../src/core/files/paths.ts";
import { errorResponses } from "../../src/documents/errors.ts";
import { nameOf } from "../../src/documents/openapi.ts";

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(closed(JSON.parse(readFileSync(OPENAPI, "utf8"))), path.basename(OPENAPI));

/** Every object of the document accepts only what it declares. */
function closed(schema: unknown): object {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema as never;
  const members = Object.fromEntries(Object.entries(schema).map(([name, member]) => [name, closed(member)]));
  const isObject = "properties" in schema && "required" in schema;
  return isObject ? { ...members, additionalProperties: false } : members;
}

/** Places where an answer differs from the API document. */
export function undocumented(address: string, status: number, body: unknown): string[] {
  const endpoint = status === 200 ? endpointAt(address) : undefined;
  const name = endpoint ? nameOf(endpoint) : errorResponses.find((error) => error.status === status)?.name;
  const validator = name && (ajv.getSchema(`openapi.json#/components/schemas/${name}`) as ValidateFunction | undefined);
  if (!validator) return [`${status} ${address}: described nowhere`];
  if (validator(body)) return [];
  return (validator.errors ?? []).map(({ instancePath, message, params }) =>
    [`${status} ${address} ${instancePath}: ${message}`, JSON.stringify(params)].join(" "),
  );
}
