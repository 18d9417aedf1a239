import type { Command } from "commander";
import { pino } from "pino";
import type { Config } from "../core/config.ts";
import { ApiError } from "../core/contract/error.ts";
import { oneOrganization } from "../core/organizations/named.ts";
import { printable, table } from "../core/terminal/table.ts";
import { once, UsageError } from "../core/terminal/usage.ts";
import { warn } from "../core/terminal/warn.ts";
import { askOf } from "../features/letters/ask.ts";
import { withAnswers } from "./withAnswers.ts";

interface Options {
  readonly organization?: string;
  readonly json?: true;
  readonly [parameter: string]: string | true | undefined;
}

/** The parameters of `/v1/alerts/replay`, and the options that have them. */
const OF_A_RULE = {
  builtIn: ["--built-in <name>", "a built-in alert, instead of a rule"],
  metric: ["--figure <name>", "the figure of the rule; revenue by default"],
  rule: ["--rule <rule>", "above, below or change; change by default"],
  value: ["--value <number>", "the limit; of a change in percent, below 0 for a fall"],
  over: ["--over <days>", "day or week; day by default"],
  channel: ["--channel <name>", "the channel that the figure is of"],
  campaignId: ["--campaign <id>", "the campaign that it is of"],
  integrationId: ["--store <id>", "the store that it is of"],
} as const;
/** By the names that the options have. */
const NAMES: Readonly<Record<string, string>> = { metric: "figure", campaignId: "campaign", integrationId: "store" };

const DAYS = {
  startDate: ["--start-date <day>", "the first day; by default the whole history, of `list` 28 days"],
  endDate: ["--end-date <day>", "the last day"],
} as const;

export function alertsCommand(program: Command, config: () => Config): void {
  const alerts = program.command("alerts").description("figures beyond a limit, or far from what was expected");
  const withOptions = (command: Command, options: Readonly<Record<string, readonly [string, string]>>): Command => {
    command.option("--organization <id or name>", "whose alerts; not needed if there is only one", once);
    for (const [flags, description] of Object.values(options)) command.option(flags, description, once);
    return command.option("--json", "the API's answer");
  };

  withOptions(alerts.command("list"), DAYS)
    .description("print what the alerts say, and which of them could judge")
    .action((options: Options) => list(config(), options));

  withOptions(alerts.command("replay"), { ...OF_A_RULE, ...DAYS })
    .description("print what a rule, or a built-in alert, would have said over the history")
    .action((options: Options) => replay(config(), options));
}

interface Cause {
  readonly alert: string;
  readonly label: string | null;
  readonly since: string;
  readonly until: string | null;
  readonly days: number;
  readonly actual: number;
  readonly expected: number | null;
  readonly notes: string | null;
  readonly endedCampaigns: string | null;
  readonly silentStores: string | null;
}

async function list(config: Config, options: Options): Promise<void> {
  interface Answer {
    readonly data: readonly Cause[];
    readonly judged: readonly {
      readonly alert: string;
      readonly days: number;
      readonly leastPct: number | null;
      readonly canTell: boolean;
    }[];
  }
  const answer = await asked<Answer>(config, "/v1/alerts", options, Object.keys(DAYS));
  if (options.json) return console.log(JSON.stringify(answer));
  printCauses(answer.data);
  const rows = answer.judged.map(({ alert, days, leastPct, canTell }) => [
    printable(alert),
    String(days),
    leastPct === null ? "" : `${leastPct} %`,
    canTell ? "" : "off: it cannot tell its event from chance here",
  ]);
  console.log(`\n${table(["alert", "judged days", "finds from", ""], rows)}`);
}

async function replay(config: Config, options: Options): Promise<void> {
  interface Answer {
    readonly data: readonly Cause[];
    readonly judgedDays: number;
    readonly causes: number;
    readonly isLongEnough: boolean;
    readonly isTooOften: boolean;
  }
  if (options.builtIn === undefined && options.value === undefined)
    throw new UsageError("--value or --built-in is needed: without a limit nothing is judged");
  const names = [...Object.keys(OF_A_RULE), ...Object.keys(DAYS)];
  const answer = await asked<Answer>(config, "/v1/alerts/replay", options, names);
  if (options.json) return console.log(JSON.stringify(answer));
  printCauses(answer.data);
  console.log(`${answer.causes} times in ${answer.judgedDays} judged days`);
  if (answer.judgedDays > 0 && !answer.isLongEnough) warn("less than 8 weeks were judged: that says little");
  if (answer.isTooOften) warn("more than twice a week: whoever gets it will stop reading");
}

function printCauses(causes: readonly Cause[]): void {
  if (causes.length === 0) {
    console.log("no causes");
    return;
  }
  const rows = causes.map((one) => [
    printable(one.alert),
    printable(one.label ?? ""),
    one.since,
    one.until ?? "holds",
    String(one.days),
    String(one.actual),
    String(one.expected ?? ""),
    printable([one.notes, one.endedCampaigns, one.silentStores].filter(Boolean).join("; ")),
  ]);
  console.log(table(["alert", "of", "since", "until", "days", "was", "expected", ""], rows));
}

/** Asks over local data, as the API would answer. */
async function asked<T>(config: Config, path: string, options: Options, names: readonly string[]): Promise<T> {
  const settings = await oneOrganization(config.dataDir, warn, options.organization);
  const { organizationId } = settings;
  const sent = names.flatMap((name): [string, string][] => {
    const value = options[NAMES[name] ?? name];
    return typeof value === "string" ? [[name, value]] : [];
  });
  const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
  return withAnswers(config, [organizationId], { log, settings: async () => settings }, async (deps) => {
    const ask = askOf(deps.handler, deps, organizationId, new AbortController().signal);
    return ask<T>(path, Object.fromEntries(sent)).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      const faults = error.details.map(({ parameter, message }) => `${parameter}: ${message}`);
      throw new UsageError([`the API refuses it (${error.kind})`, ...faults].join("; "));
    });
  });
}
