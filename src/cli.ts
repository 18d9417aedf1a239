import { Command, CommanderError } from "commander";
import { UsageError } from "./commands/usage.ts";
import { type Config, readConfig, SETTINGS } from "./config.ts";
import { failureText, isOfTheMachine, isOutOfMemory, OperatorError } from "./contract/error.ts";

type Declare = (program: Command, config: () => Config) => void;

/** The commands in the order of the help. Only the requested one is loaded: the engine takes a quarter of a second. */
const COMMANDS: Readonly<Record<string, () => Promise<Declare>>> = {
  serve: async () => (await import("./commands/serve.ts")).serveCommand,
  sync: async () => (await import("./commands/sync.ts")).syncCommand,
  landings: async () => (await import("./commands/landings.ts")).landingsCommand,
  organizations: async () => (await import("./commands/organizations.ts")).organizationsCommand,
  import: async () => (await import("./commands/import.ts")).importCommand,
  records: async () => (await import("./commands/records.ts")).recordsCommand,
  keys: async () => (await import("./commands/keys.ts")).keysCommand,
  sql: async () => (await import("./commands/sql.ts")).sqlCommand,
  demo: async () => (await import("./commands/demo.ts")).demoCommand,
  doctor: async () => (await import("./commands/doctor.ts")).doctorCommand,
  derive: async () => (await import("./commands/sync.ts")).deriveCommand,
};

/** Exit status: done · failed or partly failed · wrong usage [D49]. */
const DONE = 0;
const FAILED = 1;
const USAGE = 2;

/** The command line, with all commands or only the one named. */
export async function commandLine(only = ""): Promise<Command> {
  const program = new Command("lucra")
    .description("Lands vendor exports, derives financial figures from them, and serves these read-only.")
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .addHelpText("after", environmentHelp());
  const load = COMMANDS[only];
  for (const declare of await Promise.all((load ? [load] : Object.values(COMMANDS)).map((one) => one()))) {
    declare(program, () => readConfig());
  }
  for (const command of everyCommand(program)) command.exitOverride();
  return program;
}

export async function main(argv: readonly string[]): Promise<void> {
  const program = await commandLine(argv.slice(2).find((word) => !word.startsWith("-")));
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
  // An error that the operator can repair is one line. Any other is a bug: it is shown with its stack.
  const isOperators =
    error instanceof OperatorError || isOutOfMemory(error) || isOfTheMachine(error as NodeJS.ErrnoException);
  console.error(isOperators ? `lucra: ${failureText(error)}` : error);
  return error instanceof UsageError ? USAGE : FAILED;
}

function environmentHelp(): string {
  const width = Math.max(...SETTINGS.map(({ name }) => name.length));
  const lines = SETTINGS.map(
    ({ name, fallback, means }) => `  ${name.padEnd(width)}  ${means}${fallback ? ` (${fallback})` : ""}`,
  );
  return `\nEnvironment:\n${lines.join("\n")}\n`;
}
