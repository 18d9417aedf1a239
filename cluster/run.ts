import "../src/features/index.ts";
import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import { mkdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Several machines on one: `npm run cluster [-- DATA_FOLDER] [--port PORT]` starts PostgreSQL, Redis, storage in S3's
 * protocol, two workers, three replicas and HAProxy in the background, over a copy of the data folder or the demo;
 * `npm run cluster -- stop` ends them and removes all of their files.
 */
const HOME = path.join(tmpdir(), `lucra-cluster-${userInfo().uid}`);
const PID = path.join(HOME, "pid");
/** How to use it, once it can be used. */
const READY = path.join(HOME, "ready");
const LOG = path.join(HOME, "log");
/** A large data folder is derived and sent first. */
const START_MS = 900_000;
const STOP_MS = 60_000;

const [first, ...more] = process.argv.slice(2);
process.exitCode = first === "stop" ? await stop() : await start(first === undefined ? more : [first, ...more]);

async function start(args: readonly string[]): Promise<number> {
  if (await running()) return fail("a cluster is running: `npm run cluster -- stop` ends it");
  await rm(HOME, { recursive: true, force: true });
  await mkdir(HOME, { recursive: true, mode: 0o700 });
  const log = openSync(LOG, "w", 0o600);
  const options = [...process.execArgv, path.join(import.meta.dirname, "supervise.ts"), HOME, ...args];
  const child = spawn(process.execPath, options, { detached: true, stdio: ["ignore", log, log] });
  child.unref();
  for (const began = performance.now(); performance.now() - began < START_MS; await sleep(200)) {
    const said = await readFile(READY, "utf8").catch(() => undefined);
    if (said !== undefined) {
      console.log(`${said}\nLog:      ${LOG}\nStop:     npm run cluster -- stop`);
      return 0;
    }
    if (child.exitCode !== null) return fail(`it did not start:\n${await readFile(LOG, "utf8")}`);
  }
  return fail(`it takes too long to start: see ${LOG}`);
}

async function stop(): Promise<number> {
  const pid = await running();
  if (pid === undefined) {
    await rm(HOME, { recursive: true, force: true });
    console.log("no cluster is running");
    return 0;
  }
  process.kill(pid, "SIGTERM");
  for (const began = performance.now(); performance.now() - began < STOP_MS; await sleep(100)) {
    if (await running()) continue;
    await rm(HOME, { recursive: true, force: true });
    console.log("the cluster has ended, and its files are removed");
    return 0;
  }
  return fail(`process ${pid} does not end: see ${LOG}`);
}

/** The process that holds the cluster; undefined if there is none. */
async function running(): Promise<number | undefined> {
  const [pid = "", began] = (await readFile(PID, "utf8").catch(() => "")).split("\n");
  // Another process may have got the number since.
  const found = pid === "" ? undefined : await stat(`/proc/${pid}`).catch(() => undefined);
  return found && (await startOf(pid)) === began ? Number(pid) : undefined;
}

/** When a process began, in ticks since the start of the machine. */
async function startOf(pid: string): Promise<string | undefined> {
  const line = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return line.slice(line.lastIndexOf(")") + 2).split(" ")[19];
}

function fail(why: string): number {
  console.error(`cluster: ${why}`);
  return 1;
}
