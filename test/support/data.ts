import { type ChildProcess, spawn } from "node:child_process";
import { cpSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Config, readConfig } from "../../src/core/config.ts";
import type { Organization } from "../../src/core/contract/settings.ts";
import type { Progress } from "../../src/core/landing/land.ts";
import { knownOrganizations } from "../../src/core/organizations/open.ts";
import { type SyncReport, sync } from "../../src/core/sync/sync.ts";

export const ROOT = path.resolve(import.meta.dirname, "..", "..");
export const FIXTURES = path.join(ROOT, "fixtures");
/** The organization of the cases that are easily computed wrongly. */
export const KNOTS_FOLDER = path.join(ROOT, "test", "knots");
export const KNOTS = "0a0b0c0d-0000-4000-8000-000000000018";

/** The organization of the fixtures, and its integrations. */
export const AURORA = "5f0c2b1e-8a4d-4c37-9e21-7b6d0a9c4e10";
export const STOREA = "a1d7c0de-0b5e-4f3a-8c11-2e9f4a6b7d01";
/** Another store of the first kind, which the fixtures do not have. */
export const OTHER_STOREA = "a1e8d1ef-1c6f-4a4b-9d22-3fa05b7c8e99";
export const STOREB = "b2e8d1ef-1c6f-4a4b-9d22-3fa05b7c8e02";
export const SOCIALADS = "c3f9e2f0-2d70-4b5c-8e33-40b16c8d9f03";
export const SEARCHADS = "d40af301-3e81-4c6d-9f44-51c27d9ea004";
export const FINANCE = "07d3262e-61b4-4f9a-8c77-84fa10d1c307";
export const WEBANALYTICS = "e51b0412-4f92-4d7e-8a55-62d38eafb105";

/** The time at which the tests of the fixtures run. */
export const NOW = "2025-04-01T12:00:00.000Z";

/** A thread each: test files run in parallel, one more than two cores, because some wait for processes. */
const DEFAULTS = { LUCRA_NOW: NOW, LUCRA_THREADS: "1" };

/** A data folder of one test, with everything that tests put into one and ask of one. */
export class DataFolder {
  readonly path: string;
  readonly config: Config;

  private constructor(folder: string, environment: Readonly<Record<string, string>>) {
    this.path = folder;
    this.config = readConfig({ ...DEFAULTS, ...environment, LUCRA_DATA_DIR: folder });
  }

  static async empty(environment: Readonly<Record<string, string>> = {}): Promise<DataFolder> {
    return new DataFolder(await mkdtemp(path.join(tmpdir(), "lucra-data-")), environment);
  }

  /** With the settings and exports of the fixtures, whose files all have the same age. */
  static async fixtures(
    environment: Readonly<Record<string, string>> = {},
    fixtures: string = FIXTURES,
  ): Promise<DataFolder> {
    const folder = await DataFolder.empty(environment);
    for (const name of ["organizations", "exports"]) {
      await cp(path.join(fixtures, name), path.join(folder.path, name), { recursive: true });
    }
    for (const file of await filesBelow(path.join(folder.path, "exports"))) {
      await utimes(path.join(folder.path, "exports", file), new Date(NOW), new Date(NOW));
    }
    return folder;
  }

  /** With a copy of another folder's content. */
  static async copyOf(
    other: { readonly path: string },
    environment: Readonly<Record<string, string>> = {},
  ): Promise<DataFolder> {
    const folder = await DataFolder.empty(environment);
    // Of many small files, with a third of the processor time of `cp`.
    cpSync(other.path, folder.path, { recursive: true, preserveTimestamps: true });
    return folder;
  }

  async settings(settings: Organization): Promise<void> {
    await this.write(`organizations/${settings.organizationId}.json`, JSON.stringify(settings));
  }

  /** Writes a file below the folder, with the given age. */
  async write(name: string, content: string | Buffer, modified?: Date): Promise<string> {
    const file = path.join(this.path, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
    if (modified) await utimes(file, modified, modified);
    return file;
  }

  sync(organization?: string, progress?: Progress): Promise<SyncReport> {
    return syncFolder(this.config, organization, progress);
  }

  /** A sync at another time than that of the tests. */
  syncAt(now: string): Promise<SyncReport> {
    return syncFolder(readConfig({ ...DEFAULTS, LUCRA_DATA_DIR: this.path, LUCRA_NOW: now }));
  }

  /** Names of the files below one of its folders, sorted. */
  files(below = ""): Promise<string[]> {
    return filesBelow(path.join(this.path, below));
  }

  text(name: string): Promise<string> {
    return readFile(path.join(this.path, name), "utf8");
  }

  remove(): Promise<void> {
    return rm(this.path, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Runs `lucra` on the folder as a separate process. */
  lucra(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
    return ended(this.start(args, environment));
  }

  /**
   * `limit`: commands of the shell before it becomes the process, such as `ulimit -n 80`. `detached`: in a process group of its
   * own, so that a signal can reach its children too.
   */
  start(
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    limit?: string,
    detached = false,
  ): ChildProcess {
    const lucra = [path.join(ROOT, "bin", "lucra.cjs"), ...args];
    const [command, all] = limit
      ? ["bash", ["-c", `${limit}; exec "$@"`, "bash", process.execPath, ...lucra]]
      : [process.execPath, lucra];
    return spawn(command, all, {
      env: { PATH: process.env.PATH, LUCRA_DATA_DIR: this.path, LUCRA_NOW: NOW, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
      detached,
    });
  }
}

/** An organization with one store, whose orders have costs: the minimum for orders. */
export const oneStore = (organizationId = AURORA, integration = STOREA): Organization => ({
  organizationId,
  name: "x",
  integrations: [{ id: integration, connector: "storea", name: "x" }],
  margin: { items: { costOfGoods: "orders" } },
});

/** Runs a function on the data of an empty organization. */
export async function withData(settings: Organization, work: (data: DataFolder) => Promise<void>): Promise<void> {
  const data = await DataFolder.empty();
  try {
    await data.settings(settings);
    await work(data);
  } finally {
    await data.remove();
  }
}

export async function syncFolder(config: Config, organization?: string, progress?: Progress): Promise<SyncReport> {
  const organizations = await knownOrganizations(config.dataDir, (problem) => {
    throw new Error(problem);
  });
  return sync(config, {
    organizations: organizations.filter((o) => !organization || o.organizationId === organization),
    ...(progress ? { progress } : {}),
  });
}

export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

/** A process's output and exit status. */
export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly bytes: Buffer;
}

export function ended(child: ChildProcess): Promise<Ended> {
  const out: Buffer[] = [];
  const error: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => error.push(chunk));
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (status, signal) => {
      const bytes = Buffer.concat(out);
      done({ status, signal, bytes, stdout: bytes.toString("utf8"), stderr: Buffer.concat(error).toString("utf8") });
    });
  });
}

/** The same numbers from the same seed, between 0 and 1. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The shortest storea order export that counts. */
export interface Invented {
  readonly id: string;
  /** In the order's currency. */
  readonly value: number;
  readonly at?: string;
  readonly changed?: string | null;
  readonly email?: string;
  readonly productId?: string;
  readonly items?: number;
  readonly utmCampaign?: string;
}

export function storeaOrder(order: Invented): Record<string, unknown> {
  const { id, value, at = "2025-02-10T14:00:00.000Z", changed = at, email = `${id}@example.com` } = order;
  const cents = Math.round(value * 100);
  const count = order.items ?? 1;
  const price = Math.floor(cents / count);
  return {
    orderId: id,
    status: "invoiced",
    value: cents,
    creationDate: at,
    ...(changed === null ? {} : { lastChange: changed }),
    authorizedDate: at,
    invoicedDate: at,
    totals: [{ id: "Items", value: cents }],
    clientProfileData: { email, userProfileId: email },
    marketingData: { utmSource: "google", utmMedium: "cpc", utmCampaign: order.utmCampaign ?? "Pesquisa Genérica" },
    storePreferencesData: { currencyCode: "BRL" },
    items: Array.from({ length: count }, (_, n) => ({
      uniqueId: `${id}-${n}`,
      id: `9${order.productId ?? "500"}`,
      productId: order.productId ?? "500",
      name: `Produto ${order.productId ?? "500"}`,
      quantity: 1,
      price: n === 0 ? cents - price * (count - 1) : price,
      sellingPrice: n === 0 ? cents - price * (count - 1) : price,
      costPrice: Math.floor(price / 2),
    })),
  };
}

/** Drops orders of the first store: buyer, day and value; `more` is added to each. */
export async function writeOrders(
  data: DataFolder,
  bought: readonly (readonly [person: string, day: string, value: number])[],
  more: object = {},
): Promise<void> {
  const orders = bought.map(([person, day, value], no) => ({
    ...storeaOrder({ id: `o${no}`, value, at: `${day}T14:00:00.000Z`, email: `${person}@example.com` }),
    ...more,
  }));
  await data.write(`${exportsOf(STOREA, "orders")}/orders.json`, JSON.stringify(orders));
}

/** Seeded orders of 2024, by a few hundred customers. */
export function storeaOrders(count: number, seed: number): Record<string, unknown>[] {
  const random = seeded(seed);
  const pick = (most: number): number => Math.floor(random() * most);
  return Array.from({ length: count }, (_, n) =>
    storeaOrder({
      id: `v${seed}-${n}`,
      value: 10 + pick(50_000) / 100,
      at: new Date(Date.UTC(2024, 0, 1) + pick(366 * 86_400) * 1000).toISOString(),
      email: `cliente${pick(700)}@example.com`,
      productId: String(500 + pick(40)),
      items: 1 + pick(3),
    }),
  );
}

/** Where an integration's exports of a record belong. */
export const exportsOf = (integration: string, record: string, organization = AURORA): string =>
  `exports/${organization}/${integration}/${record}`;

/** A free port. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

/** A process's output until it contains the expected text. */
export function said(child: ChildProcess, wanted: RegExp): Promise<string> {
  let text = "";
  return new Promise((done, fail) => {
    child.stdout?.on("data", (chunk) => {
      text += chunk;
      if (wanted.test(text)) done(text);
    });
    child.on("close", () => fail(new Error(`ended before it said ${wanted}: ${text}`)));
  });
}
