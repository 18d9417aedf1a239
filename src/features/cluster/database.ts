import type { Command } from "commander";
import type { Config } from "../../core/config.ts";
import { OperatorError } from "../../core/contract/error.ts";
import { printable } from "../../core/terminal/table.ts";

export function databaseCommand(program: Command, config: () => Config): void {
  const database = program
    .command("database")
    .description("move the state of a data folder into the database of LUCRA_DATABASE_URL, or back");
  database
    .command("import")
    .description("move people, credentials, links, sessions, logs and pointers from files into the database")
    .action(async () => {
      const { importState } = await import("./postgres/move.ts");
      const { dataDir } = config();
      report("moved into the database", await importState(urlOf(config()), dataDir));
    });
  database
    .command("export")
    .description("move them back into files; stop services and workers first")
    .action(async () => {
      const { exportState } = await import("./postgres/move.ts");
      const { dataDir } = config();
      report("moved into files", await exportState(urlOf(config()), dataDir));
    });
}

function urlOf({ databaseUrl }: Config): string {
  if (databaseUrl === undefined) throw new OperatorError("LUCRA_DATABASE_URL is not set");
  return databaseUrl;
}

const report = (what: string, moved: readonly string[]): void =>
  console.log([`${what}: ${moved.length}`, ...moved.map((one) => `  ${printable(one)}`)].join("\n"));
