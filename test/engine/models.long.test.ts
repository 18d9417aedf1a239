import { appendFile, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import request from "supertest";
import { filesOf, type ModelEndpoint } from "../../src/core/contract/endpoint.ts";
import { ApiError } from "../../src/core/contract/error.ts";
import { FORMAT_NAMES } from "../../src/core/contract/format.ts";
import { endpointAt } from "../../src/core/endpoints/index.ts";
import { EngineAnswers } from "../../src/core/engine/answers.ts";
import type { Database } from "../../src/core/engine/database.ts";
import { openServing } from "../../src/core/engine/serving.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { currentGeneration, type Generation } from "../../src/core/marts/generations.ts";
import { FittedModels } from "../../src/features/forecast/fitted.ts";
import { BUYERS, buyersWorld, landedBuyers } from "../support/buyersWorld.ts";
import type { DataFolder } from "../support/data.ts";
import { openService, type Service } from "../support/service.ts";

const PATH = "/v1/profitability/forecast";
const ENDPOINT = endpointAt(PATH) as ModelEndpoint;

/** A table, which the API document describes for JSON only. */
const tableOf = (service: Service, format: string) =>
  request(service.app)
    .get(`${PATH}?organizationId=${BUYERS}&format=${format}`)
    .set({ "x-client-id": "test", "x-client-secret": "x" })
    .buffer()
    .parse((response, done) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => done(null, Buffer.concat(parts)));
    });

const never = new AbortController().signal;

describe("The figures of a model", () => {
  let data: DataFolder;
  let database: Database;
  let generation: Generation;
  let kept: string;

  before(async () => {
    data = await landedBuyers(buyersWorld(1_200, 560, 1), { LUCRA_THREADS: "2" });
    database = await openServing(data.config, BUYERS);
    generation = (await currentGeneration(foldersOf(data.path, BUYERS))) as Generation;
    kept = path.join(generation.folder, "forecast.json");
  });

  after(async () => {
    database?.close();
    await data?.remove();
  });

  afterEach(() => rm(kept, { recursive: true, force: true }));

  const fitted = (options: ConstructorParameters<typeof FittedModels>[1] = {}): FittedModels =>
    new FittedModels(database, { writes: true, ...options });
  const kindOf = (asked: Promise<string>): Promise<string | undefined> =>
    asked.then(
      () => undefined,
      (error) => (error instanceof ApiError ? error.kind : String(error)),
    );

  it("are computed once for concurrent requests, in a thread, and kept with the generation", async () => {
    const models = fitted();
    const queries: string[] = [];
    const asked = Array.from({ length: 5 }, () =>
      models.figures(ENDPOINT, generation, never, (sql) => queries.push(sql)),
    );
    const all = new Set(await Promise.all(asked));
    expect([...all].map((text) => JSON.parse(text).state)).to.deep.equal(["ready"]);
    expect(queries).to.deep.equal(filesOf(ENDPOINT));
    expect((await readFile(kept, "utf8")).split("\n")[2]).to.equal([...all][0]);
    // Of another process: nothing is computed.
    expect(await fitted().figures(ENDPOINT, generation, never, (sql) => queries.push(sql))).to.equal([...all][0]);
    expect(queries).to.have.lengthOf(1);
    expect((await readdir(generation.folder)).filter((name) => name.startsWith("."))).to.deep.equal([]);
  });

  it("are the same bytes with any number of threads", async () => {
    const texts = new Set<string>();
    for (const threads of ["1", "2", "7"]) {
      await database.use((session) => session.run(`set global threads = ${threads}`));
      texts.add(await fitted({ writes: false }).figures(ENDPOINT, generation, never));
    }
    expect(texts.size).to.equal(1);
  });

  it("are computed again if the kept ones are damaged, or of another state of the data", async () => {
    const figures = await fitted().figures(ENDPOINT, generation, never);
    await writeFile(kept, (await readFile(kept, "utf8")).replace('"ready"', '"reedy"'));
    expect(await fitted().figures(ENDPOINT, generation, never)).to.equal(figures);
    await appendFile(kept, "x");
    expect(await fitted().figures(ENDPOINT, generation, never)).to.equal(figures);
    const queries: string[] = [];
    const other = { ...generation, state: "other" };
    expect(await fitted().figures(ENDPOINT, other, never, (sql) => queries.push(sql))).to.equal(figures);
    expect(queries).to.have.lengthOf(1);
  });

  it("are not written by a service that only reads", async () => {
    await fitted({ writes: false }).figures(ENDPOINT, generation, never);
    expect(await readdir(generation.folder)).to.not.include("forecast.json");
  });

  it("are answered even if they cannot be kept", async () => {
    const problems: unknown[] = [];
    // A folder in the place of the file.
    await mkdir(kept);
    const models = fitted({ onFailure: (_, error) => problems.push(error) });
    expect(JSON.parse(await models.figures(ENDPOINT, generation, never)).state).to.equal("ready");
    expect(problems).to.have.lengthOf(1);
    expect((await readdir(generation.folder)).filter((name) => name.startsWith("."))).to.deep.equal([]);
  });

  it("are refused to a request that cannot wait, and computed all the same", async () => {
    const models = fitted({ waitMs: 1 });
    expect(await kindOf(models.figures(ENDPOINT, generation, never))).to.equal("computing");
    expect(await kindOf(models.figures(ENDPOINT, generation, AbortSignal.abort()))).to.equal("computing");
    const patient = new FittedModels(database);
    let figures: string | undefined;
    while (!figures) figures = await models.figures(ENDPOINT, generation, never).catch(() => undefined);
    expect(figures).to.equal(await patient.figures(ENDPOINT, generation, never));
  });

  it("are no longer computed when the service stops", async () => {
    const models = fitted();
    const asked = kindOf(models.figures(ENDPOINT, generation, never));
    await models.close();
    expect(await asked).to.equal("computing");
    expect(await readdir(generation.folder)).to.not.include("forecast.json");
  });

  it("that fail are not computed again at once, and do not stop those of other generations", async () => {
    const problems: string[] = [];
    const models = fitted({ onFailure: (folder) => problems.push(folder) });
    const gone = { folder: `${generation.folder}0`, state: "gone" };
    const failing = [models.figures(ENDPOINT, gone, never), models.figures(ENDPOINT, gone, never)];
    const sound = models.figures(ENDPOINT, generation, never);
    for (const one of failing) expect(await kindOf(one)).to.match(/No files found/);
    expect(await kindOf(models.figures(ENDPOINT, gone, never))).to.match(/No files found/);
    expect(problems).to.deep.equal([gone.folder]);
    expect(JSON.parse(await sound).state).to.equal("ready");
  });

  it("are no longer computed for a generation once those of a later one are asked for", async () => {
    const problems: unknown[] = [];
    const models = fitted({ writes: false, waitMs: 1, onFailure: (_, error) => problems.push(error) });
    const later = { folder: generation.folder.replace("gen=0", "gen=1"), state: "later" };
    await cp(generation.folder, later.folder, { recursive: true });
    const queries: string[] = [];
    const earlier = Array.from({ length: 20 }, (_, no) => ({ ...generation, state: String(no) }));
    for (const one of earlier) {
      expect(await kindOf(models.figures(ENDPOINT, one, never, (sql) => queries.push(sql)))).to.equal("computing");
    }
    let figures: string | undefined;
    while (!figures) figures = await models.figures(ENDPOINT, later, never).catch(() => undefined);
    expect(JSON.parse(figures).state).to.equal("ready");
    expect(queries).to.have.lengthOf.below(earlier.length);
    expect(problems).to.deep.equal([]);
    await rm(later.folder, { recursive: true });
  });

  it("are computed to their end, although those of an earlier state are asked for", async () => {
    const models = fitted({ writes: false, waitMs: 60_000 });
    const state = { folder: path.join(path.dirname(generation.folder), "state=0"), state: "then" };
    await cp(generation.folder, state.folder, { recursive: true });
    const ends = [generation, state].map((one) => models.figures(ENDPOINT, one, never));
    for (const figures of await Promise.all(ends)) expect(JSON.parse(figures).state).to.equal("ready");
    await rm(state.folder, { recursive: true });
  });

  it("take no slot while they are computed, so that other requests are answered", async () => {
    const models = fitted({ writes: false, waitMs: 60_000 });
    const generations = { current: async () => generation, recheck: async () => false };
    const service = await openService({ ...data.config, slots: 1 }, BUYERS, {
      answers: new EngineAnswers({ database, generations }, { models }),
    });
    try {
      // The requested ones are computed after many others.
      const others = Array.from({ length: 50 }, (_, no) =>
        kindOf(models.figures(ENDPOINT, { ...generation, state: String(no) }, new AbortController().signal)),
      );
      let isAnswered = false;
      const asked = service.get(PATH).finally(() => {
        isAnswered = true;
      });
      expect((await service.get("/v1/profitability/cards")).status).to.equal(200);
      expect(isAnswered).to.equal(false);
      await models.close();
      expect((await asked).status).to.equal(503);
      await Promise.all(others);
    } finally {
      await service.close();
    }
  });

  it("are an answer with the envelope, refused with dates, and a table in every format", async () => {
    const service = await openService(data.config, BUYERS);
    try {
      const { status, body } = await service.get(PATH);
      expect(status).to.equal(200);
      expect(Object.keys(body)).to.deep.equal([
        ...[
          "period",
          "asOf",
          "coverage",
          "marginPercent",
          "marginConfigured",
          "marginCompleteness",
          "marginItemStatus",
        ],
        ...["state", "confidence", "model", "data", "total", "holdOut"],
      ]);
      expect((await service.get(`${PATH}?startDate=2025-01-01`)).status).to.equal(400);
      const rows = body.data as { cohortMonth: string; weeks52: { revenue: number } }[];
      for (const format of FORMAT_NAMES.filter((name) => name !== "json")) {
        const table = await tableOf(service, format);
        expect(table.status, format).to.equal(200);
        expect(table.headers["x-row-count"], format).to.equal(String(rows.length));
      }
      const read = String((await tableOf(service, "ndjson")).body)
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(read.map((row) => [row.cohortMonth, row.weeks52_revenue])).to.deep.equal(
        rows.map(({ cohortMonth, weeks52 }) => [cohortMonth, weeks52.revenue]),
      );
    } finally {
      await service.close();
    }
  });

  it("are a table without rows if there is too little", async () => {
    const little = await landedBuyers(buyersWorld(50, 300, 2));
    const service = await openService(little.config, BUYERS);
    try {
      expect((await service.get(PATH)).body).to.include({ state: "too_little", data: null });
      expect(
        String((await tableOf(service, "csv")).body)
          .trim()
          .split("\r\n"),
      ).to.have.lengthOf(1);
    } finally {
      await service.close();
      await little.remove();
    }
  });
});
