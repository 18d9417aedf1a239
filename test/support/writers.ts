import { Database } from "../../src/core/engine/database.ts";
import { readSql } from "../../src/core/engine/sql.ts";

/** An engine with the macro that all writers need. */
export async function openWriters(): Promise<Database> {
  const database = await Database.open();
  const instantText = /create macro instant_text.*;/.exec(readSql("setup"))?.[0] ?? "";
  await database.use((session) => session.run(instantText));
  return database;
}
