import { createReadStream, createWriteStream } from "node:fs";
import { open, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { ZipFile } from "yazl";
import { OperatorError } from "../../core/contract/error.ts";
import type { Session } from "../../core/engine/database.ts";
import { openArchive } from "../../core/landing/bytes/archive.ts";
import { isZip, utf16Of } from "../../core/landing/bytes/sniff.ts";
import { isParquet } from "../../core/landing/read/read.ts";
import { isWorkbook } from "../../core/landing/read/xlsx.ts";
import { withoutEmails } from "./erased.ts";
import { editedJson } from "./objects.ts";
import { editParquet } from "./parquet.ts";
import { editTable } from "./tables.ts";
import type { Reading } from "./verdict.ts";
import { editedWorkbook } from "./workbooks.ts";

/** What editing works with. */
export interface Workshop {
  readonly session: Session;
  /** A folder for unfinished files. */
  readonly work: string;
}

/** A document of JSON is edited in memory. */
const LARGEST_DOCUMENT = 400_000_000;
const HEAD = 256 * 1024;

let last = 0;
const temporary = ({ work }: Workshop): string => path.join(work, `erased-${process.pid}-${last++}`);

/**
 * Edits a file in whatever format, archive and compression its reader knows. Returns the place of the edited one, or undefined
 * if nothing changes. With `dry` nothing is written, and the place only says that something would change.
 */
export async function editedFile(
  file: string,
  reading: Reading,
  shop: Workshop,
  dry = false,
): Promise<string | undefined> {
  const head = await headOf(file);
  if (head.length === 0) return undefined;
  const target = temporary(shop);
  const isChanged = await edit({ file, target, reading, shop, dry }, head);
  if (!isChanged) await rm(target, { force: true });
  return isChanged ? target : undefined;
}

async function headOf(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The editing of one file. */
interface Editing {
  readonly file: string;
  readonly target: string;
  readonly reading: Reading;
  readonly shop: Workshop;
  readonly dry: boolean;
}

function edit(editing: Editing, head: Buffer): Promise<boolean> {
  const { file, target, reading, shop, dry } = editing;
  if (isParquet(head)) return editParquet(shop.session, file, reading, dry ? {} : { target });
  if (isZip(head)) return editArchive(editing);
  if (head[0] === 0x1f && head[1] === 0x8b) return editCompressed(editing);
  return editText(editing, head);
}

async function editCompressed({ file, target, reading, shop, dry }: Editing): Promise<boolean> {
  const unpacked = temporary(shop);
  try {
    await pipeline(createReadStream(file), createGunzip(), createWriteStream(unpacked));
    const edited = await editedFile(unpacked, reading, shop, dry);
    if (edited === undefined) return false;
    if (!dry) await pipeline(createReadStream(edited), createGzip(), createWriteStream(target));
    await rm(edited, { force: true });
    return true;
  } finally {
    await rm(unpacked, { force: true });
  }
}

/** A workbook, or the files of another archive, each of which is a file of its own. */
async function editArchive({ file, target, reading, shop, dry }: Editing): Promise<boolean> {
  const handle = await open(file);
  const left: string[] = [];
  try {
    const archive = await openArchive(handle);
    const parts = new Map<string, string>();
    for (const [name, entry] of archive.entries) {
      const place = temporary(shop);
      left.push(place);
      await pipeline(await archive.read(entry), createWriteStream(place));
      parts.set(name, place);
    }
    const changed = new Map<string, string>();
    if (isWorkbook(archive)) {
      const texts = new Map<string, string>();
      for (const [name, place] of parts) if (/\.(xml|rels)$/.test(name)) texts.set(name, await readFile(place, "utf8"));
      for (const [name, text] of editedWorkbook(texts, reading)) {
        const place = temporary(shop);
        left.push(place);
        await writeFile(place, text);
        changed.set(name, place);
      }
    } else {
      for (const [name, place] of parts) {
        const edited = await editedFile(place, reading, shop, dry);
        if (edited === undefined) continue;
        left.push(edited);
        changed.set(name, edited);
      }
    }
    if (changed.size === 0) return false;
    if (dry) return true;
    const zip = new ZipFile();
    for (const [name, entry] of archive.entries) {
      const mtime = entry.getLastModDate();
      zip.addFile(changed.get(name) ?? parts.get(name) ?? "", name, { mtime, mode: 0o100600 });
    }
    zip.end();
    await pipeline(zip.outputStream, createWriteStream(target));
    return true;
  } finally {
    await handle.close();
    for (const place of left) await rm(place, { force: true });
  }
}

async function editText(editing: Editing, head: Buffer): Promise<boolean> {
  const { file, target, reading, dry } = editing;
  const utf16 = utf16Of(head);
  if (utf16) return editUtf16(editing, utf16 === "utf-16be");
  const start = head
    .toString("latin1")
    .replace(/^\xEF\xBB\xBF/, "")
    .trimStart();
  const out = writer(dry ? undefined : target);
  try {
    if (start.startsWith("{") || start.startsWith("[")) {
      const { size } = await stat(file);
      if (isLines(start)) return await editLines(file, reading, out);
      if (size > LARGEST_DOCUMENT)
        throw new OperatorError(
          `${file} is one JSON document of ${size} bytes, and at most ${LARGEST_DOCUMENT} can be erased in: split it`,
        );
      const text = await readFile(file, "utf8");
      const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
      const edited = editedJson(text.slice(mark.length), reading);
      if (edited === undefined) return await editLines(file, reading, out);
      if (mark + edited === text) return false;
      await out.write(Buffer.from(mark + edited));
      return true;
    }
    const chunks = createReadStream(file, { encoding: "latin1" }) as AsyncIterable<string>;
    return await editTable(chunks, head.toString("latin1"), false, reading, (text) =>
      out.write(Buffer.from(text, "latin1")),
    );
  } finally {
    await out.close();
  }
}

/** Whether the first line is a whole object, and there are more. */
function isLines(start: string): boolean {
  const end = start.indexOf("\n");
  if (end < 0 || start.slice(end).trim() === "") return false;
  try {
    const first: unknown = JSON.parse(Buffer.from(start.slice(0, end), "latin1").toString("utf8"));
    return typeof first === "object";
  } catch {
    return false;
  }
}

/** A line that is no JSON loses its e-mails only. */
async function editLines(file: string, reading: Reading, out: Writer): Promise<boolean> {
  let isChanged = false;
  const put = async (line: Buffer): Promise<void> => {
    const text = line.toString("utf8").replace(/^\uFEFF/, "");
    const end = /\s*$/.exec(text)?.[0] ?? "";
    const body = text.slice(0, text.length - end.length);
    const edited = body === "" ? body : (editedJson(body, reading) ?? withoutErased(body, reading));
    if (edited === body) return out.write(line);
    isChanged = true;
    return out.write(Buffer.from(edited + end));
  };
  let rest: Buffer[] = [];
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, from)) {
      const end = chunk.subarray(from, at + 1);
      await put(rest.length > 0 ? Buffer.concat([...rest, end]) : end);
      rest = [];
      from = at + 1;
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  }
  if (rest.length > 0) await put(Buffer.concat(rest));
  return isChanged;
}

export function withoutErased(text: string, reading: Reading): string {
  const { text: left, found } = withoutEmails(text, (email) => reading.erased.find("email", email)?.asked === true);
  if (found > 0) reading.onRow?.({ row: JSON.stringify(text), isOwn: false });
  return left;
}

async function editUtf16({ file, target, reading, dry }: Editing, isBig: boolean): Promise<boolean> {
  const bytes = await readFile(file);
  const text = (isBig ? bytes.swap16() : bytes).toString("utf16le");
  const pieces: string[] = [];
  const isChanged = await editTable(pieceOf(text), text.slice(0, HEAD), true, reading, async (piece) => {
    pieces.push(piece);
  });
  if (!isChanged || dry) return isChanged;
  const edited = Buffer.from(pieces.join(""), "utf16le");
  await writeFile(target, isBig ? edited.swap16() : edited);
  return true;
}

async function* pieceOf(text: string): AsyncGenerator<string> {
  yield text;
}

interface Writer {
  write(bytes: Buffer): Promise<void>;
  close(): Promise<void>;
}

/** Writes in larger pieces; without a target nothing. */
function writer(target: string | undefined): Writer {
  if (target === undefined) return { write: async () => {}, close: async () => {} };
  const stream = createWriteStream(target);
  const failed = new Promise<never>((_, fail) => stream.once("error", fail));
  failed.catch(() => {});
  let pieces: Buffer[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    const all = Buffer.concat(pieces);
    pieces = [];
    bytes = 0;
    if (!stream.write(all))
      await Promise.race([new Promise<void>((done) => stream.once("drain", () => done())), failed]);
  };
  return {
    write: async (piece) => {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > HEAD) await flush();
    },
    close: async () => {
      if (pieces.length > 0) await flush();
      await Promise.race([new Promise<void>((done) => stream.end(() => done())), failed]);
    },
  };
}
