import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { isOutOfSpace } from "../../core/contract/error.ts";
import type { Document } from "../../core/coordination/coordination.ts";
import { coordinationOf } from "../../core/coordination/registry.ts";
import { writeWhole } from "../../core/files/durable.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import { paths } from "../../core/files/paths.ts";
import { labelOf } from "./names.ts";
import { UploadRefusal } from "./refusal.ts";
import { hasRoom, type Room, roomOf } from "./room.ts";
import { isWaiting, LIMITS, type Upload } from "./upload.ts";

interface Content {
  readonly uploads: readonly Upload[];
}

const ID = /^[0-9a-f]{32}$/;
/** How many files that have landed an organization's list keeps; what landed is in the lake, whatever the list says. */
const MOST_ENDED = 50;

const SCHEMA = {
  type: "object",
  required: ["uploads"],
  properties: {
    uploads: {
      type: "array",
      items: {
        type: "object",
        required: ["id", "organization", "name", "bytes", "createdAt", "state"],
        properties: {
          id: { type: "string", pattern: ID.source },
          organization: { type: "string", minLength: 1 },
          name: { type: "string" },
          bytes: { type: "integer", minimum: 0 },
          createdAt: { type: "string" },
          state: { enum: ["receiving", "received", "recognized", "landing", "landed", "failed", "undone"] },
        },
      },
    },
  },
} as const;

interface Options {
  readonly clock?: () => number;
  /** The free space of the disk of a folder. */
  readonly room?: (folder: string) => Promise<Room>;
}

/** A file that the page sends. */
export interface Offered {
  readonly name: string;
  readonly bytes: number;
  readonly sha256?: string | undefined;
  readonly by: string;
}

/** An upload, with how much of it has arrived. */
export interface Shown extends Upload {
  readonly received: number;
}

/** Files that wait to land: their bytes in `uploads/<organization>/<id>`, what is known of them in a document. */
export class Uploads {
  readonly dataDir: string;
  readonly #file: Document<Content>;
  readonly #clock: () => number;
  readonly #room: (folder: string) => Promise<Room>;
  /** The last piece of each file: two at once are written one after the other. */
  readonly #writing = new Map<string, Promise<unknown>>();

  constructor(dataDir: string, { clock = Date.now, room = roomOf }: Options = {}) {
    this.dataDir = dataDir;
    this.#clock = clock;
    this.#room = room;
    this.#file = coordinationOf(dataDir).documents.open<Content>({
      file: paths.uploads(dataDir),
      lock: paths.uploadsLock(dataDir),
      command: "serve",
      schema: SCHEMA,
      nothing: { uploads: [] },
    });
  }

  /** A place for a file: nothing of it has arrived. */
  async create(organization: string, { name, bytes, sha256, by }: Offered): Promise<Shown> {
    if (!Number.isSafeInteger(bytes) || bytes < 1) throw new UploadRefusal("invalid", { bytes });
    if (bytes > LIMITS.bytes) throw new UploadRefusal("tooLarge", { bytes, most: LIMITS.bytes });
    await this.#assertRoom(bytes);
    const created = await this.#file.change((content) => {
      const uploads = this.#alive(content);
      const waiting = uploads.filter((one) => one.organization === organization && isWaiting(one));
      const sum = waiting.reduce((all, one) => all + one.bytes, bytes);
      if (waiting.length >= LIMITS.files || sum > LIMITS.waiting)
        throw new UploadRefusal("tooMany", { files: waiting.length, bytes: sum - bytes, most: mostWaiting });
      const upload: Upload = {
        ...{ id: randomBytes(16).toString("hex"), organization, name: labelOf(name), bytes },
        ...(sha256 === undefined ? {} : { sha256: sha256.toLowerCase() }),
        ...{ createdAt: new Date(this.#clock()).toISOString(), createdBy: by, state: "receiving" },
      };
      return { content: { uploads: [...uploads, upload] }, result: upload };
    });
    return { ...created, received: 0 };
  }

  /** An upload without bytes of its own, for an export that lands again. */
  add(upload: Omit<Upload, "id" | "createdAt">): Promise<Upload> {
    return this.#file.change((content) => {
      const added = {
        ...upload,
        id: randomBytes(16).toString("hex"),
        createdAt: new Date(this.#clock()).toISOString(),
      };
      return { content: { uploads: [...this.#alive(content), added] }, result: added };
    });
  }

  /** Adds a piece. What has arrived is on the disk before this returns; a piece that has arrived already changes nothing. */
  piece(organization: string, id: string, offset: number, bytes: Buffer): Promise<{ readonly received: number }> {
    const before = this.#writing.get(id) ?? Promise.resolve();
    const mine = before.catch(() => {}).then(() => this.#piece(organization, id, offset, bytes));
    this.#writing.set(id, mine);
    const end = (): void => {
      if (this.#writing.get(id) === mine) this.#writing.delete(id);
    };
    mine.then(end, end);
    return mine;
  }

  async #piece(
    organization: string,
    id: string,
    offset: number,
    bytes: Buffer,
  ): Promise<{ readonly received: number }> {
    const upload = await this.find(organization, id);
    const { length } = bytes;
    if (length > LIMITS.piece) throw new UploadRefusal("tooLarge", { bytes: length, most: LIMITS.piece });
    if (!Number.isSafeInteger(offset) || offset < 0 || length === 0) throw new UploadRefusal("invalid", { offset });
    if (offset > upload.received) throw new UploadRefusal("offset", { received: upload.received });
    if (offset + length > upload.bytes)
      throw new UploadRefusal("tooLarge", { bytes: offset + length, most: upload.bytes });
    if (upload.state !== "receiving" && offset + length > upload.received)
      throw new UploadRefusal("state", { state: upload.state });
    if (!isWaiting(upload)) throw new UploadRefusal("state", { state: upload.state });
    const file = this.bytesOf(upload);
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    const handle = await open(file, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
    try {
      const { size } = await handle.stat();
      const there = Math.max(0, Math.min(size - offset, length));
      if (!(await holds(handle, bytes.subarray(0, there), offset))) throw new UploadRefusal("differs", { offset });
      if (there < length) await this.#write(handle, bytes.subarray(there), offset + there);
      const received = Math.max(size, offset + length);
      // Its content may be edited from now on, as by an erasure.
      if (received === upload.bytes && upload.state === "receiving") await this.#whole(upload);
      return { received };
    } finally {
      await handle.close();
    }
  }

  #whole({ organization, id }: Upload): Promise<Upload> {
    return this.change(organization, id, (one) => (one.state === "receiving" ? { ...one, state: "received" } : one));
  }

  async #write(handle: FileHandle, bytes: Buffer, offset: number): Promise<void> {
    await this.#assertRoom(bytes.length);
    try {
      for (let done = 0; done < bytes.length; )
        done += (await handle.write(bytes, done, bytes.length - done, offset + done)).bytesWritten;
      await handle.datasync();
    } catch (error) {
      if (!isOutOfSpace(error as Error)) throw error;
      await handle.truncate(offset).catch(() => {});
      throw new UploadRefusal("noRoom");
    }
  }

  async #assertRoom(bytes: number): Promise<void> {
    const room = await this.#room(this.dataDir);
    if (!hasRoom(room, bytes)) throw new UploadRefusal("noRoom", { ...room });
  }

  /** The organization's files, the newest first. */
  async list(organization: string): Promise<Shown[]> {
    const { uploads } = await this.#file.latest();
    const own = this.#alive({ uploads }).filter((one) => one.organization === organization);
    return Promise.all(own.reverse().map((one) => this.#shown(one)));
  }

  async find(organization: string, id: string): Promise<Shown> {
    const found = ID.test(id) ? (await this.list(organization)).find((one) => one.id === id) : undefined;
    if (!found) throw new UploadRefusal("unknown", { upload: id.slice(0, 40) });
    return found;
  }

  /** Everything that is landing, of every organization. */
  async landing(): Promise<Upload[]> {
    return (await this.#file.latest()).uploads.filter(({ state }) => state === "landing");
  }

  /** Changes what is known of an upload. `change` gets all of them too, may refuse, and returns the new upload. */
  change(
    organization: string,
    id: string,
    change: (upload: Upload, all: readonly Upload[]) => Upload,
  ): Promise<Upload> {
    return this.#file.change((content) => {
      const found = content.uploads.find((one) => one.organization === organization && one.id === id);
      if (!found) throw new UploadRefusal("unknown", { upload: id.slice(0, 40) });
      const changed = change(found, content.uploads);
      return { content: { uploads: content.uploads.map((one) => (one === found ? changed : one)) }, result: changed };
    });
  }

  /** Changes all uploads of an organization that landed as this export. */
  changeLanded(organization: string, isMeant: (upload: Upload) => boolean, change: (upload: Upload) => Upload) {
    return this.#file.change(({ uploads }) => ({
      content: {
        uploads: uploads.map((one) => (one.organization === organization && isMeant(one) ? change(one) : one)),
      },
      result: undefined,
    }));
  }

  /** Removes a file that waits, or the entry of one that has landed, whose rows stay. */
  async remove(organization: string, id: string): Promise<void> {
    const upload = await this.find(organization, id);
    await this.#file.change(({ uploads }) => {
      const found = uploads.find((one) => one.id === id);
      if (found?.state === "landing") throw new UploadRefusal("state", { state: found.state });
      return { content: { uploads: uploads.filter((one) => one !== found) }, result: undefined };
    });
    await this.removeBytes(upload);
  }

  /** Removes the bytes of a file, and what was found in it. */
  async removeBytes(upload: Pick<Upload, "organization" | "id">): Promise<void> {
    const folder = this.#folder(upload.organization);
    const names = await readdir(folder).catch(() => [] as string[]);
    for (const name of names.filter((one) => idIn(one) === upload.id))
      await rm(path.join(folder, name), { force: true });
  }

  /**
   * Removes what has not landed after a day, the entries of the oldest that have, and bytes of files that are not known:
   * a process that was killed left them.
   */
  async tidy(): Promise<void> {
    const home = paths.uploaded(this.dataDir);
    const files: [organization: string, id: string][] = [];
    for (const organization of await readdir(home).catch(() => [] as string[])) {
      const names = await readdir(path.join(home, organization)).catch(() => [] as string[]);
      for (const id of new Set(names.flatMap((name) => idIn(name) ?? []))) files.push([organization, id]);
    }
    // Read after the files were listed: a new file is known before it has bytes.
    const { uploads } = await this.#file.read();
    const alive = this.#alive({ uploads });
    if (alive.length < uploads.length)
      await this.#file.change((content) => ({ content: { uploads: this.#alive(content) }, result: undefined }));
    const kept = new Set(alive.filter((one) => isWaiting(one) || one.state === "landing").map(({ id }) => id));
    for (const [organization, id] of files) if (!kept.has(id)) await this.removeBytes({ organization, id });
  }

  /** Without what has waited for a day, and the oldest of those that have landed. */
  #alive({ uploads }: Content): readonly Upload[] {
    const oldest = this.#clock() - LIMITS.keptMs;
    const ended = new Map<string, number>();
    const kept = uploads.toReversed().filter((one) => {
      if (one.state === "landing") return true;
      if (one.state !== "landed" && one.state !== "undone") return Date.parse(one.createdAt) > oldest;
      const before = ended.get(one.organization) ?? 0;
      ended.set(one.organization, before + 1);
      return before < MOST_ENDED;
    });
    return kept.length === uploads.length ? uploads : kept.reverse();
  }

  async #shown(upload: Upload): Promise<Shown> {
    if (!isWaiting(upload)) return { ...upload, received: upload.bytes };
    const found = await stat(this.bytesOf(upload)).catch(() => undefined);
    const received = found?.size ?? 0;
    // Its last piece was written by a process that was killed.
    const isWhole = upload.state === "receiving" && received === upload.bytes;
    return { ...upload, received, ...(isWhole ? { state: "received" } : {}) };
  }

  bytesOf({ organization, id }: Pick<Upload, "organization" | "id">): string {
    return path.join(this.#folder(organization), id);
  }

  /** A process that lands it holds the lock of this file. */
  lockOf(upload: Pick<Upload, "organization" | "id">): string {
    return `${this.bytesOf(upload)}.lock`;
  }

  /** What was found in a file, or how far its landing is; undefined if that was not noted. */
  async note<T>(upload: Pick<Upload, "organization" | "id">, what: Note): Promise<T | undefined> {
    const text = await readFile(`${this.bytesOf(upload)}.${what}`, "utf8").catch(() => "");
    try {
      return JSON.parse(text) as T;
    } catch {
      return undefined;
    }
  }

  async write(upload: Pick<Upload, "organization" | "id">, what: Note, content: object): Promise<void> {
    await mkdir(this.#folder(upload.organization), { recursive: true, mode: 0o700 });
    await writeWhole(`${this.bytesOf(upload)}.${what}`, JSON.stringify(content), 0o600);
  }

  #folder(organization: string): string {
    return foldersOf(this.dataDir, organization).uploads;
  }
}

type Note = "look" | "progress";

const mostWaiting = { files: LIMITS.files, bytes: LIMITS.waiting };

/** The upload that a file in its folder belongs to; unfinished notes begin with a dot. */
const idIn = (name: string): string | undefined => /^\.?([0-9a-f]{32})(?:\.|$)/.exec(name)?.[1];

/** Whether a file has these bytes at an offset. */
async function holds(handle: FileHandle, bytes: Buffer, offset: number): Promise<boolean> {
  if (bytes.length === 0) return true;
  const there = Buffer.alloc(bytes.length);
  const { bytesRead } = await handle.read(there, 0, there.length, offset);
  return bytesRead === there.length && there.equals(bytes);
}
