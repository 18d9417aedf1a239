import { createHash } from "node:crypto";
import type { RequestListener } from "node:http";
import path from "node:path";
import { pino } from "pino";
import request from "supertest";
import { engineFeatures } from "../../src/commands/engine.ts";
import { type ServiceParts, serviceApp } from "../../src/commands/serve/app.ts";
import type { Config } from "../../src/core/config.ts";
import { isOfRecord } from "../../src/core/contract/endpoint.ts";
import { allEndpoints, endpoints } from "../../src/core/endpoints/index.ts";
import { EngineAnswers } from "../../src/core/engine/answers.ts";
import { GenerationChecks } from "../../src/core/engine/checks.ts";
import { KeptPlans } from "../../src/core/engine/kept.ts";
import { openEngines, type ServingEngines } from "../../src/core/engine/serving.ts";
import { Spool } from "../../src/core/engine/spool.ts";
import { EngineTables } from "../../src/core/engine/tables.ts";
import { paths } from "../../src/core/files/paths.ts";
import { SlidingLog } from "../../src/core/http/rateLimit.ts";
import { GenerationStore } from "../../src/core/marts/current.ts";
import { StateStore } from "../../src/core/marts/stateStore.ts";
import { analysisViews } from "../../src/core/marts/views.ts";
import { openOrganizations } from "../../src/core/organizations/open.ts";
import { deriveAll, deriveStateAlone, failed } from "../../src/core/sync/sync.ts";
import { openOwnQueries } from "../../src/features/adhoc/open.ts";
import { DataQuality } from "../../src/features/doctor/quality.ts";
import { shownPins } from "../../src/features/pins/shown.ts";
import { UPDATES_CASES } from "./cases.ts";
import { AURORA, type DataFolder, STOREA } from "./data.ts";
import { undocumented } from "./documented.ts";
import { deriveNobody, landedFixtures, NOBODY } from "./shared.ts";

/** The service over a data folder, composed as by `lucra serve`, without a port and without child processes. */
export interface Service extends ServingEngines {
  readonly app: RequestListener;
  readonly generations: GenerationStore;
  readonly plans: KeptPlans;
  /** Faults outside the answers: settings refused, derivations that failed. */
  readonly problems: string[];
  /**
   * All credentials are good here; the organization is added if the address names none and is about one. Fails if an answer differs from
   * the API document, except while `npm run cases` writes the answers from which the document takes its examples.
   */
  get(address: string, organization?: string): Promise<{ status: number; text: string; body: Record<string, unknown> }>;
  close(): Promise<void>;
}

export async function openService(
  config: Config,
  organization: string,
  { checks: given, ...more }: Partial<ServiceParts> & { readonly checks?: Pick<GenerationChecks, "of"> } = {},
): Promise<Service> {
  const problems: string[] = [];
  const organizations = openOrganizations(config.dataDir, (problem) => problems.push(problem));
  const generations = new GenerationStore(
    config.dataDir,
    async (id) => (await organizations.get(id))?.settings,
    (id, error) => problems.push(`${id}: ${(error as Error).message}`),
    async (id) => {
      const settings = (await organizations.get(id))?.settings;
      if (settings) await deriveAll(config, [settings]);
    },
  );
  await deriveNobody(config);
  const states = new StateStore(config.dataDir, {
    bytes: config.statesBytes,
    derive: (id, wanted) => deriveStateAlone(config, id, wanted),
    onFailure: (id, error) => problems.push(`${id}: ${(error as Error).message}`),
  });
  const spool = await Spool.open(paths.spool(config.dataDir));
  const engines = await openEngines(config, NOBODY.organizationId, {
    folders: [paths.marts(config.dataDir), spool.folder],
    spill: path.join(spool.folder, "spill"),
  });
  const { database } = engines;
  const known = await organizations.ids();
  const plans = new KeptPlans(engines, endpoints, { most: config.keptPlans, mostBytes: 1e9 });
  const checks = new GenerationChecks(database, endpoints);
  const quality = new DataQuality({ dataDir: config.dataDir, database, generations, now: config.now });
  const own = openOwnQueries(config, generations);
  const { models, explain, workbooks } = engineFeatures(database);
  const source = { ...engines, generations };
  const limit = new SlidingLog(1_000_000);
  const app = serviceApp({
    endpoints: allEndpoints,
    answers: new EngineAnswers(source, {
      keptBytes: config.cacheBytes / 8,
      plans,
      checks: given ?? checks,
      models,
      explain,
    }),
    tables: new EngineTables(source, spool, { models, workbooks }),
    states,
    query: own.written,
    quality,
    pins: (organization) => shownPins(config.dataDir, organization),
    credentials: { verify: async (clientId) => ({ clientId, organizations: known }) },
    organizations: {
      has: async (id) => (await organizations.get(id)) !== undefined,
      settings: async (id) => (await organizations.get(id))?.settings,
    },
    tools: { views: analysisViews(), query: own.query },
    config,
    log: pino({ level: "silent" }),
    now: config.now,
    ready: async () => ({ ready: true }),
    limit,
    ...more,
  });
  const get: Service["get"] = async (address, id = organization) => {
    const full = /[?&]organizationId=|^\/v1\/organizations\b/.test(address)
      ? address
      : `${address}${address.includes("?") ? "&" : "?"}organizationId=${encodeURIComponent(id)}`;
    const { status, text, body } = await request(app).get(full).set("x-client-id", "test").set("x-client-secret", "x");
    const faults = UPDATES_CASES ? [] : undocumented(address, status, body);
    if (faults.length > 0)
      throw new Error(
        `not what the API document says; after a change of the answers, \`npm run cases\` writes it again: ${faults.join("; ")}`,
      );
    return { status, text, body };
  };
  const close = async (): Promise<void> => {
    limit.shutdown();
    await Promise.all([checks.stop(), quality.stop(), own.close()]);
    engines.close();
    await spool.close();
  };
  return { app, ...engines, generations, plans, problems, get, close };
}

const OF_A_STORE = `integrationId=${STOREA}&dateFrom=2025-01-01&dateTo=2025-03-31`;

/** One address of every kind of analysis. */
export const ANALYSES = [
  "/v1/profitability/cards",
  "/v1/profitability/cards?startDate=2025-02-01&endDate=2025-02-28",
  "/v1/profitability/cohort?view=logo&breakBy=origem",
  "/v1/profitability/cohort?breakBy=produto",
  "/v1/profitability/metrics-evolution",
  "/v1/profitability/cmv-evolution",
  "/v1/profitability/trend?granularity=week",
  "/v1/profitability/new-vs-recurring",
  "/v1/profitability/orders?counted=any",
  "/v1/profitability/payback?breakBy=campanha",
  "/v1/profitability/breakdown?startDate=2025-02-01&endDate=2025-02-28&by=store,channel",
  "/v1/profitability/bridge?startDate=2025-02-01&endDate=2025-03-31&breakBy=produto",
  "/v1/profit/statement?startDate=2025-02-01&endDate=2025-03-31&granularity=week",
  "/v1/profit/statement?refundsOn=order",
  "/v1/profit/orders?orderBy=contribution2",
  "/v1/profit/unknown-goods",
  "/v1/profit/pace",
  "/v1/alerts?startDate=2025-03-01&endDate=2025-03-26",
  "/v1/alerts/replay?metric=orders&value=-20",
  "/v1/profitability/forecast",
  "/v1/profitability/reconciliation",
  "/v1/acquisition/summary?startDate=2025-01-01&endDate=2025-03-31",
  "/v1/acquisition/channels?startDate=2025-01-01&endDate=2025-03-31",
  "/v1/acquisition/campaigns?startDate=2025-01-01&endDate=2025-03-31",
  "/v1/acquisition/new-customers?startDate=2025-01-01&endDate=2025-03-31",
  "/v1/acquisition/contribution?startDate=2025-01-01&endDate=2025-03-31",
  "/v1/acquisition/products?channel=searchads",
  "/v1/products/integrations",
  `/v1/products?${OF_A_STORE}&pageSize=100`,
  `/v1/products/categories?${OF_A_STORE}`,
  `/v1/products/501?${OF_A_STORE}`,
  `/v1/products/501/series?${OF_A_STORE}&granularity=week`,
];

/** One address of every kind of answer, all of which must stay the same when the same data came another way. */
export const PROBES = [...ANALYSES, ...endpoints.filter(isOfRecord).map((endpoint) => `${endpoint.path}?limit=5000`)];

/** The ids of customers are others in each data folder. */
const withoutCustomers = (text: string): string => text.replaceAll(/"customerId":"[^"]+"/g, '"customerId":"…"');

/** The answers to the probes, as text; those above the given length as their hash and beginning. */
async function answers(service: Service, probes: readonly string[], longest: number): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const probe of probes) {
    const { status, text: answer } = await service.get(probe);
    const text = withoutCustomers(answer);
    if (status === 400) throw new Error(`${probe} is refused, and would be compared with a refusal: ${text}`);
    const hash = createHash("sha256").update(text).digest("hex");
    all[probe] = `${status} ${text.length <= longest ? text : `${hash} ${text.slice(0, 300)}`}`;
  }
  return all;
}

/** An answer of a data folder with one organization, once everything in it has landed. */
export async function asked(data: DataFolder, address: string): Promise<Record<string, unknown>> {
  const [body = {}] = await askedAll(data, [address]);
  return body;
}

/** The same of several addresses. */
export async function askedAll(data: DataFolder, addresses: readonly string[]): Promise<Record<string, unknown>[]> {
  const report = await data.sync();
  if (failed(report)) throw new Error(`what was to be asked did not land: ${JSON.stringify(report)}`);
  const service = await openService(data.config, AURORA);
  try {
    const bodies: Record<string, unknown>[] = [];
    for (const address of addresses) bodies.push((await service.get(address)).body);
    return bodies;
  } finally {
    await service.close();
  }
}

/** The answers of a data folder in its present state. */
export async function answersOf(
  config: Config,
  organization: string,
  probes: readonly string[] = PROBES,
  longest = 4000,
): Promise<Record<string, string>> {
  const service = await openService(config, organization);
  try {
    return await answers(service, probes, longest);
  } finally {
    service.close();
  }
}

/** A service over the landed fixtures, for the tests of a suite. */
export interface ServedFixtures {
  data: DataFolder;
  service: Service;
}

/** Opens it before the tests of a suite, and closes it after them. */
export function serveFixtures(): ServedFixtures {
  const of = {} as ServedFixtures;

  before(async () => {
    of.data = await landedFixtures();
    of.service = await openService(of.data.config, AURORA);
  });

  after(async () => {
    await of.service?.close();
    await of.data?.remove();
  });

  return of;
}
