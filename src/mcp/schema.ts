import { array, count, type Field, type Fields, text } from "../contract/field.ts";
import { isSent, type Params } from "../contract/param.ts";
import { objectSchema, type Schema } from "../contract/schemas.ts";
import { describe, paramSchema } from "../params/kinds.ts";
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

/** What the result of every tool has. */
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
  definitions: { unit: "values", description: "Unit, meaning, formula and null rule of the figures, by path." },
};

/** The results of a tool, from the declarations of the endpoints. Without descriptions: results carry the definitions. */
export function outputSchema(tool: Tool): Schema {
  if ("output" in tool) return bare(objectSchema({ ...tool.output, ...ALWAYS })) as Schema;
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
  return bare(objectSchema({ ...OF_ANSWERS, ...Object.fromEntries(sections), ...ALWAYS })) as Schema;
}

function bare(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(bare);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = schema as Record<string, unknown>;
  const kept = Object.entries(inner).filter(([name, value]) => !isAnnotation(name, value));
  return Object.fromEntries(kept.map(([name, value]) => [name, bare(value)]));
}

/** A member of that name in `properties` is a schema, not a text. */
const isAnnotation = (name: string, value: unknown): boolean =>
  (name === "description" && typeof value === "string") || name.startsWith("x-");
