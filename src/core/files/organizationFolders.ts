import path from "node:path";
import type { RecordDeclaration } from "../contract/record.ts";
import { paths } from "./paths.ts";

/** The folders and files of one organization in the data folder [D46]. */
export class OrganizationFolders {
  readonly dataDir: string;
  /** Its id, from the settings, never from a request. */
  readonly organization: string;

  constructor(dataDir: string, organization: string) {
    this.dataDir = dataDir;
    this.organization = organization;
  }

  /** Of all its integrations, of one, or of one of its records. */
  exports(...integrationAndRecord: readonly string[]): string {
    return path.join(paths.exports(this.dataDir), this.organization, ...integrationAndRecord);
  }

  rejects(...integrationAndRecord: readonly string[]): string {
    return path.join(this.dataDir, "rejects", this.organization, ...integrationAndRecord);
  }

  lake({ connector, name }: Pick<RecordDeclaration, "connector" | "name">): string {
    return path.join(this.dataDir, "lake", connector, name, this.#partition);
  }

  /** Revoked and restored landings. */
  get revocations(): string {
    return path.join(this.dataDir, "lake", "revocations", this.#partition);
  }

  /** What its derived files were made of, and when [D80]. */
  get history(): string {
    return path.join(this.dataDir, "lake", "history", this.#partition, "entries.ndjson");
  }

  /** Names for what was known at an instant [D83]. */
  get pins(): string {
    return path.join(this.dataDir, "lake", "pins", this.#partition);
  }

  /** Since when a service knows that months are pinned. */
  get monthlyPins(): string {
    return path.join(this.pins, "monthly");
  }

  get secrets(): string {
    return path.join(this.dataDir, "secrets", this.organization);
  }

  /** The secret of its customer ids. */
  get customerSecret(): string {
    return path.join(this.secrets, "customers");
  }

  /** The key of the hashes that its erasures keep. */
  get erasureKey(): string {
    return path.join(this.secrets, "erasures");
  }

  /** What was erased, as keyed hashes [D98]. */
  get erasures(): string {
    return path.join(this.dataDir, "erasures", `${this.organization}.json`);
  }

  /** The files that an erasure under way has written again. */
  get erasureJournal(): string {
    return path.join(this.dataDir, "erasures", `${this.organization}.ndjson`);
  }

  /** Files that were uploaded in the page and have not landed yet. */
  get uploads(): string {
    return path.join(this.dataDir, "uploads", this.organization);
  }

  /** The key of its webhook's signatures. */
  get webhookSecret(): string {
    return path.join(this.secrets, "webhook.json");
  }

  /** The addresses of Slack that letters go to, by their names, and the key of the addresses that end a letter. */
  get letterSecrets(): string {
    return path.join(this.secrets, "letters.json");
  }

  /** The vendor's credentials of one integration. */
  pullSecrets(integration: string): string {
    return path.join(this.secrets, `${integration}.json`);
  }

  /** The states of its pulls; they cost requests to make again. */
  get pulls(): string {
    return path.join(this.dataDir, "pulls", this.organization);
  }

  /** Up to where each record of an integration has been pulled. */
  pullState(integration: string): string {
    return path.join(this.pulls, `${integration}.json`);
  }

  /** The process that pulls an integration holds the lock of this file. */
  pullLock(integration: string): string {
    return path.join(this.pulls, `.${integration}`);
  }

  /** Deliveries of its webhook, by an earlier version. */
  get webhook(): string {
    return path.join(this.dataDir, "webhooks", `${this.organization}.json`);
  }

  get status(): string {
    return path.join(this.dataDir, "status", this.organization);
  }

  get mart(): string {
    return path.join(paths.marts(this.dataDir), this.#partition);
  }

  get #partition(): string {
    return `organization_id=${this.organization}`;
  }
}

export const foldersOf = (dataDir: string, organization: string): OrganizationFolders =>
  new OrganizationFolders(dataDir, organization);
