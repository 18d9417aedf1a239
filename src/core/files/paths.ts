import { existsSync } from "node:fs";
import path from "node:path";
import type { RecordDeclaration } from "../contract/record.ts";

/** The layout of the data folder [D46], without the folders of one organization. */
export const paths = {
  settings: (dataDir: string): string => path.join(dataDir, "organizations"),
  credentials: (dataDir: string): string => path.join(dataDir, "credentials.json"),
  /** A process that changes the credentials holds the lock of this file. */
  credentialsLock: (dataDir: string): string => path.join(dataDir, ".credentials"),
  /** When credentials were last used, and the lock of a process that notes it. */
  credentialUses: (dataDir: string): string => path.join(dataDir, "credential-uses.json"),
  credentialUsesLock: (dataDir: string): string => path.join(dataDir, ".credential-uses"),
  /** The share links, and the lock of a process that changes them. */
  links: (dataDir: string): string => path.join(dataDir, "links.json"),
  linksLock: (dataDir: string): string => path.join(dataDir, ".links"),
  /** The Explorer's sessions. */
  sessions: (dataDir: string): string => path.join(dataDir, "sessions.json"),
  sessionsLock: (dataDir: string): string => path.join(dataDir, ".sessions"),
  /** The people, and the lock of a process that changes them. */
  people: (dataDir: string): string => path.join(dataDir, "people.json"),
  peopleLock: (dataDir: string): string => path.join(dataDir, ".people"),
  /** Their one-time links that still work. */
  signIns: (dataDir: string): string => path.join(dataDir, "sign-ins.json"),
  signInsLock: (dataDir: string): string => path.join(dataDir, ".sign-ins"),
  /** The agents that people let in, and their clients. */
  agents: (dataDir: string): string => path.join(dataDir, "agents.json"),
  agentsLock: (dataDir: string): string => path.join(dataDir, ".agents"),
  agentClients: (dataDir: string): string => path.join(dataDir, "agent-clients.json"),
  agentClientsLock: (dataDir: string): string => path.join(dataDir, ".agent-clients"),
  /** What people share of the Explorer, and the lock of a process that changes it. */
  shares: (dataDir: string): string => path.join(dataDir, "shares.json"),
  sharesLock: (dataDir: string): string => path.join(dataDir, ".shares"),
  /** The log of changes. */
  audit: (dataDir: string): string => path.join(dataDir, "audit"),
  /** The settings of an organization as the log has last seen them. */
  seenSettings: (dataDir: string, organization: string): string =>
    path.join(dataDir, "audit", `${organization}.settings.json`),
  /** What is known of files that were dropped on the page [D93], and the folder of their bytes. */
  uploads: (dataDir: string): string => path.join(dataDir, "uploads.json"),
  uploadsLock: (dataDir: string): string => path.join(dataDir, ".uploads"),
  uploaded: (dataDir: string): string => path.join(dataDir, "uploads"),
  /** What was delivered to somebody outside, of one organization, and the lock of a process that notes it. */
  deliveries: (dataDir: string, organization: string): string =>
    path.join(dataDir, "deliveries", `${organization}.json`),
  deliveriesLock: (dataDir: string, organization: string): string =>
    path.join(dataDir, "deliveries", `.${organization}`),
  /** The process that sends letters holds the lock of this file. */
  lettersLock: (dataDir: string): string => path.join(dataDir, "deliveries", ".letters"),
  exports: (dataDir: string): string => path.join(dataDir, "exports"),
  /** The process that delivers holds the lock of this file. */
  webhooksLock: (dataDir: string): string => path.join(dataDir, "webhooks", ".deliverer"),
  /** Unfinished files, outside all folders that are read. */
  work: (dataDir: string): string => path.join(dataDir, "lake", ".work"),
  spool: (dataDir: string): string => path.join(dataDir, "spool"),
  /** The id under which this data folder publishes to the storage. */
  storageWriter: (dataDir: string): string => path.join(dataDir, "lake", ".storage-writer"),
  marts: (dataDir: string): string => path.join(dataDir, "marts"),
} as const;

/** The folder of the package, wherever it is installed and in whichever file this was compiled. */
export const PROJECT = nearestPackage(import.meta.dirname);

function nearestPackage(folder: string): string {
  if (folder === path.dirname(folder)) throw new Error(`no package.json in or above ${import.meta.dirname}`);
  return existsSync(path.join(folder, "package.json")) ? folder : nearestPackage(path.dirname(folder));
}

/** The folder of the program's modules. */
export const SOURCES = path.join(PROJECT, "src");

/** The API document, written by `npm run documents`. */
export const OPENAPI = path.join(PROJECT, "docs", "openapi.json");

/** The example export of a record: the vendor's JSON, or a plain table written from it by `npm run documents`. */
export const examplePath = (
  { connector, name }: Pick<RecordDeclaration, "connector" | "name">,
  format: "csv" | "json",
): string => path.join(PROJECT, "fixtures", "examples", connector, `${name}.${format}`);

/** The folder of the SQL files. */
export const SQL = path.join(PROJECT, "sql");

/** The built Explorer, made by `npm run explorer`. */
export const EXPLORER = path.join(PROJECT, "explorer", "dist");
