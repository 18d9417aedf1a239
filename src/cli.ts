import "./features/index.ts";
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { Command, CommanderError } from "commander";
import { type Config, readConfig, SETTINGS } from "./core/config.ts";
import { failureText, isOfTheMachine, isOutOfMemory, OperatorError } from "./core/contract/error.ts";
import { PROJECT } from "./core/files/paths.ts";
import { COMMANDS_OF_PARENT, runCommandsOfParent } from "./core/processes/commandsOfParent.ts";
import { isClosed, UsageError } from "./core/terminal/usage.ts";
import type { ObjectStore } from "./features/cluster/objects/store.ts";
import { openCoordination } from "./features/cluster/openCoordination.ts";

type Declare = (program: Command, config: () => Config) => void;

/** The commands in the order of the help. Only the requested one is loaded: the engine takes a quarter of a second. */
const COMMANDS: Readonly<Record<string, () => Promise<Declare>>> = {
  serve: async () => (await import("./commands/serve/serve.ts")).serveCommand,
  sync: async () => (await import("./commands/sync.ts")).syncCommand,
  pull: async () => (await import("./features/pull/command.ts")).pullCommand,
  landings: async () => (await import("./commands/landings.ts")).landingsCommand,
  customers: async () => (await import("./features/erasure/command.ts")).customersCommand,
  organizations: async () => (await import("./commands/organizations.ts")).organizationsCommand,
  integrations: async () => (await import("./commands/integrations.ts")).integrationsCommand,
  import: async () => (await import("./features/import/command.ts")).importCommand,
  records: async () => (await import("./commands/records.ts")).recordsCommand,
  keys: async () => (await import("./commands/keys.ts")).keysCommand,
  secrets: async () => (await import("./features/pull/secretsCommand.ts")).secretsCommand,
  webhooks: async () => (await import("./features/webhooks/command.ts")).webhooksCommand,
  letters: async () => (await import("./commands/letters.ts")).lettersCommand,
  alerts: async () => (await import("./commands/alerts.ts")).alertsCommand,
  pins: async () => (await import("./features/pins/command.ts")).pinsCommand,
  links: async () => (await import("./features/links/command.ts")).linksCommand,
  people: async () => (await import("./features/people/command.ts")).peopleCommand,
  sql: async () => (await import("./commands/sql.ts")).sqlCommand,
  mcp: async () => (await import("./commands/mcp.ts")).mcpCommand,
  demo: async () => (await import("./features/demo/command.ts")).demoCommand,
  doctor: async () => (await import("./features/doctor/command.ts")).doctorCommand,
  work: async () => (await import("./features/cluster/work.ts")).workCommand,
  jobs: async () => (await import("./features/cluster/jobs.ts")).jobsCommand,
  database: async () => (await import("./features/cluster/database.ts")).databaseCommand,
  storage: async () => (await import("./features/cluster/repair.ts")).storageCommand,
  derive: async () => (await import("./commands/sync.ts")).deriveCommand,
  "derive-state": async () => (await import("./commands/sync.ts")).deriveStateCommand,
  uploads: async () => (await import("./features/uploads/command.ts")).uploadsCommand,
  "customers-task": async () => (await import("./features/erasure/task.ts")).customersTaskCommand,
  "settings-effect": async () => (await import("./features/settings/effectCommand.ts")).settingsEffectCommand,
  "pin-month": async () => (await import("./features/pins/command.ts")).pinMonthCommand,
};

/** Exit status: done · failed or partly failed · wrong usage [D49]. */
const DONE = 0;
const FAILED = 1;
const USAGE = 2;

/** The command line, with all commands, or only the named one, or none for `--version`. */
export async function commandLine(only = ""): Promise<Command> {
  const program = new Command("lucra")
    .description("Lands vendor exports, derives financial figures from them, and serves these read-only.")
    .version(version(), "--version", "show the version")
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .addHelpText("after", environmentHelp());
  for (const declare of await Promise.all(loadersOf(only).map((load) => load()))) {
    declare(program, () => readConfig());
  }
  for (const command of everyCommand(program)) command.exitOverride();
  program.hook("preAction", async (_, command) => {
    const config = readConfig();
    assertDataFolder(config.dataDir, command.name());
    // `database` moves the state between the two.
    if (command.parent?.name() !== "database") await openCoordination(config);
  });
  const uploads = storageHooks();
  program.hook("preAction", (_, command) => uploads.before(command.name()));
  program.hook("postAction", (_, command) => uploads.after(command.name()));
  return program;
}

function loadersOf(only: string): (() => Promise<Declare>)[] {
  const load = COMMANDS[only];
  if (only === "--version") return [];
  return load ? [load] : Object.values(COMMANDS);
}

export async function main(argv: readonly string[]): Promise<void> {
  ignoreClosedOutput();
  if (argv[2] !== COMMANDS_OF_PARENT) return run(argv);
  await runCommandsOfParent((args) => run([...argv.slice(0, 2), ...args]));
}

async function run(argv: readonly string[]): Promise<void> {
  const program = await commandLine(argv.slice(2).find((word) => !word.startsWith("-")) ?? argv[2]);
  try {
    await program.parseAsync([...argv]);
    process.exitCode ??= DONE;
  } catch (error) {
    process.exitCode = exitCodeOf(error);
  }
}

/** A reader that ends early, such as `head`, is no fault: the rest is not written. */
function ignoreClosedOutput(): void {
  process.stdout.off("error", unlessClosed).on("error", unlessClosed);
}

function unlessClosed(error: Error): void {
  if (!isClosed(error)) throw error;
}

const version = (): string => JSON.parse(readFileSync(path.join(PROJECT, "package.json"), "utf8")).version;

/** Commands that may be the first ones of a data folder. */
const MAKES_FOLDER = ["serve", "demo", "add"];

/** A mistyped data folder would look like an empty one. */
function assertDataFolder(dataDir: string, command: string): void {
  const found = statSync(dataDir, { throwIfNoEntry: false });
  if (found && !found.isDirectory()) throw new OperatorError(`LUCRA_DATA_DIR=${dataDir} is not a folder`);
  if (found || MAKES_FOLDER.includes(command)) return;
  throw new OperatorError(
    `there is no data folder ${dataDir}: check LUCRA_DATA_DIR; a new one is made by \`organizations add\` or \`demo\``,
  );
}

/** `serve` opens the storage itself; a command that only reads does not need it. */
const WITHOUT_STORAGE = ["serve", "work", "mcp", "sql", "doctor"];

/** With LUCRA_STORAGE_URL: what a command derives and changes also goes to the replicas. */
function storageHooks() {
  let store: ObjectStore | undefined;
  return {
    before: async (command: string): Promise<void> => {
      const config = readConfig();
      if (config.storage === undefined || WITHOUT_STORAGE.includes(command)) return;
      const { openStore, useUploads } = await import("./features/cluster/objects/open.ts");
      const { Uploads } = await import("./features/cluster/objects/uploads.ts");
      store = await openStore(config);
      if (store) useUploads(config.dataDir, new Uploads(store, config.dataDir));
    },
    after: async (command: string): Promise<void> => {
      if (!store || WITHOUT_STORAGE.includes(command)) return;
      const { dataDir } = readConfig();
      const { hasUnsent, sendDocuments } = await import("./features/cluster/objects/documents.ts");
      try {
        if (await hasUnsent(dataDir)) await sendDocuments(store, dataDir);
      } catch (error) {
        throw new OperatorError(
          `changed in the data folder, but not for the replicas, which go on with what they have: ${failureText(error)}; ` +
            "a running service sends it when it can, or the next command does",
        );
      } finally {
        await store.close();
      }
    },
  };
}

function everyCommand(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...everyCommand(child)]);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : USAGE;
  // An error that the operator can repair is one line. Any other is a bug: it is shown with its stack.
  const isOperators =
    error instanceof OperatorError || isOutOfMemory(error) || isOfTheMachine(error as NodeJS.ErrnoException);
  console.error(isOperators ? `lucra: ${failureText(error)}${adviceOn(error as NodeJS.ErrnoException)}` : error);
  return error instanceof UsageError ? USAGE : FAILED;
}

/** How to go on without what the machine does not allow. */
const adviceOn = ({ code = "", message }: NodeJS.ErrnoException): string =>
  code === "EROFS" || /Read-only file system/.test(message)
    ? ": the data folder cannot be written; `serve --read-only` only reads it"
    : "";

function environmentHelp(): string {
  const width = Math.max(...SETTINGS.map(({ name }) => name.length));
  const lines = SETTINGS.map(
    ({ name, fallback, means }) => `  ${name.padEnd(width)}  ${means}${fallback ? ` (${fallback})` : ""}`,
  );
  return `\nEnvironment:\n${lines.join("\n")}\n`;
}
