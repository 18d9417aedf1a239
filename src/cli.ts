import { Command, CommanderError } from "commander";
import { demoCommand } from "./commands/demo.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { keysCommand } from "./commands/keys.ts";
import { organizationsCommand } from "./commands/organizations.ts";
import { serveCommand } from "./commands/serve.ts";
import { sqlCommand } from "./commands/sql.ts";
import { deriveCommand, syncCommand } from "./commands/sync.ts";
import { UsageError } from "./commands/usage.ts";
import { readConfig, SETTINGS } from "./config.ts";
import { OperatorError } from "./contract/error.ts";

/** Exit status: done · failed or partly failed · wrong usage [D49]. */
const DONE = 0;
const FAILED = 1;
const USAGE = 2;

export async function main(argv: readonly string[]): Promise<void> {
  const program = new Command("lucra")
    .description("Lands vendor exports, derives what the money did, and serves it read-only.")
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .addHelpText("after", environmentHelp());
  const config = () => readConfig();
  for (const command of [
    serveCommand,
    syncCommand,
    organizationsCommand,
    keysCommand,
    sqlCommand,
    demoCommand,
    doctorCommand,
    deriveCommand,
  ]) {
    command(program, config);
  }
  for (const command of everyCommand(program)) command.exitOverride();
  try {
    await program.parseAsync([...argv]);
    process.exitCode ??= DONE;
  } catch (error) {
    process.exitCode = exitCodeOf(error);
  }
}

function everyCommand(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...everyCommand(child)]);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : USAGE;
  // The operator's to mend: one line. Anything else is ours: with its stack.
  console.error(error instanceof OperatorError ? `lucra: ${error.message}` : error);
  return error instanceof UsageError ? USAGE : FAILED;
}

function environmentHelp(): string {
  const width = Math.max(...SETTINGS.map(({ name }) => name.length));
  const lines = SETTINGS.map(
    ({ name, fallback, means }) => `  ${name.padEnd(width)}  ${means}${fallback ? ` (${fallback})` : ""}`,
  );
  return `\nEnvironment:\n${lines.join("\n")}\n`;
}
