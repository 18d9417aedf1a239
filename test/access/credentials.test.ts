import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { Credentials } from "../../src/core/access/credentials.ts";
import { OperatorError } from "../../src/core/contract/error.ts";
import { until } from "../http/fake.ts";

const LOJA = { organizations: ["11111111-1111-4111-8111-111111111111"], name: "loja" };

async function refusal(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => "no refusal",
    (error: unknown) => error,
  );
}

describe("Credentials", () => {
  let folder: string;
  let file: string;
  const problems: string[] = [];
  const open = (): Credentials => new Credentials(folder, (problem) => problems.push(problem));
  const verifies = async (id: string, secret: string): Promise<boolean> =>
    (await open().verify(id, secret)) !== undefined;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "lucra-credentials-"));
    file = path.join(folder, "credentials.json");
    problems.length = 0;
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("are shown once: the file, readable only by its owner, holds no secret", async () => {
    const made = await open().create(LOJA);
    expect(Buffer.from(made.client_secret, "base64url")).to.have.lengthOf(32);
    const kept = await readFile(file, "utf8");
    expect(kept).to.contain(made.client_id).and.not.contain(made.client_secret);
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    expect(JSON.stringify(await open().list())).to.not.contain("hash");
    expect((await readdir(folder)).sort()).to.deep.equal([".credentials", "credentials.json"]);
  });

  it("say whose they are and which organizations they are bound to", async () => {
    const made = await open().create(LOJA);
    expect(await open().verify(made.client_id, made.client_secret)).to.deep.equal({
      clientId: made.client_id,
      organizations: LOJA.organizations,
    });
  });

  it("are refused when anything about them is wrong", async () => {
    const [one, other] = [await open().create(LOJA), await open().create(LOJA)];
    for (const [id, secret] of [
      [one.client_id, other.client_secret],
      [one.client_id, ""],
      [one.client_id, `${one.client_secret} `],
      ["", ""],
      ["__proto__", ""],
      ["nobody", one.client_secret],
      [one.client_id.toUpperCase(), one.client_secret],
    ] as const) {
      expect(await verifies(id, secret), id).to.equal(false);
    }
  });

  it("of a client without any secret are refused, also with an empty one", async () => {
    const { client_id } = await open().create(LOJA);
    const kept = JSON.parse(await readFile(file, "utf8"));
    kept.clients[0].secrets = [];
    await writeFile(file, JSON.stringify(kept));
    expect(await verifies(client_id, "")).to.equal(false);
  });

  it("are refused before the first client is created", async () => {
    expect(await verifies("x", "y")).to.equal(false);
    expect(await open().list()).to.deep.equal([]);
  });

  it("that are rotated work during the overlap and no longer", async () => {
    const first = await open().create(LOJA);
    const second = await open().rotate(first.client_id, { overlapSeconds: 3600 });
    expect(second.client_id).to.equal(first.client_id);
    expect(await verifies(first.client_id, first.client_secret)).to.equal(true);
    expect(await verifies(first.client_id, second.client_secret)).to.equal(true);
    const third = await open().rotate(first.client_id, { overlapSeconds: 0 });
    expect(await verifies(first.client_id, first.client_secret)).to.equal(false);
    expect(await verifies(first.client_id, second.client_secret)).to.equal(false);
    expect(await verifies(first.client_id, third.client_secret)).to.equal(true);
  });

  it("are listed with the overlap while two secrets work", async () => {
    const { client_id } = await open().create(LOJA);
    expect((await open().list())[0])
      .to.include({ secrets: 1 })
      .and.not.have.property("overlapUntil");
    const { old_secret_until } = await open().rotate(client_id, { overlapSeconds: 3600 });
    expect((await open().list())[0]).to.include({ secrets: 2, overlapUntil: old_secret_until });
    await open().rotate(client_id, { overlapSeconds: 0 });
    expect((await open().list())[0])
      .to.include({ secrets: 1 })
      .and.not.have.property("overlapUntil");
  });

  for (const overlapSeconds of [-1, 0.5, Number.NaN, 1e20]) {
    it(`are not rotated with an overlap of ${overlapSeconds} seconds`, async () => {
      const { client_id, client_secret } = await open().create(LOJA);
      const refused = await refusal((async () => open().rotate(client_id, { overlapSeconds }))());
      expect(refused).to.be.instanceOf(OperatorError);
      expect(await verifies(client_id, client_secret)).to.equal(true);
    });
  }

  it("that have expired are refused", async () => {
    const { client_id, client_secret } = await open().create(LOJA);
    const kept = JSON.parse(await readFile(file, "utf8"));
    kept.clients[0].secrets[0].expiresAt = new Date(Date.now() - 1).toISOString();
    await writeFile(file, JSON.stringify(kept));
    expect(await verifies(client_id, client_secret)).to.equal(false);
  });

  it("a second rotation does not lengthen the first one's overlap", async () => {
    const { client_id } = await open().create(LOJA);
    await open().rotate(client_id, { overlapSeconds: 100 });
    await open().rotate(client_id, { overlapSeconds: 100_000 });
    const [{ secrets }] = JSON.parse(await readFile(file, "utf8")).clients;
    const ends = secrets.map((s: { expiresAt?: string }) => s.expiresAt && Date.parse(s.expiresAt) - Date.now());
    expect(ends[0]).to.equal(undefined);
    expect(ends[1]).to.be.greaterThan(1_000_000);
    expect(ends[2]).to.be.lessThan(101_000);
  });

  it("that are revoked are refused, and stay listed", async () => {
    const { client_id, client_secret } = await open().create(LOJA);
    await open().revoke(client_id);
    expect(await verifies(client_id, client_secret)).to.equal(false);
    const [listed] = await open().list();
    expect(listed?.revokedAt).to.be.a("string");
    expect(await refusal(open().rotate(client_id, { overlapSeconds: 0 }))).to.be.instanceOf(OperatorError);
  });

  it("of an unknown client can be neither rotated nor revoked", async () => {
    expect(await refusal(open().revoke("nobody"))).to.be.instanceOf(OperatorError);
    expect(await refusal(open().rotate("nobody", { overlapSeconds: 0 }))).to.be.instanceOf(OperatorError);
  });

  it("that are new or revoked are noticed by a running service", async () => {
    const service = open();
    expect(await service.verify("x", "y")).to.equal(undefined);
    const { client_id, client_secret } = await open().create(LOJA);
    await until(async () => (await service.verify(client_id, client_secret)) !== undefined);
    await open().revoke(client_id);
    await until(async () => (await service.verify(client_id, client_secret)) === undefined);
  });

  it("of all the first requests after a start are accepted, not only of the first one", async () => {
    const { client_id, client_secret } = await open().create(LOJA);
    const service = open();
    const found = await Promise.all([1, 2, 3, 4].map(() => service.verify(client_id, client_secret)));
    expect(found.every((client) => client?.clientId === client_id)).to.equal(true);
  });

  it("are all kept when many are created at once", async () => {
    const made = await Promise.all(Array.from({ length: 12 }, (_, n) => open().create({ ...LOJA, name: `n${n}` })));
    const listed = await open().list();
    expect(listed.map((client) => client.client_id).sort()).to.deep.equal(made.map((m) => m.client_id).sort());
    expect((await readdir(folder)).sort()).to.deep.equal([".credentials", "credentials.json"]);
  });

  it("in a file of another program are an error that names it, and are not overwritten", async () => {
    for (const content of ["{", '{"clients":{}}', '{"clients":[{"client_id":"x"}]}', "[]"]) {
      await writeFile(file, content);
      const error = await refusal(open().create(LOJA));
      expect(error, content).to.be.instanceOf(OperatorError);
      expect((error as Error).message).to.contain("credentials.json");
      expect(await readFile(file, "utf8")).to.equal(content);
    }
  });

  it("stay the last good ones in a service, which reports once that the file became bad", async () => {
    const { client_id, client_secret } = await open().create(LOJA);
    const service = open();
    await service.verify(client_id, client_secret);
    await writeFile(file, "{");
    await until(async () => {
      expect(await service.verify(client_id, client_secret)).to.not.equal(undefined);
      return problems.length > 0;
    });
    expect(problems).to.have.lengthOf(1);
  });
});
