import { rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { roomOf } from "../../src/features/uploads/room.ts";
import { Uploads } from "../../src/features/uploads/store.ts";
import { AURORA, DataFolder } from "./data.ts";
import { SHOP } from "./syncs.ts";
import { BY, Page, ROOMY, refusal } from "./uploads.ts";

/** What uploads do on a disk of 60 MB. */
export interface OnFullDisk {
  /** With the limits of free space as they are. */
  readonly small: string;
  /** The refusal of a piece for which there is no room, what has arrived then, and after there was room again. */
  readonly piece: string;
  readonly received: readonly number[];
  /** A landing without any room, one with too little, what it left, and one once there was room. */
  readonly landing: readonly unknown[];
}

/** Called in the process for which `folder` is a small disk. */
export async function uploadOnFullDisk(folder: string): Promise<OnFullDisk> {
  const elsewhere = tmpdir();
  process.env.TMPDIR = folder;
  const data = await DataFolder.empty();
  process.env.TMPDIR = elsewhere;
  await data.settings(SHOP);
  const strict = new Uploads(data.path, { room: roomOf });
  const [small] = await refusal(strict.create(AURORA, { name: "a", bytes: 1, by: BY }));

  const uploads = new Uploads(data.path, { room: async () => ROOMY });
  const { id } = await uploads.create(AURORA, { name: "a", bytes: 100_000_000, by: BY });
  const bytes = Buffer.alloc(1_000_000, "x");
  let piece = "";
  const received: number[] = [];
  for (let at = 0; piece === ""; ) {
    const sent = uploads.piece(AURORA, id, at, bytes);
    if (
      await sent.then(
        () => true,
        () => false,
      )
    )
      at = (await sent).received;
    else [piece] = await refusal(sent);
  }
  received.push((await uploads.find(AURORA, id)).received);
  await uploads.remove(AURORA, id);

  const page = Page.over(data);
  const rows = Array.from({ length: 40_000 }, (_, n) => `${n},invoiced,1.00,2025-02-10`);
  const other = await page.drop("a.csv", ["order_id,status,value,creation_date", ...rows].join("\n"));
  received.push((await uploads.find(AURORA, other)).received);
  const seen = await page.preview(other);
  const filling = path.join(folder, "filling");
  await fill(filling);
  // Not even its beginning can be noted: it is as before.
  const refused = await page.land(other).then(
    () => "",
    (error: NodeJS.ErrnoException) => error.code,
  );
  const still = (await page.work.get(AURORA, other)).state;
  await truncate(filling, (await stat(filling)).size - 400_000);
  const failed = await page.land(other);
  const left = [await data.files("exports"), (await data.files("lake")).filter((name) => /\.parquet$/.test(name))];
  await rm(filling);
  await page.land(other);
  const landed = await page.work.get(AURORA, other);
  const orders = landed.landed?.rows;
  return {
    small,
    piece,
    received,
    landing: [seen.look?.outcome, refused, still, failed.state, failed.reason, left, landed.state, orders],
  };
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
