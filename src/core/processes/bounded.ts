import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Entry } from "../files/entry.ts";

export interface Bounds {
  /** Memory for data; beyond it the process gets none. */
  readonly megabytes: number;
  /** Processor time in its whole life. */
  readonly cpuSeconds: number;
  /** Heap of Node. */
  readonly heapMegabytes: number;
}

/** The system ends a process that writes a file, and a core would hold data. A system without one of these has the others. */
const LIMITS = [
  "ulimit -c 0",
  "ulimit -f 0",
  `ulimit -t "$1" 2>/dev/null`,
  `ulimit -d "$2" 2>/dev/null`,
  `shift 2; exec "$@"`,
];

/**
 * Memory that Node maps for compiled code. It counts as data where it is mapped writable: 512 MB from Node 24 on, of
 * which hardly any is used. 0 on systems without `/proc`.
 */
function codeMegabytes(): number {
  let bytes = 0;
  try {
    for (const line of readFileSync("/proc/self/maps", "utf8").split("\n")) {
      const [, from, to] = /^(\w+)-(\w+) rwxp/.exec(line) ?? [];
      if (from && to) bytes += Number.parseInt(to, 16) - Number.parseInt(from, 16);
    }
  } catch {
    return 0;
  }
  return Math.ceil(bytes / 2 ** 20);
}

/**
 * Runs a module in a process that the system limits, with a channel for messages. It knows nothing of the service's
 * environment, and its messages to the console are lost: they may hold data.
 */
export function startBounded(
  { file, execArgv }: Entry,
  args: readonly string[],
  cwd: string,
  bounds: Bounds,
): ChildProcess {
  const { cpuSeconds, heapMegabytes } = bounds;
  const megabytes = bounds.megabytes + codeMegabytes();
  const node = [process.execPath, `--max-old-space-size=${heapMegabytes}`, ...execArgv, file, ...args];
  return spawn("/bin/sh", ["-c", LIMITS.join("\n"), "sh", String(cpuSeconds), String(megabytes * 1024), ...node], {
    cwd,
    env: { TZ: "UTC", UV_THREADPOOL_SIZE: "2" },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    // Bytes pass as they are, and are not parsed.
    serialization: "advanced",
  });
}
