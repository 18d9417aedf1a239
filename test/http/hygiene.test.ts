import { connect } from "node:net";
import { gunzipSync } from "node:zlib";
import { expect } from "chai";
import { pino } from "pino";
import request from "supertest";
import { listen } from "../../src/core/http/server.ts";
import {
  ask,
  CARDS,
  CONTACTS,
  FakeAnswers,
  makeApp,
  SECRET,
  signed,
  THEIRS,
  until,
  withOrganization,
} from "../support/app.ts";

const headers = { "x-client-id": "good", "x-client-secret": SECRET };
const silent = pino({ level: "silent" });
const LOCAL = { host: "127.0.0.1", port: 0 };

describe("the headers of every answer", () => {
  const failing = () =>
    makeApp(
      new FakeAnswers(() => {
        throw new Error("x");
      }),
    ).app;
  const every: [number, () => request.Test][] = [
    [200, () => ask(makeApp().app, CARDS)],
    [200, () => request(makeApp().app).get("/healthz")],
    [304, () => ask(makeApp().app, CARDS).set("if-none-match", "*")],
    [400, () => ask(makeApp().app, `${CARDS}?x=1`)],
    [401, () => request(makeApp().app).get(CARDS)],
    [403, () => ask(makeApp().app, `${CARDS}?organizationId=${THEIRS}`)],
    [404, () => request(makeApp().app).get("/nothing")],
    [405, () => signed(request(makeApp().app).post(CARDS))],
    [500, () => ask(failing(), CARDS)],
  ];

  it("prevent content sniffing, name no software and forbid shared caches", async () => {
    for (const [status, send] of every) {
      const answer = await send();
      expect(answer.status).to.equal(status);
      expect(answer.headers["x-content-type-options"], String(status)).to.equal("nosniff");
      expect(answer.headers["content-security-policy"]).to.be.a("string");
      expect(answer.headers["strict-transport-security"]).to.be.a("string");
      expect(answer.headers["cache-control"]).to.equal("private, no-cache");
      expect(answer.headers).to.not.have.any.keys("x-powered-by", "server");
    }
  });

  it("repeat the client's clean request id on every status", async () => {
    for (const [status, send] of every) {
      expect((await send().set("x-request-id", "job-7.a_B")).headers["x-request-id"], String(status)).to.equal(
        "job-7.a_B",
      );
    }
  });

  it("carry a new id in place of any other, each a different one", async () => {
    const { app } = makeApp();
    const seen = new Set<string>();
    const dirty = ["a b", "x".repeat(65), "<script>", "a\tb", "ana@example.com", "", "a,b"];
    for (const id of dirty) {
      const given = (await ask(app, CARDS).set("x-request-id", id)).headers["x-request-id"] ?? "";
      expect(given, id).to.match(/^[0-9a-f-]{36}$/);
      seen.add(given);
    }
    expect(seen.size).to.equal(dirty.length);
  });
});

describe("large answers", () => {
  const rows = JSON.stringify({ data: Array.from({ length: 500 }, (_, n) => ({ n, name: `row ${n}` })) });

  it("are compressed for a client that accepts it, with the same content", async () => {
    const { app } = makeApp(new FakeAnswers(() => rows));
    const answer = await ask(app, CONTACTS)
      .set("accept-encoding", "gzip")
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => done(null, Buffer.concat(chunks)));
      });
    expect(answer.headers["content-encoding"]).to.equal("gzip");
    expect(answer.headers.vary).to.match(/accept-encoding/i);
    // The client may have unpacked it already.
    const body = answer.body as Buffer;
    expect((body[0] === 0x1f ? gunzipSync(body) : body).toString()).to.equal(rows);
  });

  it("are sent plain to a client that does not, and small ones to all", async () => {
    const large = await ask(makeApp(new FakeAnswers(() => rows)).app, CONTACTS).set("accept-encoding", "identity");
    const small = await ask(makeApp().app, CARDS).set("accept-encoding", "gzip");
    for (const answer of [large, small]) expect(answer.headers).to.not.have.property("content-encoding");
    expect(large.text).to.equal(rows);
  });
});

describe("the log", () => {
  it("has a line for every request, without any secret, e-mail or value", async () => {
    const { app, log } = makeApp();
    const value = "ana.souza@example.com";
    const requests = [
      ask(app, `${CONTACTS}?email=${encodeURIComponent(value)}&id=CRM-4711-ID`),
      ask(app, `${CONTACTS}?${encodeURIComponent(value)}`),
      ask(app, `${CONTACTS}?a=1?${value}`),
      ask(app, `${CARDS}?startDate=${value}`),
      request(app).get(CONTACTS).query({ email: value }).set("x-client-id", value).set("x-client-secret", SECRET),
      ask(app, CARDS).set("x-request-id", value).set("referer", value).set("authorization", `Bearer ${SECRET}`),
      ask(app, CARDS).set("cookie", `s=${SECRET}`).set("user-agent", value),
    ];
    for (const [n, sent] of requests.entries()) {
      await sent;
      await until(() => log.length > n);
    }
    for (const line of log) {
      expect(line).to.not.include(SECRET);
      expect(decodeURIComponent(line.replaceAll(/%(?![0-9a-f]{2})/gi, "%25"))).to.not.match(/ana\.souza|CRM-4711-ID/);
    }
    const [first] = log.map((line) => JSON.parse(line));
    expect(first.req).to.deep.include({ method: "GET", path: CONTACTS });
    expect(first.req.parameters).to.include.members(["email", "id"]);
    expect([first.res.status, first.clientId]).to.deep.equal([200, "good"]);
  });

  it("reports an internal failure as an error, but not a refusal", async () => {
    const { app, log } = makeApp(
      new FakeAnswers(() => {
        throw new Error("x");
      }),
    );
    await ask(app, `${CARDS}?startDate=x`);
    await until(() => log.length === 1);
    expect(JSON.parse(log[0] ?? "").level).to.equal(30);
    await ask(app, CARDS);
    await until(() => log.length > 1);
    expect(JSON.parse(log[1] ?? "").level).to.equal(50);
  });
});

/** The bytes that the server sends back until it closes the connection. */
function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((done, fail) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("error", (error: NodeJS.ErrnoException) => (error.code === "ECONNRESET" ? done(text) : fail(error)));
    socket.on("close", () => done(text));
    setTimeout(() => socket.destroy(new Error("the server kept the connection")), 5_000).unref();
  });
}

describe("the service on a port", () => {
  const broken: [string, string, number][] = [
    ["bytes that are not HTTP", "\x16\x03\x01\x02\r\n\r\n", 400],
    ["a header too large", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(20_000)}\r\n\r\n`, 431],
    ["an address too long", `GET /v1/x?q=${"a".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ["two lengths", "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400],
    ["a request without a host", "GET /healthz HTTP/1.1\r\n\r\n", 400],
    ["a line break in a header", "GET / HTTP/1.1\r\nHost: x\r\nA: b\nc\r\n\r\n", 400],
  ];
  for (const [what, bytes, status] of broken) {
    it(`answers ${what} with ${status}, in JSON, and closes the connection`, async () => {
      const server = await listen(makeApp().app, LOCAL, silent);
      try {
        const [head = "", body = ""] = (await exchange(server.port, bytes)).split("\r\n\r\n");
        expect(head).to.match(new RegExp(`^HTTP/1.1 ${status} `));
        expect(head)
          .to.match(/connection: close/i)
          .and.match(/content-type: application\/json/i);
        expect(head).to.match(/^x-request-id: [0-9a-f-]{36}$/im);
        expect(JSON.parse(body)).to.have.all.keys("error", "message");
      } finally {
        await server.stop();
      }
    });
  }

  it("answers a request without a host as HTTP/1.0 allows, and one with an unknown expectation", async () => {
    const server = await listen(makeApp().app, LOCAL, silent);
    try {
      const old = await exchange(server.port, "GET /healthz HTTP/1.0\r\n\r\n");
      const expecting = "GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n";
      for (const answer of [old, await exchange(server.port, expecting)]) {
        expect(answer)
          .to.match(/^HTTP\/1\.1 200 /)
          .and.include('{"status":"ok"}');
      }
    } finally {
      await server.stop();
    }
  });

  it("answers HEAD as GET, without the body", async () => {
    const { app } = makeApp();
    const got = await ask(app, CARDS);
    const head = await signed(request(app).head(withOrganization(CARDS)));
    expect([head.status, head.text ?? ""]).to.deep.equal([200, ""]);
    for (const name of ["etag", "content-type", "content-length"])
      expect(head.headers[name]).to.equal(got.headers[name]);
    expect((await signed(request(app).head(CARDS))).status).to.equal(400);
  });

  it("stops despite a connection that is kept alive, even if it was busy at the stop", async () => {
    let open: (body: string) => void = () => {};
    const body = new Promise<string>((done) => {
      open = done;
    });
    const { app, answers } = makeApp(new FakeAnswers(() => body));
    const server = await listen(app, LOCAL, silent);
    const signedHead = Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join("");
    const idle = exchange(server.port, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    const busy = exchange(server.port, `GET ${withOrganization(CARDS)} HTTP/1.1\r\nHost: x\r\n${signedHead}\r\n`);
    await until(() => answers.asked.length === 1);
    const stopped = server.stop();
    await until(async () => (await exchange(server.port, "").catch(() => "refused")) === "refused");
    open('{"late":true}');
    await stopped;
    expect(await idle).to.include('{"status":"ok"}');
    expect(await busy)
      .to.match(/^HTTP\/1\.1 200 /)
      .and.include('{"late":true}');
  });

  it("stops twice without harm", async () => {
    const server = await listen(makeApp().app, LOCAL, silent);
    await Promise.all([server.stop(), server.stop()]);
    await server.stop();
  });
});
