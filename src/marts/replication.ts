import path from "node:path";
import { UUID } from "../contract/param.ts";
import { coordinationOf } from "../coordination/registry.ts";
import { namedIn } from "../objects/databasePointers.ts";
import { uploadsOf } from "../objects/open.ts";
import { codeVersion } from "./codeVersion.ts";

/** With storage for replicas: sends the files of a generation, before any pointer names it. */
export async function sendToReplicas(
  dataDir: string,
  organization: string,
  folder: string,
  description: string,
  checksums: Readonly<Record<string, string>>,
): Promise<void> {
  if (UUID.test(organization))
    await uploadsOf(dataDir)?.send(organization, path.basename(folder), { folder, description, checksums });
}

/** With storage for replicas: makes a generation that was sent the one that they answer from. */
export async function publishToReplicas(
  dataDir: string,
  organization: string,
  name: string,
  checksum: string,
): Promise<void> {
  const uploads = uploadsOf(dataDir);
  if (!uploads || !UUID.test(organization)) return;
  const { documents, pointers } = coordinationOf(dataDir);
  // In a database the pointer has been switched for all machines.
  if (!documents.isShared) return uploads.publish(organization, { name, checksum, codeVersion: codeVersion() });
  await uploads.sweep(
    organization,
    (await pointers.all(organization)).map(({ text }) => namedIn(text)),
  );
}

/** With storage for replicas: whether they find this generation, with all its files. */
export async function isAtReplicas(
  dataDir: string,
  organization: string,
  { name, checksum }: { readonly name: string; readonly checksum: string },
): Promise<boolean> {
  const uploads = uploadsOf(dataDir);
  if (!uploads || !UUID.test(organization)) return true;
  const isNamed =
    coordinationOf(dataDir).documents.isShared || (await uploads.isPublished(organization, { name, checksum }));
  return isNamed && (await uploads.isSent(organization, { name, checksum }));
}
