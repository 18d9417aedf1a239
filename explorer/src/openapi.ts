import { signal } from "@preact/signals";
import type { Format } from "./api.ts";
import type { Unit } from "./format.ts";

// The page reads from the API document the SQL files of a path, its parameters and the fields of its rows.
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly (string | null)[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly default?: unknown;
  readonly description?: string;
  readonly "x-unit"?: string;
  readonly "x-formula"?: string;
  readonly "x-null-when"?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly deprecated?: boolean;
  readonly schema: Schema;
}

interface Operation {
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly "x-sql"?: readonly string[];
  readonly responses: { readonly 200: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> } };
}

interface Document {
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Field {
  readonly name: string;
  readonly unit: Unit | "day" | "instant" | "flag" | "text";
  readonly description: string;
  readonly formula: string | undefined;
  readonly nullWhen: string | undefined;
}

export const api = signal<Document | undefined>(undefined);

/** Loads the API document, which needs no credentials. Without it, pictures do not list their SQL files. */
export async function loadApi(): Promise<void> {
  if (api.peek()) return;
  const response = await fetch("/openapi.json").catch(() => undefined);
  if (response?.ok) api.value = (await response.json()) as Document;
}

/** Finds the operation of a path, also by pattern: `/v1/products/{productId}/series` for `/v1/products/501/series`. */
function operationOf(path: string): Operation | undefined {
  const paths = api.value?.paths ?? {};
  const known = paths[path];
  if (known) return known.get;
  const pattern = Object.keys(paths).find((other) =>
    new RegExp(`^${other.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path),
  );
  return pattern === undefined ? undefined : paths[pattern]?.get;
}

/** The SQL files that compute the answer, the most relevant first. */
export const sqlOf = (path: string): readonly string[] => operationOf(path)?.["x-sql"] ?? [];

export const parametersOf = (path: string): readonly Parameter[] => operationOf(path)?.parameters ?? [];

/** The formats in which the answer is available. */
export function formatsOf(path: string): readonly Format[] {
  const offered = parametersOf(path).find(({ name }) => name === "format")?.schema.enum ?? [];
  const isTable = Object.keys(operationOf(path)?.responses[200].content ?? {}).length > 1;
  return isTable ? (offered as readonly Format[]) : ["json"];
}

/** The fields of the answer or, with `list`, of the rows of that list. */
export function fieldsOf(path: string, list?: string): readonly Field[] {
  const ref = operationOf(path)?.responses[200].content["application/json"]?.schema.$ref?.split("/").at(-1) ?? "";
  const answer = api.value?.components.schemas[ref];
  const schema = list === undefined ? answer : answer?.properties?.[list]?.items;
  return Object.entries(schema?.properties ?? {}).map(([name, field]) => ({
    name,
    unit: unitOf(name, field),
    description: field.description?.split("\n\n")[0] ?? "",
    formula: field["x-formula"],
    nullWhen: field["x-null-when"],
  }));
}

function unitOf(name: string, field: Schema): Field["unit"] {
  const unit = field["x-unit"];
  if (unit === "ratio" && /ratio$|^lift$/i.test(name) && !/coverage/.test(name)) return "times";
  if (unit) return unit as Unit;
  const types = [field.type ?? []].flat();
  if (types.includes("boolean")) return "flag";
  if (types.includes("number") || types.includes("integer")) return "number";
  return field.format === "date" ? "day" : field.format === "date-time" ? "instant" : "text";
}

export interface RowEndpoint {
  readonly path: string;
  readonly summary: string;
  readonly family: string;
}

/** Families of analyses, some of which can return all rows in one file too. */
const ANALYSES = ["Profitability", "Acquisition", "Products"];

/** The endpoints of landed rows: those that can return all rows in one file, except analyses. */
export function rowEndpoints(): readonly RowEndpoint[] {
  return Object.entries(api.value?.paths ?? {})
    .filter(([, { get }]) => get.parameters.some(({ name }) => name === "all"))
    .map(([path, { get }]) => ({ path, summary: get.summary, family: get.tags[0] ?? "" }))
    .filter(({ family }) => !ANALYSES.includes(family));
}
