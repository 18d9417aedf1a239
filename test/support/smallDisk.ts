import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type Ended, ended, ROOT } from "./data.ts";

/**
 * The result of a function of a module, called in a separate process with a folder that is a small disk, mounted only for
 * that process, and with further arguments. Undefined where mounting is not permitted.
 */
export async function onSmallDisk<T>(
  size: string,
  { module, name }: { readonly module: string; readonly name: string },
  ...args: readonly unknown[]
): Promise<T | undefined> {
  const folder = await mkdtemp(path.join(tmpdir(), "lucra-disk-"));
  const mounted = (command: readonly string[]): Promise<Ended> => {
    const mount = `mount -t tmpfs -o size=${size} tmpfs "$0" && exec "$@"`;
    const all = ["--user", "--map-root-user", "--mount", "bash", "-c", mount, folder, ...command];
    return ended(spawn("unshare", all, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] }));
  };
  try {
    const may = await mounted(["true"]).catch(() => undefined);
    if (may?.status !== 0) return undefined;
    const given = [folder, ...args].map((arg) => JSON.stringify(arg)).join(", ");
    const code = `const { ${name} } = await import(${JSON.stringify(pathToFileURL(module).href)});
      console.log(JSON.stringify(await ${name}(${given})));`;
    const node = [process.execPath, "--import=./bin/typescript.mjs", "--input-type=module", "--eval", code];
    const { status, stdout, stderr } = await mounted(node);
    if (status !== 0) throw new Error(`on a small disk: ${stderr}`);
    return JSON.parse(stdout) as T;
  } finally {
    await rm(folder, { recursive: true });
  }
}
