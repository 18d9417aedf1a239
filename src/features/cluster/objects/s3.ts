import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { Agent, type Dispatcher, request } from "undici";
import type { StorageSettings } from "../../../core/config.ts";
import { sha256OfText } from "../../../core/files/checksum.ts";
import { type Condition, type Got, type Listed, type ObjectStore, StoreError } from "./store.ts";

/** A storage that takes longer to connect, to begin an answer, or between two parts of it, does not answer. */
const LATE_MS = { connect: 2_000, headers: 10_000, body: 10_000 };
/** How often a request is sent, and the pause before the second time; it doubles. */
const TRIES = 3;
const PAUSE_MS = 200;
/** The most bytes of a file that is sent in one request. */
const MOST_BYTES = 5 * 2 ** 30;
/** Storages refuse requests of a time that is a quarter of an hour off. */
const SKEW_MS = 10 * 60_000;
const NOTHING = sha256OfText("");

interface S3Request {
  readonly method: "GET" | "PUT" | "DELETE";
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** With the SHA-256 that the signature covers. */
  readonly body?: { readonly open: () => string | Readable; readonly bytes: number; readonly sha256: string };
  /** The expected answers besides 200. */
  readonly expected?: readonly number[];
}

/** S3, or storage that speaks its protocol: signed requests, and what of the answers Lucra needs. */
export class S3 implements ObjectStore {
  readonly #settings: StorageSettings;
  readonly #home: string;
  readonly #agent: Agent;
  /** Milliseconds that the clock of the storage is ahead of this machine's: requests signed by a wrong clock are refused. */
  #aheadMs = 0;

  constructor(settings: StorageSettings, late: Partial<typeof LATE_MS> = {}) {
    const { connect, headers, body } = { ...LATE_MS, ...late };
    this.#settings = settings;
    this.#home = homeOf(settings);
    this.#agent = new Agent({ connect: { timeout: connect }, headersTimeout: headers, bodyTimeout: body });
  }

  async get(key: string, etag?: string): Promise<Got | "same" | undefined> {
    const headers = etag === undefined ? {} : { "if-none-match": etag };
    const answer = await this.#ask({ method: "GET", key, headers, expected: [304, 404] });
    if (answer.statusCode === 200) return { body: await bodyOf(answer, key), etag: tagOf(answer, key) };
    await answer.body.dump();
    return answer.statusCode === 304 ? "same" : undefined;
  }

  async download(key: string, file: string): Promise<string | undefined> {
    const answer = await this.#ask({ method: "GET", key, expected: [404] });
    if (answer.statusCode === 404) {
      await answer.body.dump();
      return undefined;
    }
    const handle = await open(file, "wx", 0o600);
    try {
      return await written(answer.body, handle);
    } catch (error) {
      throw unanswered(error, key);
    } finally {
      await handle.close();
    }
  }

  async put(key: string, body: string, condition?: Condition): Promise<string | undefined> {
    const headers: Record<string, string> =
      condition === undefined ? {} : condition === "new" ? { "if-none-match": "*" } : { "if-match": condition.match };
    const content = { open: () => body, bytes: Buffer.byteLength(body), sha256: sha256OfText(body) };
    // 409: another conditional write is under way; 404: what had to match is gone.
    const expected = condition === undefined ? [] : [404, 409, 412];
    const answer = await this.#ask({ method: "PUT", key, headers, body: content, expected });
    await answer.body.dump();
    return answer.statusCode === 200 ? tagOf(answer, key) : undefined;
  }

  async upload(key: string, file: string, sha256: string): Promise<void> {
    const { size } = await stat(file);
    if (size > MOST_BYTES) throw new StoreError(`${file} has more than the 5 GB that one object takes at once`);
    const body = { open: () => createReadStream(file), bytes: size, sha256 };
    const answer = await this.#ask({ method: "PUT", key, body });
    await answer.body.dump();
  }

  async list(prefix: string): Promise<Listed[]> {
    const found: Listed[] = [];
    const below = this.#settings.prefix;
    for (let next: string | undefined = ""; next !== undefined; ) {
      const query = { "list-type": "2", prefix: below + prefix, ...(next ? { "continuation-token": next } : {}) };
      const answer = await this.#ask({ method: "GET", key: "", query });
      const page = listed((await bodyOf(answer, prefix)).toString("utf8"));
      found.push(...page.objects.map((one) => ({ ...one, key: one.key.slice(below.length) })));
      next = page.next;
    }
    return found;
  }

  async remove(key: string): Promise<void> {
    const answer = await this.#ask({ method: "DELETE", key, expected: [204, 404] });
    await answer.body.dump();
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async #ask(asked: S3Request): Promise<Dispatcher.ResponseData> {
    for (let tries = 1; ; tries++) {
      const answer = await this.#send(asked).catch((error) => {
        if (tries === TRIES) throw unanswered(error, asked.key);
        return undefined;
      });
      if (answer && (answer.statusCode === 200 || asked.expected?.includes(answer.statusCode))) return answer;
      const mayPass =
        answer === undefined || answer.statusCode >= 500 || answer.statusCode === 429 || this.#isCorrected(answer);
      if (!mayPass || tries === TRIES) throw await refusal(answer, asked);
      await answer?.body.dump();
      await sleep(PAUSE_MS * 2 ** (tries - 1));
    }
  }

  /** Whether the clocks are so far apart that a request was refused for its time, which the next one corrects. */
  #isCorrected({ statusCode, headers }: Dispatcher.ResponseData): boolean {
    const aheadMs = Date.parse(String(headers.date)) - Date.now();
    if (statusCode !== 403 || Number.isNaN(aheadMs) || Math.abs(aheadMs - this.#aheadMs) < SKEW_MS) return false;
    this.#aheadMs = aheadMs;
    return true;
  }

  async #send({ method, key, query = {}, headers = {}, body }: S3Request): Promise<Dispatcher.ResponseData> {
    const { region, accessKeyId, secretAccessKey, sessionToken, prefix } = this.#settings;
    const url = new URL(this.#home + (key === "" ? "" : prefix + key));
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, "x-amz-content-sha256": body?.sha256 ?? NOTHING },
      service: "s3",
      region,
      datetime: new Date(Date.now() + this.#aheadMs).toISOString().replace(/[:-]|\.\d{3}/g, ""),
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
    });
    const signed = await signer.sign();
    const sent = { ...Object.fromEntries(signed.headers), ...(body ? { "content-length": String(body.bytes) } : {}) };
    return request(signed.url, { method, headers: sent, body: body?.open() ?? null, dispatcher: this.#agent });
  }
}

/** The address of the bucket; with an endpoint of its own the bucket is in the path, as few such hosts have names for buckets. */
function homeOf({ endpoint, bucket, region }: StorageSettings): string {
  return endpoint === undefined ? `https://${bucket}.s3.${region}.amazonaws.com/` : `${endpoint}/${bucket}/`;
}

function tagOf({ headers }: Dispatcher.ResponseData, key: string): string {
  const { etag } = headers;
  if (typeof etag !== "string") throw new StoreError(`the storage gives ${key} no ETag`);
  return etag;
}

async function bodyOf({ body }: Dispatcher.ResponseData, key: string): Promise<Buffer> {
  try {
    return Buffer.from(await body.arrayBuffer());
  } catch (error) {
    throw unanswered(error, key);
  }
}

async function written(body: Readable, handle: FileHandle): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of body as AsyncIterable<Buffer>) {
    hash.update(part);
    await handle.writeFile(part);
  }
  return hash.digest("hex");
}

/** A failure of the disk stays what it is. */
function unanswered(error: unknown, key: string): Error {
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (["ENOSPC", "EDQUOT", "EIO", "EROFS", "EACCES", "EEXIST", "ENOENT"].includes(code)) return error as Error;
  return error instanceof StoreError
    ? error
    : new StoreError(`the storage does not answer (${code || message}) for ${key || "a list"}`);
}

async function refusal(answer: Dispatcher.ResponseData | undefined, { method, key }: S3Request): Promise<Error> {
  if (!answer) return new StoreError(`the storage does not answer for ${key}`);
  const text = await answer.body.text().catch(() => "");
  const [, code = ""] = /<Code>([\w.]+)<\/Code>/.exec(text) ?? [];
  const { statusCode } = answer;
  const message = `the storage answers ${statusCode}${code ? ` ${code}` : ""} to ${method} ${key || "of a list"}`;
  const isOperators = [401, 403, 404].includes(statusCode);
  return new StoreError(message + (isOperators ? ": check LUCRA_STORAGE_URL and the AWS_ variables" : ""), statusCode);
}

/** One page of a list. All keys are Lucra's own: they have no character that XML would change. */
function listed(xml: string): { readonly objects: readonly Listed[]; readonly next: string | undefined } {
  if (!xml.includes("<ListBucketResult")) throw new StoreError("the storage answers to a list with something else");
  const member = (text: string, name: string): string | undefined =>
    new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1];
  const objects = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, one = ""]) => ({
    key: member(one, "Key") ?? "",
    etag: (member(one, "ETag") ?? "").replaceAll("&quot;", '"').replaceAll("&#34;", '"'),
    bytes: Number(member(one, "Size")),
    modified: Date.parse(member(one, "LastModified") ?? ""),
  }));
  return { objects, next: member(xml, "NextContinuationToken") };
}
