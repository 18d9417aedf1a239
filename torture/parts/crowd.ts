import { Agent, request } from "node:http";
import { Credentials } from "../../src/core/access/credentials.ts";
import { SlidingLog } from "../../src/core/http/rateLimit.ts";
import { listen } from "../../src/core/http/server.ts";
import { DataFolder, exportsOf, oneStore, seeded, storeaOrders } from "../../test/support/data.ts";
import { openService } from "../../test/support/service.ts";
import type { Figure, Part, Scale } from "../part.ts";
import { silent } from "../support/log.ts";

export const crowd: Part = {
  name: "a crowd of tenants",
  promise:
    "An answer holds the figures of its own organization, whatever other organizations ask at the same time on the same " +
    "connections, and whatever fails between them.",
  method:
    "Organizations of which no two have a figure in common ask for analyses of random periods over a few shared " +
    "connections, in bursts of the same organization, so that plans are kept and dropped, and in random order. Between " +
    "them are invalid requests, requests for another organization, clients that hang up at any moment, and requests " +
    "that exceed a short deadline. Every answer must equal that of a service that keeps nothing, asked by itself.",
  run,
};

const ORGANIZATIONS: Record<Scale, number> = { short: 12, long: 50 };
const REQUESTS: Record<Scale, number> = { short: 1_500, long: 20_000 };
const CONNECTIONS = 6;
const AT_ONCE = 16;
const PERIODS = [
  ["2024-01-01", "2024-12-28"],
  ["2024-02-01", "2024-02-29"],
  ["2024-03-10", "2024-06-17"],
  ["2024-07-01", "2024-09-30"],
] as const;

interface Organization {
  readonly id: string;
  readonly store: string;
  readonly key: { readonly client_id: string; readonly client_secret: string };
}

/** Different for every organization: its orders are those of another seed. */
async function organizations(folder: DataFolder, count: number): Promise<Organization[]> {
  const credentials = new Credentials(folder.path);
  const all: Organization[] = [];
  for (let no = 1; no <= count; no++) {
    const id = `c0000000-0000-4000-8000-${String(no).padStart(12, "0")}`;
    const store = `c1000000-0000-4000-8000-${String(no).padStart(12, "0")}`;
    await folder.settings({ ...oneStore(id, store), margin: { percent: 10 + no } });
    const orders = JSON.stringify(storeaOrders(240 + no, no));
    await folder.write(`${exportsOf(store, "orders", id)}/orders.json`, orders);
    all.push({ id, store, key: await credentials.create({ organizations: [id], name: "crowd" }) });
  }
  await folder.sync();
  return all;
}

const addressesOf = ({ id, store }: Organization): string[] =>
  PERIODS.flatMap(([from, to]) => [
    `/v1/profitability/cards?organizationId=${id}&startDate=${from}&endDate=${to}`,
    `/v1/profitability/metrics-evolution?organizationId=${id}&startDate=${from}&endDate=${to}`,
    `/v1/acquisition/summary?organizationId=${id}&startDate=${from}&endDate=${to}`,
    `/v1/profitability/cohort?organizationId=${id}&startDate=${from}&endDate=${to}`,
    `/v1/products/501/series?organizationId=${id}&integrationId=${store}&dateFrom=${from}&dateTo=${to}`,
    `/v1/products?organizationId=${id}&integrationId=${store}&dateFrom=${from}&dateTo=${to}`,
  ]);

async function run(scale: Scale, seed: number): Promise<readonly Figure[]> {
  const random = seeded(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const folder = await DataFolder.empty();
  const limit = new SlidingLog(1_000_000);
  try {
    const all = await organizations(folder, ORGANIZATIONS[scale]);
    const expected = await answersAlone(folder, all);
    const credentials = new Credentials(folder.path);
    // A short deadline: some of the answers that wait for others exceed it.
    const config = { ...folder.config, cacheBytes: 0, timeoutMs: 1_500, keptPlans: Math.ceil(all.length / 3) };
    const service = await openService(config, all[0]?.id ?? "", { credentials, limit });
    const server = await listen(service.app, { host: "127.0.0.1", port: 0 }, silent);
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    const counts = { right: 0, late: 0, refused: 0, "hung up": 0 };
    const one = async (organization: Organization): Promise<void> => {
      const address = pick(addressesOf(organization));
      const chance = random();
      if (chance < 0.05) {
        const { status } = await ask(agent, server.port, address.replace(/2024-\d\d-\d\d/, "no-day"), organization);
        if (status !== 400) throw new Error(`${address} without a day: ${status}`);
        counts.refused++;
      } else if (chance < 0.1) {
        const other = pick(all.filter((another) => another !== organization));
        const { status } = await ask(agent, server.port, address, other);
        if (status !== 403) throw new Error(`${address} with the credentials of ${other.id}: ${status}`);
        counts.refused++;
      } else if (chance < 0.2) {
        await ask(agent, server.port, address, organization, Math.floor(random() * 30)).catch(() => {});
        counts["hung up"]++;
      } else {
        const { status, text } = await ask(agent, server.port, address, organization);
        if (status === 503) counts.late++;
        else if (status === 200 && text === expected.get(address)) counts.right++;
        else throw new Error(`${address}: ${status}, another answer than by itself: ${text.slice(0, 300)}`);
      }
    };
    try {
      for (let asked = 0; asked < REQUESTS[scale]; asked += AT_ONCE) {
        const few = [pick(all), pick(all)];
        // Half of the requests come from two organizations, which are kept after some of them.
        const group = Array.from({ length: AT_ONCE }, (_, n) => one(n % 2 === 0 ? pick(few) : pick(all)));
        await Promise.all(group);
      }
      if (counts.right < REQUESTS[scale] / 10) throw new Error(`only ${counts.right} right answers`);
      if (service.plans.hits === 0) throw new Error("no answer came from a kept plan");
      return [
        { what: "organizations", value: String(all.length) },
        { what: "answers compared, all right", value: counts.right.toLocaleString("en") },
        { what: "of these from kept plans", value: service.plans.hits.toLocaleString("en") },
        { what: "refused as they must be", value: counts.refused.toLocaleString("en") },
        { what: "beyond their deadline", value: counts.late.toLocaleString("en") },
        { what: "clients that hung up", value: counts["hung up"].toLocaleString("en") },
      ];
    } finally {
      agent.destroy();
      await server.stop();
      await service.close();
    }
  } finally {
    await folder.remove();
  }
}

/** Every question's answer from a service that keeps neither answers nor plans. No two organizations share one. */
async function answersAlone(folder: DataFolder, all: readonly Organization[]): Promise<ReadonlyMap<string, string>> {
  const service = await openService({ ...folder.config, cacheBytes: 0, keptPlans: 0 }, all[0]?.id ?? "");
  try {
    const answers = new Map<string, string>();
    for (const organization of all) {
      for (const address of addressesOf(organization)) {
        const { status, text } = await service.get(address, organization.id);
        if (status !== 200) throw new Error(`${address}: ${status} ${text}`);
        answers.set(address, text);
      }
    }
    if (new Set(answers.values()).size !== answers.size) throw new Error("two organizations have the same answer");
    return answers;
  } finally {
    await service.close();
  }
}

function ask(
  agent: Agent,
  port: number,
  path: string,
  { key }: Organization,
  hangUpAfter?: number,
): Promise<{ status: number; text: string }> {
  return new Promise((done, fail) => {
    const headers = { "x-client-id": key.client_id, "x-client-secret": key.client_secret };
    const sent = request({ agent, host: "127.0.0.1", port, path, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part) => parts.push(part));
      response.on("end", () => done({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
      response.on("error", fail);
    });
    sent.on("error", fail);
    if (hangUpAfter !== undefined) setTimeout(() => sent.destroy(new Error("hung up")), hangUpAfter);
    sent.end();
  });
}
