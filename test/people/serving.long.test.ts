import { spawnSync } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer, request as httpRequest, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { Credentials } from "../../src/core/access/credentials.ts";
import { PeopleAccess } from "../../src/features/people/access.ts";
import { People } from "../../src/features/people/people.ts";
import { Sessions } from "../../src/features/people/sessions.ts";
import { OURS, onPort } from "../support/app.ts";
import { AURORA, DataFolder, ended, ROOT } from "../support/data.ts";
import { PAGE, Platform, partsOf } from "../support/people.ts";
import { type Serving, startServing } from "../support/serving.ts";
import { type Smtp, smtpServer } from "../support/smtp.ts";

const KNOWN = 1_000;

/** The probability that two samples of one distribution differ so much: the two-sided test of Kolmogorov and Smirnov. */
function alike(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [[...one].sort((x, y) => x - y), [...other].sort((x, y) => x - y)];
  let [i, j, distance] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    const least = Math.min(a[i] as number, b[j] as number);
    while ((a[i] as number) <= least) i++;
    while ((b[j] as number) <= least) j++;
    distance = Math.max(distance, Math.abs(i / a.length - j / b.length));
  }
  const root = Math.sqrt((a.length * b.length) / (a.length + b.length));
  const lambda = (root + 0.12 + 0.11 / root) * distance;
  if (lambda < 0.2) return 1;
  let sum = 0;
  for (let k = 1; k <= 100; k++) sum += (k % 2 ? 2 : -2) * Math.exp(-2 * k * k * lambda * lambda);
  return Math.min(1, Math.max(0, sum));
}

const shuffled = <T>(all: readonly T[]): T[] => {
  const left = [...all];
  for (let n = left.length - 1; n > 0; n--) {
    const other = Math.floor(Math.random() * (n + 1));
    [left[n], left[other]] = [left[other] as T, left[n] as T];
  }
  return left;
};

const median = (all: readonly number[]): number => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;

interface Sent {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly cookies: readonly string[];
  readonly ms: number;
}

/** Sends to a port as the page does; `Host` and `Origin` are what the headers say. */
function send(
  port: number,
  method: string,
  address: string,
  { body, headers = {} }: { readonly body?: object; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Sent> {
  const text = body === undefined ? "" : JSON.stringify(body);
  const all = {
    host: "lucra.example.com",
    origin: PAGE,
    "x-lucra-page": "1",
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(text)),
    ...headers,
  };
  const began = performance.now();
  return new Promise((done, fail) => {
    const sent = httpRequest({ port, host: "127.0.0.1", method, path: address, headers: all }, (response) => {
      const ms = performance.now() - began;
      let received = "";
      response.on("data", (chunk) => {
        received += chunk;
      });
      response.on("end", () => {
        const cookies = (response.headers["set-cookie"] ?? []).map((one) => one.split(";")[0] ?? "");
        done({ status: response.statusCode ?? 0, body: received === "" ? {} : JSON.parse(received), cookies, ms });
      });
    });
    sent.on("error", fail);
    sent.end(text);
  });
}

describe("People at a service that runs [D90] [D91]", function () {
  this.timeout(600_000);
  let data: DataFolder;
  let smtp: Smtp;
  let serving: Serving;
  let environment: Record<string, string>;
  const PEOPLE = `/platform/organizations/${AURORA}/people`;

  const written = (count: number): Promise<void> =>
    writeFile(
      path.join(data.path, "people.json"),
      JSON.stringify({
        people: Array.from({ length: count }, (_, n) => ({
          email: `known${n}@example.com`,
          roles: { [AURORA]: n === 0 ? "admin" : "viewer" },
          addedAt: new Date().toISOString(),
        })),
      }),
      { mode: 0o600 },
    );
  const sessionOf = async (person: string): Promise<string> => {
    const people = new People(data.path);
    const access = new PeopleAccess({ people, organizations: { ids: async () => [AURORA] } });
    const sessions = new Sessions({ dataDir: data.path, credentials: new Credentials(data.path), people: access });
    const { token } = await sessions.startOf({ person }, "test");
    await sleep(600);
    return `lucra_session=${token}`;
  };
  const ask = (email: string, headers: Record<string, string> = {}): Promise<Sent> =>
    send(serving.port, "POST", "/platform/sign-in", { body: { email }, headers });

  before(async () => {
    data = await DataFolder.empty();
    await data.settings({ organizationId: AURORA, name: "Aurora" });
    smtp = await smtpServer();
    environment = {
      LUCRA_PUBLIC_URL: PAGE,
      LUCRA_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      LUCRA_MAIL_FROM: "lucra@example.com",
      LUCRA_NOW: "",
    };
    await written(10_000);
    serving = await startServing(data, ["--no-demo"], undefined, environment);
  });
  after(async () => {
    await serving?.stop();
    await smtp?.close();
    await data?.remove();
  });

  it("answers and changes with 10,000 people", async () => {
    const cookie = await sessionOf("known0@example.com");
    const timesOf = async (count: number, work: (n: number) => Promise<Sent>): Promise<number> => {
      const times = [];
      for (let n = 0; n < count; n++) {
        const { status, ms, body } = await work(n);
        expect(status, JSON.stringify(body).slice(0, 300)).to.equal(200);
        times.push(ms);
      }
      return median(times);
    };
    const read = await timesOf(50, () => send(serving.port, "GET", "/platform/me", { headers: { cookie } }));
    const add = await timesOf(10, (n) =>
      send(serving.port, "POST", PEOPLE, {
        body: { email: `more${n}@example.com`, role: "viewer" },
        headers: { cookie, "idempotency-key": `key-of-test-${n}` },
      }),
    );
    console.log(
      `      10,000 people: /platform/me ${read.toFixed(1)} ms, one more person ${add.toFixed(0)} ms (medians)`,
    );
    expect(read).to.be.below(100);
    expect(add).to.be.below(3_000);
  });

  it("is signed in to by a mail, from the page's request to the session", async () => {
    const before = smtp.received.length;
    const { body, cookies } = await ask("known7@example.com");
    expect(body).to.deep.equal({ sent: true });
    for (let n = 0; n < 300 && smtp.received.slice(before).every(({ to }) => to[0] !== "known7@example.com"); n++)
      await sleep(50);
    const mail = smtp.received.find(({ to }) => to[0] === "known7@example.com");
    const text = (mail?.raw ?? "").replaceAll(/=\r\n/g, "").replaceAll("=3D", "=");
    const { token } = partsOf({ text });
    const entered = await send(serving.port, "POST", "/platform/sign-in/enter", {
      body: { token },
      headers: { cookie: cookies[0] ?? "" },
    });
    expect(entered.body).to.include({ signedIn: true, person: "known7@example.com" });
    const me = await send(serving.port, "GET", "/platform/me", { headers: { cookie: entered.cookies[0] ?? "" } });
    expect(me.body).to.deep.include({ email: "known7@example.com", roles: { [AURORA]: "viewer" } });
  });

  it("takes as long for addresses that are known as for those that are not", async () => {
    const all = Array.from({ length: KNOWN }, (_, n) => n + 100);
    const times: Record<"known" | "unknown", number[]> = { known: [], unknown: [] };
    const asked = shuffled([
      ...all.map((n) => ["known", `known${n}@example.com`] as const),
      ...all.map((n) => ["unknown", `other${n}@example.com`] as const),
    ]);
    for (const [kind, email] of asked) {
      const { status, ms } = await ask(email);
      expect(status).to.equal(200);
      times[kind].push(ms);
    }
    const p = alike(times.known, times.unknown);
    console.log(
      `      medians ${median(times.known).toFixed(2)} and ${median(times.unknown).toFixed(2)} ms, p = ${p.toFixed(3)}`,
    );
    expect(p).to.be.above(0.01);
  });

  it("would not, and this test would say so, if it looked up before the answer", async () => {
    const platform = await Platform.open();
    try {
      for (let n = 0; n < 100; n++)
        await platform.people.add(`known${n}@example.com`, { organizations: [OURS], role: "viewer" });
      // The switch of this test: what the service does after the answer is done before it.
      const looksUpFirst: RequestListener = async (request, response) => {
        const email = String(request.headers["x-email"]);
        if (await platform.people.find(email)) await platform.signIns.offer(email, { kind: "link" });
        platform.made.app(request, response);
      };
      await onPort(looksUpFirst, async (address) => {
        const port = Number(new URL(address).port);
        const times: Record<"known" | "other", number[]> = { known: [], other: [] };
        const all = Array.from({ length: 100 }, (_, n) => n);
        for (const [kind, n] of shuffled(all.flatMap((n) => [["known", n] as const, ["other", n] as const]))) {
          const email = `${kind}${n}@example.com`;
          times[kind].push(
            (await send(port, "POST", "/platform/sign-in", { body: { email }, headers: { "x-email": email } })).ms,
          );
        }
        expect(alike(times.known, times.other)).to.be.below(0.01);
      });
      expect(alike([1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8])).to.equal(1);
    } finally {
      // What is looked up after the answers.
      await sleep(1_000);
      await platform.remove();
    }
  });

  it("refuses guesses, foreign hosts and origins", async () => {
    const cookie = await sessionOf("known0@example.com");
    const origin = "https://evil.example.com";
    const forged = await send(serving.port, "POST", PEOPLE, {
      body: { email: "eve@example.com", role: "admin" },
      headers: { cookie, "idempotency-key": "key-of-test-x", host: "evil.example.com", origin },
    });
    expect(forged.status).to.equal(403);
    const statuses = [];
    for (let n = 0; n < 35; n++) {
      const token = String(n).padStart(43, "B");
      statuses.push((await send(serving.port, "POST", "/platform/sign-in/enter", { body: { token } })).status);
    }
    expect(statuses.filter((status) => status === 429).length).to.be.above(3);
    expect(statuses).to.not.include(200);
    expect((await send(serving.port, "GET", "/platform/me", { headers: { cookie } })).status).to.equal(200);
  });

  it("counts by network address only what a named proxy says", async () => {
    const asking = async (count: number, address: (n: number) => string): Promise<number> => {
      let taken = 0;
      for (let n = 0; n < count; n++)
        if ((await ask("nobody@example.com", { "x-forwarded-for": address(n) })).status === 200) taken++;
      return taken;
    };
    expect(await asking(25, () => "203.0.113.7"), "no proxy is named").to.equal(25);
    await serving.stop();
    serving = await startServing(data, ["--no-demo"], undefined, {
      ...environment,
      LUCRA_TRUSTED_PROXIES: "127.0.0.1",
    });
    expect(await asking(25, (n) => `198.51.100.${n}, 203.0.113.7`)).to.equal(20);
    expect(await asking(25, (n) => `2001:db8:1:2:${n}::7`)).to.equal(20);
    expect(await asking(3, (n) => `2001:db8:1:${n + 10}::7`)).to.equal(3);
  });

  it("answers at once while the mail server does not", async () => {
    const slow = createServer();
    slow.listen(0, "127.0.0.1");
    await new Promise((done) => slow.once("listening", done));
    const { port } = slow.address() as { port: number };
    await serving.stop();
    serving = await startServing(data, ["--no-demo"], undefined, {
      ...environment,
      LUCRA_SMTP_URL: `smtp://127.0.0.1:${port}`,
    });
    try {
      for (let n = 0; n < 5; n++) expect((await ask(`known${n + 3000}@example.com`)).ms).to.be.below(2_000);
      await sleep(2_500);
      expect((await ask("known3100@example.com")).ms).to.be.below(2_000);
    } finally {
      slow.closeAllConnections();
      slow.close();
    }
  });

  it("loses nothing to commands at the same time", async () => {
    const emails = Array.from({ length: 5 }, (_, n) => `same${n}@example.com`);
    const all = await Promise.all(
      emails.map((email) => ended(data.start(["people", "add", email, "--organization", AURORA, "--role", "admin"]))),
    );
    expect(all.map(({ status }) => status)).to.deep.equal(emails.map(() => 0));
    const listed = (await new People(data.path).of(AURORA)).map(({ email }) => email);
    expect(listed).to.include.members(emails);
  });
});

describe("A change whose process is killed [D91]", function () {
  this.timeout(600_000);

  it("is made or not, at each of its writes, and the log says that it was interrupted", async () => {
    const seen = new Set<string>();
    for (let at = 0; at < 40; at++) {
      const dataDir = await mkdtemp(path.join(tmpdir(), "lucra-killed-"));
      const before = await Platform.open({ hasMail: false }, dataDir);
      try {
        const cookie = await before.signedIn("ana@example.com", { [OURS]: "admin" });
        const script = path.join(ROOT, "test", "support", "killedChange.ts");
        const loader = path.join(ROOT, "bin", "typescript.mjs");
        const run = spawnSync(process.execPath, ["--import", loader, script, dataDir, String(at), cookie], {
          encoding: "utf8",
          cwd: ROOT,
        });
        if (run.signal === null) {
          expect(JSON.parse(run.stdout), run.stderr).to.include({ status: 200 });
          expect(at, "all writes were tried").to.equal(2 * JSON.parse(run.stdout).written);
          expect(at).to.be.above(6);
          break;
        }
        expect(run.signal, run.stderr).to.equal("SIGKILL");
        const after = await Platform.open({ hasMail: false }, dataDir);
        const people = await after.people.of(OURS);
        const isThere = people.some(({ email, roles }) => email === "bia@example.com" && roles[OURS] === "viewer");
        const lines = await after.audit.entries(OURS);
        const [line] = lines;
        expect(lines.length).to.be.at.most(1);
        expect(people).to.have.lengthOf(isThere ? 2 : 1);
        if (isThere) expect(line, "nothing is changed without its line").to.include({ what: "people.add" });
        const outcome = line ? (line.outcome ?? "interrupted") : "no line";
        seen.add(`${outcome}, ${isThere ? "made" : "not made"}`);
        const again = await after
          .page("post", `/platform/organizations/${OURS}/people`, cookie)
          .set("idempotency-key", "key-of-the-killed")
          .send({ email: "bia@example.com", role: "viewer" });
        const expected = outcome === "interrupted" ? 409 : 200;
        expect(again.status, `${at}: ${JSON.stringify(again.body)}`).to.equal(expected);
        const log = await after.page("get", `/platform/organizations/${OURS}/log`, cookie);
        if (outcome === "interrupted") expect(log.body.data[0]).to.not.have.property("outcome");
      } finally {
        await before.remove();
      }
    }
    expect([...seen].sort()).to.deep.equal([
      "done, made",
      "interrupted, made",
      "interrupted, not made",
      "no line, not made",
    ]);
  });
});
