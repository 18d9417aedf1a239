import { once } from "node:events";

/** The argument with which a process runs the commands that its parent sends. */
export const COMMANDS_OF_PARENT = "commands-of-parent";

/** The message that asks a sync to end. */
export const END_RUN = "end run";

/** Whether the parent wants the present command to end. */
let isOver = false;

/** In a command: runs work that can ask whether the service wants it to end. */
export const untilAskedToEnd = <T>(work: (isOver: () => boolean) => Promise<T>): Promise<T> => work(() => isOver);

/** Runs commands, each a list of arguments, one after the other, until the parent closes the channel. `run` never rejects. */
export async function runCommandsOfParent(run: (args: readonly string[]) => Promise<void>): Promise<void> {
  let last = Promise.resolve();
  process.on("message", (message: typeof END_RUN | { readonly args: readonly string[] }) => {
    if (message === END_RUN) {
      isOver = true;
      return;
    }
    isOver = false;
    last = last.then(() => runOne(message.args, run));
  });
  if (process.connected) await once(process, "disconnect");
  await last;
  // A connection that a command left open does not keep the process.
  process.exit();
}

async function runOne(args: readonly string[], run: (args: readonly string[]) => Promise<void>): Promise<void> {
  process.exitCode = undefined;
  await run(args);
  const end = endText(Number(process.exitCode ?? 0), process.memoryUsage.rss());
  process.stdout.write(end);
  process.stderr.write(end);
}

/** Marks the end of a command's output: its status, and the memory of the process. No command writes its first character. */
const endText = (code: number, bytes: number): string => `\0${code} ${bytes}\n`;

/** The end of a command's output, if it has arrived. */
export function endIn(text: string): { at: number; length: number; code: number; bytes: number } | undefined {
  const found = /\0(\d+) (\d+)\n$/.exec(text);
  if (!found) return undefined;
  const [{ length }, code, bytes] = found;
  return { at: found.index, length, code: Number(code), bytes: Number(bytes) };
}
