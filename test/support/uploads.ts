import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import type { Organization } from "../../src/core/contract/settings.ts";
import { knownOrganizations } from "../../src/core/organizations/open.ts";
import { Children } from "../../src/core/processes/children.ts";
import { UploadRefusal } from "../../src/features/uploads/refusal.ts";
import type { Room } from "../../src/features/uploads/room.ts";
import { Uploads } from "../../src/features/uploads/store.ts";
import { type LandedExport, LIMITS, type Wish } from "../../src/features/uploads/upload.ts";
import { type UploadDetail, UploadWork } from "../../src/features/uploads/work.ts";
import { commandIn } from "./command.ts";
import { AURORA, DataFolder } from "./data.ts";

export const BY = "ana@example.com";
/** A disk with room, whatever the machine has. */
export const ROOMY: Room = { free: 900e9, total: 1_000e9 };

/** A data folder with what a service does for its page. */
export class Page {
  readonly data: DataFolder;
  readonly uploads: Uploads;
  readonly work: UploadWork;
  readonly #children: Children | undefined;

  private constructor(data: DataFolder, isInProcess: boolean) {
    this.data = data;
    this.uploads = new Uploads(data.path, { room: async () => ROOMY });
    this.#children = isInProcess ? undefined : new Children(data.path);
    const children = this.#children ?? inProcess(data);
    const settings = async (id: string) => (await knownOrganizations(data.path, () => {}, [id]))[0];
    this.work = new UploadWork({
      ...{ uploads: this.uploads, children, readers: children, settings },
      log: pino({ level: "silent" }),
    });
  }

  /** `isInProcess`: tasks run in this process, which is faster; a service has them done in others. */
  static async open(settings: Organization, isInProcess = true): Promise<Page> {
    const data = await DataFolder.empty();
    await data.settings(settings);
    return new Page(data, isInProcess);
  }

  static over = (data: DataFolder): Page => new Page(data, true);

  async remove(): Promise<void> {
    this.work.stop();
    await this.#children?.stop();
    await this.data.remove();
  }

  /** Sends a whole file, and returns its id. */
  async drop(name: string, content: string | Buffer): Promise<string> {
    const bytes = Buffer.from(content as Buffer);
    const { id } = await this.work.create(AURORA, { name, bytes: bytes.length, by: BY });
    for (let at = 0; at < bytes.length; at += LIMITS.piece)
      await this.work.piece(AURORA, id, at, bytes.subarray(at, at + LIMITS.piece));
    return id;
  }

  /** As the page does, asks until nothing is done with the file any more. */
  async settled(asked: Promise<UploadDetail>): Promise<UploadDetail> {
    let found = await asked;
    for (; found.busy !== null; found = await this.work.get(AURORA, found.id)) await sleep(20);
    return found;
  }

  preview = (id: string, wish: Wish = {}): Promise<UploadDetail> => this.settled(this.work.preview(AURORA, id, wish));

  /** Lands what the last look showed. */
  async land(id: string): Promise<UploadDetail> {
    const { look } = await this.work.get(AURORA, id);
    await this.work.land(AURORA, id, { look: look?.id ?? "", by: BY });
    return this.settled(this.work.get(AURORA, id));
  }

  async undo(id: string): Promise<UploadDetail> {
    await this.work.undo(AURORA, id);
    return this.settled(this.work.get(AURORA, id));
  }

  async again(one: LandedExport): Promise<UploadDetail> {
    const { id } = await this.work.again(AURORA, BY, one);
    return this.settled(this.work.get(AURORA, id));
  }

  /** Sends a file, looks at it and lands it. */
  async landed(name: string, content: string | Buffer, wish: Wish = {}): Promise<UploadDetail> {
    const id = await this.drop(name, content);
    await this.preview(id, wish);
    return this.land(id);
  }

  async settings(): Promise<Organization> {
    return JSON.parse(await this.data.text(`organizations/${AURORA}.json`));
  }
}

const inProcess = (data: DataFolder) => ({
  stopped: false,
  run: async (args: readonly string[]) => {
    const { status, stdout, stderr } = await commandIn(data, { LUCRA_THREADS: "1" }, args);
    return { code: status, signal: null, stdout, stderr: stderr.trim() };
  },
});

/** The kind of a refusal, and what it says. */
export async function refusal(work: Promise<unknown>): Promise<[string, Readonly<Record<string, unknown>>]> {
  const error = await work.then(
    () => undefined,
    (one: unknown) => one,
  );
  if (!(error instanceof UploadRefusal)) throw new Error(`was not refused: ${error}`);
  return [error.kind, error.facts];
}
