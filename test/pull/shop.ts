import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Connector } from "../../src/core/contract/record.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import type { RecordReport } from "../../src/core/sync/pulled.ts";
import { pullIntegration } from "../../src/features/pull/pull.ts";
import { keepSecrets } from "../../src/features/pull/secrets.ts";

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
  readonly headers: IncomingMessage["headers"];
}

export interface Answer {
  readonly status?: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const ORGANIZATION = "4f5e6a7b-0000-4000-8000-000000000001";
const INTEGRATION = "4f5e6a7b-0000-4000-8000-000000000002";

/** A vendor behind a real HTTP server, and an integration that is pulled from it. */
export class Shop {
  readonly asked: Asked[] = [];
  now = "2025-06-30T12:00:00Z";
  readonly #connector: Connector;
  account: Readonly<Record<string, string>>;
  since = "2025-01-01";
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #answer: (asked: Asked, url: string) => Answer;
  #folder = "";

  constructor(
    connector: Connector,
    account: Readonly<Record<string, string>>,
    answer: (asked: Asked, url: string) => Answer,
  ) {
    this.#connector = connector;
    this.account = account;
    this.#answer = answer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async open(secrets: Readonly<Record<string, string>>): Promise<void> {
    this.#folder = await mkdtemp(path.join(tmpdir(), "lucra-shop-"));
    await keepSecrets(foldersOf(this.#folder, ORGANIZATION), INTEGRATION, secrets);
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await rm(this.#folder, { recursive: true });
  }

  /** Where the exports of a record are. */
  exports(record: string): string {
    return foldersOf(this.#folder, ORGANIZATION).exports(INTEGRATION, record);
  }

  async pull(record: string): Promise<RecordReport> {
    this.asked.length = 0;
    const [report] = await pullIntegration({
      folders: foldersOf(this.#folder, ORGANIZATION),
      now: () => new Date(this.now),
      integration: {
        id: INTEGRATION,
        connector: this.#connector,
        timezone: "America/Sao_Paulo",
        pull: { since: this.since, account: this.account, baseUrl: this.url, tokenUrl: `${this.url}/token` },
      },
      request: { records: [record], signal: new AbortController().signal },
    });
    return report as RecordReport;
  }

  /** The objects in the files of a record; lines of a bulk file as they are. */
  async objects<T>(record: string): Promise<T[]> {
    const folder = this.exports(record);
    const objects: T[] = [];
    for (const name of (await readdir(folder)).filter((one) => one.startsWith("pull-"))) {
      const text = await readFile(path.join(folder, name), "utf8");
      if (name.endsWith(".jsonl"))
        objects.push(
          ...text
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line) as T),
        );
      else objects.push(...(Object.values(JSON.parse(text) as Record<string, T[]>)[0] ?? []));
    }
    return objects;
  }

  /** Files that are no pages. */
  async unfinished(record: string): Promise<string[]> {
    const names = await readdir(this.exports(record));
    return names.filter((one) => !one.startsWith("pull-"));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const url = new URL(request.url ?? "", this.url);
    const asked = {
      method: request.method ?? "",
      path: decodeURIComponent(url.pathname),
      query: url.searchParams,
      body: Buffer.concat(parts).toString(),
      headers: request.headers,
    };
    this.asked.push(asked);
    const { status = 200, body, headers = {} } = this.#answer(asked, this.url);
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  }
}
