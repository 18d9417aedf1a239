import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { freePort } from "./data.ts";

/** A PostgreSQL of its own on a free port. */
export interface Postgres {
  readonly url: string;
  /** Rows of a statement. */
  query(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** Makes a database of its own, and returns its address. */
  database(): Promise<string>;
  /** Ends the server at once, as a crash does, and keeps its data. */
  stop(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

/** The folder of the server's programs, which Debian leaves out of PATH; undefined if it is not installed. */
export function postgresPrograms(): string | undefined {
  const debian = "/usr/lib/postgresql";
  const folders = existsSync(debian) ? readdirSync(debian).sort().reverse() : [];
  return [
    ...(process.env.PATH ?? "").split(path.delimiter),
    ...folders.map((version) => path.join(debian, version, "bin")),
  ].find((folder) => folder !== "" && existsSync(path.join(folder, "initdb")));
}

/** The server refuses to run as root. */
function owner(): { uid?: number; gid?: number } {
  if (userInfo().uid !== 0) return {};
  const id = (option: string): number => Number(spawnSync("id", [option, "postgres"], { encoding: "utf8" }).stdout);
  return { uid: id("-u"), gid: id("-g") };
}

export async function startPostgres(): Promise<Postgres> {
  const programs = postgresPrograms() ?? "";
  const port = await freePort();
  const user = owner();
  const folder = mkdtempSync(path.join(user.uid === undefined ? tmpdir() : "/tmp", "lucra-postgres-"));
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = path.join(folder, "data");
  const made = spawnSync(
    path.join(programs, "initdb"),
    ["-D", data, "-A", "trust", "-U", "lucra", "-E", "UTF8", "--no-sync", "--locale=C"],
    { ...user, cwd: folder, encoding: "utf8" },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const address = (database: string): string => `postgresql://lucra@127.0.0.1:${port}/${database}`;
  let child: ChildProcess | undefined;
  const run = async (statement: string, values: readonly unknown[] = [], database = "postgres") => {
    const client = new pg.Client({ connectionString: address(database) });
    client.on("error", () => {});
    await client.connect();
    try {
      return (await client.query(statement, [...values])).rows as Record<string, unknown>[];
    } finally {
      await client.end();
    }
  };
  const isRunning = (): boolean => child !== undefined && child.exitCode === null && child.signalCode === null;
  const start = async (): Promise<void> => {
    if (isRunning()) return;
    const options = ["-p", String(port), "-k", folder, "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"];
    child = spawn(path.join(programs, "postgres"), ["-D", data, ...options], { ...user, cwd: folder, stdio: "ignore" });
    for (let tries = 0; tries < 300; tries++) {
      if (await run("select 1").catch(() => undefined)) return;
      await sleep(100);
    }
    throw new Error("PostgreSQL did not start");
  };
  const stop = async (): Promise<void> => {
    if (!child || !isRunning()) return;
    // An immediate shutdown: connections break, and nothing is written any more.
    child.kill("SIGQUIT");
    await once(child, "exit");
  };
  await start();
  let databases = 0;
  let last = "postgres";
  return {
    url: address("postgres"),
    query: (text, values) => run(text, values, last),
    database: async () => {
      last = `lucra_${++databases}`;
      await run(`create database ${last}`);
      return address(last);
    },
    stop,
    start,
    remove: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
