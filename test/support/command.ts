import { type DataFolder, NOW } from "./data.ts";

/** A command's output, and the exit status that its process would have. */
export interface Said {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly bytes: Buffer;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `lucra` on the folder in this process: for tests of a command's behaviour and output. Tests of the process
 * itself start one. Runs are sequential, since they share the process's globals.
 */
export const command = (data: DataFolder, ...args: readonly string[]): Promise<Said> => commandIn(data, {}, args);

/** The same in a changed environment. */
export function commandIn(
  data: DataFolder,
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<Said> {
  const next = last.then(() => run(args, { LUCRA_DATA_DIR: data.path, LUCRA_NOW: NOW, ...environment }));
  last = next.catch(() => {});
  return next;
}

async function run(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<Said> {
  // As `bin/lucra.cjs` does: a command and its loader must share the same classes.
  const { main } = await import("../../src/cli.ts");
  const out: Buffer[] = [];
  const error: Buffer[] = [];
  const before = { env: process.env, exitCode: process.exitCode };
  const giveBack = [capture(process.stdout, out), capture(process.stderr, error)];
  process.env = { ...before.env, ...environment };
  process.exitCode = undefined;
  try {
    await main(["node", "lucra", ...args]);
    const bytes = Buffer.concat(out);
    const status = Number(process.exitCode);
    return { status, bytes, stdout: bytes.toString("utf8"), stderr: Buffer.concat(error).toString("utf8") };
  } finally {
    for (const stop of giveBack) stop();
    process.env = before.env;
    process.exitCode = before.exitCode;
  }
}

/** Captures what is written to a stream until the returned function is called. */
function capture(stream: NodeJS.WriteStream, into: Buffer[]): () => void {
  const write = stream.write;
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    into.push(Buffer.from(chunk as Uint8Array));
    const done = rest.at(-1);
    if (typeof done === "function") done();
    return true;
  };
  return () => {
    stream.write = write;
  };
}
