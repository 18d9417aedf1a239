import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readdir, readFile, rename, rm, utimes } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { Organization } from "../../src/core/contract/settings.ts";
import { Database, literal } from "../../src/core/engine/database.ts";
import { exists } from "../../src/core/files/exists.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { paths } from "../../src/core/files/paths.ts";
import { GenerationStore } from "../../src/core/marts/current.ts";
import { currentGeneration, pointerText, publishGeneration } from "../../src/core/marts/generations.ts";
import { deriveAll } from "../../src/core/sync/sync.ts";
import { diagnose } from "../../src/features/doctor/command.ts";
import { AURORA, DataFolder, ROOT } from "../support/data.ts";
import { CARDS, SHOP, shopOfVersion1, until, version } from "../support/generations.ts";
import { openService, type Service } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";

describe("A running service", () => {
  let first: DataFolder;
  let data: DataFolder;
  let service: Service;

  before(async () => {
    first = await shopOfVersion1();
  });

  after(() => first?.remove());

  beforeEach(async () => {
    data = await DataFolder.copyOf(first);
    service = await openService(data.config, AURORA);
  });

  afterEach(async () => {
    service.close();
    await data.remove();
  });

  it("answers from one generation at a time while another process makes new ones again and again", async () => {
    const most = 3;
    let under = true;
    const syncing = (async () => {
      for (let number = 2; number <= most; number++) {
        await version(data, number);
        const { status, stderr } = await data.lucra(["sync"]);
        expect(status, stderr).to.equal(0);
      }
    })().finally(() => {
      under = false;
    });
    const seen = new Set<number>();
    for (let asked = 0; under; asked++) {
      // Never the same question twice, so that the engine answers each.
      const days = `startDate=2025-01-01&endDate=${new Date(Date.UTC(2025, 2, 1) + asked * 86_400_000).toISOString().slice(0, 10)}`;
      const { status, body, text } = await service.get(`${CARDS}?${days}`);
      expect(status, text).to.equal(200);
      const number = Number(body.averageTicket);
      const { revenue, orders } = body as { revenue: number; orders: number };
      const made = revenue / 20;
      expect(orders, text).to.equal(20 + (made * (made + 1)) / 2);
      expect(number).to.equal(Math.round((revenue / orders) * 100) / 100);
      const series = await service.get(`/v1/profitability/cmv-evolution?${days}`);
      const sold = (series.body.data as { revenue: number; orders: number }[]).filter(({ orders }) => orders > 0);
      for (const day of sold) expect(day.orders).to.equal(20 + ((day.revenue / 20) * (day.revenue / 20 + 1)) / 2);
      seen.add(made);
      await sleep(20);
    }
    await syncing;
    await until(service, CARDS, (body) => body.revenue === 20 * most);
    expect(seen).to.not.be.empty;
    expect(service.problems).to.deep.equal([]);
  });

  it("takes up changed settings; bad ones leave the last good ones in force", async () => {
    const margin = (percent: number): Promise<void> => data.settings({ ...SHOP, margin: { percent } });
    await service.get(CARDS);
    await margin(50);
    await until(service, CARDS, (body) => body.marginPercent === 50);
    await data.write(`organizations/${AURORA}.json`, '{"organizationId": ');
    await sleep(600);
    expect((await service.get(CARDS)).body.marginPercent).to.equal(50);
    expect(service.problems)
      .to.have.lengthOf(1)
      .and.satisfy(([problem]: string[]) => problem?.includes(`${AURORA}.json`));
    // Another sync also uses the last good ones.
    await version(data, 3);
    const { status, stderr } = await data.lucra(["sync"]);
    expect(status).to.equal(1);
    expect(stderr).to.include(`organizations/${AURORA}.json`);
    await until(service, CARDS, (body) => body.revenue === 60 && body.marginPercent === 50);
  });

  it("derives again what was deleted during service: everything, or only the present generation", async () => {
    const right = (await service.get(CARDS)).text;
    await rm(foldersOf(data.path, AURORA).mart, { recursive: true });
    // A cached answer may be given for a moment without its files; an answer that needs files has them derived again.
    expect((await service.get(`${CARDS}?`)).text).to.equal(right);
    expect((await service.get("/v1/profitability/new-vs-recurring")).status).to.equal(200);
    const { folder } = (await currentGeneration(foldersOf(data.path, AURORA))) ?? { folder: "" };
    await rm(folder, { recursive: true });
    const again = await service.get("/v1/profitability/cmv-evolution");
    expect([again.status, (again.body.data as unknown[]).length]).to.deep.equal([200, 1]);
    // The same folder name again, with other content.
    await rm(foldersOf(data.path, AURORA).mart, { recursive: true });
    await data.settings({ ...SHOP, margin: { percent: 50 } });
    await until(service, CARDS, (body) => body.contribution === 10);
    expect(service.problems).to.deep.equal([]);
  });
});

describe("Generations", () => {
  let first: DataFolder;
  let data: DataFolder;

  before(async () => {
    first = await shopOfVersion1();
  });

  after(() => first?.remove());

  beforeEach(async () => {
    data = await DataFolder.copyOf(first);
  });

  afterEach(() => data.remove());

  /** Without those of states, which what was replaced is kept as. */
  const folders = async (): Promise<string[]> =>
    (await readdir(foldersOf(data.path, AURORA).mart)).filter((name) => !name.startsWith("state=")).sort();
  const settings = async (): Promise<Organization> => JSON.parse(await data.text(`organizations/${AURORA}.json`));
  const longAgo = new Date(Date.now() - 3_600_000);

  it("are removed once nobody can read them any more, however old they are themselves", async () => {
    await version(data, 2);
    await data.sync();
    // Both were made an hour ago: the second one was in use until the third takes its place.
    for (const name of ["gen=000001", "gen=000002"]) {
      await utimes(path.join(foldersOf(data.path, AURORA).mart, name), longAgo, longAgo);
    }
    for (const number of [3, 4]) {
      await version(data, number);
      await data.sync();
    }
    expect(await folders()).to.deep.equal(["current", "gen=000002", "gen=000003", "gen=000004"]);
  });

  it("are made once by two derivations at the same time", async () => {
    const changed: Organization = { ...SHOP, margin: { percent: 10 } };
    await data.settings(changed);
    const [one, other] = await Promise.all([
      data.lucra(["derive"]),
      data.lucra(["derive"]),
      deriveAll(data.config, [changed]),
    ]);
    expect([one?.status, other?.status]).to.deep.equal([0, 0]);
    expect(await folders()).to.deep.equal(["current", "gen=000001", "gen=000002"]);
    expect(
      JSON.parse(await readFile(path.join(foldersOf(data.path, AURORA).mart, "gen=000002", "derived.json"), "utf8"))
        .settings,
    ).to.deep.equal(changed);
  });

  it("of one organization that fail do not stop those of the others", async () => {
    const last = { organizationId: "ffffffff-9b5e-4d48-8f32-8c7e1bad5f21", name: "Last" };
    await data.settings(last);
    await data.settings({ ...SHOP, margin: { percent: 10 } });
    const pointer = path.join(foldersOf(data.path, AURORA).mart, "current");
    await rm(pointer);
    // A folder in the place of the file.
    await mkdir(pointer);
    const { status, stderr } = await data.lucra(["derive"]);
    expect(status).to.equal(1);
    expect(stderr).to.match(/^failed: Shop: could not derive: .*EISDIR[^\n]*\n$/);
    expect(await currentGeneration(foldersOf(data.path, last.organizationId))).to.not.equal(undefined);
  });

  it("follow settings that change while the ones before them are being derived", async () => {
    const problems: unknown[] = [];
    const generations = new GenerationStore(data.path, settings, (_, error) => problems.push(error));
    const percent = async (): Promise<unknown> => (await generations.current(AURORA)).settings.margin;
    expect(await percent()).to.equal(undefined);
    await data.settings({ ...SHOP, margin: { percent: 25 } });
    while (!(await folders()).some((name) => name.startsWith(".unfinished-"))) {
      await percent();
      await sleep(20);
    }
    // From here on that derivation has read its settings.
    await data.settings({ ...SHOP, margin: { percent: 40 } });
    for (let margin = await percent(); JSON.stringify(margin) !== '{"percent":40}'; margin = await percent())
      await sleep(50);
    expect(problems).to.deep.equal([]);
  });

  it("that a killed derivation left unfinished or unnamed do no harm", async () => {
    const home = foldersOf(data.path, AURORA).mart;
    await data.write(`marts/organization_id=${AURORA}/.unfinished-1-abc/orders.parquet`, "half");
    await data.write(`marts/organization_id=${AURORA}/.current.abc`, "gen=000009", longAgo);
    await rename(path.join(home, "gen=000001"), path.join(home, "gen=000002"));
    expect((await data.sync()).derived).to.deep.equal([AURORA]);
    expect(await folders()).to.deep.equal(["current", "gen=000002", "gen=000003"]);
    await data.write(`marts/organization_id=${AURORA}/.unfinished-1-abc/orders.parquet`, "half");
    expect((await data.sync()).derived, "nothing to do").to.deep.equal([]);
    expect(await folders()).to.not.include(".unfinished-1-abc");
  });

  it("and landings that another process is working on are kept while it runs", async () => {
    const places = [
      path.join(foldersOf(data.path, AURORA).mart, ".unfinished-"),
      path.join(paths.work(data.path), "work-"),
    ];
    await mkdir(paths.work(data.path), { recursive: true });
    const script = `
      import { mkdtemp } from "node:fs/promises";
      import { ownedFolder } from ${JSON.stringify(path.join(ROOT, "src", "core", "engine", "ownedFolder.ts"))};
      const folders = [];
      for (const place of ${JSON.stringify(places)}) folders.push((await ownedFolder(() => mkdtemp(place))).folder);
      console.log(JSON.stringify(folders));
      setInterval(() => {}, 1000);`;
    const args = ["--import", path.join(ROOT, "bin", "typescript.mjs"), "--input-type=module", "-e", script];
    const other = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    const held: string[] = JSON.parse(String((await once(other.stdout, "data"))[0]));
    const there = async (): Promise<boolean[]> => Promise.all(held.map(exists));
    await version(data, 2);
    await data.sync();
    expect(await there()).to.deep.equal([true, true]);
    other.kill("SIGKILL");
    await once(other, "exit");
    await data.sync();
    expect(await there()).to.deep.equal([false, false]);
  });

  it("are not replaced by those of a process that read its inputs before they were published", async () => {
    const generation = (await currentGeneration(foldersOf(data.path, AURORA))) ?? expect.fail();
    const read = await pointerText(foldersOf(data.path, AURORA));
    await version(data, 2);
    await data.sync();
    const newer = await currentGeneration(foldersOf(data.path, AURORA));
    const before = await folders();
    const late = path.join(data.path, "late", "files");
    await cp(generation.folder, late, { recursive: true });
    await rm(path.join(late, "derived.json"));
    const { folder: _, checksums: __, ...made } = generation;
    const failure = await publishGeneration(foldersOf(data.path, AURORA), late, made, { pointer: read }).catch(
      (error: Error) => error.message,
    );
    expect(failure).to.match(/^another process has published/);
    expect(await currentGeneration(foldersOf(data.path, AURORA))).to.deep.equal(newer);
    expect(await folders()).to.deep.equal(before);
  });

  it("are kept for readers by the time of the storage, not by the writer's clock", async () => {
    const ahead = "const now = Date.now; Date.now = () => now() + 3_600_000;";
    const environment = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(ahead)}` };
    for (const number of [2, 3, 4]) {
      await version(data, number);
      const { status, stderr } = await data.lucra(["sync"], environment);
      expect(status, stderr).to.equal(0);
    }
    expect(await folders()).to.deep.equal(["current", ...[1, 2, 3, 4].map((number) => `gen=00000${number}`)]);
  });

  it("follow settings that change after a derivation has read them, however late it ends", async () => {
    let end = (): void => {};
    const ending = new Promise<void>((done) => {
      end = done;
    });
    const derive = async (): Promise<void> => {
      await deriveAll(data.config, [await settings()]);
      await ending;
    };
    const problems: unknown[] = [];
    const generations = new GenerationStore(data.path, settings, (_, error) => problems.push(error), derive);
    const becomes = async (percent: number): Promise<void> => {
      const wanted = JSON.stringify({ percent });
      while (JSON.stringify((await generations.current(AURORA)).settings.margin) !== wanted) await sleep(20);
    };
    await generations.current(AURORA);
    await data.settings({ ...SHOP, margin: { percent: 25 } });
    await becomes(25);
    await data.settings({ ...SHOP, margin: { percent: 40 } });
    // Long enough for the settings to be checked meanwhile.
    await sleep(600);
    await generations.current(AURORA);
    end();
    await becomes(40);
    expect(problems).to.deep.equal([]);
  });

  it("of one organization in another one's place answer nothing, and are derived again", async () => {
    const both = await DataFolder.copyOf(first);
    try {
      const other = { ...SHOP, organizationId: "22222222-2222-4222-8222-222222222222", name: "Other" };
      await both.settings(other);
      await deriveAll(both.config, [other]);
      await rm(foldersOf(both.path, other.organizationId).mart, { recursive: true });
      await cp(foldersOf(both.path, AURORA).mart, foldersOf(both.path, other.organizationId).mart, { recursive: true });
      const refused: unknown[] = [];
      const waiting = 0;
      const reader = new GenerationStore(
        both.path,
        async () => other,
        console.error,
        async () => {},
        { waitMs: waiting },
      );
      await reader.current(other.organizationId).catch((error) => refused.push(error.kind));
      expect(refused).to.deep.equal(["underived"]);
      const kinds = async (): Promise<string[]> =>
        (await diagnose(both.config, other.organizationId)).organizations[0]?.findings.map(({ kind }) => kind) ?? [];
      expect(await kinds()).to.include("foreignDerived");
      const writer = new GenerationStore(
        both.path,
        async () => other,
        console.error,
        () => deriveAll(both.config, [other]),
      );
      expect((await writer.current(other.organizationId)).settings).to.deep.equal(other);
      expect(await kinds()).to.not.include("foreignDerived");
    } finally {
      await both.remove();
    }
  });

  it("have the same columns of the same types whatever has landed", async () => {
    const full = await landedFixtures();
    try {
      await deriveAll(full.config, [{ organizationId: "_empty", name: "" }]);
      const database = await Database.open();
      try {
        const types = async (organization: string): Promise<Record<string, string>> => {
          const { folder = "" } = (await currentGeneration(foldersOf(full.path, organization))) ?? {};
          const all: Record<string, string> = {};
          for (const file of (await readdir(folder)).filter((name) => name.endsWith(".parquet"))) {
            const columns = await database.use((session) =>
              session.columns(`from read_parquet(${literal(path.join(folder, file))})`),
            );
            all[file] = columns.map(({ name, type }) => `${name} ${type}`).join("\n");
          }
          return all;
        };
        const empty = await types("_empty");
        expect(Object.keys(empty)).to.have.length.above(10);
        expect(await types(AURORA)).to.deep.equal(empty);
      } finally {
        database.close();
      }
    } finally {
      await full.remove();
    }
  });
});
