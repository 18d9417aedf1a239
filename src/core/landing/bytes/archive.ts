import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { pipeline as piped, type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import { type Entry, fromFdPromise, type ZipFile } from "yauzl";
import { countText, mostUnpacked, unpacksTooFar } from "./limits.ts";
import { FileError } from "./scan.ts";

/** Archives of the vendors' pages have a few files. */
const MOST_ENTRIES = 1_000;

export interface Archive {
  readonly entries: ReadonlyMap<string, Entry>;
  read(entry: Entry): Promise<Readable>;
}

/** The files in a ZIP archive; refuses one that is damaged, protected, or made to fill a disk. */
export async function openArchive(handle: FileHandle): Promise<Archive> {
  const { size } = await handle.stat();
  let zip: ZipFile;
  const entries = new Map<string, Entry>();
  try {
    zip = await fromFdPromise(handle.fd, { autoClose: false, strictFileNames: true });
    if (zip.entryCount > MOST_ENTRIES)
      throw new FileError(
        `is a ZIP archive of ${countText(zip.entryCount)} files, and at most ${countText(MOST_ENTRIES)} are read`,
      );
    let unpacked = 0;
    for await (const entry of zip.eachEntry()) {
      unpacked += entry.uncompressedSize;
      if (unpacked > mostUnpacked(size)) throw unpacksTooFar(size);
      if (entry.fileName.endsWith("/")) continue;
      if (entries.has(entry.fileName)) throw new FileError("is a ZIP archive with two files of one name");
      entries.set(entry.fileName, entry);
    }
  } catch (error) {
    throw damaged(error);
  }
  return {
    entries,
    read: async (entry) => {
      if (entry.isEncrypted()) throw new FileError("is protected by a password: unpack it");
      const stream = await zip.openReadStreamPromise(entry).catch((error) => Promise.reject(damaged(error)));
      // The stream ends with an error if it has another size than the archive says.
      const emit = stream.emit.bind(stream);
      stream.emit = (name: string | symbol, ...values: unknown[]) =>
        emit(name, ...(name === "error" ? [damaged(values[0])] : values));
      // The library does not check the content. Errors are thrown in the stream that is returned.
      return piped(stream, checksumOf(entry), () => {});
    },
  };
}

/** Passes on the content of an entry, and fails at its end if its checksum is another one. */
function checksumOf(entry: Entry): Transform {
  let found = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      found = crc32(chunk, found);
      done(null, chunk);
    },
    flush: (done) => done(found === entry.crc32 ? null : notWhole("wrong checksum")),
  });
}

function damaged(error: unknown): unknown {
  // Only errors of the system have a number that is not one of the unpacking.
  const { code, errno } = error as NodeJS.ErrnoException;
  if (error instanceof FileError || (errno && !code?.startsWith("Z_"))) return error;
  return notWhole((error as Error).message.replace(/:.*/s, ""));
}

const notWhole = (why: string): FileError => new FileError(`is no whole ZIP archive (${why})`);

/** Unpacks a file of an archive and opens it. */
export async function unpackEntry(handle: FileHandle, name: string, into: string): Promise<FileHandle> {
  const archive = await openArchive(handle);
  const entry = archive.entries.get(name);
  if (!entry) throw new FileError("is no longer in its archive");
  await pipeline(await archive.read(entry), createWriteStream(into));
  return open(into);
}

/** The SHA-256 of a file in an archive. */
export async function sha256OfEntry(path: string, name: string): Promise<string> {
  const handle = await open(path);
  try {
    const archive = await openArchive(handle);
    const entry = archive.entries.get(name);
    if (!entry) return "";
    const hash = createHash("sha256");
    await pipeline(await archive.read(entry), hash);
    return hash.digest("hex");
  } finally {
    await handle.close();
  }
}
