import type { ChildProcess } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { paths } from "../../src/core/files/paths.ts";
import type { SyncReport } from "../../src/core/sync/sync.ts";
import { type DataFolder, type Ended, ended } from "../../test/support/data.ts";

/** `lucra serve` as a separate process, with its output. */
export interface Process {
  readonly child: ChildProcess;
  readonly port: number;
  readonly metricsPort: number;
  readonly end: Promise<Ended>;
  /** Its output so far, on either stream. */
  said(): string;
  stop(): Promise<Ended>;
}

/** Its log has to report that it is ready: at a level above `info` this would wait for ever. */
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
      done(Number(/"port":(\d+),.*"msg":"listening"/.exec(said)?.[1]));
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

/** What a sync used: the most memory and the most disk of its working folder, in MB, and seconds. */
export interface Taken {
  readonly megabytes: number;
  readonly written: number;
  readonly seconds: number;
}

/** A sync as a separate process: its report, and what it used. */
export async function syncApart(
  folder: DataFolder,
  environment: Readonly<Record<string, string>>,
): Promise<{ report: SyncReport; status: number | null } & Taken> {
  const began = performance.now();
  const child = folder.start(["sync", "--json"], environment);
  const end = ended(child);
  let most = 0;
  let written = 0;
  const watching = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
    // The kernel remembers the maximum: only a peak in the very last moment is missed.
    most = Math.max(most, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    written = Math.max(written, await megabytesIn(paths.work(folder.path)));
  }, 20);
  const { stdout, stderr, signal, status } = await end.finally(() => clearInterval(watching));
  if (signal || !stdout.startsWith("{")) throw new Error(`a sync ended with ${signal}: ${stderr.slice(0, 1000)}`);
  if (most === 0) throw new Error("the memory of the sync could not be read");
  const seconds = (performance.now() - began) / 1000;
  return { report: JSON.parse(stdout) as SyncReport, status, megabytes: most, written, seconds };
}

async function megabytesIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => [] as string[]);
  // Any of them may have ended by now.
  const sizes = names.map((name) => stat(path.join(folder, name)).catch(() => ({ blocks: 0 })));
  return (await Promise.all(sizes)).reduce((sum, { blocks }) => sum + blocks * 512, 0) / 1e6;
}

/** The memory that a process holds now, in MB, and its open files. */
export async function held({ pid }: ChildProcess): Promise<{ megabytes: number; files: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const files = await readdir(`/proc/${pid}/fd`);
  return { megabytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024, files: files.length };
}
