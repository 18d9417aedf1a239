import { existsSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../../core/config.ts";
import { OperatorError } from "../../core/contract/error.ts";
import { LOG } from "../../core/coordination/fileLogs.ts";
import { paths } from "../../core/files/paths.ts";

/** Marks a data folder whose pointers and documents are in a database. */
export const markerOf = (dataDir: string): string => path.join(dataDir, ".database");

const MARKER =
  "pointers, people, credentials, links, sessions and logs of this folder are in the database of LUCRA_DATABASE_URL\n";

/**
 * The composition root: chooses how the processes of a data folder coordinate. No other code knows which edition it has.
 * Fails if the folder belongs to the other one: two writers would not see each other, and a revoked credential would work
 * again.
 */
export async function openCoordination({ dataDir, databaseUrl }: Config): Promise<void> {
  const isMarked = existsSync(markerOf(dataDir));
  if (databaseUrl === undefined) {
    if (!isMarked) return;
    throw new OperatorError(
      `${dataDir} is coordinated by a database: set LUCRA_DATABASE_URL, or take its state back with \`lucra database export\``,
    );
  }
  if (!isMarked && (await filesOfState(dataDir)).length > 0) {
    throw new OperatorError(`${dataDir} has credentials or pointers in files: \`lucra database import\` moves them`);
  }
  if (!isMarked) mark(dataDir);
  // Loaded only here: without a database, no command starts with its client, and none without need with the engine.
  const [{ openPostgres }, { useCoordination }] = await Promise.all([
    import("./postgres/open.ts"),
    import("../../core/coordination/registry.ts"),
  ]);
  useCoordination(dataDir, openPostgres(databaseUrl, path.resolve(dataDir)));
}

/** A folder that cannot be written is only read. */
export function mark(dataDir: string): void {
  try {
    if (existsSync(dataDir)) writeFileSync(markerOf(dataDir), MARKER);
  } catch {}
}

/** The files of a data folder that the database replaces, by their path in it. */
export async function filesOfState(dataDir: string): Promise<string[]> {
  const documents = [
    paths.credentials(dataDir),
    paths.credentialUses(dataDir),
    paths.links(dataDir),
    paths.sessions(dataDir),
    paths.people(dataDir),
    paths.signIns(dataDir),
    paths.shares(dataDir),
    paths.agents(dataDir),
    paths.agentClients(dataDir),
    paths.uploads(dataDir),
  ];
  const logs = (await readdir(paths.audit(dataDir)).catch(() => [] as string[]))
    .filter((name) => name.endsWith(LOG))
    .map((name) => path.join(paths.audit(dataDir), name));
  const deliveries = (await readdir(path.join(dataDir, "deliveries")).catch(() => [] as string[]))
    .filter((name) => /^[^.].*\.json$/.test(name))
    .map((name) => path.join(dataDir, "deliveries", name));
  const pointers: string[] = [];
  for (const mart of await readdir(paths.marts(dataDir)).catch(() => [] as string[])) {
    const home = path.join(paths.marts(dataDir), mart);
    const names = await readdir(home).catch(() => [] as string[]);
    pointers.push(
      ...names.filter((name) => /^current(\.[0-9a-f]{16})?$/.test(name)).map((name) => path.join(home, name)),
    );
  }
  return [...documents.filter((file) => existsSync(file)), ...deliveries.sort(), ...logs.sort(), ...pointers].map(
    (file) => path.relative(dataDir, file),
  );
}
