import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import request from "supertest";
import { Credentials } from "../../src/core/access/credentials.ts";
import { OperatorError } from "../../src/core/contract/error.ts";
import { ask, CARDS, makeApp, OURS, until, withOrganization } from "../support/app.ts";

const WANTED = { organizations: [OURS], name: "loja" };

describe("The credentials file", () => {
  let folder: string;
  let file: string;
  const problems: string[] = [];
  const open = (): Credentials => new Credentials(folder, (problem) => problems.push(problem));

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "lucra-access-"));
    file = path.join(folder, "credentials.json");
    problems.length = 0;
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("keeps all of twenty clients that are created at once", async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => open().create(WANTED)));
    const listed = (await open().list()).map(({ client_id }) => client_id);
    expect(listed.sort()).to.deep.equal(made.map(({ client_id }) => client_id).sort());
  });

  it("loses secrets that expired more than 30 days ago when it is next written, and nothing else", async () => {
    const day = 86_400_000;
    const [one, gone] = [await open().create(WANTED), await open().create(WANTED)];
    await open().revoke(gone.client_id);
    const before = JSON.parse(await readFile(file, "utf8"));
    const [working] = before.clients[0].secrets;
    const expired = (no: number, expiresAt: string) => ({ ...working, hash: String(no).repeat(64), expiresAt });
    const ago = (days: number): string => new Date(Date.now() - days * day).toISOString();
    before.clients[0].secrets.push(
      expired(1, ago(29)),
      expired(2, ago(31)),
      expired(3, "no date"),
      expired(4, ago(900)),
    );
    await writeFile(file, JSON.stringify(before));
    await open().create(WANTED);
    const after = JSON.parse(await readFile(file, "utf8"));
    expect(after.clients).to.have.lengthOf(3);
    expect(after.clients[0].secrets).to.deep.equal([0, 1, 3].map((no) => before.clients[0].secrets[no]));
    expect(after.clients[1]).to.deep.equal(before.clients[1]);
    expect(await open().verify(one.client_id, one.client_secret)).to.not.equal(undefined);
    expect(await open().verify(gone.client_id, gone.client_secret)).to.equal(undefined);
  });

  it("with a creation in the future is reported by the list, whether of a client or of a secret", async () => {
    for (let n = 0; n < 4; n++) await open().create(WANTED);
    const kept = JSON.parse(await readFile(file, "utf8"));
    const [soon, later] = [60_000, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
    kept.clients[0].createdAt = later;
    kept.clients[1].secrets[0].createdAt = later;
    kept.clients[2].createdAt = soon;
    kept.clients[3].createdAt = undefined;
    await writeFile(file, JSON.stringify(kept));
    const listed = (await open().list()).map(({ createdInFuture }) => createdInFuture);
    expect(listed).to.deep.equal([later, later, undefined, undefined]);
  });

  it("may start with a byte order mark", async () => {
    const { client_id, client_secret } = await open().create(WANTED);
    await writeFile(file, `\uFEFF${await readFile(file, "utf8")}`);
    expect(await open().verify(client_id, client_secret)).to.not.equal(undefined);
  });

  it("that was damaged is an operator's error, never overwritten", async () => {
    const hash = "0".repeat(64);
    const client = { client_id: "a", organizations: [OURS], secrets: [{ hash }] };
    const damaged = [
      "",
      "null",
      '{"clients":[null]}',
      JSON.stringify({ clients: [{ ...client, secrets: [{ hash: "00" }] }] }),
      JSON.stringify({ clients: [{ ...client, secrets: [{}] }] }),
      JSON.stringify({ clients: [{ ...client, organizations: OURS }] }),
      JSON.stringify({ clients: [client] }).slice(0, -2),
    ];
    for (const content of damaged) {
      await writeFile(file, content);
      for (const work of [() => open().list(), () => open().create(WANTED), () => open().revoke("a")]) {
        const error = await work().then(
          () => undefined,
          (reason: unknown) => reason,
        );
        expect(error, content).to.be.instanceOf(OperatorError);
      }
      expect(await readFile(file, "utf8")).to.equal(content);
      expect(await open().verify("a", ""), "a service that starts on it has no clients").to.equal(undefined);
    }
  });

  it("that cannot be read leaves a service the last good clients", async () => {
    const { client_id, client_secret } = await open().create(WANTED);
    const service = open();
    expect(await service.verify(client_id, client_secret)).to.not.equal(undefined);
    await rm(file);
    await mkdir(file);
    await until(async () => {
      expect(await service.verify(client_id, client_secret)).to.not.equal(undefined);
      return problems.length > 0;
    });
    expect(problems[0]).to.match(/^credentials\.json: .*EISDIR/);
  });

  it("that became bad does not affect requests, and counts again once repaired", async () => {
    const { client_id, client_secret } = await open().create(WANTED);
    const good = await readFile(file, "utf8");
    const { app } = makeApp(undefined, { credentials: open() });
    const status = async () =>
      (
        await request(app)
          .get(withOrganization(CARDS))
          .set("x-client-id", client_id)
          .set("x-client-secret", client_secret)
      ).status;
    expect(await status()).to.equal(200);
    await writeFile(file, "{");
    await until(async () => {
      expect(await status()).to.equal(200);
      return problems.length > 0;
    });
    await writeFile(file, good);
    await open().revoke(client_id);
    await until(async () => (await status()) === 401);
    expect(problems).to.have.length(1);
    expect((await ask(app, CARDS)).status).to.equal(401);
  });
});
