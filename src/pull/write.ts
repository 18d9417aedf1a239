import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { sha256Of } from "../files/checksum.ts";
import { sync } from "../files/durable.ts";
import type { Page } from "./declaration.ts";

/** The names of files under way: landing does not read names with a dot. */
const UNDER_WAY = ".pull-";
const PAGE_DIGITS = 5;

/** The export folder of one record: pages appear in it by rename [D62]. */
export class PullFolder {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Makes the folder, and removes what a killed pull has left. */
  async open(): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    for (const name of await readdir(this.folder))
      if (name.startsWith(UNDER_WAY)) await rm(path.join(this.folder, name), { force: true, recursive: true });
  }

  workFile(name: string): string {
    return path.join(this.folder, `${UNDER_WAY}work-${name.replaceAll(/[^\w.-]/g, "_")}`);
  }

  /** Writes a page; a file with the same bytes stays as it is. Returns its bytes and its objects. */
  async write(window: string, number: number, page: Page): Promise<{ bytes: number; objects: number }> {
    const objects = page.file?.objects ?? page.objects?.length ?? 0;
    const extension = page.file?.extension ?? (page.envelope === undefined ? "jsonl" : "json");
    const name = `pull-${page.name ?? `${window}-${String(number).padStart(PAGE_DIGITS, "0")}`}.${extension}`;
    const place = path.join(this.folder, name);
    if (objects === 0) {
      await rm(place, { force: true });
      if (page.file) await rm(page.file.path, { force: true });
      return { bytes: 0, objects };
    }
    const finished = page.file?.path ?? path.join(this.folder, `.${name}`);
    if (!page.file) await writeObjects(finished, page);
    const { size } = await stat(finished);
    if (await isSame(finished, place)) await rm(finished, { force: true });
    else {
      await sync(finished);
      await rename(finished, place);
      await sync(this.folder);
    }
    return { bytes: size, objects };
  }

  /** Removes the pages of a window beyond those it has now. */
  async end(window: string, pages: number): Promise<void> {
    const own = new RegExp(`^pull-${window}-(\\d{${PAGE_DIGITS},})\\.jsonl?$`);
    for (const name of await readdir(this.folder)) {
      const number = own.exec(name)?.[1];
      if (number !== undefined && Number(number) > pages) await rm(path.join(this.folder, name), { force: true });
    }
  }
}

async function isSame(finished: string, place: string): Promise<boolean> {
  const there = await stat(place).catch(() => undefined);
  if (there?.size !== (await stat(finished)).size) return false;
  const [a, b] = await Promise.all([sha256Of(finished), sha256Of(place)]);
  return a === b;
}

async function writeObjects(file: string, { objects = [], envelope, around = {} }: Page): Promise<void> {
  const out = createWriteStream(file);
  const failed = once(out, "error").then(([error]) => {
    throw error;
  });
  failed.catch(() => {});
  const put = async (text: string): Promise<void> => {
    if (!out.write(text)) await Promise.race([once(out, "drain"), failed]);
  };
  if (envelope !== undefined) {
    const before = JSON.stringify(around).slice(1, -1);
    await put(`{${before}${before ? "," : ""}${JSON.stringify(envelope)}:[`);
  }
  for (const [n, one] of objects.entries()) {
    const text = JSON.stringify(one);
    await put(envelope === undefined ? `${text}\n` : `${n === 0 ? "" : ","}\n${text}`);
  }
  if (envelope !== undefined) await put("\n]}\n");
  const closed = once(out, "close");
  out.end();
  await Promise.race([closed, failed]);
}
