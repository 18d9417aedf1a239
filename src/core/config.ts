import { isIP } from "node:net";
import path from "node:path";
import { OperatorError } from "./contract/error.ts";
import { DAY_MS } from "./time/days.ts";

/** The settings from the environment: no other file reads it. */
export interface Config {
  readonly dataDir: string;
  /** The clock: frozen when LUCRA_NOW is set. */
  readonly now: () => Date;
  readonly port: number;
  readonly host: string;
  /** Open connections of one remote address; 0: any number. */
  readonly connectionsPerAddress: number;
  /** The beginning of the addresses that clients outside use; without a slash at its end. */
  readonly publicUrl: string;
  /** Whether the operator has named it: without it the platform answers on loopback hosts alone. */
  readonly hasPublicUrl: boolean;
  /** Whether people sign in, and change what their role allows. */
  readonly platform: boolean;
  /** The server that takes mails; undefined: none are sent. */
  readonly smtp: { readonly url: string; readonly from: string } | undefined;
  /** Proxies, as addresses or networks, whose word on a client's network address counts. */
  readonly trustedProxies: readonly string[];
  readonly shareLinks: boolean;
  /** Whether people may share pages of the Explorer. */
  readonly shares: boolean;
  readonly logLevel: string;
  readonly memoryLimit: string;
  readonly threads: number;
  /** Queries that run at once, and requests that wait for one of these slots. */
  readonly slots: number;
  readonly queue: number;
  readonly timeoutMs: number;
  /** A query that takes longer is logged. */
  readonly slowMs: number;
  readonly cacheBytes: number;
  /** Organizations whose plans are kept. */
  readonly keptPlans: number;
  /** Disk for earlier states, of all organizations together. */
  readonly statesBytes: number;
  /** Port of the metrics, on the loopback address; 0: no metrics. */
  readonly metricsPort: number;
  /** Whether the tools for agents are served. */
  readonly mcp: boolean;
  /** A Redis or Valkey that counts the limits of several processes together; undefined: each process counts its own. */
  readonly redisUrl: string | undefined;
  /** S3-compatible storage for derived files and the documents of replicas; undefined: all is in the data folder. */
  readonly storage: StorageSettings | undefined;
  /** With `storage` and --read-only: the most bytes of derived files that the data folder keeps. */
  readonly storageCacheBytes: number;
  /** A PostgreSQL that coordinates the processes of several machines; undefined: files of the data folder do. */
  readonly databaseUrl: string | undefined;
  /** The deadline of an export of a whole selection, and the folder where it is written before it is sent. */
  readonly exportTimeoutMs: number;
  readonly spoolDir: string | undefined;
  /** The deadline of a sync or derivation that the service runs. */
  readonly syncTimeoutMs: number;
  /** Networks, such as 10.1.0.0/16, that webhooks may be in although they are not public. */
  readonly webhookNetworks: readonly string[];
}

/** A place in S3-compatible storage, and how to reach it. */
export interface StorageSettings {
  readonly bucket: string;
  /** Prefix of all keys: empty, or a path with a slash at its end. */
  readonly prefix: string;
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

interface Setting {
  readonly name: string;
  readonly fallback: string;
  readonly means: string;
}

export const SETTINGS: readonly Setting[] = [
  { name: "LUCRA_DATA_DIR", fallback: "data", means: "the data folder" },
  { name: "LUCRA_NOW", fallback: "", means: "freezes the clock at this ISO instant" },
  { name: "PORT", fallback: "3000", means: "port of the service" },
  { name: "HOST", fallback: "127.0.0.1", means: "address the service listens on" },
  {
    name: "LUCRA_PUBLIC_URL",
    fallback: "",
    means:
      "where people and clients reach the service, for the addresses in mails and share links (http://localhost and PORT)",
  },
  { name: "LUCRA_PLATFORM", fallback: "on", means: "off: people do not sign in, and nothing is changed by the page" },
  {
    name: "LUCRA_SMTP_URL",
    fallback: "",
    means:
      "a server that takes mails, such as smtps://user:password@mail.example.com; TLS is required, but to localhost",
  },
  { name: "LUCRA_MAIL_FROM", fallback: "", means: "the sender of mails, such as Lucra <lucra@example.com>" },
  {
    name: "LUCRA_TRUSTED_PROXIES",
    fallback: "",
    means: "proxies, such as 127.0.0.1,10.1.0.0/16, that say in X-Forwarded-For from where a request comes",
  },
  {
    name: "LUCRA_SHARE_LINKS",
    fallback: "",
    means:
      "on: share links answer to everyone who has their address; off: neither they nor pages that people share (only these, with LUCRA_PUBLIC_URL)",
  },
  {
    name: "LUCRA_CONNECTIONS_PER_ADDRESS",
    fallback: "256",
    means:
      "open connections of one remote address, more are closed; 0, behind a proxy on another machine, for any number",
  },
  { name: "LUCRA_LOG_LEVEL", fallback: "info", means: "fatal, error, warn, info, debug, trace or silent" },
  { name: "LUCRA_MEMORY_LIMIT", fallback: "4GB", means: "memory the engines of a process may use before they spill" },
  {
    name: "LUCRA_THREADS",
    fallback: "2",
    means:
      "threads of the engine; with more than one, the service has another engine, of one thread, for small organizations",
  },
  {
    name: "LUCRA_SLOTS",
    fallback: "6",
    means: "queries that run at once; with three or more, one organization or credential holds at most half",
  },
  {
    name: "LUCRA_QUEUE",
    fallback: "100",
    means: "requests of one organization, and of one credential, that may wait for a slot; more are answered 503",
  },
  { name: "LUCRA_TIMEOUT_MS", fallback: "30000", means: "a query that takes longer is stopped and answered 503" },
  { name: "LUCRA_SLOW_MS", fallback: "1000", means: "a query that takes longer is logged" },
  { name: "LUCRA_EXPORT_TIMEOUT_MS", fallback: "600000", means: "an export (all=true) that takes longer is stopped" },
  {
    name: "LUCRA_SYNC_TIMEOUT_MS",
    fallback: "7200000",
    means: "a sync or derivation by the service that takes longer is ended, and retried like a failed one",
  },
  {
    name: "LUCRA_SPOOL_DIR",
    fallback: "",
    means:
      "where exports are written before they are sent (spool in the data folder; with --read-only the temporary folder)",
  },
  { name: "LUCRA_CACHE_MB", fallback: "128", means: "memory for cached answers" },
  {
    name: "LUCRA_KEPT_PLANS",
    fallback: "8",
    means:
      "organizations, those asked most, whose plans and tables stay in memory: some 90 MB each at 20,000 orders, tables an eighth of LUCRA_MEMORY_LIMIT in all; 0 for none",
  },
  {
    name: "LUCRA_STATES_MB",
    fallback: "2048",
    means: "disk for earlier states (knownAt), of all organizations together; those asked least recently go first",
  },
  {
    name: "LUCRA_WEBHOOK_NETWORKS",
    fallback: "",
    means:
      "networks that are not public but may receive webhooks and have agents' documents, such as 10.1.0.0/16,fd00::/8",
  },
  { name: "LUCRA_MCP", fallback: "on", means: "off: the tools for agents are not served at /mcp" },
  {
    name: "LUCRA_REDIS_URL",
    fallback: "",
    means: "a Redis or Valkey, such as redis://localhost:6379, that counts the limits of several services together",
  },
  {
    name: "LUCRA_STORAGE_URL",
    fallback: "",
    means:
      "S3-compatible storage for several machines, s3://bucket/prefix?endpoint=https://…&region=…, with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
  },
  {
    name: "LUCRA_STORAGE_CACHE_MB",
    fallback: "20000",
    means: "with LUCRA_STORAGE_URL and --read-only: disk for derived files that were fetched; those not asked go first",
  },
  {
    name: "LUCRA_DATABASE_URL",
    fallback: "",
    means: "a PostgreSQL, such as postgresql://lucra@db/lucra, that coordinates several writers and workers",
  },
  { name: "LUCRA_METRICS_PORT", fallback: "9464", means: "port of the Prometheus metrics on 127.0.0.1; 0 for none" },
];

const LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];

export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const value = (name: string): string => {
    const setting = SETTINGS.find((s) => s.name === name);
    if (!setting) throw new Error(`no setting ${name}`);
    return environment[name] || setting.fallback;
  };
  const whole = (name: string, most: number, least = 0): number => {
    const number = Number(value(name));
    if (!Number.isInteger(number) || number < least || number > most) {
      throw new OperatorError(`${name}=${value(name)}: a whole number from ${least} to ${most} is expected`);
    }
    return number;
  };
  const level = value("LUCRA_LOG_LEVEL");
  if (!LEVELS.includes(level)) throw new OperatorError(`LUCRA_LOG_LEVEL=${level}: one of ${LEVELS.join(", ")}`);
  const frozen = value("LUCRA_NOW");
  if (frozen && Number.isNaN(Date.parse(frozen))) throw new OperatorError(`LUCRA_NOW=${frozen}: not an ISO instant`);
  const dataDir = path.resolve(value("LUCRA_DATA_DIR"));
  // The path is used in SQL, by the service and by analysts, and the engine reads these characters as a pattern.
  if (/[*?[]/.test(dataDir))
    throw new OperatorError(`LUCRA_DATA_DIR=${dataDir}: a path without *, ? and [ is expected`);
  const mcp = value("LUCRA_MCP");
  if (!["on", "off"].includes(mcp)) throw new OperatorError(`LUCRA_MCP=${mcp}: on or off`);
  return {
    dataDir,
    now: frozen ? () => new Date(frozen) : () => new Date(),
    port: whole("PORT", 65535),
    host: value("HOST"),
    publicUrl: publicUrl(value("LUCRA_PUBLIC_URL") || `http://localhost:${value("PORT")}`),
    hasPublicUrl: value("LUCRA_PUBLIC_URL") !== "",
    platform: isOn("LUCRA_PLATFORM", value("LUCRA_PLATFORM")),
    smtp: smtpOf(value("LUCRA_SMTP_URL"), value("LUCRA_MAIL_FROM"), value("LUCRA_PUBLIC_URL")),
    trustedProxies: proxiesIn(value("LUCRA_TRUSTED_PROXIES")),
    shareLinks: isOn("LUCRA_SHARE_LINKS", value("LUCRA_SHARE_LINKS") || "off"),
    shares: value("LUCRA_PUBLIC_URL") !== "" && isOn("LUCRA_SHARE_LINKS", value("LUCRA_SHARE_LINKS") || "on"),
    connectionsPerAddress: whole("LUCRA_CONNECTIONS_PER_ADDRESS", 2_000),
    logLevel: level,
    memoryLimit: value("LUCRA_MEMORY_LIMIT"),
    threads: whole("LUCRA_THREADS", 256),
    slots: whole("LUCRA_SLOTS", 12, 1),
    queue: whole("LUCRA_QUEUE", 100_000),
    timeoutMs: whole("LUCRA_TIMEOUT_MS", 3_600_000, 1),
    slowMs: whole("LUCRA_SLOW_MS", 3_600_000),
    // The derived files that an export began with are not kept longer than this.
    exportTimeoutMs: whole("LUCRA_EXPORT_TIMEOUT_MS", 600_000),
    syncTimeoutMs: whole("LUCRA_SYNC_TIMEOUT_MS", DAY_MS, 1_000),
    spoolDir: value("LUCRA_SPOOL_DIR") ? path.resolve(value("LUCRA_SPOOL_DIR")) : undefined,
    cacheBytes: whole("LUCRA_CACHE_MB", 65_536) * 1024 * 1024,
    keptPlans: whole("LUCRA_KEPT_PLANS", 1_000),
    statesBytes: whole("LUCRA_STATES_MB", 100_000_000) * 1024 * 1024,
    mcp: mcp === "on",
    storage: storageOf(value("LUCRA_STORAGE_URL"), environment),
    storageCacheBytes: whole("LUCRA_STORAGE_CACHE_MB", 100_000_000, 1) * 1024 * 1024,
    redisUrl: addressIn("LUCRA_REDIS_URL", value("LUCRA_REDIS_URL"), /^rediss?:$/, "redis://localhost:6379"),
    databaseUrl: addressIn(
      "LUCRA_DATABASE_URL",
      value("LUCRA_DATABASE_URL"),
      /^postgres(ql)?:$/,
      "postgresql://db/lucra",
    ),
    metricsPort: whole("LUCRA_METRICS_PORT", 65535),
    webhookNetworks: networksIn(value("LUCRA_WEBHOOK_NETWORKS")),
  };
}

function networksIn(text: string): string[] {
  const networks = text.split(",").filter(Boolean);
  const wrong = networks.find((network) => !isNetwork(network));
  if (wrong === undefined) return networks;
  throw new OperatorError(`LUCRA_WEBHOOK_NETWORKS=${wrong}: networks such as 10.1.0.0/16,fd00::/8 are expected`);
}

function proxiesIn(text: string): string[] {
  const proxies = text
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
  const wrong = proxies.find((proxy) => isIP(proxy) === 0 && !isNetwork(proxy));
  if (wrong === undefined) return proxies;
  throw new OperatorError(
    `LUCRA_TRUSTED_PROXIES=${wrong}: addresses and networks, as 127.0.0.1,10.1.0.0/16, are expected`,
  );
}

function isNetwork(text: string): boolean {
  const [address = "", bits = "", ...more] = text.split("/");
  const version = isIP(address);
  return version > 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128) && more.length === 0;
}

function publicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "" || url.username !== "") {
    throw new OperatorError(`LUCRA_PUBLIC_URL=${text}: an http or https address without a query is expected`);
  }
  return url.href.replace(/\/+$/, "");
}

/** The address is not repeated: it may have a password. */
function addressIn(name: string, text: string, protocol: RegExp, example: string): string | undefined {
  if (text === "") return undefined;
  const isAddress = URL.canParse(text) && protocol.test(new URL(text).protocol);
  if (!isAddress) throw new OperatorError(`${name}: an address such as ${example} is expected`);
  return text;
}

/** Mails have addresses, so that they need to know where the service is: never by what a request says. */
function smtpOf(text: string, from: string, publicAddress: string): Config["smtp"] {
  const url = addressIn("LUCRA_SMTP_URL", text, /^smtps?:$/, "smtps://user:password@mail.example.com");
  if (url === undefined) return undefined;
  if (!/^[^\r\n]*[^\s<>@]+@[^\s<>@]+>?$/.test(from))
    throw new OperatorError("LUCRA_SMTP_URL needs LUCRA_MAIL_FROM, an address such as Lucra <lucra@example.com>");
  if (publicAddress === "")
    throw new OperatorError("LUCRA_SMTP_URL needs LUCRA_PUBLIC_URL: mails have addresses of the service");
  return { url, from };
}

/** The credentials are those of other programs that use S3; the key stays out of messages. */
function storageOf(text: string, environment: NodeJS.ProcessEnv): StorageSettings | undefined {
  if (text === "") return undefined;
  const refused = (why: string): OperatorError => new OperatorError(`LUCRA_STORAGE_URL=${text}: ${why}`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "s3:" || url.hostname === "" || url.username !== "" || url.hash !== "")
    throw refused("an address such as s3://bucket/prefix?endpoint=https://host&region=name is expected");
  const other = [...url.searchParams.keys()].find((name) => !["endpoint", "region"].includes(name));
  if (other !== undefined) throw refused(`endpoint and region are known, not ${other}`);
  const prefix = url.pathname.replace(/^\/+|\/+$/g, "");
  if (!/^[\w./-]*$/.test(prefix)) throw refused("letters, digits, and . _ - / are expected in the prefix");
  const endpoint = url.searchParams.get("endpoint") ?? undefined;
  if (endpoint !== undefined && !/^https?:\/\/[^/?#@]+\/?$/.test(endpoint))
    throw refused("the endpoint is an http or https address without a path");
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = environment;
  if (!accessKeyId || !secretAccessKey)
    throw new OperatorError("LUCRA_STORAGE_URL needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  return {
    bucket: url.hostname,
    prefix: prefix === "" ? "" : `${prefix}/`,
    endpoint: endpoint?.replace(/\/$/, ""),
    region: url.searchParams.get("region") || environment.AWS_REGION || environment.AWS_DEFAULT_REGION || "us-east-1",
    accessKeyId,
    secretAccessKey,
    sessionToken: environment.AWS_SESSION_TOKEN || undefined,
  };
}

function isOn(name: string, value: string): boolean {
  if (value !== "on" && value !== "off") throw new OperatorError(`${name}=${value}: on or off is expected`);
  return value === "on";
}
