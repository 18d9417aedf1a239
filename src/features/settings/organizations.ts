import { randomUUID } from "node:crypto";
import { createOrganization } from "../../core/organizations/create.ts";
import type { Call, Resource } from "../platform/resource.ts";
import type { SettingsDependencies } from "./dependencies.ts";
import { assertSeen, faultsAnswered, settingsNow, writeSettings } from "./file.ts";
import { bodyOf, NAME } from "./schemas.ts";

type Deps = Pick<SettingsDependencies, "config" | "organizations" | "log">;

interface Wanted {
  readonly name: string;
  readonly currency?: string;
  readonly locale?: string;
}

/**
 * For operators. `GET /platform/organizations` → `{data: [{id, name, currency, isFaulty}]}`, by name; `isFaulty`: the present file has faults, and
 * earlier settings are in force. `POST` `{name, currency?, locale?}` → `{id, name}`. `GET`, `PUT …/:organization/name` `{name}`.
 */
export const organizationResources = (deps: Deps): Resource[] => [
  {
    path: "/platform/organizations",
    who: "operator",
    read: async () => ({ data: await all(deps) }),
    add: {
      what: "organizations.add",
      body: bodyOf({ name: NAME, currency: { type: "string" }, locale: { type: "string" } }, ["currency", "locale"]),
      run: async ({ body }: Call<Wanted>) => {
        const wanted = { organizationId: randomUUID(), ...body, name: body.name.trim(), integrations: [] };
        const { settings } = await faultsAnswered(createOrganization(deps.config.dataDir, wanted));
        await deps.organizations.get(settings.organizationId, { fresh: true });
        return { id: settings.organizationId, name: settings.name };
      },
    },
  },
  {
    path: "/platform/organizations/:organization/name",
    who: "operator",
    read: async ({ organization }) => ({ name: (await settingsNow(deps, organization)).name }),
    replace: {
      what: "organizations.rename",
      body: bodyOf({ name: NAME }),
      run: async ({ organization, body, before }: Call<{ name: string }>) => {
        const { name } = await writeSettings(deps, organization, (written) => {
          assertSeen(before, { name: written.name });
          return [{ place: ["name"], value: body.name.trim() }];
        });
        return { name };
      },
    },
  },
];

async function all({ organizations }: Deps): Promise<object[]> {
  const found = await Promise.all((await organizations.ids()).map((id) => organizations.get(id, { fresh: true })));
  const known = found.flatMap((one) => one ?? []);
  return known
    .map(({ settings: { organizationId: id, name, currency = null }, problem }) => ({
      id,
      name,
      currency,
      isFaulty: problem !== undefined,
    }))
    .sort((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1));
}
