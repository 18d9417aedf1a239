import type { Field, Fields, Unit } from "./field.ts";

export type Schema = Readonly<Record<string, unknown>>;

/** Allows additional properties, since a version may get more fields. */
export function objectSchema(fields: Fields): Schema {
  const members = Object.entries(fields);
  const required = members.filter(([, { presentWhen }]) => !presentWhen).map(([name]) => name);
  const properties = Object.fromEntries(members.map(([name, figure]) => [name, fieldSchema(figure)]));
  return { type: "object", properties, required };
}

/** The description repeats for readers what the `x-` keys contain for programs. */
function fieldSchema(figure: Field): Schema {
  const { unit, formula, nullWhen } = figure;
  const { type } = typeOf(unit);
  const measured = type === "number" || type === "integer";
  return {
    ...(nullWhen ? orNull(typeOf(unit)) : typeOf(unit)),
    description: described(figure, measured),
    ...(measured ? { "x-unit": unit } : {}),
    ...(formula ? { "x-formula": formula } : {}),
    ...(measured || nullWhen ? { "x-null-when": nullWhen ?? "never" } : {}),
  };
}

function described({ unit, description, formula, nullWhen, presentWhen }: Field, measured: boolean): string {
  const details = [
    measured && unit !== "number" ? `Unit: ${unit}.` : "",
    formula ? `Formula: ${formula}.` : "",
    measured || nullWhen ? `Null: ${nullWhen ?? "never"}.` : "",
    presentWhen ? `Only when ${presentWhen}.` : "",
  ].filter((sentence) => sentence);
  return [description, details.join(" ")].join("\n\n").trim();
}

function orNull(schema: Schema): Schema {
  return {
    ...schema,
    type: [schema.type, "null"].flat(),
    ...(schema.enum ? { enum: [...(schema.enum as []), null] } : {}),
  };
}

function typeOf(unit: Unit): Schema {
  if (typeof unit === "object") {
    if ("choice" in unit) return { type: "string", enum: unit.choice };
    if ("choices" in unit) return { type: "array", items: { type: "string", enum: unit.choices } };
    if ("object" in unit) return objectSchema(unit.object);
    if ("crossed" in unit) {
      const half = { type: ["string", "null"] };
      return { type: ["string", "array"], items: half, minItems: 2, maxItems: 2 };
    }
    if ("array" in unit) return { type: "array", items: objectSchema(unit.array) };
    if ("keyed" in unit) return { type: "object", additionalProperties: objectSchema(unit.keyed) };
    return { oneOf: unit.either.map(objectSchema) };
  }
  switch (unit) {
    case "flag":
      return { type: "boolean" };
    case "text":
      return { type: "string" };
    case "day":
      return { type: "string", format: "date" };
    case "instant":
      return { type: "string", format: "date-time" };
    case "texts":
      return { type: "array", items: { type: "string" } };
    case "lists":
      return { type: "array", items: { type: "array" } };
    case "values":
      return { type: "object", additionalProperties: { type: ["string", "number", "null"] } };
    case "rows":
      return { type: "array", items: { type: "array", items: {} } };
    case "null":
      return { type: "null" };
    case "count":
      return { type: "integer" };
    default:
      return { type: "number" };
  }
}

/** The schema of a constant body, from its members. */
export function bodySchema(value: unknown, name = ""): Schema {
  if (Array.isArray(value)) return { type: "array", items: bodySchema(value[0]) };
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([key, member]) => [key, bodySchema(member, key)]);
    return { type: "object", properties: Object.fromEntries(members), required: Object.keys(value) };
  }
  // `error` is a fixed text that identifies the failure; the wording of the message may change.
  if (name === "error") return { const: value };
  return { type: typeof value === "number" ? "integer" : typeof value };
}
