import { AURORA, type DataFolder, exportsOf, FINANCE } from "./data.ts";

/** The notes of the sync of a table, and how many rows it replaced. */
export async function landedTable(
  data: DataFolder,
  record: string,
  table: string,
): Promise<[notes: string[], replaced: number]> {
  await data.write(`${exportsOf(FINANCE, record, AURORA)}/later.csv`, table);
  const { outcomes } = await data.sync();
  const own = outcomes.filter((one) => one.record === record);
  return [own.flatMap(({ notes }) => notes.map(({ note }) => note)), own.reduce((sum, one) => sum + one.replaced, 0)];
}
