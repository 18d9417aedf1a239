import { answerFields } from "../../core/contract/answer.ts";
import type { Endpoint } from "../../core/contract/endpoint.ts";
import { ENVELOPE, SENT_FILTERS } from "../../core/contract/envelope.ts";
import { type Field, type Fields, isNumber, membersOf, type Unit } from "../../core/contract/field.ts";
import { endpoints } from "../../core/endpoints/index.ts";
import type { AnswerTool, Section } from "./tool.ts";

/** The declared endpoint of a section. */
export function endpointOf(path: string): Endpoint {
  const found = endpoints.find((endpoint) => endpoint.path === path);
  if (!found) throw new Error(`no endpoint ${path}`);
  return found;
}

export const under = (path: string, name: string): string => (path ? `${path}.${name}` : name);

/** The members of an answer that a section carries. */
export const sectionFields = (section: Section): Fields =>
  carried(answerFields(endpointOf(section.endpoint)), section, "");

function carried(fields: Fields, section: Section, path: string): Fields {
  const { without = [], chosen } = section;
  // Missing data are a note of the result.
  const kept = Object.entries(fields).filter(
    ([name, field]) =>
      field !== ENVELOPE.coverage &&
      (field !== SENT_FILTERS || section.isFiltered) &&
      !without.includes(under(path, name)),
  );
  return Object.fromEntries(
    kept.map(([name, field]) => {
      const inner: Field = { ...field, unit: carriedUnit(field.unit, section, under(path, name)) };
      const isChoice = chosen?.at.includes(path) && chosen.of.includes(name);
      return [name, isChoice ? { ...inner, presentWhen: "it is chosen" } : inner];
    }),
  );
}

function carriedUnit(unit: Unit, section: Section, path: string): Unit {
  if (typeof unit !== "object") return unit;
  if ("object" in unit) return { object: carried(unit.object, section, path) };
  if ("array" in unit) return { ...unit, array: carried(unit.array, section, path) };
  if ("keyed" in unit) return { ...unit, keyed: carried(unit.keyed, section, path) };
  return "either" in unit ? { object: carried(united(unit.either), section, path) } : unit;
}

/** The members of either of several objects, as those of one: each may be what it is in any of them. */
function united([first = {}, ...others]: readonly Fields[]): Fields {
  return Object.fromEntries(
    Object.entries(first).map(([name, field]) => [
      name,
      others.reduce((one, { [name]: other }) => unitedField(one, other), field),
    ]),
  );
}

function unitedField(one: Field, other: Field | undefined): Field {
  if (other?.unit === "null") return { ...one, nullWhen: one.nullWhen ?? "it could not be read" };
  const [own, more] = [one.unit, other?.unit];
  if (typeof own !== "object" || !("choice" in own) || typeof more !== "object" || !("choice" in more)) return one;
  return { ...one, unit: { choice: [...new Set([...own.choice, ...more.choice])] } };
}

/** A figure that some tool returns. */
export interface Figure {
  readonly tool: string;
  readonly section: string;
  readonly endpoint: string;
  /** In the section, without positions. */
  readonly path: string;
  readonly name: string;
  readonly field: Field;
}

/** The figures of a tool's results. */
export function figuresOf(tool: AnswerTool): Figure[] {
  return Object.entries(tool.sections).flatMap(([section, declared]) =>
    numbersIn(sectionFields(declared), "").map(([path, field]) => ({
      tool: tool.name,
      section,
      endpoint: declared.endpoint,
      path,
      name: path.slice(path.lastIndexOf(".") + 1),
      field,
    })),
  );
}

function numbersIn(fields: Fields, path: string): [string, Field][] {
  return Object.entries(fields).flatMap(([name, field]): [string, Field][] => {
    const at = under(path, name);
    if (isNumber(field)) return [[at, field]];
    const members = membersOf(field.unit);
    return members ? numbersIn(members, at) : [];
  });
}
