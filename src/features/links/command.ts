import type { Command } from "commander";
import { logged } from "../../core/audit/audit.ts";
import type { Config } from "../../core/config.ts";
import { ApiError } from "../../core/contract/error.ts";
import { answerTo } from "../../core/contract/failures.ts";
import { nearest } from "../../core/contract/nearest.ts";
import { allEndpoints } from "../../core/endpoints/index.ts";
import { routesOf } from "../../core/http/routes.ts";
import { StateStore } from "../../core/marts/stateStore.ts";
import { oneOrganization } from "../../core/organizations/named.ts";
import { knownOrganizations } from "../../core/organizations/open.ts";
import { isDay } from "../../core/params/instant.ts";
import { table } from "../../core/terminal/table.ts";
import { once, UsageError } from "../../core/terminal/usage.ts";
import { DAY_MS } from "../../core/time/days.ts";
import { addressOf, type Link, Links } from "./links.ts";
import { shared } from "./routes.ts";

/** The longest life of a link, and the longest period of `--days`: ten years. */
const MOST_DAYS = 3_650;

export function linksCommand(program: Command, config: () => Config): void {
  const links = program
    .command("links")
    .description("share links: one answer each, for tools that send only an address");
  const open = (): Links => new Links(config().dataDir);

  links
    .command("create")
    .description("make a link to an endpoint with fixed parameters; its address is shown only once")
    .requiredOption("--organization <id or name>", "the organization whose data it answers", once)
    .requiredOption("--endpoint <path?query>", "such as '/v1/acquisition/channels?format=csv'", once)
    .option("--days <n>", "the period is always the last n full days", once)
    .option(
      "--known-at <pin, day or instant>",
      "answers with what was known then; with --days, the last days before it",
      once,
    )
    .option("--expires <day or days>", "the last day (UTC) on which it works, or for how many days", once)
    .option("--name <name>", "what it is for", once)
    .option("--json", "as JSON")
    .action((options: Wanted) => create(config(), open(), options));

  links
    .command("list")
    .description("the links, without their addresses")
    .option("--json", "as JSON")
    .action(({ json }: { json?: boolean }) => list(config(), open(), json));

  links
    .command("revoke")
    .description("end a link; a running service applies this within seconds")
    .argument("<link-id>")
    .action(async (id: string) => {
      const found = (await open().list()).find((one) => one.id === id);
      const described = { what: "links.revoke", before: { id, name: found?.name, endpoint: found?.endpoint } };
      await logged(config().dataDir, found ? [found.organization] : [], described, () => open().revoke(id));
      console.log(`revoked ${id}`);
    });
}

interface Wanted {
  readonly organization: string;
  readonly endpoint: string;
  readonly days?: string;
  readonly knownAt?: string;
  readonly expires?: string;
  readonly name?: string;
  readonly json?: boolean;
}

async function create(config: Config, links: Links, wanted: Wanted): Promise<void> {
  const settings = await oneOrganization(config.dataDir, warn, wanted.organization);
  const days = wanted.days === undefined ? undefined : daysOf("--days", wanted.days);
  const expiresAt = wanted.expires === undefined ? undefined : endOf(wanted.expires);
  const address = wanted.endpoint.replace(/^https?:\/\/[^/]+(?=\/)/, "");
  const states = new StateStore(config.dataDir, { bytes: config.statesBytes, onFailure: () => {} });
  const asked = { address, settings, days, knownAt: wanted.knownAt };
  const what = await shared(asked, { states, now: config.now }, routesOf(allEndpoints)).catch(asUsage(address));
  const link = { ...what, name: wanted.name ?? "", ...(expiresAt === undefined ? {} : { expiresAt }) };
  const { id, token } = await logged(config.dataDir, [what.organization], { what: "links.create", after: link }, () =>
    links.create(link),
  );
  const url = config.publicUrl + addressOf(token);
  if (wanted.json) return console.log(JSON.stringify({ id, url, expiresAt: expiresAt ?? null }));
  console.log(`id:      ${id}\naddress: ${url}   (shown only once)`);
  console.log(expiresAt ? `it works until ${expiresAt}` : "it works until it is revoked");
  if (!config.shareLinks) console.error("lucra: a service answers links only if it runs with LUCRA_SHARE_LINKS=on");
}

const warn = (problem: string): void => console.error(`lucra: ${problem}`);

/** A fault for which a request would be refused is wrong usage here. */
const asUsage =
  (address: string) =>
  (error: unknown): never => {
    if (error instanceof URIError) throw new UsageError(`--endpoint ${address}: a wrong percent code`);
    if (!(error instanceof ApiError)) throw error;
    if (error.kind === "notFound") throw new UsageError(`--endpoint ${address}: no such endpoint${guess(address)}`);
    const faults = error.details.map(({ parameter, message }) => `${parameter}: ${message}`);
    throw new UsageError(
      `--endpoint ${address}: ${faults.length > 0 ? faults.join("; ") : answerTo(error, "").body.message}`,
    );
  };

function guess(address: string): string {
  const path = address.split("?", 1)[0] ?? "";
  const found = nearest(
    path,
    allEndpoints.map((endpoint) => endpoint.path),
  );
  return found ? `; did you mean ${found}?` : "";
}

function daysOf(option: string, text: string): number {
  const days = /^\d+$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > MOST_DAYS) throw new UsageError(`${option} ${text}: whole days from 1 to ${MOST_DAYS}`);
  return days;
}

/** The instant at which a link ends: after its last day, or so many days from now. */
function endOf(text: string): string {
  const end = isDay(text) ? Date.parse(text) + DAY_MS : Date.now() + daysOf("--expires", text) * DAY_MS;
  if (end <= Date.now()) throw new UsageError(`--expires ${text}: that day is over`);
  return new Date(end).toISOString();
}

async function list({ dataDir }: Config, links: Links, json?: boolean): Promise<void> {
  const all = await links.list();
  if (json) return console.log(JSON.stringify(all));
  const known = await knownOrganizations(dataDir, warn);
  const nameOf = (id: string): string =>
    known.find(({ organizationId }) => organizationId === id)?.name ?? `${id} (removed)`;
  const rows = all.map((link) => [
    link.id,
    link.name,
    nameOf(link.organization),
    [link.endpoint, ...aboutOf(link)].join(" "),
    link.createdAt ?? "",
    stateOf(link),
  ]);
  console.log(table(["id", "name", "organization", "endpoint", "created", "state"], rows));
}

const aboutOf = ({ days, knownAt }: Link): string[] => [
  ...(days === undefined ? [] : [`(last ${days} days)`]),
  ...(knownAt === undefined ? [] : [`(known at ${knownAt})`]),
];

function stateOf({ revokedAt, expiresAt }: Link): string {
  if (revokedAt) return `revoked ${revokedAt}`;
  if (expiresAt === undefined) return "works";
  return Date.parse(expiresAt) > Date.now() ? `works until ${expiresAt}` : `expired ${expiresAt}`;
}
