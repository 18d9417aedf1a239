import { foldersOf } from "../../core/files/organizationFolders.ts";
import { endPin, everNamed, type Pin } from "../../core/marts/pinFiles.ts";
import { pinNamed } from "../../core/marts/pins.ts";
import { askedState, PIN_NAME } from "../../core/params/known.ts";
import { pinOf } from "../links/links.ts";
import { pinInChild } from "../pins/monthly.ts";
import { PlatformError, refused, type Said } from "../platform/errors.ts";
import type { Call, Resource } from "../platform/resource.ts";
import type { SettingsDependencies } from "./dependencies.ts";
import { bodyOf } from "./schemas.ts";

const TAKEN = {
  pt: "Este nome já foi usado. O nome de uma marcação nunca passa a valer para outra coisa: escolha outro.",
  en: "This name was used before. The name of a pin never comes to mean something else: choose another one.",
};

const usedBy = (links: readonly string[]): Said => ({
  pt: `Links de dados usam esta marcação; revogue-os antes: ${links.join(", ")}.`,
  en: `Share links use this pin; revoke them first: ${links.join(", ")}.`,
});

type Deps = Pick<SettingsDependencies, "config" | "children" | "links">;

/**
 * Pins [D83]; `/v1/pins` lists them. `POST …/pins` `{name, at?}` → the pin, `{name, knownAt, createdAt, createdBy}`; `at`: an instant, a
 * day or another pin, as `knownAt`; now by default. `GET`, `DELETE …/pins/:pin`: one; share links in force that use it keep it.
 */
export const pinResources = (deps: Deps): Resource[] => [
  {
    path: "/platform/organizations/:organization/pins",
    who: "admin",
    add: {
      what: "pins.create",
      body: bodyOf({ name: { type: "string", pattern: PIN_NAME.source }, at: { type: "string", maxLength: 40 } }, [
        "at",
      ]),
      run: (call: Call<{ name: string; at?: string }>) => create(deps, call),
    },
  },
  {
    path: "/platform/organizations/:organization/pins/:pin",
    who: "admin",
    read: async (call) => shown(await found(deps, call)),
    remove: { what: "pins.remove", run: (call) => remove(deps, call) },
  },
];

const shown = ({ name, knownAt, createdAt, createdBy }: Pin): object => ({ name, knownAt, createdAt, createdBy });

async function found({ config }: Deps, { organization, params }: Call): Promise<Pin> {
  const pin = await pinNamed(foldersOf(config.dataDir, organization), params.pin ?? "");
  if (!pin) throw new PlatformError("notFound");
  return pin;
}

async function create(deps: Deps, call: Call<{ name: string; at?: string }>): Promise<object> {
  const { config, children } = deps;
  const { organization, body } = call;
  const folders = foldersOf(config.dataDir, organization);
  if (await everNamed(folders, body.name)) throw refused("conflict", "name", TAKEN);
  const now = config.now();
  const asked = body.at === undefined ? { at: now.toISOString() } : askedState(body.at, now);
  if ("fault" in asked) throw refused("invalid", "at", asked.fault);
  const at = "at" in asked ? asked.at : (await pinNamed(folders, asked.pin))?.knownAt;
  if (at === undefined)
    throw refused("invalid", "at", { pt: "Esta marcação não existe.", en: "There is no such pin." });
  await pinInChild(children)({ organization, name: body.name, at, by: "page" });
  return shown(await found(deps, { ...call, params: { pin: body.name } }));
}

async function remove(deps: Deps, call: Call): Promise<object> {
  const { config } = deps;
  const pin = await found(deps, call);
  const links = (await deps.links.list()).filter(
    (link) =>
      link.organization === call.organization &&
      link.revokedAt === undefined &&
      (link.expiresAt === undefined || Date.parse(link.expiresAt) > Date.now()) &&
      pinOf(link) === pin.name,
  );
  if (links.length > 0) throw refused("conflict", "pin", usedBy(links.map(({ id, name }) => name || id)));
  await endPin(foldersOf(config.dataDir, call.organization), pin, config.now().toISOString());
  return {};
}
