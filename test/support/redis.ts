import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "./data.ts";

/** A Redis of its own on a free port, without persistence. */
export interface Redis {
  readonly url: string;
  readonly port: number;
  readonly child: ChildProcess;
  /** Runs a command with the command-line client. */
  command(...words: string[]): string;
  kill(): Promise<void>;
}

/** The server's program; undefined if neither Redis nor Valkey is installed. */
export const redisServer = (): string | undefined =>
  ["redis-server", "valkey-server"].find((name) => spawnSync(name, ["--version"]).status === 0);

export async function startRedis(port?: number): Promise<Redis> {
  const at = port ?? (await freePort());
  const folder = await mkdtemp(path.join(tmpdir(), "lucra-redis-"));
  const options = ["--port", String(at), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder];
  const server = redisServer() ?? "redis-server";
  const child = spawn(server, [...options, "--enable-debug-command", "yes"], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise<void>((done, fail) => {
    let said = "";
    child.stdout.on("data", (part) => {
      said += part;
      if (said.includes("Ready to accept connections")) done();
    });
    child.once("exit", () => fail(new Error(`Redis did not start: ${said}`)));
  });
  return {
    url: `redis://127.0.0.1:${at}`,
    port: at,
    child,
    command: (...words) =>
      spawnSync(server.replace("server", "cli"), ["-p", String(at), ...words], { encoding: "utf8" }).stdout.trim(),
    kill: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGKILL");
        await once(child, "exit");
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
