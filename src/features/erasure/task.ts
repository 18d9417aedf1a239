import { renameSync, writeFileSync } from "node:fs";
import type { Command } from "commander";
import { Audit } from "../../core/audit/audit.ts";
import type { Config } from "../../core/config.ts";
import type { Organization } from "../../core/contract/settings.ts";
import { namedOrganizations } from "../../core/organizations/named.ts";
import { goLast } from "../../core/processes/priority.ts";
import { once } from "../../core/terminal/usage.ts";
import { deliverAfter } from "../webhooks/command.ts";
import { type EraseOptions, eraseAgain, eraseCustomer, findCustomer, type Step } from "./erase.ts";
import { type FindingsJson, jsonOf } from "./findings.ts";
import type { Selector } from "./targets.ts";

/** What a service has done in a child process. `by`: for whom; `progress`: the file that has the present step. */
export type CustomerTask =
  | { readonly do: "find"; readonly selector: Selector }
  | { readonly do: "erase"; readonly selector: Selector; readonly by: string; readonly progress: string }
  | { readonly do: "again"; readonly by: string; readonly progress: string };

/** The step that an erasure is at. */
export interface Progress {
  readonly step: Step;
  readonly since: string;
}

/** What was erased: the numbers of the erasures, and the files that could not be looked through. */
export interface Erased extends Pick<FindingsJson, "places" | "unread"> {
  readonly numbers: readonly number[];
}

export function customersTaskCommand(program: Command, config: () => Config): void {
  program
    .command("customers-task", { hidden: true })
    .description("find or erase the data of a customer for the page")
    .requiredOption("--organization <id>", "the organization", once)
    .requiredOption("--task <json>", "what a service has done", once)
    .action(async ({ organization, task }: { organization: string; task: string }) => {
      goLast();
      const [settings] = await namedOrganizations(config().dataDir, () => {}, [organization]);
      console.log(JSON.stringify(await done(config(), settings as Organization, JSON.parse(task) as CustomerTask)));
    });
}

async function done(config: Config, settings: Organization, task: CustomerTask): Promise<FindingsJson | Erased> {
  const { organizationId } = settings;
  if (task.do === "find") return jsonOf(organizationId, await findCustomer(config, settings, task.selector));
  let numbers: readonly number[] = [];
  const what = task.do === "erase" ? "customers.erase" : "customers.eraseAgain";
  const options: EraseOptions = {
    onStep: (step) => write(task.progress, step),
    log: (those, work) => {
      numbers = those;
      const described = { organization: organizationId, what, after: { numbers } };
      return new Audit(config.dataDir).run({ person: task.by }, described, work);
    },
  };
  const found = await erased(config, settings, task, options);
  await deliverAfter(config, [settings]);
  return { ...found, numbers };
}

async function erased(
  config: Config,
  settings: Organization,
  task: Exclude<CustomerTask, { do: "find" }>,
  options: EraseOptions,
): Promise<Pick<Erased, "places" | "unread">> {
  if (task.do === "again") return { places: [], unread: (await eraseAgain(config, settings, options)).unread };
  const { places, unread } = jsonOf(
    settings.organizationId,
    await eraseCustomer(config, settings, task.selector, options),
  );
  return { places, unread };
}

/** Whole or not at all: the service reads it meanwhile. */
function write(file: string, step: Step): void {
  const progress: Progress = { step, since: new Date().toISOString() };
  writeFileSync(`${file}.new`, JSON.stringify(progress), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
