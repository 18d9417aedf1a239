import { ApiError } from "../../core/contract/error.ts";
import { allEndpoints } from "../../core/endpoints/index.ts";
import { routesOf } from "../../core/http/routes.ts";
import { DAY_MS } from "../../core/time/days.ts";
import { addressOf, type Link } from "../links/links.ts";
import { shared } from "../links/routes.ts";
import { PlatformError, refused } from "../platform/errors.ts";
import type { Call, Resource } from "../platform/resource.ts";
import type { SettingsDependencies } from "./dependencies.ts";
import { settingsNow } from "./file.ts";
import { bodyOf, NAME } from "./schemas.ts";

const MOST_DAYS = 3_650;
const DAYS = { type: "integer", minimum: 1, maximum: MOST_DAYS } as const;

const OFF = {
  pt: "Links de dados estão desligados neste servidor.",
  en: "Links to data are switched off at this server.",
};
const NO_ENDPOINT = { pt: "Este endereço não existe.", en: "There is no such endpoint." };

type Deps = Pick<SettingsDependencies, "config" | "organizations" | "links" | "states">;

interface Wanted {
  readonly name: string;
  readonly endpoint: string;
  readonly days?: number;
  readonly knownAt?: string;
  readonly expiresInDays?: number;
}

/**
 * Share links [D57]. `GET …/links` → `{isOn, data: [{id, name, endpoint, days, knownAt, createdAt, expiresAt}]}`: those in force, the newest first.
 * `POST` `{name, endpoint, days?, knownAt?, expiresInDays?}` → `{id, url}`, the address once; `endpoint` is path and query, such as
 * `/v1/acquisition/channels?format=csv`; `days`: always the last full days. `GET`, `DELETE …/links/:link`: one. Where they are off nothing is made.
 */
export const linkResources = (deps: Deps): Resource[] => [
  {
    path: "/platform/organizations/:organization/links",
    who: "admin",
    read: async ({ organization }) => ({
      isOn: deps.config.shareLinks,
      data: (await inForce(deps, organization)).map(shown),
    }),
    add: {
      what: "links.create",
      secrets: ["url"],
      body: bodyOf(
        {
          name: NAME,
          endpoint: { type: "string", pattern: "^/v1/", maxLength: 4_000 },
          days: DAYS,
          knownAt: { type: "string", maxLength: 40 },
          expiresInDays: DAYS,
        },
        ["days", "knownAt", "expiresInDays"],
      ),
      run: (call: Call<Wanted>) => create(deps, call),
    },
  },
  {
    path: "/platform/organizations/:organization/links/:link",
    who: "admin",
    read: async (call) => shown(await found(deps, call)),
    remove: {
      what: "links.revoke",
      run: async (call) => {
        await deps.links.revoke((await found(deps, call)).id);
        return {};
      },
    },
  },
];

const isInForce = ({ revokedAt, expiresAt }: Link): boolean =>
  revokedAt === undefined && (expiresAt === undefined || Date.parse(expiresAt) > Date.now());

const inForce = async ({ links }: Deps, organization: string): Promise<Link[]> =>
  (await links.list()).filter((link) => link.organization === organization && isInForce(link)).reverse();

const shown = ({ id, name, endpoint, days, knownAt, createdAt, expiresAt }: Link): object => ({
  id,
  name,
  endpoint,
  days: days ?? null,
  knownAt: knownAt ?? null,
  createdAt,
  expiresAt: expiresAt ?? null,
});

async function found(deps: Deps, { organization, params }: Call): Promise<Link> {
  const link = (await inForce(deps, organization)).find(({ id }) => id === params.link);
  if (!link) throw new PlatformError("notFound");
  return link;
}

async function create(deps: Deps, { organization, body }: Call<Wanted>): Promise<object> {
  const { config, states, links } = deps;
  if (!config.shareLinks) throw refused("conflict", "", OFF);
  const { name, endpoint, days, knownAt, expiresInDays } = body;
  const settings = await settingsNow(deps, organization);
  const asked = { address: endpoint, settings, days, knownAt };
  const what = await shared(asked, { states, now: config.now }, routesOf(allEndpoints)).catch((error: unknown) => {
    const isUnknown = error instanceof URIError || (error instanceof ApiError && error.kind === "notFound");
    throw isUnknown ? refused("invalid", "endpoint", NO_ENDPOINT) : error;
  });
  const expiresAt = expiresInDays && new Date(Date.now() + expiresInDays * DAY_MS).toISOString();
  const { id, token } = await links.create({ ...what, name: name.trim(), ...(expiresAt ? { expiresAt } : {}) });
  return { id, url: config.publicUrl + addressOf(token) };
}
