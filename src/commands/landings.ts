import { type Command, InvalidArgumentError } from "commander";
import { logged } from "../core/audit/audit.ts";
import type { Config } from "../core/config.ts";
import { OperatorError } from "../core/contract/error.ts";
import type { Organization } from "../core/contract/settings.ts";
import { quantity } from "../core/contract/text.ts";
import { Database } from "../core/engine/database.ts";
import { foldersOf } from "../core/files/organizationFolders.ts";
import { type HistoryEntry, historyOf } from "../core/landing/ledger/history.ts";
import type { IngestedFile } from "../core/landing/ledger/ingested.ts";
import { pinsWith } from "../core/marts/pins.ts";
import { namedIntegration, oneOrganization, shownName } from "../core/organizations/named.ts";
import { exported } from "../core/records/index.ts";
import { changeLandings, ofLandings, type Wanted, wouldChange } from "../core/sync/revoke.ts";
import { printable, table } from "../core/terminal/table.ts";
import { once, UsageError } from "../core/terminal/usage.ts";
import { deliverAfter } from "../features/webhooks/command.ts";

interface Options {
  readonly organization?: string;
  readonly integration?: string;
  readonly record?: string;
  readonly json?: boolean;
  readonly file?: string;
  readonly always?: boolean;
  readonly yes?: boolean;
}

export function landingsCommand(program: Command, config: () => Config): void {
  const landings = program.command("landings").description("what has landed, and taking it back");

  filtered(landings.command("list"))
    .description("list the landings, also revoked ones")
    .action((options: Options) => list(config(), options));

  filtered(landings.command("show"))
    .description("show the exports of a landing")
    .argument("<landing>", "its number", landingNumber)
    .action((landing: number, options: Options) => show(config(), landing, options));

  filtered(landings.command("revoke"))
    .description("take landings back: their rows no longer count, and their numbers are not used again")
    .argument("<landing...>", "their numbers", landingNumbers)
    .option("--file <export>", "only the rows of this export, by its name in `landings show`", once)
    .option("--always", "for what should never have been seen: no earlier state, and no pin, has them either")
    .option("--yes", "with --always: revoke them, instead of showing which pins have them")
    .action((numbers: number[], options: Options) =>
      options.always ? revokeAlways(config(), numbers, options) : change(config(), "revoke", numbers, options),
    );

  filtered(landings.command("restore"))
    .description("put revoked landings in force again")
    .argument("<landing...>", "their numbers", landingNumbers)
    .action((numbers: number[], options: Options) => change(config(), "restore", numbers, options));
}

const filtered = (command: Command): Command =>
  command
    .option("--organization <id or name>", "whose landings; not needed if there is only one", once)
    .option("--integration <id or name>", "only those of this integration", once)
    .option("--record <record>", "only those of this record, such as orders", once)
    .option("--json", "as JSON");

function landingNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text))
    throw new InvalidArgumentError("a number is expected, as `lucra landings list` shows it.");
  return Number(text);
}

const landingNumbers = (text: string, before: number[] = []): number[] => [...before, landingNumber(text)];

const warn = (problem: string): void => console.error(`lucra: ${printable(problem)}`);

type Filter = Omit<Wanted, "action" | "landings">;

/** The organization and the filter that the options name. */
async function selectionOf(config: Config, options: Options): Promise<{ settings: Organization; filter: Filter }> {
  const { integration, record } = options;
  const settings = await oneOrganization(config.dataDir, warn, options.organization);
  const names = [...new Set(exported.map(({ name }) => name))];
  if (record !== undefined && !names.includes(record)) {
    throw new UsageError(`--record ${record}: one of ${names.join(", ")}`);
  }
  const id = integration === undefined ? undefined : namedIntegration([settings], integration).integration.id;
  return { settings, filter: { integration: id, record } };
}

async function historyIn(config: Config, { organizationId }: Organization): Promise<HistoryEntry[]> {
  const database = await Database.open({ memoryLimit: config.memoryLimit, threads: config.threads });
  try {
    return await database.use((session) => historyOf(session, foldersOf(config.dataDir, organizationId)));
  } finally {
    database.close();
  }
}

async function list(config: Config, options: Options): Promise<void> {
  const { settings, filter } = await selectionOf(config, options);
  const files = ofLandings(await historyIn(config, settings), { landings: [], ...filter });
  if (options.json) return console.log(JSON.stringify(files.map((file) => jsonOf(file, settings))));
  if (files.length === 0) return console.log("nothing has landed");
  const rows = files.map((file) => [
    file.landing,
    timeOf(file.landedAt),
    printable(integrationName(settings, file)),
    `${file.connector} ${file.record}`,
    shownExports(file.exports),
    holdsParts(file) ? shownRows(file) : total(file, "rows"),
    total(file, "rejected"),
    stateOf(file),
  ]);
  console.log(table(["landing", "landed", "integration", "record", "exports", "rows", "rejected", ""], rows));
}

async function show(config: Config, landing: number, options: Options): Promise<void> {
  const { settings, filter } = await selectionOf(config, options);
  const files = ofLandings(await historyIn(config, settings), { landings: [landing], ...filter });
  if (files.length === 0) throw new OperatorError(`landing ${landing} does not exist: lucra landings list`);
  if (options.json) return console.log(JSON.stringify(files.map((file) => jsonOf(file, settings))));
  const texts = files.map((file) => {
    const rows = file.exports.map(({ name, bytes, sha256, rows, rejected, unknown = [] }) => [
      printable(name),
      bytes,
      rows,
      rejected,
      sha256,
      printable(unknown.join(", ")),
    ]);
    const state = stateOf(file);
    const streams = [...new Set(file.exports.flatMap((one) => one.streams ?? []))];
    const head =
      `landing ${file.landing}, ${timeOf(file.landedAt)}: ${printable(integrationName(settings, file))}, ` +
      `${file.connector} ${file.record}${state ? `, ${state}` : ""}${streams.length > 0 ? `; parts of ${printable(streams.join(", "))}` : ""}`;
    return `${head}\n${table(["export", "bytes", holdsParts(file) ? "parts" : "rows", "rejected", "SHA-256", "unknown columns"], rows)}`;
  });
  console.log(texts.join("\n\n"));
}

/** First says what it would do: pins that have the landings are not what they were afterwards. */
async function revokeAlways(config: Config, landings: readonly number[], options: Options): Promise<void> {
  if (options.file !== undefined) {
    throw new UsageError("--always is for whole landings: earlier states would lose the other exports of it, too");
  }
  const { settings, filter } = await selectionOf(config, options);
  const wanted: Wanted = { action: "revoke", landings, ...filter, always: true };
  const files = await wouldChange(config, settings.organizationId, wanted);
  const pins = await pinsWith(foldersOf(config.dataDir, settings.organizationId), files);
  const names = pins.map(({ name }) => name);
  if (!options.json) {
    const lines = files.map(
      (file) => `landing ${file.landing}, ${integrationName(settings, file)}, ${file.connector} ${file.record}`,
    );
    console.log(["to be revoked in all states:", ...lines].map(printable).join("\n  "));
    console.log(
      names.length > 0 ? `pins that are not what they were without it: ${names.join(", ")}` : "no pin has it",
    );
  }
  if (options.yes) return change(config, "revoke", landings, options, names);
  if (options.json)
    console.log(
      JSON.stringify({
        action: "revoke",
        always: true,
        files: files.map((file) => jsonOf(file, settings)),
        pins: names,
      }),
    );
  throw new UsageError("nothing was revoked: --yes revokes it in all states; lucra landings restore undoes it");
}

async function change(
  config: Config,
  action: Wanted["action"],
  landings: readonly number[],
  options: Options,
  pins?: readonly string[],
): Promise<void> {
  const { settings, filter } = await selectionOf(config, options);
  const { file: only, always } = options;
  const wanted = { action, landings, ...filter, file: only, always };
  const described = { what: `landings.${action}`, after: { landings, ...filter, file: only, always } };
  const { files, rest, failure } = await logged(config.dataDir, [settings.organizationId], described, () =>
    changeLandings(config, settings, wanted),
  );
  await deliverAfter(config, [settings]);
  if (failure !== undefined) process.exitCode = 1;
  if (options.json) {
    const changed = files.map((file) => jsonOf(file, settings));
    const ofAlways = pins ? { always: true, pins } : {};
    return console.log(
      JSON.stringify({ action, ...ofAlways, files: changed, rest: rest ?? null, failure: failure ?? null }),
    );
  }
  for (const whole of files) {
    const file = only === undefined ? whole : { ...whole, exports: whole.exports.filter(({ name }) => name === only) };
    const done = action === "revoke" ? "revoked" : "restored";
    const what = `${integrationName(settings, file)}, ${file.connector} ${file.record}`;
    console.log(
      printable(`${done}: landing ${file.landing}, ${what}: ${shownExports(file.exports)}, ${shownRows(file)}`),
    );
  }
  if (rest !== undefined) console.log(`its other exports are landing ${rest}`);
  if (failure !== undefined) {
    console.error(`lucra: this is recorded, but could not be derived: ${failure}; repair that, then: lucra sync`);
  } else if (action === "revoke") {
    console.log(
      "an export that is still in its folder lands again when it is written again, or with `lucra landings restore`",
    );
  }
}

const integrationName = ({ integrations = [] }: Organization, { integration }: HistoryEntry): string =>
  shownName(integrations.find(({ id }) => id === integration) ?? { id: integration });

/** Up to this many exports are named in a line. */
const MOST_NAMED = 3;

function shownExports(exports: readonly IngestedFile[]): string {
  const more = exports.length - MOST_NAMED;
  const names = exports.slice(0, MOST_NAMED).map(({ name }) => name);
  return printable([...names, ...(more > 0 ? [`${more} more`] : [])].join(", "));
}

/** Rows of a tool's streams, or of a download, are parts of the record's rows. */
const holdsParts = ({ exports }: HistoryEntry): boolean => exports.some(({ streams = [] }) => streams.length > 0);

const shownRows = (file: HistoryEntry): string => quantity(total(file, "rows"), holdsParts(file) ? "part" : "row");

const total = ({ exports }: HistoryEntry, what: "rows" | "rejected"): number =>
  exports.reduce((sum, one) => sum + one[what], 0);

const timeOf = (at: string | null): string => at?.slice(0, 16).replace("T", " ") ?? "not known";

const stateOf = ({ revokedAt, always, isMissing }: HistoryEntry): string =>
  [
    ...(revokedAt === null ? [] : [`revoked ${timeOf(revokedAt)}${always ? " for always" : ""}`]),
    ...(isMissing ? ["its file is missing"] : []),
  ].join(", ");

const jsonOf = (file: HistoryEntry, settings: Organization): object => ({
  ...file,
  integrationName: integrationName(settings, file),
});
