import type { ChildProcess } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { paths } from "../../src/paths.ts";
import type { SyncReport } from "../../src/sync.ts";
import { type DataFolder, type Ended, ended } from "../../test/support/data.ts";

/** `lucra serve` as a process of its own, with all that it says. */
export interface Process {
  readonly child: ChildProcess;
  readonly port: number;
  readonly metricsPort: number;
  readonly end: Promise<Ended>;
  /** What it has said so far, on either stream. */
  said(): string;
  stop(): Promise<Ended>;
}

/** Its log has to tell that it is ready: at a level above `info` this would wait for ever. */
export async function startProcess(
  folder: DataFolder,
  environment: Readonly<Record<string, string>>,
  metricsPort = 0,
): Promise<Process> {
  const child = folder.start(["serve"], { PORT: "0", LUCRA_METRICS_PORT: String(metricsPort), ...environment });
  const end = ended(child);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (part: Buffer) => {
      said += part.toString();
    });
  }
  const port = await new Promise<number>((done, fail) => {
    const look = (): void => {
      if (!said.includes('"msg":"ready"')) return;
      child.stdout?.off("data", look);
      done(Number(/"port":(\d+),"msg":"listening"/.exec(said)?.[1]));
    };
    child.stdout?.on("data", look);
    child.on("close", () => fail(new Error(`it ended before it was ready: ${said}`)));
  });
  return {
    child,
    port,
    metricsPort,
    end,
    said: () => said,
    stop: () => {
      child.kill("SIGTERM");
      return end;
    },
  };
}

/** What a sync took: the most memory and the most of its working folder on disk, in MB, and seconds. */
export interface Taken {
  readonly megabytes: number;
  readonly written: number;
  readonly seconds: number;
}

/** A sync as a process of its own: its report, and what it took. */
export async function syncApart(
  folder: DataFolder,
  environment: Readonly<Record<string, string>>,
): Promise<{ report: SyncReport } & Taken> {
  const began = performance.now();
  const child = folder.start(["sync", "--json"], environment);
  const end = ended(child);
  let most = 0;
  let written = 0;
  const watching = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
    // The kernel remembers the most there was: none is missed but what comes in the very last moment.
    most = Math.max(most, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    written = Math.max(written, await megabytesIn(paths.work(folder.path)));
  }, 20);
  const { stdout, stderr, signal } = await end.finally(() => clearInterval(watching));
  if (signal || !stdout.startsWith("{")) throw new Error(`a sync ended with ${signal}: ${stderr.slice(0, 1000)}`);
  if (most === 0) throw new Error("the memory of the sync could not be read");
  const seconds = (performance.now() - began) / 1000;
  return { report: JSON.parse(stdout) as SyncReport, megabytes: most, written, seconds };
}

async function megabytesIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => [] as string[]);
  // Any of them may be gone by now.
  const sizes = names.map((name) => stat(path.join(folder, name)).catch(() => ({ blocks: 0 })));
  return (await Promise.all(sizes)).reduce((sum, { blocks }) => sum + blocks * 512, 0) / 1e6;
}

/** Memory that a process holds now, in MB, and files it has open. */
export async function held({ pid }: ChildProcess): Promise<{ megabytes: number; files: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const files = await readdir(`/proc/${pid}/fd`);
  return { megabytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024, files: files.length };
}
