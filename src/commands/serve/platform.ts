import type { Credentials } from "../../core/access/credentials.ts";
import type { LastUses } from "../../core/access/lastUses.ts";
import { Audit } from "../../core/audit/audit.ts";
import { coordinationOf } from "../../core/coordination/registry.ts";
import type { Bearer } from "../../core/http/authenticator.ts";
import type { HttpFeature } from "../../core/http/feature.ts";
import type { OrganizationListParts } from "../../core/http/organizations.ts";
import { inLogTurn } from "../../core/organizations/seen.ts";
import { Children } from "../../core/processes/children.ts";
import { allAlertLines } from "../../features/alerts/pinned.ts";
import { openLetters } from "../../features/letters/feature.ts";
import type { Links } from "../../features/links/links.ts";
import { SmtpMailer } from "../../features/mail/mailer.ts";
import { Agents } from "../../features/oauth/agents.ts";
import { openAgents } from "../../features/oauth/open.ts";
import { PeopleAccess } from "../../features/people/access.ts";
import { type Language, People } from "../../features/people/people.ts";
import { peopleResources } from "../../features/people/resources.ts";
import { signedInWith } from "../../features/people/sessionRoutes.ts";
import { Sessions } from "../../features/people/sessions.ts";
import { signInFeature } from "../../features/people/signInRoutes.ts";
import { SignIns } from "../../features/people/signIns.ts";
import { platformFeature } from "../../features/platform/routes.ts";
import { settingsResources } from "../../features/settings/resources.ts";
import { shareResources } from "../../features/shares/resources.ts";
import { sharesFeature } from "../../features/shares/routes.ts";
import { Shares } from "../../features/shares/shares.ts";
import { openCustomers } from "./customers.ts";
import type { Data } from "./data.ts";
import type { Engine } from "./engine.ts";
import type { Base } from "./part.ts";
import { openUploads } from "./uploads.ts";

interface SignInParts extends OrganizationListParts {
  readonly data: Data;
  readonly engine: Pick<Engine, "database" | "quality">;
  readonly credentials: Credentials;
  readonly lastUses: LastUses;
  readonly links: Links;
  /** Reports that a document is refused, and that the last good one stays in force. */
  readonly kept: (what: string) => (problem: string) => void;
}

interface Parts extends SignInParts {
  readonly people: People;
  readonly access: PeopleAccess;
  readonly sessions: Sessions;
}

interface Platform {
  /** Whether mails are sent. */
  readonly mail: boolean;
  /** How `/mcp` knows the agents that people let in. */
  readonly agents: Bearer | undefined;
  readonly features: readonly HttpFeature[];
  stop(): Promise<void>;
}

/** The sessions of a service, of clients and, unless the operator has turned the platform off, of people. */
export function openSignIn(base: Base, parts: SignInParts) {
  const { data, credentials, kept } = parts;
  const { config, readOnly } = base;
  const { dataDir } = config;
  const { storage, organizations } = data;
  const people = new People(dataDir, kept("people"), storage);
  const access = new PeopleAccess({ people, organizations });
  const sessions = new Sessions({
    dataDir,
    writesNothing: readOnly && !coordinationOf(dataDir).documents.isShared,
    credentials,
    ...(config.platform ? { people: access } : {}),
    onProblem: kept("sessions"),
    storage,
  });
  return {
    sessions,
    platform: config.platform ? openPlatform(base, { ...parts, people, access, sessions }) : undefined,
  };
}

/** How long the effect of settings may be computed. */
const EFFECT_MS = 10 * 60_000;

/** What people do at a service: sign in, and change what their role allows. */
function openPlatform({ config, log, readOnly }: Base, parts: Parts): Platform {
  const { data, engine, people, access, sessions, kept } = parts;
  const { dataDir, smtp, publicUrl, hasPublicUrl, trustedProxies } = config;
  const mailer = smtp && !readOnly ? new SmtpMailer({ settings: smtp, log }) : undefined;
  const place = { origin: hasPublicUrl ? new URL(publicUrl).origin : undefined };
  const audit = new Audit(dataDir);
  const signIns = new SignIns(dataDir);
  const writes = !readOnly || coordinationOf(dataDir).documents.isShared;
  const agents = new Agents(dataDir, { onProblem: kept("agents"), storage: data.storage, writes });
  const namesOf = async (organizations: readonly string[]): Promise<string[]> =>
    Promise.all(organizations.map(async (id) => (await data.settingsOf(id))?.name ?? id));
  const languageOf = async ([first = ""]: readonly string[]): Promise<Language> =>
    (await data.settingsOf(first))?.locale ?? "pt-BR";
  const offers = { mail: mailer !== undefined, shares: config.shares, hasPublicUrl: hasPublicUrl };
  const shared = { people, signIns, sessions, agents, mailer, publicUrl, namesOf, languageOf, offers };
  const shares = config.shares ? new Shares(dataDir, kept("shares"), data.storage) : undefined;
  const effectChildren = new Children(dataDir, EFFECT_MS);
  const settings = settingsResources({
    ...parts,
    ...engine,
    ...data,
    ...{ config, log: audit, children: data.stateChildren, effectChildren },
  });
  const tools = openAgents({ config, agents, access, namesOf, readOnly, log });
  const uploads = openUploads({ config, log, readOnly }, data);
  const customers = openCustomers({ config, log });
  const letters = openLetters({ config, log, audit, readOnly, parts, data, alerts: allAlertLines(dataDir) });
  const resources = [
    ...peopleResources({ ...shared, log: audit }),
    ...settings,
    ...shareResources({ shares, publicUrl }),
    ...uploads.resources,
    ...(tools?.resources ?? []),
    ...customers.resources,
    ...letters.resources,
  ];
  return {
    mail: offers.mail,
    agents: tools?.bearer,
    features: [
      signInFeature({ ...shared, ...place, access, trustedProxies, readOnly }),
      platformFeature({
        ...place,
        resources,
        clientOf: (request) => signedInWith(sessions, request),
        organizations: { has: async (id) => (await data.settingsOf(id)) !== undefined },
        audit,
        exclusively: (organization, work) => inLogTurn(dataDir, organization, work),
        readOnly,
      }),
      ...(tools ? [tools.feature] : []),
      letters.feature,
      ...(shares ? [sharesFeature({ ...parts, shares, writes: !readOnly })] : []),
    ],
    stop: async () => {
      await Promise.all([
        letters.stop(),
        uploads.stop(),
        customers.stop(),
        mailer?.stop(),
        shares?.write(),
        effectChildren.stop(),
      ]);
    },
  };
}
