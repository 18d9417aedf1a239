import type { Command } from "commander";
import { Credentials } from "../../core/access/credentials.ts";
import { logged } from "../../core/audit/audit.ts";
import type { Config } from "../../core/config.ts";
import { OperatorError } from "../../core/contract/error.ts";
import { canonicalId } from "../../core/contract/param.ts";
import { namedOrganizations } from "../../core/organizations/named.ts";
import { knownOrganizations } from "../../core/organizations/open.ts";
import { table } from "../../core/terminal/table.ts";
import { many, UsageError } from "../../core/terminal/usage.ts";
import { Agents } from "../oauth/agents.ts";
import { emailIn, LOCAL, People, ROLES, type Role } from "./people.ts";
import { endAccess, removePerson } from "./resources.ts";
import { Sessions } from "./sessions.ts";
import { signInLink } from "./signInRoutes.ts";
import { type Kind, SignIns } from "./signIns.ts";

interface Added {
  readonly organization?: string[];
  readonly role?: string;
  readonly operator?: boolean;
  readonly json?: boolean;
}

export function peopleCommand(program: Command, config: () => Config): void {
  const people = program.command("people").description("who signs in to the Explorer, and what they may do there");

  people
    .command("add")
    .description("give a person a role in organizations, or another one, and print an invitation that holds 7 days")
    .argument("<e-mail>")
    .option("--organization <id or name>", "an organization; repeat for more", many)
    .option("--role <role>", `${ROLES.join(" or ")}: a viewer reads, an admin also changes`)
    .option("--operator", "admin of all organizations, who makes new ones")
    .option("--json", "as JSON")
    .action((text: string, options: Added) => add(config(), emailOf(text), options));

  people
    .command("list")
    .description("the people and their roles")
    .option("--json", "as JSON")
    .action(({ json }: { json?: boolean }) => list(config(), json));

  people
    .command("remove")
    .description("take a person's role in an organization, or the person altogether")
    .argument("<e-mail>")
    .option("--organization <id or name>", "only the role in this organization")
    .action(async (text: string, { organization }: { organization?: string }) => {
      const { dataDir } = config();
      const email = emailOf(text);
      const id = organization === undefined ? undefined : (await idsOf(config(), [organization]))[0];
      const roles = (await new People(dataDir).list()).find((one) => one.email === email)?.roles ?? {};
      const concerned = id === undefined ? Object.keys(roles) : [id];
      const described = { what: "people.remove", before: { email, roles }, after: { email } };
      await logged(dataDir, concerned, described, () => removePerson(stores(dataDir), email, id));
      console.log(id === undefined ? `removed ${email}` : `removed ${email} from ${organization}`);
    });

  people
    .command("link")
    .description("print a link that signs a person in: once, and within 15 minutes")
    .argument("<e-mail>")
    .option("--json", "as JSON")
    .action(async (text: string, { json }: { json?: boolean }) => {
      const { dataDir } = config();
      const email = emailOf(text);
      const known = (await new People(dataDir).list()).find((one) => one.email === email);
      if (!known) throw new OperatorError(`${email}: no such person; \`people add\` adds one`);
      const described = { what: "people.link", after: { email } };
      const link = await logged(dataDir, Object.keys(known.roles), described, () =>
        printedLink(config(), email, "link"),
      );
      console.log(json ? JSON.stringify({ email, link }) : link);
    });
}

/** A link that a command prints: it needs no code. */
async function printedLink({ dataDir, publicUrl }: Config, email: string, kind: Kind): Promise<string> {
  const made = await new SignIns(dataDir).offer(email, { kind, isPrinted: true });
  if (!made) throw new Error("a printed link is not limited");
  return signInLink(publicUrl, made.token);
}

async function add(config: Config, email: string, options: Added): Promise<void> {
  const { dataDir, publicUrl, hasPublicUrl, platform } = config;
  const { operator = false, json = false } = options;
  const organizations = await idsOf(config, options.organization ?? []);
  if (organizations.length === 0 && !operator) throw new UsageError("add: --organization or --operator is expected");
  if (organizations.length > 0 && options.role === undefined)
    throw new UsageError(`add: --role ${ROLES.join(" or ")} is expected`);
  const role = roleOf(options.role ?? "viewer");
  const given = { organizations, role, operator };
  const described = { what: "people.add", after: { email, role, ...(operator ? { operator } : {}) } };
  const { people, ...others } = stores(dataDir);
  const person = await logged(dataDir, organizations, described, async () => {
    const before = (await people.list()).find((one) => one.email === email);
    if (!before) await endAccess(others, email);
    const added = await people.add(email, given);
    for (const organization of organizations) {
      const id = canonicalId(organization);
      if (before?.roles[id] !== undefined && before.roles[id] !== role)
        await others.agents.endOf(email, { organization: id });
    }
    return added;
  });
  const invitation = await printedLink(config, email, "invitation");
  if (json) return console.log(JSON.stringify({ ...person, invitation }));
  console.log(`${email} is ${operator ? "an operator" : `${role} of ${organizations.join(", ")}`}`);
  console.log(`invitation: ${invitation}   (signs in once, within 7 days)`);
  if (!platform) console.error("lucra: people sign in only at a service that runs with LUCRA_PLATFORM=on");
  else if (!hasPublicUrl)
    console.error(`lucra: without LUCRA_PUBLIC_URL the link is ${publicUrl}, which works on this machine alone`);
}

async function list({ dataDir }: Config, json?: boolean): Promise<void> {
  const all = (await new People(dataDir).list()).sort((a, b) => (a.email < b.email ? -1 : 1));
  if (json) return console.log(JSON.stringify(all));
  const known = await knownOrganizations(dataDir, () => {});
  const nameOf = (id: string): string =>
    known.find(({ organizationId }) => organizationId === id)?.name ?? `${id} (removed)`;
  const rows = all.flatMap(({ email, operator = false, roles, hasSignedIn = false }) => {
    const state = hasSignedIn ? "yes" : "not yet";
    const given = Object.entries(roles).map(([id, role]) => [email, role, nameOf(id), state]);
    return [...(operator ? [[email, "operator", "(all)", state]] : []), ...given];
  });
  console.log(table(["e-mail", "role", "organization", "signed in"], rows));
}

function emailOf(text: string): string {
  const email = emailIn(text);
  if (email === undefined || email === LOCAL) throw new UsageError(`${text}: an e-mail address is expected`);
  return email;
}

function roleOf(text: string): Role {
  const role = ROLES.find((one) => one === text);
  if (!role) throw new UsageError(`--role ${text}: ${ROLES.join(" or ")} is expected`);
  return role;
}

async function idsOf({ dataDir }: Config, wanted: readonly string[]): Promise<string[]> {
  const found = await namedOrganizations(dataDir, (problem) => console.error(`lucra: ${problem}`), wanted);
  return [...new Set(found.map(({ organizationId }) => organizationId))];
}

const stores = (dataDir: string) => ({
  people: new People(dataDir),
  signIns: new SignIns(dataDir),
  sessions: new Sessions({ dataDir, credentials: new Credentials(dataDir) }),
  agents: new Agents(dataDir),
});
