import type { Integration } from "../../core/contract/settings.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import { PlatformError, refused } from "../platform/errors.ts";
import type { Call, Resource } from "../platform/resource.ts";
import { isPulled, placeOfSecrets } from "../pull/accounts.ts";
import { canBePulled, pullOf } from "../pull/connectors/index.ts";
import { checkIntegration } from "../pull/pull.ts";
import { areFor, checkedSecrets, keepSecrets, keptSecrets, removeSecrets, setOf } from "../pull/secrets.ts";
import { endOf, pullState } from "../pull/state.ts";
import type { SettingsDependencies } from "./dependencies.ts";
import { settingsNow } from "./file.ts";
import { bodyOf } from "./schemas.ts";

const CHECK_MS = 60_000;
/** The largest set of keys: a service account's file. */
const LONGEST = 16_384;

const NOT_PULLED = {
  pt: "Antes das chaves: a conta e o primeiro dia (pull) desta conexão.",
  en: "Before the keys: the account and the first day (pull) of this connection.",
};

type Deps = Pick<SettingsDependencies, "config" | "organizations">;

/**
 * `GET …/connections/:integration/keys` → `{sets, keys, setAt, endsAt, isComplete, isAskedAgain}`: `sets` are the names that the vendor's
 * keys may have, one list for each way; `keys` the names that are kept. `isAskedAgain`: the settings name another account or address than
 * the one that they were entered for, so they are not sent.
 *
 * `PUT` `{keys: {name: value}}` asks the vendor one cheap question with them, and keeps them if it answers: `{account}`, as the vendor calls
 * it. Else 400 with the reason, and nothing is kept. `DELETE` forgets them. Values are in no answer and in no log.
 */
export const vendorKeysResource = (deps: Deps): Resource => ({
  path: "/platform/organizations/:organization/connections/:integration/keys",
  who: "admin",
  read: (call) => state(deps, call),
  replace: {
    what: "connections.keys",
    isRecent: true,
    body: bodyOf({
      keys: {
        type: "object",
        minProperties: 1,
        maxProperties: 20,
        additionalProperties: { type: "string", maxLength: LONGEST },
      },
    }),
    logged: ({ keys }: { keys: object }) => ({ keys: Object.keys(keys).sort() }),
    run: (call: Call<{ keys: Readonly<Record<string, string>> }>) => replace(deps, call),
  },
  remove: {
    what: "connections.keys.remove",
    isRecent: true,
    run: async ({ organization, params }) => {
      const removed = await removeSecrets(foldersOf(deps.config.dataDir, organization), params.integration ?? "");
      if (!removed) throw new PlatformError("notFound");
      return {};
    },
  },
});

async function integrationOf(deps: Deps, { organization, params }: Call): Promise<Integration> {
  const { integrations = [] } = await settingsNow(deps, organization);
  const found = integrations.find(({ id }) => id === params.integration);
  if (!found || !canBePulled(found.connector)) throw new PlatformError("notFound");
  return found;
}

async function state(deps: Deps, call: Call): Promise<object> {
  const integration = await integrationOf(deps, call);
  const folders = foldersOf(deps.config.dataDir, call.organization);
  const kept = await keptSecrets(folders, integration.id);
  return {
    sets: pullOf(integration.connector).secrets.map(({ keys }) => keys),
    keys: Object.keys(kept?.secrets ?? {}).sort(),
    setAt: kept?.setAt ?? null,
    endsAt: (kept && endOf(await pullState(folders, integration.id), kept)) ?? null,
    isComplete: kept !== undefined && setOf(integration.connector, kept.secrets) !== undefined,
    isAskedAgain: kept !== undefined && !areFor(kept, integration),
  };
}

async function replace(deps: Deps, call: Call<{ keys: Readonly<Record<string, string>> }>): Promise<object> {
  const integration = await integrationOf(deps, call);
  if (!isPulled(integration)) throw refused("conflict", "pull", NOT_PULLED);
  const { secrets, faults } = checkedSecrets(integration.connector, JSON.stringify(call.body.keys));
  if (!secrets)
    throw new PlatformError("invalid", { details: faults.map((message) => ({ parameter: "keys", message })) });
  const folders = foldersOf(deps.config.dataDir, call.organization);
  const given = { secrets, setAt: new Date().toISOString() };
  const request = { signal: AbortSignal.timeout(CHECK_MS) };
  const { complete, message } = await checkIntegration({ folders, now: deps.config.now, integration, request }, given);
  if (!complete) throw refused("invalid", "keys", message ?? "");
  await keepSecrets(folders, integration.id, secrets, placeOfSecrets(integration));
  return { account: message };
}
