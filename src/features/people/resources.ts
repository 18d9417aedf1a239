import type { AuditEntry } from "../../core/audit/audit.ts";
import { canonicalId } from "../../core/contract/param.ts";
import type { Mailer } from "../mail/mailer.ts";
import { PlatformError, refused } from "../platform/errors.ts";
import type { Call, Resource } from "../platform/resource.ts";
import {
  emailIn,
  LANGUAGES,
  type Language,
  LastAdmin,
  LOCAL,
  NO_EMAIL,
  type People,
  ROLES,
  type Role,
} from "./people.ts";
import type { Sessions } from "./sessions.ts";
import { signInMail } from "./signInMail.ts";
import { signInLink } from "./signInRoutes.ts";
import type { SignIns } from "./signIns.ts";
import { viewResources } from "./views.ts";

/** The agents that people let in [D97]: they end with a role. */
interface PersonsAgents {
  endOf(person: string, ended?: { readonly organization?: string }): Promise<void>;
}

interface Dependencies {
  readonly people: People;
  readonly signIns: SignIns;
  readonly sessions: Sessions;
  readonly agents: PersonsAgents;
  readonly mailer: Mailer | undefined;
  readonly publicUrl: string;
  /** What the page offers: mails, and shares of pages; whether the service knows its address, which shares need. */
  readonly offers: { readonly mail: boolean; readonly shares: boolean; readonly hasPublicUrl: boolean };
  readonly namesOf: (organizations: readonly string[]) => Promise<readonly string[]>;
  readonly languageOf: (organizations: readonly string[]) => Promise<Language>;
  readonly log: { entries(organization: string): Promise<readonly AuditEntry[]> };
}

const ROLE = { enum: ROLES };
const LAST_ADMIN = {
  pt: "É o último administrador desta organização. Quem cuida do servidor pode mudar isso.",
  en: "This is the last admin of this organization. Whoever operates the server can change that.",
};
/** Lines of the log that one answer has. */
const MOST_LINES = 500;

/** People, their sessions, and the log: each as `GET`, `POST`, `PUT` and `DELETE` have it [D90] [D91]. */
export const peopleResources = (deps: Dependencies): Resource[] => [
  ...ownResources(deps),
  ...teamResources(deps),
  ...viewResources(deps),
];

const ownResources = (deps: Dependencies): Resource[] => [
  {
    path: "/platform/me",
    who: "person",
    read: ({ person }) => me(deps, person),
  },
  {
    path: "/platform/me/language",
    who: "person",
    read: ({ person }) => languageOf(deps, person.email),
    replace: {
      what: "me.language",
      body: only({ language: { enum: LANGUAGES } }),
      run: async ({ person, body }: Call<{ language: Language }>) => {
        await deps.people.update(person.email, body);
        return languageOf(deps, person.email);
      },
    },
  },
  {
    path: "/platform/me/sessions",
    who: "person",
    read: async ({ person }) => ({
      data: (await deps.sessions.of(person.email, person.only)).map((one) => ({
        ...one,
        isThis: one.id === person.session,
      })),
    }),
  },
  {
    path: "/platform/me/sessions/:session",
    who: "person",
    read: ({ person, params }) => sessionOf(deps, person, params.session),
    remove: {
      what: "me.sessions.end",
      run: async ({ person, params }) => {
        await deps.sessions.endOf(person.email, params.session);
        return {};
      },
    },
  },
];

const teamResources = (deps: Dependencies): Resource[] => [
  {
    path: "/platform/organizations/:organization/people",
    who: "admin",
    read: async ({ organization }) => ({
      data: (await deps.people.of(organization)).map(({ email, roles }) => ({ email, role: roles[organization] })),
    }),
    add: {
      what: "people.add",
      isRecent: true,
      body: only({ email: { type: "string", maxLength: 320 }, role: ROLE }),
      secrets: ["link", "code"],
      run: (call: Call<{ email: string; role: Role }>) => add(deps, call),
    },
  },
  {
    path: "/platform/organizations/:organization/people/:email",
    who: "admin",
    read: (call) => roleOf(deps, call),
    replace: {
      what: "people.role",
      isRecent: true,
      body: only({ role: ROLE }),
      run: async (call: Call<{ role: Role }>) => {
        const { email, role } = await roleOf(deps, call);
        const given = { organizations: [call.organization], role: call.body.role };
        await deps.people.add(email, given, true).catch(orLastAdmin);
        if (role !== call.body.role) await deps.agents.endOf(email, { organization: call.organization });
        return roleOf(deps, call);
      },
    },
    remove: {
      what: "people.remove",
      isRecent: true,
      run: async (call) => {
        const { email } = await roleOf(deps, call);
        await removePerson(deps, email, call.organization, true).catch(orLastAdmin);
        return {};
      },
    },
  },
  {
    path: "/platform/organizations/:organization/log",
    who: "admin",
    read: async ({ organization, query }) => {
      const entries = await deps.log.entries(organization);
      const limit = Math.min(MOST_LINES, Math.max(1, Number.parseInt(query.limit ?? "", 10) || 100));
      const before = entries.findIndex(({ id }) => id === query.before);
      const until = before < 0 ? entries.length : before;
      const shown = entries.slice(Math.max(0, until - limit), until).reverse();
      return { data: shown.map(({ key: _, result: __, ...entry }) => entry), hasMore: until > limit };
    },
  },
];

const only = (properties: object): object => ({
  type: "object",
  additionalProperties: false,
  required: Object.keys(properties),
  properties,
});

const languageOf = async ({ people }: Dependencies, email: string): Promise<object> => ({
  language: (await people.find(email))?.language ?? null,
});

/** Who is signed in, what the person may do, and what the page can offer. */
async function me(deps: Dependencies, { email, isOperator, roles, isRecent = false }: Call["person"]): Promise<object> {
  return {
    email,
    ...(await languageOf(deps, email)),
    isOperator,
    roles,
    isRecent,
    ...deps.offers,
  };
}

async function sessionOf(
  { sessions }: Dependencies,
  { email, only }: Call["person"],
  id: string | undefined,
): Promise<object> {
  const found = (await sessions.of(email, only)).find((one) => one.id === id);
  if (!found) throw new PlatformError("notFound");
  // The last use changes without a change of the session.
  return { id: found.id, createdAt: found.createdAt };
}

async function roleOf(
  { people }: Dependencies,
  { organization, params }: Call,
): Promise<{ readonly email: string; readonly role: Role }> {
  const email = emailIn(params.email) ?? "";
  const role = (await people.of(organization)).find((one) => one.email === email)?.roles[organization];
  if (role === undefined) throw new PlatformError("notFound");
  return { email, role };
}

/** The last admin goes only by command. */
function orLastAdmin(error: unknown): never {
  throw error instanceof LastAdmin ? refused("conflict", "role", LAST_ADMIN) : error;
}

/**
 * Gives a role, and invites. Whether the address is known does not show: where no mail is set up, only the link of somebody
 * who has no role elsewhere and never signed in is returned. As who gets it may be somebody else, it signs in to this
 * organization alone, whatever roles follow.
 */
async function add(deps: Dependencies, { organization, body, isEnglish }: Call<{ email: string; role: Role }>) {
  const { people, signIns, mailer, publicUrl, namesOf, languageOf } = deps;
  const email = emailIn(body.email);
  if (email === undefined || email === LOCAL) throw refused("invalid", "email", NO_EMAIL);
  const given = { organizations: [organization], role: body.role };
  if (!(await people.isKnown(email))) await endAccess(deps, email);
  const [before] = (await people.of(organization)).filter((one) => one.email === email);
  const person = await people.add(email, given, true).catch(orLastAdmin);
  if (before && before.roles[organization] !== body.role) await deps.agents.endOf(email, { organization });
  const isNew = !person.hasSignedIn && !person.operator && Object.keys(person.roles).every((id) => id === organization);
  if (!mailer && !isNew) return { invited: false };
  const made = await signIns.offer(email, { kind: "invitation", ...(mailer ? {} : { only: organization }) });
  if (!made) return { invited: mailer !== undefined };
  const link = signInLink(publicUrl, made.token);
  if (!mailer) return { invited: false, link, code: made.code };
  const language = person.language ?? (isEnglish ? "en" : await languageOf([organization]));
  const [where = organization] = await namesOf([organization]);
  mailer.send(signInMail({ to: email, kind: "invitation", link, code: made.code, language, where }));
  return { invited: true };
}

/** Takes a role, with the agents of its organization, or the person altogether; who has no role left is signed out and cannot sign in. */
export async function removePerson(
  { people, ...access }: Pick<Dependencies, "people" | "signIns" | "sessions" | "agents">,
  email: string,
  organization?: string,
  keepsAdmin = false,
): Promise<void> {
  const id = organization === undefined ? undefined : canonicalId(organization);
  await people.remove(email, id, keepsAdmin);
  if (id !== undefined) await access.agents.endOf(email, { organization: id });
  if (!(await people.isKnown(email))) await endAccess(access, email);
}

/** Ends the links, sessions and agents of somebody who is no person any more, or not yet: a removal may have been interrupted. */
export async function endAccess(
  { signIns, sessions, agents }: Pick<Dependencies, "signIns" | "sessions" | "agents">,
  email: string,
): Promise<void> {
  await signIns.end(email);
  await sessions.endOf(email);
  await agents.endOf(email);
}
