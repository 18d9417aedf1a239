import { readFile, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import type { DataFolder } from "../../test/support/data.ts";

/** What was done to a file. */
export interface Damage {
  /** Relative to the data folder. */
  readonly file: string;
  readonly how: string;
}

/** Flips a bit, or cuts off the end. */
export async function spoil(data: DataFolder, file: string, random: () => number): Promise<Damage> {
  const place = path.join(data.path, file);
  const bytes = await readFile(place);
  if (random() < 0.3) {
    const length = Math.floor(random() * bytes.length);
    await truncate(place, length);
    return { file, how: `${file} cut to ${length} of ${bytes.length} bytes` };
  }
  const at = Math.floor(random() * bytes.length);
  const bit = Math.floor(random() * 8);
  bytes[at] = (bytes[at] as number) ^ (1 << bit);
  await writeFile(place, bytes);
  return { file, how: `bit ${bit} of byte ${at} of ${file} flipped` };
}

export const pick = <T>(of: readonly T[], random: () => number): T => of[Math.floor(random() * of.length)] as T;

/** A few of them, all different. */
export const some = <T>(of: readonly T[], most: number, random: () => number): T[] =>
  of
    .map((one) => ({ one, place: random() }))
    .sort((a, b) => a.place - b.place)
    .slice(0, 1 + Math.floor(random() * most))
    .map(({ one }) => one);

export function must(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise);
}
