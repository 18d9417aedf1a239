import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Credentials } from "../../src/core/access/credentials.ts";
import { type Coordination, CURRENT, type JobState } from "../../src/core/coordination/coordination.ts";
import { useCoordination } from "../../src/core/coordination/registry.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { storea } from "../../src/core/records/storea.ts";
import { openPostgres } from "../../src/features/cluster/postgres/open.ts";
import { AURORA, DataFolder, exportsOf, freePort, ROOT, STOREA, said } from "../../test/support/data.ts";
import { CARDS, SHOP } from "../../test/support/generations.ts";
import { TestStorage } from "../../test/support/objects.ts";
import { type Postgres, postgresPrograms, startPostgres } from "../../test/support/postgres.ts";
import { type Redis, redisServer, startRedis } from "../../test/support/redis.ts";
import { orders } from "../../test/support/schedules.ts";
import { type Serving, startServing } from "../../test/support/serving.ts";

/** So many requests by one client, which may make 100 in a minute. */
const REQUESTS = 90;
const CLIENTS = 60;
export const ASKED = `${CARDS}?startDate=2025-01-01&endDate=2025-02-28`;

/** Which of the programs are missing that a cluster consists of. */
export const missingPrograms = (): string[] => [
  ...(postgresPrograms() === undefined ? ["PostgreSQL"] : []),
  ...(redisServer() === undefined ? ["Redis"] : []),
  ...(spawnSync("haproxy", ["-v"]).status === 0 ? [] : ["HAProxy"]),
];

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Several machines on this one: a database, a Redis, storage, and any workers, replicas and balancers over one organization. */
export class Machines {
  readonly data: DataFolder;
  readonly postgres: Postgres;
  redis: Redis;
  readonly storage: TestStorage;
  readonly coordination: Coordination;
  readonly environment: Readonly<Record<string, string>>;
  /** How often each status was answered, whoever asked. */
  readonly statuses = new Map<number, number>();
  readonly #url: string;
  readonly #clients: { client_id: string; client_secret: string }[] = [];
  readonly #children: ChildProcess[] = [];
  readonly #copies: DataFolder[] = [];
  #asked = 0;
  #exports = 0;

  private constructor(data: DataFolder, postgres: Postgres, redis: Redis, storage: TestStorage, url: string) {
    this.data = data;
    this.postgres = postgres;
    this.redis = redis;
    this.storage = storage;
    this.#url = url;
    this.environment = { ...storage.environment, LUCRA_DATABASE_URL: url, LUCRA_REDIS_URL: redis.url };
    this.coordination = openPostgres(url, data.path);
    useCoordination(data.path, this.coordination);
  }

  static async start(): Promise<Machines> {
    const [postgres, redis, storage] = await Promise.all([startPostgres(), startRedis(), TestStorage.start()]);
    const data = await DataFolder.empty();
    const machines = new Machines(data, postgres, redis, storage, await postgres.database());
    await data.settings(SHOP);
    for (let n = 0; n < CLIENTS; n++) machines.#clients.push(await machines.client());
    await machines.drop();
    await machines.sync();
    return machines;
  }

  client(): Promise<{ client_id: string; client_secret: string }> {
    return new Credentials(this.data.path).create({ organizations: [AURORA], name: "client" });
  }

  /** Drops one more export of two orders. Returns how many there are. */
  async drop(): Promise<number> {
    const n = ++this.#exports;
    await this.data.write(`${exportsOf(STOREA, "orders")}/export${n}.json`, orders(`o${n}-1`, `o${n}-2`));
    return n;
  }

  async sync(environment: Readonly<Record<string, string>> = {}, instead?: string): Promise<void> {
    const child = this.data.start(["sync"], { ...this.environment, ...environment }, instead);
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (part) => {
        text += part;
      });
    const [status] = await new Promise<[number | null]>((done) => child.on("close", (code) => done([code])));
    if (status !== 0) throw new Error(`a sync failed: ${text.slice(-1_000)}`);
  }

  /** A worker in a process group of its own. */
  async worker(environment: Readonly<Record<string, string>> = {}): Promise<ChildProcess> {
    const all = { ...this.environment, LUCRA_LOG_LEVEL: "info", ...environment };
    const child = this.data.start(["work", "--no-schedule"], all, undefined, true);
    this.#children.push(child);
    await said(child, /"msg":"working"/);
    child.stderr?.resume();
    return child;
  }

  async replica(environment: Readonly<Record<string, string>> = {}, instead?: string): Promise<Serving> {
    const copy = await DataFolder.empty();
    this.#copies.push(copy);
    useCoordination(copy.path, openPostgres(this.#url, copy.path));
    const serving = await startServing(copy, ["--read-only"], instead, { ...this.environment, ...environment });
    this.#children.push(serving.child);
    return serving;
  }

  /** HAProxy with the configuration of deploy/. Returns its port. */
  async balancer(replicas: readonly Serving[]): Promise<number> {
    const port = await freePort();
    const places: Record<string, string> = {};
    for (let n = 0; n < 3; n++)
      places[`LUCRA_REPLICA_${n + 1}`] = `127.0.0.1:${replicas[n]?.port ?? (await freePort())}`;
    // None writes here, and nobody signs in.
    places.LUCRA_WRITER = `127.0.0.1:${await freePort()}`;
    const child = spawn("haproxy", ["-db", "-f", path.join(ROOT, "deploy", "haproxy.cfg")], {
      env: { PATH: process.env.PATH, LUCRA_BIND: `127.0.0.1:${port}`, ...places },
      stdio: "ignore",
    });
    this.#children.push(child);
    for (let n = 0; n < 100 && (await this.ask(port).catch(() => undefined))?.status !== 200; n++) await sleep(100);
    this.statuses.clear();
    return port;
  }

  /** Asks as one of many clients. Fails on an answer of 500. */
  async ask(port: number, address = ASKED, client = this.#next()): Promise<Answer> {
    const url = new URL(address, `http://127.0.0.1:${port}`);
    if (address.startsWith("/v1/")) url.searchParams.set("organizationId", AURORA);
    const headers = { "x-client-id": client?.client_id ?? "", "x-client-secret": client?.client_secret ?? "" };
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(30_000) });
    const { status } = response;
    const text = await response.text();
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status === 500) throw new Error(`500: ${text.slice(0, 500)}`);
    if (status === 503 && response.headers.get("retry-after") === null && address.startsWith("/v1/"))
      throw new Error(`503 without Retry-After: ${text.slice(0, 500)}`);
    return { status, text };
  }

  /** Asks until there is an answer of 200 that holds. */
  async until(port: number, holds: (text: string) => boolean = () => true, seconds = 60): Promise<string> {
    for (const began = performance.now(); ; await sleep(250)) {
      const { status, text } = await this.ask(port);
      if (status === 200 && holds(text)) return text;
      if (performance.now() - began > seconds * 1_000) throw new Error(`not answered: ${status} ${text.slice(0, 500)}`);
    }
  }

  #next() {
    return this.#clients[Math.floor(this.#asked++ / REQUESTS) % this.#clients.length];
  }

  async due(at = new Date()): Promise<void> {
    await this.coordination.jobs?.due({ organization: AURORA, integration: STOREA }, at);
  }

  /** Waits until all jobs are done; fails if one is lost. */
  async done(count: number, seconds = 120): Promise<readonly JobState[]> {
    for (const began = performance.now(); ; await sleep(300)) {
      const jobs = (await this.coordination.jobs?.list()) ?? [];
      if (jobs.length >= count && jobs.every(({ state }) => state === "done")) return jobs;
      if (performance.now() - began > seconds * 1_000) throw new Error(`jobs are lost: ${JSON.stringify(jobs)}`);
    }
  }

  pointer(): Promise<string | undefined> {
    return this.coordination.pointers.text(AURORA, CURRENT);
  }

  /** Fails unless each export has landed once. Returns how many. */
  async landedOnce(): Promise<number> {
    const record = storea.find(({ name }) => name === "orders");
    if (!record) throw new Error("no record");
    const folder = foldersOf(this.data.path, AURORA).lake(record);
    const found: string[] = [];
    for (const name of (await readdir(folder)).filter((one) => one.endsWith(".json"))) {
      const text = await readFile(path.join(folder, name), "utf8");
      for (const [, file = ""] of text.matchAll(/"name":\s*"([^"]+)"/g)) found.push(file);
    }
    if (found.length !== this.#exports || new Set(found).size !== this.#exports)
      throw new Error(`${this.#exports} exports, landed: ${found.sort()}`);
    return this.#exports;
  }

  /** Fails unless the files of the data folder are whole. */
  async isWhole(): Promise<void> {
    const { stdout } = await this.data.lucra(["doctor", "--verify", "--json"], this.environment);
    const damaged = ["damagedLake", "damagedDerived", "missingLake", "unreadable", "outdated"];
    const found = damaged.filter((kind) => stdout.includes(`"${kind}"`));
    if (found.length > 0) throw new Error(`doctor finds ${found}: ${stdout.slice(0, 1_000)}`);
  }

  signal(child: ChildProcess, signal: NodeJS.Signals): void {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {}
  }

  async stop(): Promise<void> {
    this.storage.before = async () => {};
    for (const child of this.#children) {
      this.signal(child, "SIGKILL");
      child.kill("SIGKILL");
    }
    await this.postgres.start().catch(() => {});
    await this.coordination.close();
    useCoordination(this.data.path, undefined);
    await Promise.all([this.redis.kill(), this.storage.stop(), this.data.remove()]);
    for (const copy of this.#copies) {
      useCoordination(copy.path, undefined);
      await copy.remove();
    }
    await this.postgres.remove();
  }
}
