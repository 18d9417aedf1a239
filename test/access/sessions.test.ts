import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { Credentials } from "../../src/core/access/credentials.ts";
import { IDLE_MS, SESSION_MS, Sessions } from "../../src/features/people/sessions.ts";

const OURS = "0aaaaaaa-0000-4000-8000-000000000001";
const DAY_MS = 86_400_000;

describe("Sessions", () => {
  let dataDir: string;
  let credentials: Credentials;
  let now: number;
  const open = (): Sessions => new Sessions({ dataDir, credentials, clock: () => now });

  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), "lucra-sessions-"));
    credentials = new Credentials(dataDir);
    now = Date.now();
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  const client = () => credentials.create({ organizations: [OURS], name: "" });
  /** A session of a new client. */
  async function started() {
    const { client_id: clientId, client_secret: secret } = await client();
    const sessions = open();
    const { token } = await sessions.start(clientId, secret);
    return { sessions, clientId, secret, token };
  }

  it("are found by their token at once, also by another process", async () => {
    const { sessions, clientId, token } = await started();
    const found = { clientId, organizations: [OURS] };
    expect(await sessions.find(token)).to.deep.equal(found);
    expect(await open().find(token)).to.deep.equal(found);
    expect(await sessions.find("another")).to.equal(undefined);
  });

  it("are in a file of Lucra's own user, which contains neither tokens nor secrets", async () => {
    const { secret, token } = await started();
    const file = path.join(dataDir, "sessions.json");
    const content = await readFile(file, "utf8");
    for (const it of [token, secret]) expect(content).to.not.include(it);
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
  });

  it("end 30 days after the sign-in, however often they are used", async () => {
    const { sessions, token } = await started();
    for (let days = 0; days < 29; days += 5) {
      now += 5 * DAY_MS;
      if (days < 25) expect(await sessions.find(token), `day ${days + 5}`).to.not.equal(undefined);
    }
    expect(SESSION_MS).to.equal(30 * DAY_MS);
    expect(await sessions.find(token)).to.equal(undefined);
  });

  it("end 7 days after their last use", async () => {
    const { sessions, token } = await started();
    now += IDLE_MS - 1;
    expect(await sessions.find(token)).to.not.equal(undefined);
    now += IDLE_MS - 1;
    expect(await sessions.find(token), "the use before counts").to.not.equal(undefined);
    now += IDLE_MS;
    expect(await sessions.find(token)).to.equal(undefined);
  });

  it("do not last longer because the clock was wrong at the sign-in", async () => {
    now += 400 * DAY_MS;
    const { token } = await started();
    now -= 400 * DAY_MS;
    expect(await open().find(token)).to.equal(undefined);
  });

  it("end with the sign-out, and with a sign-in that replaces them", async () => {
    const { sessions, clientId, secret, token } = await started();
    const other = await sessions.start(clientId, secret, token);
    expect(await sessions.find(token)).to.equal(undefined);
    await sessions.end(other.token);
    expect(await sessions.find(other.token)).to.equal(undefined);
  });

  it("end with the client's access, and with the secret that signed in", async () => {
    const one = await started();
    await credentials.revoke(one.clientId);
    const two = await started();
    await credentials.rotate(two.clientId, { overlapSeconds: 0 });
    const three = await started();
    await credentials.rotate(three.clientId, { overlapSeconds: 3600 });
    const fresh = new Sessions({ dataDir, credentials: new Credentials(dataDir), clock: () => now });
    expect(await fresh.find(one.token), "revoked").to.equal(undefined);
    expect(await fresh.find(two.token), "rotated").to.equal(undefined);
    expect(await fresh.find(three.token), "during the overlap").to.not.equal(undefined);
  });

  it("are at most 100 of a client: the oldest ends first, and those of others stay", async () => {
    const other = await started();
    const { sessions, clientId, secret, token } = await started();
    for (let n = 0; n < 100; n++) await sessions.start(clientId, secret);
    expect(await sessions.find(token)).to.equal(undefined);
    expect(await sessions.find(other.token)).to.not.equal(undefined);
    const kept = JSON.parse(await readFile(path.join(dataDir, "sessions.json"), "utf8")).sessions;
    expect(kept).to.have.length(101);
  });

  it("are not written by a service that writes nothing", async () => {
    const { client_id: clientId, client_secret: secret } = await client();
    const sessions = new Sessions({ dataDir: undefined, credentials });
    const { token } = await sessions.start(clientId, secret);
    expect(await sessions.find(token)).to.not.equal(undefined);
    expect(await open().find(token)).to.equal(undefined);
    expect(await stat(path.join(dataDir, "sessions.json")).catch(() => "absent")).to.equal("absent");
  });

  it("stay in force while the file is damaged, which is reported", async () => {
    const { clientId, token } = await started();
    const problems: string[] = [];
    const sessions = new Sessions({ dataDir, credentials, onProblem: (problem) => problems.push(problem) });
    expect(await sessions.find(token)).to.include({ clientId });
    await writeFile(path.join(dataDir, "sessions.json"), "{");
    await new Promise((done) => setTimeout(done, 600));
    expect(await sessions.find(token)).to.include({ clientId });
    expect(problems.join()).to.include("sessions.json");
  });
});
