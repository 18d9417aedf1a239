import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { writeWhole } from "../src/core/files/durable.ts";
import { freePort } from "../test/support/data.ts";
import { TestStorage } from "../test/support/objects.ts";
import { postgresPrograms, startPostgres } from "../test/support/postgres.ts";
import { redisServer, startRedis } from "../test/support/redis.ts";

/** Holds all processes of a cluster until it is asked to end: `supervise.ts HOME [DATA_FOLDER] [--port] [--haproxy FILE]`. */
const ROOT = path.resolve(import.meta.dirname, "..");
const REPLICAS = 3;
const WORKERS = 2;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { port: { type: "string" }, haproxy: { type: "string" } },
});
const [home = "", given] = positionals;
const children: ChildProcess[] = [];
const closers: (() => Promise<unknown>)[] = [];
let isStopping = false;

for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void stop(0));
try {
  await start();
} catch (error) {
  console.error(error);
  await stop(1);
}

async function start(): Promise<void> {
  const missing = [
    postgresPrograms() === undefined && "postgresql",
    redisServer() === undefined && "redis-server",
    spawnSync("haproxy", ["-v"]).status !== 0 && "haproxy",
  ].filter(Boolean);
  if (missing.length > 0) throw new Error(`these packages are needed: ${missing.join(" ")}`);
  const began = (await readFile("/proc/self/stat", "utf8")).replace(/^.*\) /s, "").split(" ")[19];
  await writeFile(path.join(home, "pid"), `${process.pid}\n${began}`);
  process.env.TMPDIR = home;
  const [postgres, redis, storage] = await Promise.all([startPostgres(), startRedis(), TestStorage.start()]);
  closers.push(
    () => storage.stop(),
    () => redis.kill(),
    () => postgres.remove(),
  );
  const data = path.join(home, "data");
  const shared = {
    ...storage.environment,
    LUCRA_DATABASE_URL: await postgres.database(),
    LUCRA_REDIS_URL: redis.url,
    LUCRA_METRICS_PORT: "0",
  };
  const writer = { ...shared, LUCRA_DATA_DIR: data };
  if (given === undefined) {
    await mkdir(data);
    await run(["demo"], writer);
  } else {
    await cp(given, data, { recursive: true, preserveTimestamps: true });
    await run(["database", "import"], writer);
  }
  await run(["sync"], writer);
  for (let n = 1; n <= WORKERS; n++) keep(`worker${n}`, ["work"], writer);
  const ports: number[] = [];
  for (let n = 1; n <= REPLICAS; n++) {
    const folder = path.join(home, `replica${n}`);
    await mkdir(folder);
    const port = await freePort();
    ports.push(port);
    keep(`replica${n}`, ["serve", "--read-only"], { ...shared, LUCRA_DATA_DIR: folder, PORT: String(port) });
  }
  await Promise.all(ports.map((port) => ready(`http://127.0.0.1:${port}/readyz`)));
  const port = values.port ?? String(await freePort());
  const balancer = spawn("haproxy", ["-db", "-f", values.haproxy ?? path.join(ROOT, "deploy", "haproxy.cfg")], {
    env: {
      PATH: process.env.PATH,
      LUCRA_BIND: `127.0.0.1:${port}`,
      ...Object.fromEntries(ports.map((one, n) => [`LUCRA_REPLICA_${n + 1}`, `127.0.0.1:${one}`])),
      // All replicas share the database, and no service here writes: its changes are 403.
      LUCRA_WRITER: `127.0.0.1:${ports[0]}`,
    },
    stdio: "inherit",
  });
  children.push(balancer);
  await ready(`http://127.0.0.1:${port}/healthz`);
  const environment = Object.entries(writer).map(([name, value]) => `${name}='${value}'`);
  await writeWhole(
    path.join(home, "ready"),
    `Address:  http://127.0.0.1:${port}/v1\nReplicas: ${ports.map((one) => `http://127.0.0.1:${one}`).join(" ")}\n` +
      `Commands: ${environment.join(" ")} npm run -s lucra -- keys create --organization …`,
    0o600,
  );
}

/** Runs a command to its end. */
async function run(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<void> {
  const child = spawn(process.execPath, [path.join(ROOT, "bin", "lucra.cjs"), ...args], {
    env: { ...process.env, ...environment },
    stdio: "inherit",
  });
  const [status] = await once(child, "exit");
  // Exports of which some rows were rejected are no reason not to start.
  if (status !== 0 && args[0] !== "sync") throw new Error(`lucra ${args.join(" ")} ended with ${status}`);
}

/** Runs a command again and again, as a service manager does. */
function keep(name: string, args: readonly string[], environment: Readonly<Record<string, string>>): void {
  const child = spawn(process.execPath, [path.join(ROOT, "bin", "lucra.cjs"), ...args], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "inherit", "inherit"],
  });
  children.push(child);
  child.once("exit", async (code, signal) => {
    children.splice(children.indexOf(child), 1);
    if (isStopping) return;
    console.error(`${name} has ended (${signal ?? code}), and is started again`);
    await sleep(1_000);
    if (!isStopping) keep(name, args, environment);
  });
}

async function ready(address: string): Promise<void> {
  for (let tries = 0; tries < 1_200; tries++) {
    const answer = await fetch(address).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    await sleep(100);
  }
  throw new Error(`${address} does not get ready`);
}

async function stop(status: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  const all = [...children];
  const ended = all.map((child) => (child.exitCode === null && child.signalCode === null ? once(child, "exit") : null));
  for (const child of all) child.kill("SIGTERM");
  const late = setTimeout(() => {
    for (const child of all) child.kill("SIGKILL");
  }, 30_000);
  await Promise.all(ended);
  clearTimeout(late);
  for (const close of closers) await close().catch(console.error);
  for (const name of ["data", ...Array.from({ length: REPLICAS }, (_, n) => `replica${n + 1}`)])
    await rm(path.join(home, name), { recursive: true, force: true });
  process.exit(status);
}
