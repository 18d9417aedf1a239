import { rm } from "node:fs/promises";
import type { Organization } from "../../core/contract/settings.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import { withoutAddress } from "../../core/organizations/seen.ts";
import { readOrganization } from "../../core/organizations/settings.ts";
import { PlatformError } from "../platform/errors.ts";
import type { Call, Resource } from "../platform/resource.ts";
import { currentVersion } from "../webhooks/event.ts";
import { keepSecret, newSecret, webhookSecret } from "../webhooks/secret.ts";
import { beginState, endState } from "../webhooks/state.ts";
import { assertAllowed, editsOf } from "./candidate.ts";
import type { SettingsDependencies } from "./dependencies.ts";
import { assertSeen, settingsNow, type Written, writeSettings } from "./file.ts";
import { bodyOf } from "./schemas.ts";
import { OF_ORGANIZATION, SECTIONS, type Section } from "./section.ts";

/**
 * `GET …/settings/:section` → `{value}`; null if the section is absent. `organization`: `{name, locale, currency}`, each null if
 * absent. `webhook`: `{url, id}`, the address without what follows its host, and a short hash of it.
 *
 * `PUT` `{value}`, as the settings have the section (docs/settings.md); null removes it. Answers `{value}`, and with `webhook`, when
 * it had none, `secret` (once). Faults of the value are 400 with the place of each, as `organizations check` names it. Where
 * the first rules of a cost begin on a day, what `margin` said before that day becomes a rule of its own.
 */
export const sectionResource = (deps: SettingsDependencies): Resource => ({
  path: "/platform/organizations/:organization/settings/:section",
  who: "admin",
  read: async ({ organization, params }) => ({
    value: shownValue(await settingsNow(deps, organization), sectionIn(params)),
  }),
  replace: {
    what: "settings.change",
    body: bodyOf({ value: {} }),
    secrets: ["secret"],
    logged: ({ value }: { value: unknown }) => ({ value: withoutAddress(value) }),
    run: (call: Call<{ value: unknown }>) => replace(deps, call),
  },
});

export function sectionIn({ section = "" }: Readonly<Record<string, string>>): Section {
  const found = SECTIONS.find((one) => one === section);
  if (!found) throw new PlatformError("notFound");
  return found;
}

/** A section as the page and the log have it. */
function shownValue(settings: object, section: Section): unknown {
  const written = settings as Written;
  if (section === "organization")
    return Object.fromEntries(OF_ORGANIZATION.map((name) => [name, written[name] ?? null]));
  return withoutAddress(written[section] ?? null);
}

async function replace(deps: SettingsDependencies, call: Call<{ value: unknown }>): Promise<object> {
  const { organization, params, body, before } = call;
  const section = sectionIn(params);
  await assertAllowed(deps, organization, section, body.value);
  const folders = foldersOf(deps.config.dataDir, organization);
  const version = section === "webhook" ? await currentVersion(folders) : undefined;
  const settings = await writeSettings(deps, organization, (written) => {
    const present = readOrganization(JSON.stringify(written), organization).settings ?? {};
    assertSeen(before, { value: shownValue(present, section) });
    return editsOf(present as Organization, section, body.value);
  });
  const value = shownValue(settings, section);
  if (section !== "webhook") return { value };
  if (!settings.webhook) {
    await rm(folders.webhookSecret, { force: true });
    await endState(folders);
    return { value };
  }
  // As by the command: events need the secret, so that none is sent before it is known from which version on.
  await beginState(folders, version);
  const known = await webhookSecret(folders);
  const secret = known?.secret ?? newSecret();
  await keepSecret(folders, { secret, setAt: new Date().toISOString() });
  return { value, ...(known ? {} : { secret }) };
}
