import path from "node:path";
import { expect } from "chai";
import { Database, literal, type Row } from "../../src/core/engine/database.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { currentGeneration } from "../../src/core/marts/generations.ts";
import { AURORA } from "./data.ts";

/** The folder of the derived files. */
export async function generationOf(data: { readonly path: string }): Promise<string> {
  return (await currentGeneration(foldersOf(data.path, AURORA)))?.folder ?? expect.fail("nothing is derived");
}

/** The rows of a query over the relations of a generation, which are named `{refunds}`. */
export async function rowsOf(folder: string, query: string): Promise<Row[]> {
  const database = await Database.open({ threads: 1 });
  const files = (name: string): string => literal(path.join(folder, `${name}*.parquet`));
  try {
    return await database.use((session) =>
      session.rows(
        query.replaceAll(/\{(\w+)\}/g, (_, name: string) => `read_parquet(${files(name)}, hive_partitioning = false)`),
      ),
    );
  } finally {
    database.close();
  }
}

export const refundRows = (folder: string): Promise<Row[]> =>
  rowsOf(
    folder,
    `select order_id, refund_no::int as no, refunded_on::varchar as day, amount::varchar as amount, excess::varchar as excess
      from {refunds} order by integration_id, order_id, refund_no`,
  );

export const cameBackRows = (folder: string): Promise<Row[]> =>
  rowsOf(
    folder,
    `select order_id, line_no::int as line, return_no::int as entry, refund_no::int as refund, returned_on::varchar as day,
        units::int as units, is_restocked, coalesce(gift_card_value, 0)::varchar as cards
      from {returned_units} order by integration_id, order_id, line_no, return_no`,
  );
