import type { Audit } from "../../core/audit/audit.ts";
import type { Config } from "../../core/config.ts";
import type { LetterSetting } from "../../core/contract/settings.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import type { Organizations } from "../../core/organizations/organizations.ts";
import { inLogTurn } from "../../core/organizations/seen.ts";
import { type Written, writeSettings } from "../settings/file.ts";
import { endedBy, type OfPerson } from "./secrets.ts";

export interface EndDependencies {
  readonly config: Config;
  readonly organizations: Pick<Organizations, "get" | "ids">;
  readonly log: Audit;
}

type Of = Partial<Pick<LetterSetting, "to" | "on">>;

const isOf = (letter: LetterSetting, { to = "", on }: Of): boolean =>
  letter.channel === "mail" && letter.to?.toLowerCase() === to.toLowerCase() && (on === undefined || letter.on === on);

const lettersIn = (written: Written): readonly LetterSetting[] =>
  Array.isArray(written.letters) ? (written.letters as LetterSetting[]) : [];

/** Takes letters of a person out of the settings; without `on` all of them. The log has who did it. */
export async function endLetters(deps: EndDependencies, organization: string, person: string, of: Of): Promise<void> {
  const { dataDir } = deps.config;
  const described = { organization, what: "letters.end", after: { ...of } };
  await inLogTurn(dataDir, organization, () =>
    deps.log.run({ person }, described, async () => {
      await writeSettings(deps, organization, (written) => {
        const letters = lettersIn(written);
        const left = letters.filter((letter) => !isOf(letter, of));
        if (left.length === letters.length) return [];
        return [{ place: ["letters"], value: left.length > 0 ? left : undefined }];
      });
    }),
  );
}

/** What an address ends; undefined if nothing of it goes out any more. */
export async function toBeEnded(
  { config, organizations }: EndDependencies,
  organization: string,
  token: string,
): Promise<{ readonly ended: OfPerson; readonly name: string } | undefined> {
  const settings = (await organizations.get(organization, { fresh: true }))?.settings;
  const folders = foldersOf(config.dataDir, organization);
  const ended = settings && (await endedBy(folders, settings.letters ?? [], token));
  return ended && settings ? { ended, name: settings.name } : undefined;
}
