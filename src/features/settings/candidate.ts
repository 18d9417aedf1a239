import type { CostRule, Organization } from "../../core/contract/settings.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import { namesIn } from "../../core/landing/ledger/ingested.ts";
import { withMarginKept } from "../../core/organizations/costs.ts";
import type { Edit } from "../../core/organizations/edit.ts";
import { exported } from "../../core/records/index.ts";
import { refused } from "../platform/errors.ts";
import type { SettingsDependencies } from "./dependencies.ts";
import { settingsNow, type Written } from "./file.ts";
import { OF_ORGANIZATION, type Section } from "./section.ts";

const LANDED = {
  pt: "A moeda só pode mudar enquanto nada foi recebido.",
  en: "The currency can change only while nothing has landed.",
};
const NO_NAME = { pt: "Falta o nome.", en: "The name is missing." };
const NO_FIELD = { pt: "Este campo não existe.", en: "There is no such field." };
const MASKED = { pt: "É preciso o endereço inteiro.", en: "The whole address is needed." };
const NOT_SHOWN = "/…";

/** Fails if a section may not have this value now, for reasons that the file's own check does not know. */
export async function assertAllowed(
  deps: Pick<SettingsDependencies, "config" | "organizations">,
  organization: string,
  section: Section,
  value: unknown,
): Promise<void> {
  const sent = (value ?? {}) as Written;
  if (section === "webhook" && String(sent.url).endsWith(NOT_SHOWN)) throw refused("invalid", "webhook.url", MASKED);
  if (section !== "organization") return;
  const other = Object.keys(sent).find((name) => !(OF_ORGANIZATION as readonly string[]).includes(name));
  if (other !== undefined) throw refused("invalid", other, NO_FIELD);
  if (sent.name === undefined || sent.name === null) throw refused("invalid", "name", NO_NAME);
  const { currency } = await settingsNow(deps, organization);
  if ((sent.currency ?? undefined) !== currency && (await hasLanded(deps, organization)))
    throw refused("conflict", "currency", LANDED);
}

async function hasLanded({ config }: Pick<SettingsDependencies, "config">, organization: string): Promise<boolean> {
  const folders = foldersOf(config.dataDir, organization);
  for (const record of exported) if ((await namesIn(folders.lake(record))).length > 0) return true;
  return false;
}

/** The places that change when a section gets a value. What stays the same keeps its text. */
export function editsOf(settings: Organization, section: Section, value: unknown): Edit[] {
  const wanted: Edit[] =
    section === "organization"
      ? OF_ORGANIZATION.map((name) => ({ place: [name], value: (value as Written)[name] ?? undefined }))
      : [{ place: [section], value: whole(settings, section, value) }];
  const present = settings as unknown as Written;
  return wanted.filter(
    ({ place: [name], value: one }) => JSON.stringify(present[String(name)]) !== JSON.stringify(one),
  );
}

const whole = (settings: Organization, section: Section, value: unknown): unknown =>
  section === "costs" && Array.isArray(value)
    ? withMarginKept(settings, value as readonly CostRule[])
    : (value ?? undefined);

/** The settings with a value of a section, unchecked. */
export const candidateOf = (settings: Organization, section: Section, value: unknown): Written => ({
  ...settings,
  ...Object.fromEntries(editsOf(settings, section, value).map(({ place: [name], value: one }) => [name, one])),
});
