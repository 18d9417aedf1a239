import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { OperatorError } from "../../src/core/contract/error.ts";
import { Links } from "../../src/features/links/links.ts";
import { until } from "../http/fake.ts";

const WANTED = { organization: "11111111-1111-4111-8111-111111111111", endpoint: "/v1/crm/contacts", name: "sheet" };

describe("Share links", () => {
  let folder: string;
  let file: string;
  const problems: string[] = [];
  const open = (): Links => new Links(folder, (problem) => problems.push(problem));

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "lucra-links-"));
    file = path.join(folder, "links.json");
    problems.length = 0;
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("are found by their token, which the file, readable only by its owner, does not hold", async () => {
    const { id, token } = await open().create({ ...WANTED, days: 28 });
    expect(token).to.match(/^[\w-]{43}$/);
    expect(await open().find(token)).to.deep.include({ ...WANTED, id, days: 28 });
    expect(await readFile(file, "utf8")).to.not.contain(token);
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    expect(Object.keys((await open().list())[0] ?? {})).to.not.include("hash");
    for (const wrong of ["", "x", `${token}x`, token.slice(1), id, token.toLowerCase()]) {
      expect(await open().find(wrong), wrong).to.equal(undefined);
    }
    const { hash } = JSON.parse(await readFile(file, "utf8")).links[0];
    expect(await open().find(hash)).to.equal(undefined);
  });

  it("that have expired, or whose expiry is no date, are not found and stay listed", async () => {
    for (const [expiresAt, isFound] of [
      [new Date(Date.now() + 60_000).toISOString(), true],
      [new Date(Date.now() - 1).toISOString(), false],
      ["no date", false],
    ] as const) {
      const { token } = await open().create({ ...WANTED, expiresAt });
      expect((await open().find(token)) !== undefined, expiresAt).to.equal(isFound);
    }
    expect(await open().list()).to.have.length(3);
  });

  it("that are new or revoked are noticed by a running service, and are revoked once", async () => {
    const running = open();
    expect(await running.find("x")).to.equal(undefined);
    const { id, token } = await open().create(WANTED);
    await until(async () => (await running.find(token)) !== undefined);
    await open().revoke(id);
    await until(async () => (await running.find(token)) === undefined);
    expect((await open().list())[0]?.revokedAt).to.be.a("string");
    expect(await readFile(file, "utf8")).to.not.contain("hash");
    for (const wrong of [id, "link_unknown"]) {
      const error = await open()
        .revoke(wrong)
        .then(
          () => undefined,
          (failure: unknown) => failure,
        );
      expect(error, wrong).to.be.instanceOf(OperatorError);
    }
  });

  it("are all kept when many are made at once", async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => open().create(WANTED)));
    for (const { token } of made) expect(await open().find(token)).to.not.equal(undefined);
  });

  it("of a bad file stay the last good ones, and nothing is written over it", async () => {
    const { token } = await open().create(WANTED);
    const running = open();
    await running.find(token);
    for (const bad of ["", "{}", '{"links":[{"id":"a","organization":"b","endpoint":"c"}]}']) {
      await writeFile(file, bad);
      await until(async () => (await running.find(token)) !== undefined && problems.length > 0);
      expect(await running.find(token)).to.not.equal(undefined);
      const error = await open()
        .create(WANTED)
        .then(
          () => undefined,
          (failure: Error) => failure.message,
        );
      expect(error).to.contain("links.json: not what `links` writes");
      expect(await readFile(file, "utf8")).to.equal(bad);
    }
  });
});
