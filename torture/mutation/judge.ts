import { cp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import fc from "fast-check";
import { readConfig } from "../../src/config.ts";
import { ApiError } from "../../src/contract/error.ts";
import type { Organization } from "../../src/contract/settings.ts";
import { readCases } from "../../src/documents/cases.ts";
import { endpointAt } from "../../src/endpoints/index.ts";
import { EngineAnswers } from "../../src/engine/answers.ts";
import { openServing } from "../../src/engine/serving.ts";
import { validate } from "../../src/http/validate.ts";
import { currentGeneration } from "../../src/marts/generations.ts";
import { deriveAll } from "../../src/sync.ts";
import { AURORA, NOW } from "../../test/support/data.ts";
import { PRODUCTS, productIdOf, storePeriod } from "../../test/support/market.ts";
import { organizationNo, period } from "../../test/support/world.ts";

/**
 * A process beside the mutated tree: it asks what the tests ask, and tells the first answer that is not what it was. What
 * is asked of the fixtures are the golden cases; of the random organizations the questions that the computation of our
 * own answers. So a change that is seen here is one that tests of this kind see, on enough organizations.
 */
const [dataDir = "", worlds = "0", markets = "0"] = process.argv.slice(2);
const config = readConfig({ LUCRA_DATA_DIR: dataDir, LUCRA_NOW: NOW });
const ANSWERS = path.join(dataDir, "answers.json");
const NOBODY: Organization = { organizationId: "_empty", name: "" };

interface Question {
  readonly organization: string;
  readonly address: string;
}

const cases = (): Question[] =>
  readCases()
    .filter(([, { request }]) => endpointAt(request))
    .map(([, { request }]) => ({ organization: AURORA, address: request }));

function own(): Question[] {
  const spans = fc
    .sample(period, { numRuns: 3, seed: 20_250_401 })
    .map(({ start, end }) => `startDate=${start}&endDate=${end}`);
  const paths = ["cards", "metrics-evolution", "new-vs-recurring", "cmv-evolution"].map(
    (name) => `/v1/profitability/${name}`,
  );
  const cohorts = [
    "view=logo",
    "groupBy=quarter&breakBy=origem",
    "groupBy=year&breakBy=campanha",
    "view=logo&breakBy=cupom",
    "breakBy=produto",
    "groupBy=quarter&breakBy=categoria",
  ];
  const addresses = [
    ...paths.flatMap((one) => [one, ...spans.map((span) => `${one}?${span}`)]),
    ...cohorts.map((query) => `/v1/profitability/cohort?${query}`),
    ...["summary", "channels", "campaigns", "new-customers"].map(
      (name) => `/v1/acquisition/${name}?startDate=2025-01-01&endDate=2025-03-31`,
    ),
    "/v1/acquisition/new-customers?startDate=2024-06-15&endDate=2025-03-31",
  ];
  return Array.from({ length: Number(worlds) }, (_, no) =>
    addresses.map((address) => ({ organization: organizationNo(no), address })),
  ).flat();
}

/** Of the stores of the random markets. */
async function ofProducts(): Promise<Question[]> {
  const spans = fc
    .sample(storePeriod, { numRuns: 2, seed: 20_250_405 })
    .map(({ from, to }) => `dateFrom=${from}&dateTo=${to}`);
  const whole = "dateFrom=2024-06-01&dateTo=2025-03-31";
  const queries = [
    "pageSize=100",
    ...[whole, ...spans].map((span) => `${span}&pageSize=100`),
    `${whole}&sortBy=marginAverage&sortOrder=asc&pageSize=2&page=2`,
    `${whole}&status=active&search=a`,
    `${whole}&categoryIds=1,aa&includeCategories=false`,
    `${whole}&minNetSales=50&maxAvailableStock=20`,
  ];
  const questions: Question[] = [];
  for (let no = 0; no < Number(markets); no++) {
    const organization = organizationNo(Number(worlds) + no);
    for (const { id, connector } of (await settingsOf(organization)).integrations ?? []) {
      if (connector !== "storea" && connector !== "storeb") continue;
      const addresses = [
        ...queries.map((query) => `/v1/products?${query}`),
        ...[whole, ...spans].map((span) => `/v1/products/categories?${span}`),
      ];
      for (let sold = 0; sold < PRODUCTS; sold++) {
        const product = `/v1/products/${encodeURIComponent(productIdOf({ id, connector }, sold))}`;
        addresses.push(...[whole, ...spans].map((span) => `${product}?${span}`));
        addresses.push(`${product}/series?${whole}&granularity=week`, `${product}/series?${spans[0]}`);
      }
      questions.push(...addresses.map((address) => ({ organization, address: `${address}&integrationId=${id}` })));
    }
  }
  return questions;
}

const settingsOf = async (id: string): Promise<Organization> =>
  JSON.parse(await readFile(path.join(dataDir, "organizations", `${id}.json`), "utf8"));

/** Answers, or what the service would refuse with, one after the other. */
async function* answers(questions: readonly Question[], isCore: boolean): AsyncGenerator<[string, string]> {
  const derived = new Set<string>();
  if (isCore) await rm(path.join(dataDir, "marts"), { recursive: true });
  await deriveAll(config, [NOBODY]);
  const database = await openServing(config, NOBODY.organizationId);
  try {
    const generations = {
      current: async (id: string) => {
        const generation = await currentGeneration(dataDir, id);
        if (!generation) throw new Error(`${id} is not derived`);
        return generation;
      },
      suspect: async () => false,
    };
    const engine = new EngineAnswers(database, generations, 0);
    for (const { organization, address } of questions) {
      if (isCore && !derived.has(organization)) await deriveAll(config, [await settingsOf(organization)]);
      derived.add(organization);
      yield [`${organization} ${address}`, await answer(engine, organization, address)];
    }
  } finally {
    database.close();
  }
}

async function answer(engine: EngineAnswers, organization: string, address: string): Promise<string> {
  const endpoint = endpointAt(address);
  if (!endpoint) return "no endpoint";
  const url = new URL(address, "http://x");
  const names = endpoint.path.split("/");
  const inPath = url.pathname.split("/").flatMap((value, n) => {
    const name = names[n] ?? "";
    return name.startsWith(":") ? [[name.slice(1), decodeURIComponent(value)]] : [];
  });
  const query = Object.fromEntries([...url.searchParams.keys()].map((name) => [name, url.searchParams.getAll(name)]));
  const sent = Object.fromEntries(Object.entries(query).map(([name, all]) => [name, all.length === 1 ? all[0] : all]));
  try {
    const accepted = validate(
      endpoint,
      { ...sent, organizationId: organization, ...Object.fromEntries(inPath) },
      config.now(),
    );
    return await engine.answer(endpoint, organization, accepted, new AbortController().signal);
  } catch (error) {
    if (error instanceof ApiError) return JSON.stringify([error.kind, error.details]);
    throw error;
  }
}

/** The first question whose answer is another one; undefined when none is. */
async function different(
  expected: Readonly<Record<string, string>>,
  isCore: boolean,
  near: string,
): Promise<string | undefined> {
  const isNear = ({ address }: Question): number => (near && address.includes(near) ? 0 : 1);
  const questions = [...cases().sort((a, b) => isNear(a) - isNear(b)), ...(await ofProducts()), ...own()];
  try {
    for await (const [question, text] of answers(questions, isCore)) if (expected[question] !== text) return question;
    return undefined;
  } catch (error) {
    return `it fails: ${(error as Error).message.split("\n")[0]}`;
  } finally {
    if (isCore) {
      await rm(path.join(dataDir, "marts"), { recursive: true, force: true });
      await cp(path.join(dataDir, "marts.kept"), path.join(dataDir, "marts"), { recursive: true });
    }
  }
}

async function keep(): Promise<void> {
  const kept: Record<string, string> = {};
  for await (const [question, text] of answers([...cases(), ...(await ofProducts()), ...own()], false))
    kept[question] = text;
  await writeFile(ANSWERS, JSON.stringify(kept));
  await cp(path.join(dataDir, "marts"), path.join(dataDir, "marts.kept"), { recursive: true });
}

for await (const line of createInterface({ input: process.stdin })) {
  const { wanted, isCore, near } = JSON.parse(line) as { wanted: "keep" | "judge"; isCore: boolean; near: string };
  if (wanted === "keep") await keep();
  const seen = wanted === "keep" ? "" : await different(JSON.parse(await readFile(ANSWERS, "utf8")), isCore, near);
  console.log(JSON.stringify({ seen: seen ?? null }));
}
