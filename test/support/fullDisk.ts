import { writeFile } from "node:fs/promises";
import path from "node:path";
import { DataFolder, exportsOf, oneStore, STOREA, storeaOrders } from "./data.ts";
import { startServing } from "./serving.ts";

/** What the service and `doctor` do on a full disk. */
export interface OnFullDisk {
  readonly doctor: { readonly status: number | null; readonly stdout: string };
  /** The status of figures, and of an export, of a service that started before the disk was full. */
  readonly before: readonly number[];
  /** The same of one that started on the full disk, with room elsewhere. */
  readonly after: readonly number[];
}

const CARDS = "/v1/profitability/cards";
const EXPORT = "/v1/storea/orders?all=true&format=json";

/** Called in the process for which `folder` is a small disk. */
export async function fillDisk(folder: string): Promise<OnFullDisk> {
  const elsewhere = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  const data = await DataFolder.empty();
  process.env.TMPDIR = elsewhere;
  await data.settings(oneStore());
  await data.write(`${exportsOf(STOREA, "orders")}/orders.json`, JSON.stringify(storeaOrders(2_000, 1)));
  await data.sync();
  const serving = await startServing(data);
  const statuses = async ({ get }: typeof serving): Promise<number[]> => [
    (await get(CARDS)).status,
    (await get(EXPORT)).status,
  ];
  await fill(path.join(folder, "filling"));
  const before = await statuses(serving);
  const doctor = await data.lucra(["doctor"]);
  await serving.stop();
  await fill(path.join(folder, "filling again"));
  const again = await startServing(data, [], undefined, {}, serving.keys);
  const after = await statuses(again);
  await again.stop();
  return { doctor, before, after };
}

async function fill(file: string): Promise<void> {
  for (const bytes of [1 << 20, 1 << 12, 1]) {
    for (let full = false; !full; ) {
      full = await writeFile(file, Buffer.alloc(bytes), { flag: "a" }).then(
        () => false,
        () => true,
      );
    }
  }
}
