import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { readConfig } from "../../src/core/config.ts";
import { filesOfState } from "../../src/features/cluster/openCoordination.ts";
import { peopleFindings } from "../../src/features/doctor/people.ts";
import { People } from "../../src/features/people/people.ts";
import { AURORA, DataFolder, filesBelow, ROOT } from "../support/data.ts";

describe("The doctor on people", () => {
  let data: DataFolder;
  const findings = (environment: Readonly<Record<string, string>> = {}) =>
    peopleFindings(readConfig({ LUCRA_DATA_DIR: data.path, ...environment }));
  const kinds = async (environment: Readonly<Record<string, string>> = {}): Promise<string[]> =>
    (await findings(environment)).map(({ kind, level }) => `${kind} ${level}`);
  const PUBLIC = { LUCRA_PUBLIC_URL: "https://lucra.example.com" };
  const MAIL = { ...PUBLIC, LUCRA_SMTP_URL: "smtp://localhost", LUCRA_MAIL_FROM: "lucra@example.com" };

  beforeEach(async () => {
    data = await DataFolder.empty();
  });
  afterEach(() => data.remove());

  it("has nothing to say without people, and then asks for an address of the service", async () => {
    expect(await kinds()).to.deep.equal([]);
    await new People(data.path).add("ana@example.com", { organizations: [AURORA], role: "admin" });
    expect(await kinds()).to.deep.equal(["peopleWithoutAddress notice"]);
    expect(await kinds(PUBLIC)).to.deep.equal([]);
    expect(await kinds({ LUCRA_PLATFORM: "off" })).to.deep.equal([]);
  });

  it("asks for the name of the proxy where mail is set up", async () => {
    expect(await kinds(MAIL)).to.deep.equal(["uncountedAddresses notice"]);
    expect(await kinds({ ...MAIL, LUCRA_TRUSTED_PROXIES: "127.0.0.1" })).to.deep.equal([]);
    expect(await kinds({ ...MAIL, HOST: "10.0.0.5" }), "clients connect themselves").to.deep.equal([]);
  });

  it("lists the operators", async () => {
    const people = new People(data.path);
    await people.add("op@example.com", { organizations: [], role: "viewer", operator: true });
    await people.add("ana@example.com", { organizations: [AURORA], role: "admin" });
    const [found] = await findings(PUBLIC);
    expect(found).to.deep.include({ kind: "operators", rows: [{ email: "op@example.com" }] });
  });

  it("names the lines of the log that are damaged", async () => {
    const line = '{"id":"a"}';
    await data.write(`audit/${AURORA}.ndjson`, [line, "{", line, "7", '"text"', "[]", "null", line, ""].join("\n"));
    await data.write("audit/platform.ndjson", `${line}\n`);
    const [found] = await findings();
    expect(found).to.deep.include({
      kind: "damagedLog",
      level: "wrong",
      rows: [{ file: `audit/${AURORA}.ndjson`, lines: 5, first: "2, 4, 5, 6, 7" }],
    });
  });
});

describe("The state of a data folder", () => {
  it("that a database takes over is every document, and the log", async () => {
    const data = await DataFolder.empty();
    try {
      const sources = (await filesBelow(path.join(ROOT, "src"))).filter((file) => file.endsWith(".ts"));
      const texts = await Promise.all(sources.map((file) => readFile(path.join(ROOT, "src", file), "utf8")));
      const opened = texts.flatMap((text) => [...text.matchAll(/documents\.open<[\s\S]*?file: paths\.(\w+)\(/g)]);
      const { paths } = await import("../../src/core/files/paths.ts");
      const files = opened.map(([, name = ""]) =>
        path.relative(
          data.path,
          (paths as unknown as Record<string, (dataDir: string) => string>)[name]?.(data.path) ?? name,
        ),
      );
      expect(files).to.include.members(["credentials.json", "people.json", "sign-ins.json", "sessions.json"]);
      for (const file of [...files, "audit/platform.ndjson"]) await data.write(file, "{}");
      await data.write("audit/.platform", "a lock");
      expect((await filesOfState(data.path)).sort()).to.deep.equal([...files, "audit/platform.ndjson"].sort());
    } finally {
      await data.remove();
    }
  });
});
