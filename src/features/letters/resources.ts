import type { LetterSetting } from "../../core/contract/settings.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import { firstZone } from "../../core/params/fromSettings.ts";
import { PlatformError, refused } from "../platform/errors.ts";
import type { Call, Resource } from "../platform/resource.ts";
import { assertSeen, settingsNow, type Written, writeSettings } from "../settings/file.ts";
import type { AlertLines } from "./alerts.ts";
import type { Ask } from "./ask.ts";
import { lastDayOf, momentIn } from "./due.ts";
import type { EndDependencies } from "./end.ts";
import { letterOf } from "./letter.ts";
import { textOf } from "./render.ts";
import { keepSlackAddress, slackNames } from "./secrets.ts";
import { letterStates, nameOf } from "./state.ts";
import type { Language } from "./words.ts";

interface Dependencies extends EndDependencies {
  readonly askOf: (organization: string, signal: AbortSignal) => Ask;
  readonly alerts: AlertLines;
}

const ON = { enum: ["daily", "weekly", "monthly"] } as const;
const AT = { type: "string", pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$" } as const;
const LANGUAGE = { enum: ["pt-BR", "en"] } as const;
const NAME = { type: "string", minLength: 1, maxLength: 60, pattern: "^[^:/]*$" } as const;
const NO_ADDRESS = { pt: "É preciso um endereço https.", en: "An https address is needed." };

type Own = Pick<LetterSetting, "on" | "at" | "language">;

const OWN = {
  type: "object",
  additionalProperties: false,
  required: ["letters"],
  properties: {
    letters: {
      type: "array",
      maxItems: 3,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["on", "at"],
        properties: { on: ON, at: AT, language: LANGUAGE },
      },
    },
  },
} as const;

const lettersIn = (written: object): readonly LetterSetting[] => {
  const { letters } = written as Written;
  return Array.isArray(letters) ? (letters as LetterSetting[]) : [];
};

const isOwn = (letter: LetterSetting, email: string): boolean =>
  letter.channel === "mail" && letter.to?.toLowerCase() === email;

const ownOf = (settings: object, email: string): Own[] =>
  lettersIn(settings)
    .filter((letter) => isOwn(letter, email))
    .map(({ on, at, language }) => ({ on, at, ...(language ? { language } : {}) }));

/**
 * `…/my-letters`: the mails of the person who asks, which everybody chooses. `…/letters/state`: what became of the letters.
 * `…/letters/slack`: names of addresses of Slack, which are secrets. `…/letters/preview?on=&language=`: the newest letter, as text.
 */
export const letterResources = (deps: Dependencies): Resource[] => [
  {
    path: "/platform/organizations/:organization/my-letters",
    who: "viewer",
    read: async ({ organization, person }) => ({
      letters: ownOf(await settingsNow(deps, organization), person.email),
    }),
    replace: {
      what: "letters.own",
      body: OWN,
      run: async ({ organization, person, body, before }: Call<{ letters: readonly Own[] }>) => {
        await writeSettings(deps, organization, (written) => {
          assertSeen(before, { letters: ownOf(written, person.email) });
          const others = lettersIn(written).filter((letter) => !isOwn(letter, person.email));
          const own = body.letters.map((one): LetterSetting => ({ to: person.email, ...one, channel: "mail" }));
          const letters = [...others, ...own];
          return [{ place: ["letters"], value: letters.length > 0 ? letters : undefined }];
        });
        return { letters: ownOf(await settingsNow(deps, organization), person.email) };
      },
    },
  },
  {
    path: "/platform/organizations/:organization/letters/state",
    who: "admin",
    read: async ({ organization }) => {
      const { letters = [] } = await settingsNow(deps, organization);
      const states = await letterStates(foldersOf(deps.config.dataDir, organization));
      return {
        data: letters.map((letter) => {
          const { day = null, stage = "waiting", sentAt = null, reason = null } = states?.[nameOf(letter)] ?? {};
          const { to = null, on, channel } = letter;
          return { to, on, channel, day, stage: day === null ? null : stage, sentAt, reason };
        }),
      };
    },
  },
  {
    path: "/platform/organizations/:organization/letters/slack",
    who: "admin",
    read: async ({ organization }) => ({ data: await slackNames(foldersOf(deps.config.dataDir, organization)) }),
    add: {
      what: "letters.slack",
      isRecent: true,
      body: {
        type: "object",
        additionalProperties: false,
        required: ["name", "url"],
        properties: { name: NAME, url: { type: "string", maxLength: 500 } },
      },
      logged: ({ name }: { name: string }) => ({ name }),
      run: async ({ organization, body }: Call<{ name: string; url: string }>) => {
        if (!URL.canParse(body.url) || new URL(body.url).protocol !== "https:")
          throw refused("invalid", "url", NO_ADDRESS);
        await keepSlackAddress(foldersOf(deps.config.dataDir, organization), body.name, body.url);
        return { name: body.name };
      },
    },
  },
  {
    path: "/platform/organizations/:organization/letters/preview",
    who: "viewer",
    read: (call) => preview(deps, call),
  },
];

async function preview(deps: Dependencies, { organization, query, isEnglish }: Call): Promise<object> {
  const settings = await settingsNow(deps, organization);
  const on = (["daily", "weekly", "monthly"] as const).find((one) => one === query.on);
  if (!on) throw new PlatformError("notFound");
  const asked = (["pt-BR", "en"] as const).find((one) => one === query.language);
  const language: Language = asked ?? (isEnglish ? "en" : (settings.locale ?? "pt-BR"));
  const day = lastDayOf(on, momentIn(firstZone(settings), deps.config.now()).day);
  const ask = deps.askOf(organization, AbortSignal.timeout(60_000));
  const letter = await letterOf({ settings, on, day, language, ask, alerts: deps.alerts });
  return { day, subject: letter.subject, text: textOf(letter, { explorer: `${deps.config.publicUrl}/explorer` }) };
}
