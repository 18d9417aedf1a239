import { readFile } from "node:fs/promises";

/** The text of an engine's SQL, with what it includes. */
export interface Dialect {
  /** A shared file, `questions/cards` or `schema`, with the engine's words. */
  text(name: string): Promise<string>;
  /** A question's statement, and the parameters that it names, in the order of their numbers. */
  statement(name: string): Promise<Statement>;
}

export interface Statement {
  readonly text: string;
  readonly names: readonly string[];
}

const sql = (name: string): Promise<string> => readFile(new URL(`${name}.sql`, import.meta.url), "utf8");

/** The parts of a file by name: each begins with a line `--- name: arguments`. */
async function partsOf(file: string): Promise<[string, string][]> {
  const [, ...parts] = (await sql(file)).split(/^--- /m);
  return parts.map((part) => {
    const [head = "", ...body] = part.split("\n");
    return [head.replace(/:.*/, ""), body.join("\n").trim()];
  });
}

/** The dialect of an engine's folder; `parameter` writes the place of a bound value in it. */
export function dialectOf(engine: string, parameter: (name: string, no: number) => string): Dialect {
  const read = Promise.all([partsOf("questions/parts"), partsOf(`${engine}/parts`)]).then(
    (parts) => new Map(parts.flat()),
  );
  const text = async (name: string): Promise<string> => withParts(await sql(name), await read);
  const statements = new Map<string, Promise<Statement>>();
  const statement = async (name: string): Promise<Statement> => {
    const names: string[] = [];
    const bound = (await text(`questions/${name}`)).replace(/\$([a-z_]+)/g, (_, named: string) => {
      if (!names.includes(named)) names.push(named);
      return parameter(named, names.indexOf(named) + 1);
    });
    return { text: bound, names };
  };
  return {
    text,
    statement: (name) => {
      const kept = statements.get(name) ?? statement(name);
      statements.set(name, kept);
      return kept;
    },
  };
}

/** Replaces each `{{name: a | b}}` by the part of that name, innermost first, and `{{1}}` in it by its first argument. */
function withParts(text: string, parts: ReadonlyMap<string, string>): string {
  const next = text.replace(/\{\{(\w+)(?::([^{}]*))?\}\}/g, (_, name: string, given = "") => {
    const part = parts.get(name);
    if (part === undefined) throw new Error(`no part ${name}`);
    const values = given.split("|").map((value: string) => value.trim());
    return part.replace(/\{\{(\d)\}\}/g, (_, no: string) => values[Number(no) - 1] ?? "");
  });
  return next === text ? text : withParts(next, parts);
}
