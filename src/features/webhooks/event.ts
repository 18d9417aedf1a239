import path from "node:path";
import type { Organization } from "../../core/contract/settings.ts";
import { sha256OfText } from "../../core/files/checksum.ts";
import type { OrganizationFolders } from "../../core/files/organizationFolders.ts";
import { currentGeneration, type Generation, publishedAt } from "../../core/marts/generations.ts";

/** The inputs and outputs of answers: two versions with equal inputs, or equal outputs, answer the same. */
export interface Version {
  readonly generation: string;
  /** When it became current. */
  readonly at: string;
  readonly outputs: string;
  readonly settings: string;
  readonly code: string;
  /** The landed files of each record, by its name, such as `storea/orders`. */
  readonly records: Readonly<Record<string, string>>;
}

/** The version that is current; undefined if nothing is derived. */
export async function currentVersion(folders: OrganizationFolders): Promise<Version | undefined> {
  const generation = await currentGeneration(folders);
  const at = generation && (await publishedAt(folders));
  return at && versionOf(generation, at.toISOString());
}

function versionOf({ folder, settings, checksums, basis }: Generation, at: string): Version {
  const files = new Map<string, string[]>();
  for (const file of basis?.files ?? []) {
    // lake/<connector>/<record>/…
    const record = file.split(path.sep).slice(1, 3).join("/");
    files.set(record, [...(files.get(record) ?? []), file]);
  }
  return {
    generation: path.basename(folder).replace("gen=", ""),
    at,
    outputs: hashOf(checksums),
    settings: hashOf(settings),
    code: hashOf([basis?.codeVersion, basis?.secretVersion]),
    records: Object.fromEntries([...files].map(([record, names]) => [record, hashOf(names)])),
  };
}

const hashOf = (value: unknown): string => sha256OfText(JSON.stringify(value)).slice(0, 32);

/** Where answers differ between two versions. */
export interface Changes {
  readonly records: readonly { readonly connector: string; readonly record: string }[];
  readonly settings: boolean;
  /** Another version of Lucra computes other figures. */
  readonly software: boolean;
}

/**
 * Undefined if nothing has changed. Files that were derived again from the same inputs may differ in their bytes, and
 * other inputs may give the same files: neither is a change.
 */
export function changesOf(before: Version, after: Version): Changes | undefined {
  const names = [...new Set([...Object.keys(before.records), ...Object.keys(after.records)])].sort();
  const changes = {
    records: names
      .filter((name) => before.records[name] !== after.records[name])
      .map((name) => {
        const [connector = "", record = ""] = name.split("/");
        return { connector, record };
      }),
    settings: before.settings !== after.settings,
    software: before.code !== after.code,
  };
  const isChanged = changes.records.length > 0 || changes.settings || changes.software;
  return isChanged && before.outputs !== after.outputs ? changes : undefined;
}

/** An event as it is sent: the same versions give the same id and body. */
export interface WebhookEvent {
  readonly id: string;
  readonly body: string;
}

const idOf = (parts: readonly unknown[]): string => `msg_${sha256OfText(JSON.stringify(parts)).slice(0, 32)}`;

/** `before`: the version that the receiver knows of; undefined if that is unknown. */
export function changedEvent(
  { organizationId, name }: Organization,
  before: Version | undefined,
  after: Version,
): WebhookEvent | undefined {
  const changed = before ? changesOf(before, after) : null;
  if (changed === undefined) return undefined;
  const id = idOf([organizationId, before, after]);
  const data = { organizationId, name, generation: after.generation, changed };
  return { id, body: JSON.stringify({ id, type: "answers.changed", timestamp: after.at, data }) };
}

export function testEvent({ organizationId, name }: Organization, at: string, unique: string): WebhookEvent {
  const id = idOf([organizationId, at, unique]);
  return { id, body: JSON.stringify({ id, type: "test", timestamp: at, data: { organizationId, name } }) };
}
