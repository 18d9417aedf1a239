import { existsSync } from "node:fs";
import path from "node:path";
import type { RecordDeclaration } from "../contract/record.ts";

/** The layout of the data folder [D46]. Ids come from the settings, never from a request. */
export const paths = {
  settings: (dataDir: string): string => path.join(dataDir, "organizations"),
  credentials: (dataDir: string): string => path.join(dataDir, "credentials.json"),
  /** A process that changes the credentials holds the lock of this file. */
  credentialsLock: (dataDir: string): string => path.join(dataDir, ".credentials"),
  /** The share links, and the lock of a process that changes them. */
  links: (dataDir: string): string => path.join(dataDir, "links.json"),
  linksLock: (dataDir: string): string => path.join(dataDir, ".links"),
  /** The Explorer's sessions and one-time links. */
  sessions: (dataDir: string): string => path.join(dataDir, "sessions.json"),
  sessionsLock: (dataDir: string): string => path.join(dataDir, ".sessions"),
  exports: (dataDir: string, ...below: readonly string[]): string => path.join(dataDir, "exports", ...below),
  rejects: (dataDir: string, organization: string, integration: string, record: string): string =>
    path.join(dataDir, "rejects", organization, integration, record),
  lake: (dataDir: string, record: Pick<RecordDeclaration, "connector" | "name">, organization: string): string =>
    path.join(dataDir, "lake", record.connector, record.name, `organization_id=${organization}`),
  /** Revoked and restored landings. */
  revocations: (dataDir: string, organization: string): string =>
    path.join(dataDir, "lake", "revocations", `organization_id=${organization}`),
  /** The secrets of an organization. */
  secrets: (dataDir: string, organization: string): string => path.join(dataDir, "secrets", organization),
  /** That of its customer ids. */
  customerSecret: (dataDir: string, organization: string): string =>
    path.join(dataDir, "secrets", organization, "customers"),
  /** The key of its webhook's signatures. */
  webhookSecret: (dataDir: string, organization: string): string =>
    path.join(dataDir, "secrets", organization, "webhook.json"),
  /** The vendor's credentials of one integration. */
  pullSecrets: (dataDir: string, organization: string, integration: string): string =>
    path.join(dataDir, "secrets", organization, `${integration}.json`),
  /** The states of an organization's pulls; they cost requests to make again. */
  pulls: (dataDir: string, organization: string): string => path.join(dataDir, "pulls", organization),
  /** Up to where each record of an integration has been pulled. */
  pullState: (dataDir: string, organization: string, integration: string): string =>
    path.join(dataDir, "pulls", organization, `${integration}.json`),
  /** The process that pulls an integration holds the lock of this file. */
  pullLock: (dataDir: string, organization: string, integration: string): string =>
    path.join(dataDir, "pulls", organization, `.${integration}`),
  /** Deliveries of an organization's webhook. */
  webhook: (dataDir: string, organization: string): string => path.join(dataDir, "webhooks", `${organization}.json`),
  /** The process that delivers holds the lock of this file. */
  webhooksLock: (dataDir: string): string => path.join(dataDir, "webhooks", ".deliverer"),
  status: (dataDir: string, organization: string): string => path.join(dataDir, "status", organization),
  /** Unfinished files, outside all folders that are read. */
  work: (dataDir: string): string => path.join(dataDir, "lake", ".work"),
  spool: (dataDir: string): string => path.join(dataDir, "spool"),
  /** The id under which this data folder publishes to the storage. */
  storageWriter: (dataDir: string): string => path.join(dataDir, "lake", ".storage-writer"),
  marts: (dataDir: string): string => path.join(dataDir, "marts"),
  mart: (dataDir: string, organization: string): string =>
    path.join(dataDir, "marts", `organization_id=${organization}`),
} as const;

/** The folder of the package, wherever it is installed and in whichever file this was compiled. */
export const PROJECT = nearestPackage(import.meta.dirname);

function nearestPackage(folder: string): string {
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
