import { readdirSync, writeFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { isOfBrokenEngine, isOutOfMemory, QueryError } from "../../../core/contract/error.ts";
import { Database, type Session } from "../../../core/engine/database.ts";
import { readSql, setupFiles } from "../../../core/engine/sql.ts";
import { type Catalog, catalogOf, checkedQuery } from "./check.ts";
import type { Ask, Failure, Said, Start } from "./messages.ts";
import { Budget, TooLarge, toJson } from "./values.ts";
import { textOf, valuesOf } from "./written.ts";

/*
 * The process of `ownProcess.ts`: runs the queries of others over the derived files in its working folder, one after the
 * other. It is never given another folder.
 */

/** The views read files of this folder by relative paths, so that no message has an absolute one. */
const HERE = ".";
/** An error of the engine may quote a text of any length. */
const LONGEST_MESSAGE = 1_000;

// Without the service no one reads the answer, so the process ends at once.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

yieldToTheService();
serve(JSON.parse(process.argv[2] ?? "") as Start).catch((error: Error) => say({ broken: readable(error) }));

/** The service's answers come first, and when the machine has no memory left, this process ends first. */
function yieldToTheService(): void {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  try {
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // Not on this system.
  }
}

function say(said: Said): void {
  process.send?.(said);
}

async function serve({ memory }: Start): Promise<void> {
  const database = await Database.open({ memoryLimit: memory, threads: 1, spills: false });
  const catalog = await database.use(async (session) => {
    await session.set("marts", HERE);
    for (const file of setupFiles()) if (file !== "setup/session") await session.run(readSql(file));
    return catalogOf(session);
  });
  await database.lockToFiles(viewFiles());
  process.on("message", async (asked: Ask) => {
    const session = await database.session();
    const said = await answer(session, asked, catalog).catch((error: Error): Said => ({ failure: failureOf(error) }));
    session.close();
    say("failure" in said && !(await answers(database)) ? { failure: { ...said.failure, isBroken: true } } : said);
  });
  say({ ready: true });
}

/** The patterns that the views read, and the files that they find: nothing else of the folder is open to a query. */
function viewFiles(): string[] {
  const patterns = [...readSql("setup/views").matchAll(/'\/([\w.*]+\.\*?parquet)'/g)].map(
    ([, pattern = ""]) => pattern,
  );
  const files = readdirSync(HERE);
  const found = patterns.flatMap((pattern) => {
    const [start = "", end] = pattern.split("*");
    return files.filter((file) =>
      end === undefined ? file === pattern : file.startsWith(start) && file.endsWith(end),
    );
  });
  return [...new Set([...patterns, ...found])].map((file) => `${HERE}/${file}`);
}

async function answer(session: Session, asked: Ask, catalog: Catalog): Promise<Said> {
  const { sql, rows, bytes, parameters } = asked;
  await session.set("marts", HERE);
  if (parameters.length > 0) await session.setStruct("p", parameters);
  const statement = await checkedQuery(session, sql, catalog, rows + 1);
  const stream = await session.stream(statement).catch(async (error: Error) => {
    // The text as it was sent has the same fault, and places in it are those that its author knows.
    await session.isQuery(sql);
    throw error;
  });
  const columns = stream.columns.map(({ name, type }) => ({ name, type: String(type) }));
  refuseLostMember(columns);
  const written = asked.form ? textOf(asked.form, columns, bytes) : valuesOf(columns);
  const budget = new Budget(bytes);
  let read = 0;
  try {
    for (const { name, type } of columns) budget.take(name.length + type.length);
    for await (const row of stream.rows) {
      if (read === rows) return { result: written.result(true) };
      written.add(row.map((cell) => toJson(cell(), budget)));
      read++;
    }
    return { result: written.result(false) };
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    if (read > 0) return { result: written.result(true) };
    const limit = `one row is larger than the ${bytes} bytes of a result`;
    return { failure: { kind: "size", message: `${limit}: select fewer columns, or parts of long texts and lists` } };
  }
}

/** The library that reads the engine's structs would lose a member of this name. */
function refuseLostMember(columns: readonly { readonly name: string; readonly type: string }[]): void {
  const column = columns.find(({ type }) => type.includes("__proto__"));
  if (column)
    throw new QueryError("failed", `${column.name} has a member __proto__, which cannot be returned: rename it`);
}

/** Whether the engine answers a trivial question: after an internal error it may refuse all. */
const answers = (database: Database): Promise<boolean> =>
  database
    .use((session) => session.run("select 1"))
    .then(
      () => true,
      () => false,
    );

function failureOf(error: Error): Failure {
  if (error instanceof QueryError) return { kind: error.kind, message: readable(error) };
  if (isOfBrokenEngine(error)) return { kind: "failed", message: BREAKS };
  return isOutOfMemory(error)
    ? {
        kind: "memory",
        message: "the query needs more memory than it may use: read fewer rows or columns, or group earlier",
      }
    : { kind: "failed", message: readable(error) };
}

const BREAKS = "the engine has an internal error in this query: write it in another way, or read less";

/** A message without the folder of the files and without the engine's inside, and not longer than one can read. */
function readable({ message }: Error): string {
  const [said = ""] = message.split("Stack Trace:", 1);
  const text = said.trimEnd().replaceAll(process.cwd(), HERE);
  return text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}…` : text;
}
