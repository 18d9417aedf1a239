import { text as textIn } from "node:stream/consumers";
import type { Command } from "commander";
import { pino } from "pino";
import type { Config } from "../core/config.ts";
import { OperatorError } from "../core/contract/error.ts";
import { foldersOf } from "../core/files/organizationFolders.ts";
import { oneOrganization } from "../core/organizations/named.ts";
import { firstZone } from "../core/params/fromSettings.ts";
import { printable, table } from "../core/terminal/table.ts";
import { once, UsageError } from "../core/terminal/usage.ts";
import { warn } from "../core/terminal/warn.ts";
import { allAlertLines } from "../features/alerts/pinned.ts";
import { askOf } from "../features/letters/ask.ts";
import { lastDayOf, momentIn } from "../features/letters/due.ts";
import { letterOf } from "../features/letters/letter.ts";
import { htmlOf, textOf } from "../features/letters/render.ts";
import { keepSlackAddress } from "../features/letters/secrets.ts";
import { letterStates, nameOf } from "../features/letters/state.ts";
import { withAnswers } from "./withAnswers.ts";

const KINDS = ["daily", "weekly", "monthly"] as const;
const LANGUAGES = ["pt-BR", "en"] as const;

interface Options {
  readonly organization?: string;
  readonly on?: string;
  readonly language?: string;
  readonly html?: boolean;
  readonly remove?: boolean;
}

export function lettersCommand(program: Command, config: () => Config): void {
  const letters = program.command("letters").description("mails and messages with the figures of a day, week or month");
  const ofOne = (command: Command): Command =>
    command.option("--organization <id or name>", "whose letters; not needed if there is only one", once);

  ofOne(letters.command("preview"))
    .description("print the letter of the newest day that has one, as text or HTML, and send nothing")
    .option("--on <kind>", `${KINDS.join(", ")}`, "daily")
    .option("--language <language>", `${LANGUAGES.join(" or ")}; by default that of the settings`, once)
    .option("--html", "as HTML")
    .action((options: Options) => preview(config(), options));

  ofOne(letters.command("list"))
    .description("list the letters of the settings, and what became of the last one of each")
    .action((options: Options) => list(config(), options));

  ofOne(letters.command("slack"))
    .description("keep the address of an incoming webhook of Slack, which the standard input has, under a name")
    .argument("<name>", "the name by which letters of the settings call it, such as #sales")
    .option("--remove", "forget it")
    .action((name: string, options: Options) => slack(config(), name, options));
}

async function preview(config: Config, options: Options): Promise<void> {
  const settings = await oneOrganization(config.dataDir, warn, options.organization);
  const on = KINDS.find((one) => one === options.on);
  if (!on) throw new UsageError(`--on ${options.on}: ${KINDS.join(", ")} are known`);
  const language = LANGUAGES.find((one) => one === (options.language ?? settings.locale ?? "pt-BR"));
  if (!language) throw new UsageError(`--language ${options.language}: ${LANGUAGES.join(" and ")} are known`);
  const { organizationId } = settings;
  const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
  await withAnswers(config, [organizationId], { log, settings: async () => settings }, async (deps) => {
    const ask = askOf(deps.handler, deps, organizationId, new AbortController().signal);
    const day = lastDayOf(on, momentIn(firstZone(settings), config.now()).day);
    const letter = await letterOf({ settings, on, day, language, ask, alerts: allAlertLines(config.dataDir) });
    const places = { explorer: `${config.publicUrl}/explorer` };
    console.log(options.html ? htmlOf(letter, places) : textOf(letter, places));
  });
}

async function list(config: Config, options: Options): Promise<void> {
  const { organizationId, letters = [] } = await oneOrganization(config.dataDir, warn, options.organization);
  if (letters.length === 0) return console.log("no letters: `letters` of the settings");
  const states = await letterStates(foldersOf(config.dataDir, organizationId));
  const rows = letters.map((letter) => {
    const { day = null, stage = "", sentAt = "", reason = "" } = states?.[nameOf(letter)] ?? {};
    const { channel, to = "", on, at } = letter;
    return [channel, printable(to), on, at, day ?? "", day === null ? "" : stage, sentAt, printable(reason)];
  });
  console.log(table(["channel", "to", "on", "at", "last", "", "sent at", ""], rows));
}

async function slack(config: Config, name: string, { organization, remove = false }: Options): Promise<void> {
  const { organizationId } = await oneOrganization(config.dataDir, warn, organization);
  const folders = foldersOf(config.dataDir, organizationId);
  const address = remove ? undefined : (await textIn(process.stdin)).trim();
  if (address !== undefined && !(URL.canParse(address) && new URL(address).protocol === "https:"))
    throw new OperatorError("the standard input has no https address");
  await keepSlackAddress(folders, name, address);
  console.log(printable(`${remove ? "forgotten" : "kept"}: ${name}`));
}
