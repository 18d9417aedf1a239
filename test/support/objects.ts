import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import S3rver from "s3rver";
import { readConfig } from "../../src/core/config.ts";
import { S3 } from "../../src/features/cluster/objects/s3.ts";

const BUCKET = "lucra";

/** Storage in S3's protocol, in a folder; and what can go wrong with it. */
export class TestStorage {
  readonly folder: string;
  readonly #server: Server;
  readonly #door: ReturnType<typeof createTcpServer>;
  readonly #sockets = new Set<Socket>();
  /** The keys that were asked for, with the method. */
  readonly asked: string[] = [];
  /** What happens before a request is answered. */
  before: (method: string, key: string) => Promise<void> = async () => {};
  #isDown = false;

  private constructor(folder: string, server: Server) {
    this.folder = folder;
    this.#server = server;
    this.#door = createTcpServer((socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket)).on("error", () => {});
      if (this.#isDown) return void socket.destroy();
      const { port } = server.address() as AddressInfo;
      const inner = connect(port, "127.0.0.1");
      inner.on("error", () => socket.destroy());
      socket.on("close", () => inner.destroy());
      socket.pipe(inner).pipe(socket);
    });
  }

  static async start(): Promise<TestStorage> {
    const folder = await mkdtemp(path.join(tmpdir(), "lucra-storage-"));
    const store = new S3rver({ directory: folder, silent: true, configureBuckets: [{ name: BUCKET, configs: [] }] });
    await store.configureBuckets();
    const answer = store.callback();
    const turns = new Map<string, Promise<void>>();
    const server = createServer((request, response) => {
      const { method = "", url = "" } = request;
      const key = decodeURIComponent(new URL(url, "http://s3").pathname.slice(BUCKET.length + 2));
      storage.asked.push(`${method} ${key}`);
      const turn = async (): Promise<void> => {
        await storage.before(method, key);
        if (request.destroyed) return;
        if (method === "PUT" && !(await storage.#mayPut(key, request.headers))) {
          request.resume();
          response.writeHead(412).end("<Error><Code>PreconditionFailed</Code></Error>");
          return;
        }
        // The store itself has no conditional writes: requests for an object are answered one after the other.
        await new Promise<void>((done) => {
          response.on("close", done);
          void answer(request, response);
        });
      };
      const isConditional = method === "PUT";
      const last = isConditional ? (turns.get(key) ?? Promise.resolve()) : Promise.resolve();
      const running = last.then(turn).catch(() => void response.destroy());
      if (isConditional) turns.set(key, running);
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const storage = new TestStorage(folder, server);
    await new Promise<void>((done) => storage.#door.listen(0, "127.0.0.1", done));
    return storage;
  }

  get environment(): Record<string, string> {
    const { port } = this.#door.address() as AddressInfo;
    return {
      LUCRA_STORAGE_URL: `s3://${BUCKET}/some/prefix?endpoint=http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: "S3RVER",
      AWS_SECRET_ACCESS_KEY: "S3RVER",
    };
  }

  open(late: ConstructorParameters<typeof S3>[1] = {}): S3 {
    const { storage } = readConfig({ ...this.environment, LUCRA_DATA_DIR: "." });
    if (!storage) throw new Error("no storage");
    return new S3(storage, late);
  }

  /** Connections are refused, and those that are open end. */
  down(isDown = true): void {
    this.#isDown = isDown;
    if (isDown) for (const socket of this.#sockets) socket.destroy();
  }

  /** The keys below the prefix. */
  async keys(): Promise<string[]> {
    const home = path.join(this.folder, BUCKET, "some", "prefix");
    const entries = await readdir(home, { recursive: true }).catch(() => [] as string[]);
    return entries
      .filter((name) => name.endsWith("._S3rver_object"))
      .map((name) => name.slice(0, -"._S3rver_object".length))
      .sort();
  }

  /** The content of an object. */
  text(key: string): Promise<string> {
    return readFile(this.#fileOf(key), "utf8");
  }

  /** Makes all objects as much older, by the clock of the storage. */
  async age(milliseconds: number): Promise<void> {
    for (const key of await this.keys()) {
      const { mtimeMs } = await stat(this.#fileOf(key));
      await utimes(this.#fileOf(key), new Date(), new Date(mtimeMs - milliseconds));
    }
  }

  /** Changes the content of an object without its tag. */
  rewrite(key: string, text: string): Promise<void> {
    return writeFile(this.#fileOf(key), text);
  }

  #fileOf(key: string): string {
    return path.join(this.folder, BUCKET, "some", "prefix", `${key}._S3rver_object`);
  }

  /** Changes the content of an object without its length. */
  async damage(key: string): Promise<() => Promise<void>> {
    const file = this.#fileOf(key);
    const good = await readFile(file);
    const bad = Buffer.from(good);
    bad[bad.length >> 1] = (bad[bad.length >> 1] ?? 0) ^ 0xff;
    await writeFile(file, bad);
    return () => writeFile(file, good);
  }

  async #mayPut(key: string, headers: IncomingHttpHeaders): Promise<boolean> {
    const file = path.join(this.folder, BUCKET, `${key}._S3rver_object`);
    const present = await readFile(file).catch(() => undefined);
    if (headers["if-none-match"] === "*") return present === undefined;
    const match = headers["if-match"];
    if (match === undefined) return true;
    // As the store keeps it: damage to the content does not change it.
    const tag = await readFile(file.replace(/_object$/, "_object.md5"), "utf8").catch(() => undefined);
    return present !== undefined && `"${tag ?? createHash("md5").update(present).digest("hex")}"` === match;
  }

  async stop(): Promise<void> {
    this.down();
    this.#server.closeAllConnections();
    await Promise.all([this.#door, this.#server].map((one) => new Promise((done) => one.close(done))));
    await rm(this.folder, { recursive: true, force: true });
  }
}
