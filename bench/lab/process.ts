import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { NOW } from "../shop/shop.ts";

const LUCRA = path.resolve(import.meta.dirname, "..", "..", "bin", "lucra.cjs");

/** A process of `lucra` over a data folder, with its clock on the day after the shops' last orders. */
export function start(dataDir: string, args: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  return spawn(process.execPath, [LUCRA, ...args], {
    env: { ...process.env, LUCRA_DATA_DIR: dataDir, LUCRA_NOW: NOW, LUCRA_METRICS_PORT: "0", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

export interface Run {
  readonly seconds: number;
  /** Of the processor, by the process and those that it waited for. */
  readonly cpuSeconds: number;
  /** Its peak memory, in MiB. */
  readonly peak: number;
  readonly output: string;
}

/** Runs it to its end; its output is in the error if it fails. */
export async function run(
  dataDir: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Run> {
  const began = performance.now();
  const cpuBefore = await cpuOfChildren();
  const child = start(dataDir, args, settings);
  let output = "";
  let said = "";
  child.stdout.on("data", (text) => {
    output += text;
  });
  child.stderr.on("data", (text) => {
    said = `${said}${text}`.slice(-4000);
  });
  const exit = new Promise<number | null>((done) => child.once("close", done));
  let peak = 0;
  let ended = false;
  exit.then(() => (ended = true));
  while (!ended) {
    peak = Math.max(peak, await peakOf(child));
    await Promise.race([exit, sleep(100)]);
  }
  const status = await exit;
  if (status !== 0) throw new Error(`lucra ${args.join(" ")} ended with ${status}:\n${output.slice(-4000)}${said}`);
  const seconds = (performance.now() - began) / 1000;
  return { seconds, cpuSeconds: (await cpuOfChildren()) - cpuBefore, peak, output };
}

/** Seconds of the processor that the ended children of this process have used: fields 16 and 17, in hundredths. */
const cpuOfChildren = (): Promise<number> => secondsIn("self", 13);

/** The peak memory of a process so far, in MiB; 0 if it has ended. */
export const peakOf = (child: ChildProcess): Promise<number> => statusOf(child, "VmHWM");

/** The memory that a process holds, in MiB; 0 if it has ended. */
export const memoryOf = (child: ChildProcess): Promise<number> => statusOf(child, "VmRSS");

/** The seconds of the processor that a process has used: fields 14 and 15, in hundredths. */
export const cpuOf = (child: ChildProcess): Promise<number> => secondsIn(String(child.pid), 11);

/** The sum of two fields of a process's state, counted from its third one. */
async function secondsIn(process: string, at: number): Promise<number> {
  const stat = await readFile(`/proc/${process}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[at]) + Number(fields[at + 1])) / 100;
}

async function statusOf(child: ChildProcess, name: string): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
}
