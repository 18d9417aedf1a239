import type { Listed } from "../../core/access/credentials.ts";
import { PlatformError, refused } from "../platform/errors.ts";
import type { Call, Resource } from "../platform/resource.ts";
import type { SettingsDependencies } from "./dependencies.ts";
import { bodyOf, NAME } from "./schemas.ts";

const OVERLAP_S = { now: 0, day: 86_400, week: 7 * 86_400 } as const;

const OF_OTHERS = {
  pt: "Esta credencial também vale para outras organizações: aqui só é possível encerrar o acesso a esta.",
  en: "This credential is of other organizations too: here only its access to this one can be ended.",
};

type Deps = Pick<SettingsDependencies, "credentials" | "lastUses">;

/** A credential as an organization's admins see it: of one that others have too only what the first members say. */
interface ShownCredential {
  readonly client_id: string;
  readonly name: string;
  /** Whether it is bound to this organization alone: then it can be regenerated and revoked. */
  readonly isOwn: boolean;
  readonly createdAt?: string;
  /** Until when an earlier secret works beside the newest one. */
  readonly overlapUntil?: string | null;
}

/**
 * `GET …/credentials` → `{data: [{client_id, name, isOwn, createdAt?, overlapUntil?, lastUsedAt}]}`: those in force, the newest
 * first; `lastUsedAt` is up to an hour late, null if never. `POST` `{name}` → `{client_id, client_secret}`, the secret once.
 *
 * `GET …/credentials/:client`: one, without `lastUsedAt`. `DELETE` → `{isRevoked}`: one of others too loses only this organization.
 *
 * `POST …/credentials/:client/secrets` `{overlap: "now" | "day" | "week"}` → `{client_id, client_secret, old_secret_until}`: when the
 * secret before it ends; null: at once.
 */
export const credentialResources = (deps: Deps): Resource[] => [
  {
    path: "/platform/organizations/:organization/credentials",
    who: "admin",
    read: async ({ organization }) => {
      const uses = await deps.lastUses.all();
      const all = await inForce(deps, organization);
      return {
        data: all.map((client) => ({ ...shown(client, organization), lastUsedAt: uses[client.client_id] ?? null })),
      };
    },
    add: {
      what: "credentials.create",
      isRecent: true,
      body: bodyOf({ name: NAME }),
      secrets: ["client_secret"],
      run: ({ organization, body }: Call<{ name: string }>) =>
        deps.credentials.create({ organizations: [organization], name: body.name.trim() }),
    },
  },
  {
    path: "/platform/organizations/:organization/credentials/:client",
    who: "admin",
    read: (call) => found(deps, call),
    remove: {
      what: "credentials.end",
      isRecent: true,
      run: ({ organization, params }) => deps.credentials.end(params.client ?? "", organization),
    },
  },
  {
    path: "/platform/organizations/:organization/credentials/:client/secrets",
    who: "admin",
    add: {
      what: "credentials.regenerate",
      isRecent: true,
      body: bodyOf({ overlap: { enum: Object.keys(OVERLAP_S) } }),
      secrets: ["client_secret"],
      run: async (call: Call<{ overlap: keyof typeof OVERLAP_S }>) => {
        const { client_id, isOwn } = await found(deps, call);
        if (!isOwn) throw refused("conflict", "client", OF_OTHERS);
        return deps.credentials.rotate(client_id, {
          overlapSeconds: OVERLAP_S[call.body.overlap],
          only: call.organization,
        });
      },
    },
  },
];

const inForce = async ({ credentials }: Deps, organization: string): Promise<Listed[]> =>
  (await credentials.list())
    .filter(({ organizations, revokedAt }) => !revokedAt && organizations.includes(organization))
    .reverse();

const shown = (client: Listed, organization: string): ShownCredential => {
  const { client_id, name, createdAt, overlapUntil = null } = client;
  const isOwn = client.organizations.every((id) => id === organization);
  return { client_id, name, isOwn, ...(isOwn ? { createdAt, overlapUntil } : {}) };
};

async function found(deps: Deps, { organization, params }: Call): Promise<ShownCredential> {
  const client = (await inForce(deps, organization)).find(({ client_id }) => client_id === params.client);
  if (!client) throw new PlatformError("notFound");
  return shown(client, organization);
}
