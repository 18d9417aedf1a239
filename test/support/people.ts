import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pino } from "pino";
import request, { type Test } from "supertest";
import { Credentials } from "../../src/core/access/credentials.ts";
import { Audit } from "../../src/core/audit/audit.ts";
import { HourlyRequests } from "../../src/core/http/networkAddress.ts";
import { inLogTurn } from "../../src/core/organizations/seen.ts";
import type { Mail } from "../../src/features/mail/mail.ts";
import { Agents } from "../../src/features/oauth/agents.ts";
import { openAgents } from "../../src/features/oauth/open.ts";
import { PeopleAccess } from "../../src/features/people/access.ts";
import { People, type Role } from "../../src/features/people/people.ts";
import { peopleResources } from "../../src/features/people/resources.ts";
import { signedInWith } from "../../src/features/people/sessionRoutes.ts";
import { Sessions } from "../../src/features/people/sessions.ts";
import { signInFeature } from "../../src/features/people/signInRoutes.ts";
import { SignIns } from "../../src/features/people/signIns.ts";
import type { Resource } from "../../src/features/platform/resource.ts";
import { platformFeature } from "../../src/features/platform/routes.ts";
import { type Made, makeApp, OURS, THEIRS } from "./app.ts";

export const PAGE = "https://lucra.example.com";

interface Wanted {
  /** False: as without LUCRA_PUBLIC_URL. */
  readonly hasPublicUrl?: boolean;
  /** LUCRA_PUBLIC_URL, if it is another one than that of the page. */
  readonly publicUrl?: string;
  /** False: no mail is set up. */
  readonly hasMail?: boolean;
  readonly readOnly?: boolean;
  readonly isOff?: boolean;
  readonly trustedProxies?: readonly string[];
  /** Networks that documents of agents' clients may come from, and who signs their certificates. */
  readonly networks?: readonly string[];
  readonly ca?: string;
  /** Further things of the platform. */
  readonly resources?: readonly Resource[];
}

/** A service whose people sign in and change things, without an engine; mails are kept. */
export class Platform {
  readonly dataDir: string;
  readonly people: People;
  readonly signIns: SignIns;
  readonly sessions: Sessions;
  readonly credentials: Credentials;
  readonly audit: Audit;
  readonly mails: Mail[] = [];
  readonly made: Made;
  readonly origin: string;
  readonly agents: Agents;
  readonly registrations = new HourlyRequests(() => this.now);
  readonly requests = new HourlyRequests(() => this.now);
  now = Date.now();

  static async open(wanted: Wanted = {}, dataDir?: string): Promise<Platform> {
    return new Platform(dataDir ?? (await mkdtemp(path.join(tmpdir(), "lucra-platform-"))), wanted);
  }

  private constructor(dataDir: string, wanted: Wanted) {
    const { hasPublicUrl = true, hasMail = true, readOnly = false, isOff = false, trustedProxies = [] } = wanted;
    const clock = () => this.now;
    this.dataDir = dataDir;
    const page = wanted.publicUrl ?? PAGE;
    this.origin = hasPublicUrl ? page : "http://localhost:3000";
    this.people = new People(dataDir);
    this.agents = new Agents(dataDir, { clock });
    this.signIns = new SignIns(dataDir, clock);
    this.credentials = new Credentials(dataDir);
    this.audit = new Audit(dataDir);
    const access = new PeopleAccess({ people: this.people, organizations: { ids: async () => [OURS, THEIRS] } });
    this.sessions = new Sessions({
      dataDir,
      writesNothing: readOnly,
      credentials: this.credentials,
      people: access,
      clock,
    });
    const place = { origin: hasPublicUrl ? page : undefined };
    const send = (mail: Mail): boolean => this.mails.push(mail) > 0;
    const shared = {
      people: this.people,
      signIns: this.signIns,
      sessions: this.sessions,
      mailer: hasMail ? { send, stop: async () => {} } : undefined,
      publicUrl: this.origin,
      offers: { mail: hasMail, shares: hasPublicUrl, hasPublicUrl: hasPublicUrl },
      namesOf: async (ids: readonly string[]) => ids.map((id) => `Shop ${id.at(-1)}`),
      languageOf: async () => "pt-BR" as const,
      agents: this.agents,
    };
    const tools = openAgents({
      config: {
        dataDir,
        publicUrl: this.origin,
        hasPublicUrl,
        mcp: true,
        trustedProxies,
        webhookNetworks: wanted.networks ?? [],
      },
      agents: this.agents,
      access,
      namesOf: shared.namesOf,
      readOnly,
      log: pino({ level: "silent" }),
      clock,
      registrations: this.registrations,
      ...(wanted.ca === undefined ? {} : { ca: wanted.ca }),
    });
    const features = [
      signInFeature({
        ...shared,
        ...place,
        access,
        trustedProxies,
        readOnly,
        requests: this.requests,
        restMs: [0, 1],
      }),
      platformFeature({
        ...place,
        resources: [
          ...peopleResources({ ...shared, log: this.audit }),
          ...(tools?.resources ?? []),
          ...(wanted.resources ?? []),
        ],
        clientOf: (sent) => signedInWith(this.sessions, sent),
        organizations: { has: async (id) => [OURS, THEIRS].includes(id) },
        audit: this.audit,
        exclusively: (organization, work) => inLogTurn(dataDir, organization, work),
        readOnly,
      }),
      ...(tools ? [tools.feature] : []),
    ];
    this.made = makeApp(undefined, {
      credentials: this.credentials,
      sessions: this.sessions,
      tools: { views: [] },
      ...(isOff ? {} : { platform: { mail: hasMail, features, agents: tools?.bearer } }),
    });
  }

  remove(): Promise<void> {
    return rm(this.dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }

  /** The cookie of a new session of a person with these roles, by organization. */
  async signedIn(email: string, roles: Readonly<Record<string, Role>>, isOperator = false): Promise<string> {
    for (const [id, role] of Object.entries(roles)) await this.people.add(email, { organizations: [id], role });
    if (isOperator) await this.people.add(email, { organizations: [], role: "viewer", operator: true });
    return this.sessionOf(email);
  }

  async sessionOf(person: string): Promise<string> {
    return `lucra_session=${(await this.sessions.startOf({ person }, "test")).token}`;
  }

  /** A request as the page sends it. */
  page(method: "get" | "head" | "post" | "put" | "delete", address: string, cookie = ""): Test {
    const test = request(this.made.app)[method](address);
    const host = this.origin.replace(/^https?:\/\//, "");
    const sent = test.set({ "x-lucra-page": "1", host, ...(cookie ? { cookie } : {}) });
    if (method === "get" || method === "head") return sent;
    return sent.set({ origin: this.origin, "content-type": "application/json" });
  }

  /** A change of what was read before. */
  async replaced(method: "put" | "delete", address: string, cookie: string, body?: object): Promise<Test> {
    const { headers } = await this.page("get", address, cookie);
    const test = this.page(method, address, cookie).set("if-match", String(headers.etag ?? '"none"'));
    return body ? test.send(body) : test;
  }

  /** All files of the data folder, to look for what must not be there. */
  async written(): Promise<string> {
    const names = await readdir(this.dataDir, { recursive: true, withFileTypes: true });
    const files = names.filter((one) => one.isFile() && /\.(json|ndjson)$/.test(one.name));
    const texts = await Promise.all(files.map((one) => readFile(path.join(one.parentPath, one.name), "utf8")));
    return texts.join("\n");
  }
}

/** The token and the code in a mail. */
export function partsOf({ text }: Pick<Mail, "text">): { readonly token: string; readonly code: string } {
  const [, token = ""] = /#signin=([\w-]{43})/.exec(text) ?? [];
  const [, code = ""] = /\b([A-Z2-9]{4}-[A-Z2-9]{4})\b/.exec(text) ?? [];
  return { token, code };
}
