import { relationOf } from "../../core/contract/record.ts";
import { Database, literal, type Session } from "../../core/engine/database.ts";
import { readSql, setupFiles } from "../../core/engine/sql.ts";
import { coreMacros, coreSql } from "../../core/marts/build.ts";
import { CORE, INTEGRATIONS } from "../../core/marts/relations.ts";
import { LANDED_RECORDS, landedRecords, stagingRows } from "../../core/marts/staging.ts";
import { records } from "../../core/records/index.ts";

/** A session in which every relation that the SQL files read exists, without rows, and every macro. */
export async function withCatalog<T>(work: (session: Session) => Promise<T>): Promise<T> {
  const database = await Database.open();
  try {
    return await database.use(async (session) => {
      await session.set("organization_id", "");
      await session.set("settings", "{}");
      await session.set("connector_kinds", "{}");
      await session.set("landings", "[]");
      await session.set("landed_exports", "[]");
      await session.set("pulled", "[]");
      await session.set("ad_exports", "[]");
      await session.set("order_exports", "[]");
      await session.set("customers_before", 0n);
      await session.set("customer_secret", "");
      await session.run(coreMacros());
      const make = async (name: string): Promise<void> => session.run(`create table ${name} as ${coreSql(name)}`);
      await make(INTEGRATIONS.name);
      await session.run("create schema staging; create table known_customers (person_id uuid, customer_no bigint)");
      for (const record of records) {
        await session.run(`create table staging.${relationOf(record)} as ${stagingRows(record, [])}`);
      }
      for (const relation of CORE) if (relation !== INTEGRATIONS) await make(relation.name);
      await session.run(`create table ${LANDED_RECORDS.name} as ${landedRecords(new Map())}`);
      for (const file of setupFiles()) {
        if (!["setup/session", "setup/views"].includes(file)) await session.run(readSql(file));
      }
      return await work(session);
    });
  } finally {
    database.close();
  }
}

/** The engine's plan of a query, with every column resolved and nothing optimized away. */
export async function planOf(session: Session, sql: string): Promise<unknown> {
  const [text = ""] = await session.texts(`select json_serialize_plan(${literal(sql)}, optimize := false)::varchar`);
  const { error, error_message: message, plans } = JSON.parse(text);
  if (error) throw new Error(message);
  return plans[0];
}
