import type { RequestListener } from "node:http";
import { connect } from "node:net";
import { expect } from "chai";
import express from "express";
import { pino } from "pino";
import { OperatorError } from "../../src/core/contract/error.ts";
import { type Listening, listen } from "../../src/core/http/server.ts";
import { ACME, FakeAnswers, fakeApp, held, SECRET, until } from "./fake.ts";

const headers = { "x-client-id": "client", "x-client-secret": SECRET };
const silent = pino({ level: "silent" });

/** The server's answer to raw bytes, until it closes the connection. */
function raw(port: number, bytes: string): Promise<string> {
  return new Promise((done) => {
    let heard = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.on("data", (chunk) => {
      heard += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => done(heard));
  });
}

describe("The server", () => {
  let server: Listening;
  let answers: FakeAnswers;
  const address = (path = "/v1/strict"): string => `http://127.0.0.1:${server.port}${path}?organizationId=${ACME}`;

  beforeEach(async () => {
    answers = new FakeAnswers();
    server = await listen(fakeApp(answers), { host: "127.0.0.1", port: 0 }, silent);
  });

  afterEach(() => server.stop());

  for (const [what, bytes, status] of [
    ["a line that is not HTTP", "nonsense\r\n\r\n", 400],
    ["headers that are too large", `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${"x".repeat(20_000)}\r\n\r\n`, 431],
    ["an address that is too long", `GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ] as const) {
    it(`answers ${what} with ${status} in JSON and closes the connection`, async () => {
      const [head = "", body = ""] = (await raw(server.port, bytes)).split("\r\n\r\n");
      expect(head).to.match(new RegExp(`^HTTP/1.1 ${status} `));
      expect(head).to.contain("application/json; charset=utf-8").and.contain("Connection: close");
      expect(JSON.parse(body)).to.have.all.keys("error", "message");
    });
  }

  it("refuses a port that is taken", async () => {
    const again = listen(fakeApp(), { host: "127.0.0.1", port: server.port }, silent);
    const error = await again.catch((refusal: unknown) => refusal);
    expect(error).to.be.instanceOf(OperatorError);
    expect((error as Error).message).to.contain("EADDRINUSE");
  });

  it("stops the work of a client that hangs up", async () => {
    answers.respond = () => new Promise(() => {});
    const gone = new AbortController();
    const asking = fetch(address(), { headers, signal: gone.signal }).catch((error: Error) => error.name);
    await until(() => answers.asked.length === 1);
    gone.abort();
    expect(await asking).to.equal("AbortError");
    await until(() => answers.asked[0]?.signal.aborted === true);
  });

  it("starts no work for a client that hung up while its credentials were checked", async () => {
    const { promise, release } = held<void>();
    let [isLooking, isLeft] = [false, false];
    const app = fakeApp(answers, {
      organizations: {
        has: async () => {
          isLooking = true;
          await promise;
          return true;
        },
        settings: async () => undefined,
      },
    });
    const slow = await listen(
      ((asking, response) => {
        response.once("close", () => {
          isLeft = true;
        });
        app(asking, response);
      }) as typeof app,
      { host: "127.0.0.1", port: 0 },
      silent,
    );
    try {
      const gone = new AbortController();
      const query = `organizationId=${ACME}`;
      const asking = fetch(`http://127.0.0.1:${slow.port}/v1/strict?${query}`, { headers, signal: gone.signal });
      asking.catch(() => {});
      await until(() => isLooking);
      gone.abort();
      await until(() => isLeft);
      release();
      // Behind it in every queue.
      expect((await fetch(`http://127.0.0.1:${slow.port}/v1/lenient?${query}`, { headers })).status).to.equal(200);
      expect(answers.asked).to.have.lengthOf(1);
    } finally {
      await slow.stop();
    }
  });

  it("continues for the second client when the first of two hangs up", async () => {
    const { promise, release } = held<string>();
    answers.respond = () => promise;
    const gone = new AbortController();
    const first = fetch(address(), { headers, signal: gone.signal }).catch(() => "gone");
    const second = fetch(address(), { headers });
    await until(() => answers.asked.length === 1);
    await new Promise((done) => setTimeout(done, 30));
    gone.abort();
    await first;
    await new Promise((done) => setTimeout(done, 30));
    expect(answers.asked[0]?.signal.aborted).to.equal(false);
    release('{"done":true}');
    expect(await (await second).json()).to.deep.equal({ done: true });
    expect(answers.asked).to.have.lengthOf(1);
  });

  it("creates requests and responses with the prototypes of an Express app, which are slow to change later", async () => {
    const app = express();
    const seen: unknown[] = [];
    const listener: RequestListener = (request, response) => {
      seen.push(Object.getPrototypeOf(request) === app.request, Object.getPrototypeOf(response) === app.response);
      app(request, response);
    };
    const { request, response } = app;
    const other = await listen(Object.assign(listener, { request, response }), { host: "127.0.0.1", port: 0 }, silent);
    await (await fetch(`http://127.0.0.1:${other.port}/`)).text();
    await other.stop();
    expect(seen).to.deep.equal([true, true]);
  });

  it("stops gracefully: answers what it accepted, accepts nothing new", async () => {
    const { promise, release } = held<string>();
    answers.respond = () => promise;
    const asking = fetch(address(), { headers });
    await until(() => answers.asked.length === 1);
    let stopped = false;
    const stopping = server.stop().then(() => {
      stopped = true;
    });
    expect(await fetch(address(), { headers }).catch(() => "refused")).to.equal("refused");
    expect(stopped).to.equal(false);
    release('{"done":true}');
    const answer = await asking;
    expect([answer.status, await answer.json()]).to.deep.equal([200, { done: true }]);
    await stopping;
  });

  it("stops despite idle connections", async () => {
    await (await fetch(address(), { headers })).text();
    const idle = connect(server.port, "127.0.0.1");
    idle.on("error", () => {});
    await new Promise((done) => idle.once("connect", done));
    await server.stop();
    idle.destroy();
  });
});
