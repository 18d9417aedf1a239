import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import type { Command } from "commander";
import type { Config } from "../../core/config.ts";
import { OperatorError } from "../../core/contract/error.ts";
import type { Organization } from "../../core/contract/settings.ts";
import { brief } from "../../core/contract/text.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import { editByCommand } from "../../core/organizations/editByCommand.ts";
import { oneOrganization } from "../../core/organizations/named.ts";
import { knownOrganizations } from "../../core/organizations/open.ts";
import { withoutAddress } from "../../core/organizations/seen.ts";
import { printable, table } from "../../core/terminal/table.ts";
import { once } from "../../core/terminal/usage.ts";
import { warn } from "../../core/terminal/warn.ts";
import { deliverOnce, originOf } from "./deliver.ts";
import { currentVersion, testEvent } from "./event.ts";
import { Networks } from "./networks.ts";
import { keepSecret, newSecret, webhookSecret } from "./secret.ts";
import { send } from "./send.ts";
import { beginState, endState, webhookState } from "./state.ts";
import { webhookStatus } from "./status.ts";

interface Options {
  readonly organization?: string;
  readonly newSecret?: boolean;
  readonly json?: boolean;
}

export function webhooksCommand(program: Command, config: () => Config): void {
  const webhooks = program
    .command("webhooks")
    .description("a request to an address of yours when answers have changed");
  const ofOne = (command: Command): Command =>
    command.option("--organization <id or name>", "whose webhook; not needed if there is only one", once);

  ofOne(webhooks.command("set"))
    .description(
      "set the address; its first secret is shown only once. A repeated set begins given up deliveries again",
    )
    .argument("<url>", "an https address")
    .option("--new-secret", "replace the secret")
    .action((url: string, options: Options) => set(config(), url, options));

  ofOne(webhooks.command("remove"))
    .description("remove the address and its secret")
    .action((options: Options) => remove(config(), options));

  ofOne(webhooks.command("test"))
    .description("send a test event and show the answer")
    .action((options: Options) => test(config(), options));

  webhooks
    .command("list")
    .description("list the webhooks with their last requests; an address is shown without its path")
    .option("--organization <id or name>", "only this organization", once)
    .option("--json", "as JSON")
    .action((options: Options) => list(config(), options));
}

const ofOptions = (config: Config, { organization }: Options): Promise<Organization> =>
  oneOrganization(config.dataDir, warn, organization);

async function set(config: Config, url: string, options: Options): Promise<void> {
  const { dataDir } = config;
  const { organizationId, name } = await ofOptions(config, options);
  const folders = foldersOf(dataDir, organizationId);
  const version = await currentVersion(folders);
  const before = options.newSecret ? undefined : await webhookSecret(folders);
  const secret = before?.secret ?? newSecret();
  const after = { section: "webhook", value: withoutAddress({ url }), newSecret: !before };
  await editByCommand(folders, { what: "settings.change", after }, () => [{ place: ["webhook"], value: { url } }]);
  // Events need the secret, so that none is sent before the version is known from which on changes are delivered.
  await beginState(folders, version);
  await keepSecret(folders, { secret, setAt: new Date().toISOString() });
  console.log(printable(`webhook of ${name}: ${originOf(url)}`));
  if (!before) console.log(`secret: ${secret}   (shown only once)`);
  console.log("then: npm run -s lucra -- webhooks test");
}

async function remove(config: Config, options: Options): Promise<void> {
  const { dataDir } = config;
  const { organizationId, name, webhook } = await ofOptions(config, options);
  if (!webhook) throw new OperatorError(`${name} has no webhook`);
  const folders = foldersOf(dataDir, organizationId);
  const after = { section: "webhook", value: null };
  await editByCommand(folders, { what: "settings.change", after }, () => [{ place: ["webhook"], value: undefined }]);
  await rm(folders.webhookSecret, { force: true });
  await endState(folders);
  console.log(printable(`removed the webhook of ${name}`));
}

const LONGEST_ANSWER = 1_000;

async function test(config: Config, options: Options): Promise<void> {
  const settings = await ofOptions(config, options);
  const { organizationId, name, webhook } = settings;
  const secret = webhook && (await webhookSecret(foldersOf(config.dataDir, organizationId)));
  if (!secret) throw new OperatorError(`${name} has no webhook: lucra webhooks set`);
  const message = testEvent(settings, new Date().toISOString(), randomUUID());
  const networks = new Networks(config.webhookNetworks);
  const sent = await send({ ...webhook, ...secret, ...message }, networks, new AbortController().signal);
  console.log(printable(`${message.id} to ${originOf(webhook.url)}: ${sent.reason ?? `answered ${sent.status}`}`));
  if (sent.text) console.log(brief(sent.text, LONGEST_ANSWER).split(/\r?\n/).map(printable).join("\n"));
  if (sent.outcome !== "delivered") process.exitCode = 1;
}

async function list(config: Config, { organization, json }: Options): Promise<void> {
  const { dataDir } = config;
  const known = organization
    ? [await oneOrganization(dataDir, warn, organization)]
    : await knownOrganizations(dataDir, warn);
  const hooks: { organizationId: string; name: string; webhook: string; state: string; attempts: readonly object[] }[] =
    [];
  for (const settings of known) {
    const { organizationId, name, webhook } = settings;
    const status = await webhookStatus(dataDir, settings);
    if (!webhook || !status) continue;
    const { attempts } = await webhookState(foldersOf(dataDir, organizationId));
    hooks.push({ organizationId, name, webhook: originOf(webhook.url), state: status.text, attempts });
  }
  if (json) return console.log(JSON.stringify(hooks));
  if (hooks.length === 0) return console.log("no webhooks: `lucra webhooks set` sets one");
  const texts = hooks.map(({ name, webhook, state, attempts }) => {
    const rows = (attempts as Awaited<ReturnType<typeof webhookState>>["attempts"]).map((one) => [
      one.at.slice(0, 19).replace("T", " "),
      one.id,
      one.attempt,
      one.outcome,
      printable(one.reason ?? `answered ${one.status}`),
    ]);
    const requests = rows.length === 0 ? "" : `\n${table(["at", "id", "attempt", "outcome", ""], rows)}`;
    return `${printable(name)}: ${webhook}: ${printable(state)}${requests}`;
  });
  console.log(texts.join("\n\n"));
}

/** After a command that may have changed answers: what it could not deliver is said, and is no failure of the command. */
export async function deliverAfter(
  { dataDir, webhookNetworks }: Config,
  organizations: readonly Organization[],
): Promise<void> {
  const networks = new Networks(webhookNetworks);
  await deliverOnce(
    {
      dataDir,
      networks,
      onAttempt: ({ organization, outcome, reason }) => {
        if (outcome !== "delivered") warn(`webhook of ${organization}: ${reason}`);
      },
    },
    organizations,
    (organization, error) => warn(`webhook of ${organization || dataDir}: ${(error as Error).message}`),
  );
}
