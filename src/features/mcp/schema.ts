import { array, count, type Field, type Fields, text } from "../../core/contract/field.ts";
import { isSent, type Params } from "../../core/contract/param.ts";
import { objectSchema, type Schema } from "../../core/contract/schemas.ts";
import { describe, paramSchema } from "../../core/params/kinds.ts";
import { KNOWN_AT } from "./known.ts";
import { sectionFields } from "./sections.ts";
import type { Tool } from "./tool.ts";

/** The arguments of a tool. */
export function inputSchema({ input }: { readonly input: Params }): Schema {
  const sent = Object.entries(input).filter(([, param]) => isSent(param));
  const required = sent.filter(([, param]) => param.required).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(
      sent.map(([name, param]) => [name, { ...paramSchema(param), description: describe(param) }]),
    ),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

const MORE: Field = array(
  {
    list: text("The list, as a path in the result."),
    shown: count("Elements that the result has."),
    of: count("Elements that there are."),
    rest: text("Where the others are."),
  },
  "What the result leaves out.",
);

/** Fields of every tool's result. */
const ALWAYS: Fields = { notes: { unit: "texts", description: "What to know about the result." }, more: MORE };

const OF_ANSWERS: Fields = {
  organization: {
    unit: {
      object: {
        id: text("Id."),
        name: text("Name."),
        currency: { unit: "text", description: "Currency.", nullWhen: "unknown" },
      },
    },
    description: "The organization.",
  },
  period: {
    unit: {
      object: {
        from: { unit: "day", description: "First day.", nullWhen: "the whole history" },
        to: { unit: "day", description: "Last day.", nullWhen: "the whole history" },
        how: text("How the days were found."),
      },
    },
    description: "The days that were asked for.",
    presentWhen: "the tool takes a period",
  },
  ...KNOWN_AT,
  definitions: { unit: "values", description: "Unit, meaning, formula and null rule of the figures, by path." },
};

/**
 * The results of a tool, from the declarations of the endpoints. Without descriptions: results carry the definitions. An object
 * that occurs again is defined once, and figures that a call chooses are named by its argument only, since the list of tools is
 * in the context of an agent.
 */
export const outputSchema = (tool: Tool): Schema => withDefinitions(bare(resultSchema(tool)) as Schema);

function resultSchema(tool: Tool): Schema {
  if ("output" in tool) return objectSchema({ ...tool.output, ...ALWAYS });
  const sections = Object.entries(tool.sections).map(([name, section]): [string, Field] => [
    name,
    {
      unit: {
        object: { address: text("The request to the API that has the whole answer."), ...sectionFields(section) },
      },
      description: "",
      presentWhen: "it is asked for",
    },
  ]);
  const schema = objectSchema({ ...OF_ANSWERS, ...Object.fromEntries(sections), ...ALWAYS });
  return Object.entries(tool.sections).reduce((whole, [name, { chosen }]) => {
    const places = (chosen?.at ?? []).map((path) => [name, ...path.split(".").filter(Boolean)]);
    return places.reduce((one, place) => withoutNames(one, place, chosen?.of ?? []), whole);
  }, schema);
}

/** The same schema, in which the object at a place has numbers under any name in place of these members. */
function withoutNames(schema: Schema, [name, ...inner]: readonly string[], names: readonly string[]): Schema {
  const properties = schema.properties as Readonly<Record<string, Schema>>;
  const at = name === undefined ? undefined : properties[name];
  if (name !== undefined && at) {
    const { items } = at;
    const changed = isRecord(items)
      ? { ...at, items: withoutNames(items, inner, names) }
      : withoutNames(at, inner, names);
    return { ...schema, properties: { ...properties, [name]: changed } };
  }
  const others = Object.entries(properties).filter(([member]) => !names.includes(member));
  return { ...schema, properties: Object.fromEntries(others), additionalProperties: { type: ["number", "null"] } };
}

function bare(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(bare);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = schema as Record<string, unknown>;
  const kept = Object.entries(inner).filter(([name, value]) => !isLeftOut(name, value));
  return Object.fromEntries(kept.map(([name, value]) => [name, bare(value)]));
}

/** A member of that name in `properties` is a schema, not a text or a list. What is required would be a sixth of the list of tools. */
const isLeftOut = (name: string, value: unknown): boolean =>
  (name === "description" && typeof value === "string") ||
  (name === "required" && Array.isArray(value)) ||
  name.startsWith("x-");

/** A shorter schema takes less than a reference to it. */
const LEAST_SHARED = 80;

/** The same schema, with the objects that occur more than once under `$defs`. */
export function withDefinitions(schema: Schema): Schema {
  const times = new Map<string, number>();
  const count = (node: unknown): void => {
    if (!isRecord(node)) return;
    const key = keyOf(node);
    if (key) times.set(key, (times.get(key) ?? 0) + 1);
    // The members of an object are in its one definition.
    if (key && times.get(key) !== 1) return;
    for (const inner of Object.values(node)) count(inner);
  };
  for (const inner of Object.values(schema)) count(inner);
  const names = new Map([...times].filter(([, n]) => n > 1).map(([key], no) => [key, `d${no + 1}`]));
  const referred = (node: unknown): unknown => {
    if (!isRecord(node)) return node;
    const name = names.get(keyOf(node) ?? "");
    return name ? { $ref: `#/$defs/${name}` } : within(node);
  };
  const within = (node: Schema): Schema =>
    Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, referred(inner)]));
  const definitions = [...names].map(([key, name]) => [name, within(JSON.parse(key))]);
  return { ...within(schema), ...(names.size > 0 ? { $defs: Object.fromEntries(definitions) } : {}) };
}

const isRecord = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The text of an object's schema; undefined for anything else, such as the members of one. */
function keyOf(node: Schema): string | undefined {
  const isObject = [node.type].flat().includes("object") && isRecord(node.properties);
  const text = isObject ? JSON.stringify(node) : "";
  return text.length >= LEAST_SHARED ? text : undefined;
}
