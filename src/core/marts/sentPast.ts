import { readFile } from "node:fs/promises";
import path from "node:path";
import { failureText, OperatorError } from "../contract/error.ts";
import { UUID } from "../contract/param.ts";
import type { RecordDeclaration } from "../contract/record.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";
import { type LandedPlace, type RevocationEvent, Revocations } from "../landing/ledger/revocations.ts";
import { exported } from "../records/index.ts";
import { currentGeneration } from "./generations.ts";
import { History, landingIn } from "./history.ts";
import { type Lake, lakeOf, landedPlace } from "./lakeFiles.ts";
import { type LandedAt, type Past, pastOf } from "./past.ts";
import { allPins, type Pin } from "./pinFiles.ts";
import { replicasOf, type SentPast } from "./replication.ts";
import { keptStates } from "./states.ts";

/** Texts of what names earlier states, by name. A name with a number has a range of entries or landings, which seldom changes. */
type PastParts = Readonly<Record<string, string>>;

/** How many entries of the history, and numbers of landings, are in one part. */
const RANGE = 500;

/** LandedAt files as `connector/record/name`, and those that are missing. */
interface LandedPart {
  readonly files: string[];
  readonly missing: string[];
}

interface OthersPart {
  readonly firstLandedAt: string | null;
  readonly landed: readonly LandedAt[];
  readonly secretVersion: string;
}

/** What replicas need to name earlier states, of the lake as it is now. */
async function partsOf(folders: OrganizationFolders): Promise<PastParts> {
  const past = await pastOf(folders);
  const history = await past.history();
  const { events } = await past.revocations();
  const others: OthersPart = {
    firstLandedAt: (await past.firstLandedAt()) ?? null,
    landed: await past.landed(),
    secretVersion: await past.secretVersion(),
  };
  // The exports of a revoked file name no state.
  const revocations = events.map((event) => ({
    ...event,
    files: event.files.map((file) => ({ ...file, exports: [] })),
  }));
  const parts: Record<string, string> = {
    others: JSON.stringify(others),
    pins: JSON.stringify(await allPins(folders)),
    revocations: JSON.stringify(revocations),
  };
  const lines =
    history.length > 0 ? (await readFile(folders.history, "utf8")).split("\n").slice(0, history.length) : [];
  for (let from = 0; from < lines.length; from += RANGE)
    parts[`history.${from / RANGE}`] = lines.slice(from, from + RANGE).join("\n");
  for (const [range, landed] of landedParts(await lakeOf(folders))) parts[`landed.${range}`] = JSON.stringify(landed);
  return parts;
}

function landedParts({ files, missing }: Lake): Map<number, LandedPart> {
  const parts = new Map<number, LandedPart>();
  const add = (kind: keyof LandedPart, { connector, name }: RecordDeclaration, file: string): void => {
    const range = Math.floor(landingIn(path.basename(file)) / RANGE);
    const part = parts.get(range) ?? { files: [], missing: [] };
    parts.set(range, part);
    part[kind].push(`${connector}/${name}/${path.basename(file)}`);
  };
  for (const [record, own] of files) for (const file of own) add("files", record, file);
  for (const [file, { connector, record }] of missing) {
    const declared = exported.find((one) => one.connector === connector && one.name === record);
    if (declared) add("missing", declared, file);
  }
  return parts;
}

/** What a writer has sent. Fails if it does not fit together. */
export function pastFrom(folders: OrganizationFolders, parts: PastParts): Past {
  const ranges = (kind: string): string[] =>
    Object.keys(parts)
      .filter((name) => name.startsWith(`${kind}.`))
      .sort((a, b) => landingIn(a) - landingIn(b))
      .map((name) => parts[name] ?? "");
  const history = History.parsed(
    ranges("history")
      .map((lines) => `${lines}\n`)
      .join(""),
    "the copy of the history",
  );
  const pins = JSON.parse(parts.pins ?? "[]") as Pin[];
  const revocations = Revocations.from(JSON.parse(parts.revocations ?? "[]") as RevocationEvent[]);
  const landed = ranges("landed").map((text) => JSON.parse(text) as LandedPart);
  const others = JSON.parse(parts.others ?? "{}") as OthersPart;
  const named = (kind: keyof LandedPart, isWanted: (place: LandedPlace) => boolean) =>
    exported.map((record): [RecordDeclaration, string[]] => {
      const prefix = `${record.connector}/${record.name}/`;
      const names = landed
        .flatMap((one) => one[kind])
        .filter((file) => file.startsWith(prefix))
        .map((file) => file.slice(prefix.length));
      return [record, names.filter((name) => isWanted(landedPlace(record, name))).sort()];
    });
  return {
    history: async () => history,
    revocations: async () => revocations,
    pins: async () => pins,
    pin: async (name) => pins.find((pin) => pin.name === name),
    lake: async (isWanted = () => true) => {
      const inLake = (record: RecordDeclaration, name: string): string => path.join(folders.lake(record), name);
      const files = named("files", isWanted).map(([record, names]) => [
        record,
        names.map((name) => inLake(record, name)),
      ]);
      const missing = named("missing", isWanted).flatMap(([record, names]) =>
        names.map((name): [string, LandedPlace] => [inLake(record, name), landedPlace(record, name)]),
      );
      return { files: new Map(files as [RecordDeclaration, string[]][]), missing: new Map(missing) };
    },
    firstLandedAt: async () => others.firstLandedAt ?? undefined,
    landed: async () => others.landed,
    secretVersion: async () => others.secretVersion,
  };
}

/** With storage for replicas: sends what names earlier states, and those that are kept. Needs no turn. */
export async function sendPast(folders: OrganizationFolders): Promise<void> {
  const { dataDir, organization } = folders;
  const replicas = replicasOf(dataDir);
  if (replicas && UUID.test(organization)) await replicas.sendPast(organization, () => pastToSend(folders));
}

export async function pastToSend(folders: OrganizationFolders): Promise<SentPast> {
  const kept = await keptStates(folders);
  const current = await currentGeneration(folders);
  return {
    parts: await partsOf(folders),
    states: new Map(kept.map((state) => [state.key, state])),
    inForce: new Set(Object.values(current?.checksums ?? {})),
  };
}

/** The same after a change that is in the data folder already. */
export async function sendChangedPast(folders: OrganizationFolders): Promise<void> {
  await sendPast(folders).catch((error) => {
    throw new OperatorError(
      `changed in the data folder, but not for the replicas, which go on with what they have: ${failureText(error)}; ` +
        "the next sync sends it",
    );
  });
}
