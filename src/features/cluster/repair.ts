import type { Command } from "commander";
import type { Config } from "../../core/config.ts";
import { OperatorError } from "../../core/contract/error.ts";
import { coordinationOf } from "../../core/coordination/registry.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import { namedOrganizations } from "../../core/organizations/named.ts";
import { knownOrganizations } from "../../core/organizations/open.ts";
import { printable } from "../../core/terminal/table.ts";
import { once } from "../../core/terminal/usage.ts";
import { uploadsOf } from "./objects/open.ts";
import { repairAtReplicas } from "./replicaRepair.ts";

/** How long another process may have the turn of an organization. */
const WAIT_MS = 60_000;

const warn = (problem: string): void => console.error(printable(`lucra: ${problem}`));

export function storageCommand(program: Command, config: () => Config): void {
  const storage = program.command("storage").description("the storage of LUCRA_STORAGE_URL that replicas read");
  storage
    .command("repair")
    .description("read the objects of the derived files in force, and send again what is missing or damaged")
    .option("--organization <id or name>", "only this organization", once)
    .action(({ organization }: { readonly organization?: string }) => repair(config(), organization));
}

async function repair({ dataDir }: Config, only: string | undefined): Promise<void> {
  const uploads = uploadsOf(dataDir);
  if (!uploads) throw new OperatorError("LUCRA_STORAGE_URL is not set");
  const organizations = only
    ? await namedOrganizations(dataDir, warn, [only])
    : await knownOrganizations(dataDir, warn);
  let count = 0;
  await coordinationOf(dataDir).turns.writing(WAIT_MS, async (turnOf) => {
    for (const { organizationId, name } of organizations) {
      const folders = foldersOf(dataDir, organizationId);
      const { sent, left } = await turnOf(organizationId, () => repairAtReplicas(uploads, folders));
      for (const file of sent) console.log(printable(`${name}: ${file} was sent again`));
      for (const file of left)
        warn(`${name}: ${file} is damaged in the data folder, too: run sync, and then this again`);
      if (left.length > 0) process.exitCode = 1;
      count += sent.length;
    }
  });
  console.log(`sent again: ${count}`);
}
