import { createWriteStream } from "node:fs";
import { lstat, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { OperatorError } from "../../core/contract/error.ts";
import { sha256Of } from "../../core/files/checksum.ts";
import { flushToDisk } from "../../core/files/durable.ts";
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
    await this.#refuseLinks();
    await mkdir(this.folder, { recursive: true });
    await this.close();
  }

  /** Removes unfinished files: those of a failed download, or of a page that could not be written. */
  async close(): Promise<void> {
    for (const name of await readdir(this.folder))
      if (name.startsWith(UNDER_WAY)) await rm(path.join(this.folder, name), { force: true, recursive: true });
  }

  /** Landing does not follow links, and they may lead to another organization's exports. */
  async #refuseLinks(): Promise<void> {
    const integration = path.dirname(this.folder);
    for (const folder of [path.dirname(integration), integration, this.folder]) {
      const found = await lstat(folder).catch(() => undefined);
      if (found?.isSymbolicLink())
        throw new OperatorError(`${folder} is a link, which is not landed: replace it by the folder itself`);
    }
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
      await flushToDisk(finished);
      await rename(finished, place);
      await flushToDisk(this.folder);
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

const WRITTEN_AT_ONCE = 65_536;

async function writeObjects(file: string, page: Page): Promise<void> {
  try {
    await pipeline(textOf(page), createWriteStream(file));
  } catch (error) {
    // On a full disk the state needs its place.
    await rm(file, { force: true });
    throw error;
  }
}

/** The text of a page, in pieces that are worth a write. */
function* textOf({ objects = [], envelope, around = {} }: Page): Generator<string> {
  let text = "";
  if (envelope !== undefined) {
    const before = JSON.stringify(around).slice(1, -1);
    text = `{${before}${before ? "," : ""}${JSON.stringify(envelope)}:[`;
  }
  for (const [n, one] of objects.entries()) {
    const object = JSON.stringify(one);
    text += envelope === undefined ? `${object}\n` : `${n === 0 ? "" : ","}\n${object}`;
    if (text.length < WRITTEN_AT_ONCE) continue;
    yield text;
    text = "";
  }
  yield envelope === undefined ? text : `${text}\n]}\n`;
}
