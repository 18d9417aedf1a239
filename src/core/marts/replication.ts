import path from "node:path";
import { UUID } from "../contract/param.ts";
import { coordinationOf } from "../coordination/registry.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";
import { codeVersion } from "./codeVersion.ts";

/** A generation, as a pointer names it. */
interface Named {
  readonly name: string;
  readonly checksum: string;
}

/** A generation or a state in its folder. */
export interface Finished {
  readonly folder: string;
  /** The text of its description. */
  readonly description: string;
  readonly checksums: Readonly<Record<string, string>>;
}

/** What replicas answer earlier states from [D213]. */
export interface SentPast {
  /** Texts of what names states, by name. */
  readonly parts: Readonly<Record<string, string>>;
  /** The states that are kept, by key. */
  readonly states: ReadonlyMap<string, Finished>;
  /** The SHA-256 of the files of the generation in force. */
  readonly inForce: ReadonlySet<string>;
}

/** The storage from which replicas answer. */
interface Replicas {
  /** Sends the files of a generation. */
  send(organization: string, name: string, finished: Finished): Promise<void>;
  /** Sends what `read` finds, unless it is there. Processes that send at the same time leave what was found last. */
  sendPast(organization: string, read: () => Promise<SentPast>): Promise<void>;
  publish(organization: string, named: Named & { readonly codeVersion: string }): Promise<void>;
  /** Removes what no pointer names. */
  sweep(organization: string, inForce: readonly Named[]): Promise<void>;
  /** Removes everything but the generation that this version put in force, also what replicas may still fetch. */
  clear(organization: string, inForce: Named & { readonly codeVersion: string }): Promise<void>;
  isPublished(organization: string, named: Named): Promise<boolean>;
  isSent(organization: string, named: Named): Promise<boolean>;
}

const installed = new Map<string, Replicas>();

/** From now on the derived files of a data folder go to these replicas, too. */
export function useReplicas(dataDir: string, replicas: Replicas | undefined): void {
  if (replicas) installed.set(path.resolve(dataDir), replicas);
  else installed.delete(path.resolve(dataDir));
}

export const replicasOf = (dataDir: string): Replicas | undefined => installed.get(path.resolve(dataDir));

/** Whether derived files also go to a storage from which replicas answer. */
export const hasReplicas = ({ dataDir }: OrganizationFolders): boolean => replicasOf(dataDir) !== undefined;

/** The generation that a pointer names. */
export function namedIn(text: string): Named {
  const [name = "", checksum = ""] = text.split("\n");
  return { name, checksum };
}

/** With storage for replicas: sends the files of a generation, before any pointer names it. */
export async function sendToReplicas(
  { dataDir, organization }: OrganizationFolders,
  folder: string,
  description: string,
  checksums: Readonly<Record<string, string>>,
): Promise<void> {
  if (UUID.test(organization))
    await replicasOf(dataDir)?.send(organization, path.basename(folder), { folder, description, checksums });
}

/** With storage for replicas: makes a generation that was sent the one that they answer from. */
export async function publishToReplicas(
  { dataDir, organization }: OrganizationFolders,
  name: string,
  checksum: string,
): Promise<void> {
  const replicas = replicasOf(dataDir);
  if (!replicas || !UUID.test(organization)) return;
  const { documents, pointers } = coordinationOf(dataDir);
  // In a database the pointer has been switched for all machines.
  if (!documents.isShared) return replicas.publish(organization, { name, checksum, codeVersion: codeVersion() });
  await replicas.sweep(
    organization,
    (await pointers.all(organization)).map(({ text }) => namedIn(text)),
  );
}

/** With storage for replicas: whether they find this generation, with all its files. */
export async function isAtReplicas(
  { dataDir, organization }: OrganizationFolders,
  { name, checksum }: { readonly name: string; readonly checksum: string },
): Promise<boolean> {
  const replicas = replicasOf(dataDir);
  if (!replicas || !UUID.test(organization)) return true;
  const isNamed =
    coordinationOf(dataDir).documents.isShared || (await replicas.isPublished(organization, { name, checksum }));
  return isNamed && (await replicas.isSent(organization, { name, checksum }));
}

/** With storage for replicas: leaves them nothing but this generation. */
export async function clearAtReplicas(
  { dataDir, organization }: OrganizationFolders,
  { name, checksum }: Named,
): Promise<void> {
  if (UUID.test(organization))
    await replicasOf(dataDir)?.clear(organization, { name, checksum, codeVersion: codeVersion() });
}
