import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { buildSync } from "esbuild";
import { AURORA, type DataFolder, type Ended, ROOT } from "../../test/support/data.ts";

const FAULTS = pathToFileURL(path.join(ROOT, "torture", "parts", "faults.mjs")).href;

/** Makes so many clients, one after the other, and writes their ids. */
const PROGRAM = `
import { Credentials } from "./src/core/access/credentials.ts";
const [folder, count] = process.argv.slice(1);
const clients = new Credentials(folder);
for (let n = 0; n < Number(count); n++) {
  console.log((await clients.create({ organizations: ["${AURORA}"], name: "made" })).client_id);
}
`;

interface Machine {
  /** How far the process's clock is ahead. */
  readonly secondsAhead?: number;
  /** Suspends the process before it opens the new credentials file, or right before it puts that in place. */
  readonly suspendedIn?: "open" | "rename";
}

const faultsOf = ({ secondsAhead = 0, suspendedIn }: Machine): Record<string, string> => ({
  NODE_OPTIONS: `--import ${FAULTS}`,
  ...(secondsAhead > 0 ? { FAULT_CLOCK: String(secondsAhead / 86_400) } : {}),
  ...(suspendedIn ? { FAULT_STOP: `${suspendedIn} ${suspendedIn === "open" ? "." : ""}credentials.json` } : {}),
});

/** The program bundled in one text, so that its processes start in a fraction of the time. */
let bundled: string | undefined;

function bundle(): string {
  const { outputFiles } = buildSync({
    stdin: { contents: PROGRAM, resolveDir: ROOT, loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

/** A process that makes clients. */
export function makeClients({ path: folder }: { readonly path: string }, count: number, machine: Machine = {}) {
  bundled ??= bundle();
  return spawn(process.execPath, ["--input-type=module", "-e", bundled, folder, String(count)], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...faultsOf(machine) },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** The ids of the clients that a process reported as made. `mayFail`: it was killed. */
export function idsOf({ status, stdout, stderr }: Ended, mayFail = false): string[] {
  if (status !== 0 && !mayFail) throw new Error(`clients could not be made: ${stderr}`);
  return stdout.split("\n").filter((id) => id !== "");
}

/** `lucra keys …` on such a machine. */
export const keysOn = (data: DataFolder, args: readonly string[], machine: Machine = {}): ChildProcess =>
  data.start(["keys", ...args], faultsOf(machine));

/** Waits until the process is suspended. */
export async function suspended({ pid }: ChildProcess): Promise<void> {
  while (!/^State:\s+T/m.test(await readFile(`/proc/${pid}/status`, "utf8"))) await sleep(20);
}
