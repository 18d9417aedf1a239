import { once } from "node:events";
import { connect } from "node:net";
import { expect } from "chai";
import { pino } from "pino";
import { type Listening, listen } from "../../src/core/http/server.ts";
import { type Answer, answersIn, exchange } from "../../torture/support/raw.ts";
import { CARDS, FakeAnswers, type Made, makeApp, OURS, SECRET, until, withOrganization } from "../support/app.ts";

const SIGNED = `x-client-id: good\r\nx-client-secret: ${SECRET}\r\n`;
const LOCAL = { host: "127.0.0.1", port: 0 };
const silent = pino({ level: "silent" });

/** Runs the service on a port for one function. */
async function served(made: Made, use: (server: Listening) => Promise<void>, patience?: Parameters<typeof listen>[3]) {
  const server = await listen(made.app, LOCAL, silent, patience);
  try {
    await use(server);
  } finally {
    await server.stop();
  }
}

/** The answers to bytes sent after the method of the first line. */
async function answered(bytes: string, made = makeApp()): Promise<readonly Answer[]> {
  let answers: readonly Answer[] = [];
  await served(made, async ({ port }) => {
    ({ answers } = await exchange({ port, bytes }));
  });
  return answers;
}

const get = (target: string, headers = ""): string =>
  `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`;

describe("An address in absolute form", () => {
  it("is read as its path", async () => {
    const [health] = await answered(get("http://lucra.example/healthz"));
    expect([health?.status, health?.body.toString()]).to.deep.equal([200, '{"status":"ok"}']);
    const [cards] = await answered(get(`HTTPS://lucra.example:443${withOrganization(CARDS)}`, SIGNED));
    expect(cards?.status).to.equal(200);
  });

  it("follows the same rules: an organization that must be a UUID has to be one", async () => {
    const [listing] = await answered(get("http://lucra.example/v1/products?organizationId=x", SIGNED));
    expect(listing?.status).to.equal(400);
  });

  it("leads from the root to the Explorer", async () => {
    const [root, query] = await Promise.all([get("http://x"), get("http://x?a=1")].map((one) => answered(one)));
    expect([root?.[0]?.status, query?.[0]?.status]).to.deep.equal([302, 302]);
  });

  for (const target of ["foo://bar", "http://[::/x", "foo://bar/v1"]) {
    it(`is answered in JSON, also ${target}`, async () => {
      const [answer] = await answered(get(target));
      expect(answer?.status).to.be.oneOf([400, 404]);
      expect(JSON.parse(answer?.body.toString() ?? "")).to.include.keys("error", "message");
      expect(answer?.headers["x-request-id"]).to.match(/^[0-9a-f-]{36}$/);
    });
  }
});

describe("A document that does not meet a request's condition", () => {
  for (const [header, status] of [
    ['If-Match: "x"', 412],
    ["If-Unmodified-Since: Mon, 01 Jan 1990 00:00:00 GMT", 412],
    ["Range: bytes=99999999-", 416],
  ] as const) {
    it(`is ${status} for ${header}, without an unexpected error`, async () => {
      const made = makeApp();
      const [answer] = await answered(get("/docs", `${header}\r\n`), made);
      expect(answer?.status).to.equal(status);
      expect(answer?.headers["content-type"]).to.equal("application/json; charset=utf-8");
      expect(JSON.parse(answer?.body.toString() ?? "")).to.have.all.keys("error", "message");
      expect(made.log.join()).to.not.include("unforeseen");
    });
  }
});

describe("A request", () => {
  const broken: [string, string][] = [
    ["whose body is broken", "POST /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"],
    [
      "to nothing here, whose body is broken,",
      "POST foo://x HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\nzz\r\n\r\n",
    ],
    ["that is the last, with something after it", `${get("/healthz")}hello\r\n\r\n`],
    [
      "that is the last and is not",
      "GET /healthz HTTP/1.0\r\nHost: x\r\nConnection: close\r\nConnection: keep-alive\r\n\r\n0\r\n\r\n",
    ],
  ];
  for (const [what, bytes] of broken) {
    it(`${what} gets one answer`, async () => {
      const answers = await answered(bytes);
      expect(answers).to.have.lengthOf(1);
      expect(answers[0]?.status).to.be.oneOf([200, 400, 405]);
    });
  }

  it("gets its whole answer, even if the next request is broken meanwhile", async () => {
    let open: (body: string) => void = () => {};
    const made = makeApp(
      new FakeAnswers(
        () =>
          new Promise((done) => {
            open = done;
          }),
      ),
    );
    await served(made, async ({ port }) => {
      const request = `GET ${withOrganization(CARDS)} HTTP/1.1\r\nHost: x\r\n${SIGNED}\r\n`;
      const asking = exchange({ port, bytes: `${request}\x16\x03\x01\r\n\r\n` });
      await until(() => made.answers.asked.length === 1);
      open(JSON.stringify({ organization: OURS }));
      const { answers } = await asking;
      expect(answers.map(({ status, body }) => [status, body.toString()])).to.deep.equal([
        [200, JSON.stringify({ organization: OURS })],
      ]);
    });
  });

  it("that follows another one, and is broken, gets its error", async () => {
    await served(makeApp(), async ({ port }) => {
      const socket = connect(port, "127.0.0.1");
      let heard = "";
      socket.on("data", (part) => {
        heard += part;
      });
      socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
      await until(() => heard.includes('{"status":"ok"}'));
      socket.write("nonsense\r\n\r\n");
      await once(socket, "close");
      expect(answersIn(Buffer.from(heard)).map(({ status }) => status)).to.deep.equal([200, 400]);
    });
  });
});

describe("A service that ends", () => {
  it("answers requests that take longer than it can wait", async () => {
    const ending = new AbortController();
    const answers = new FakeAnswers(() => new Promise(() => {}));
    await served(makeApp(answers, { ending: ending.signal }), async ({ port }) => {
      const asking = exchange({ port, bytes: get(withOrganization(CARDS), SIGNED) });
      await until(() => answers.asked.length === 1);
      ending.abort();
      const [answer] = (await asking).answers;
      expect([answer?.status, answer?.headers["retry-after"]]).to.deep.equal([503, "5"]);
      expect(answers.asked[0]?.signal.aborted).to.equal(true);
    });
  });
});

describe("A large answer during the end of the service", () => {
  const LARGE = JSON.stringify("x".repeat(30_000_000));
  for (const connection of ["close", "keep-alive"]) {
    it(`arrives whole, on a connection to ${connection}`, async () => {
      const made = makeApp(new FakeAnswers(() => LARGE));
      const server = await listen(made.app, LOCAL, silent);
      const socket = connect(server.port, "127.0.0.1");
      socket.write(`GET ${withOrganization(CARDS)} HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\n${SIGNED}\r\n`);
      const parts: Buffer[] = [];
      await once(socket, "readable");
      const stopping = server.stop();
      // A client that takes its time, but not for ever.
      await new Promise((done) => setTimeout(done, 300));
      socket.on("data", (part) => parts.push(part));
      await Promise.all([once(socket, "close"), stopping]);
      expect(answersIn(Buffer.concat(parts)).map(({ body }) => body.length)).to.deep.equal([LARGE.length]);
    });
  }
});

describe("A slow client", () => {
  const patience = { headers: 100, request: 200, idle: 100, stalled: 150 };

  it("that does not read its answer is dropped", async () => {
    const made = makeApp(new FakeAnswers(() => "x".repeat(30_000_000)));
    await served(
      made,
      async ({ port }) => {
        const socket = connect(port, "127.0.0.1");
        socket.on("error", () => {});
        socket.write(`GET ${withOrganization(CARDS)} HTTP/1.1\r\nHost: x\r\n${SIGNED}\r\n`);
        socket.pause();
        await until(() => made.answers.asked.length === 1);
        // The log has its line when the answer is sent or its client is gone.
        await until(() => made.log.length === 1, "it was kept");
        socket.destroy();
      },
      patience,
    );
  });

  for (const [bytes, length, outcome] of [
    [128, 20_000_000, "is dropped"],
    [64_000, 6_000_000, "has it"],
  ] as const) {
    it(`that reads its answer ${bytes} bytes at a time, ${outcome}`, async () => {
      const made = makeApp(new FakeAnswers(() => "x".repeat(length)));
      await served(
        made,
        async ({ port }) => {
          const socket = connect(port, "127.0.0.1");
          socket.on("error", () => {});
          socket.write(`GET ${withOrganization(CARDS)} HTTP/1.1\r\nHost: x\r\n${SIGNED}\r\n`);
          socket.pause();
          let taken = 0;
          const sip = setInterval(() => {
            taken += (socket.read(Math.min(bytes, socket.readableLength)) ?? "").length;
          }, 5);
          await until(() => (outcome === "has it" ? taken > length : made.log.length === 1));
          clearInterval(sip);
          expect(taken > length).to.equal(outcome === "has it");
          socket.destroy();
        },
        { stalled: 10_000, pace: { milliseconds: 400, bytes: 200_000 } },
      );
    });
  }

  it("is not one that waits for a slow answer", async () => {
    const made = makeApp(new FakeAnswers(() => new Promise((done) => setTimeout(done, 600, "{}"))));
    await served(
      made,
      async ({ port }) => {
        const { answers } = await exchange({ port, bytes: get(withOrganization(CARDS), SIGNED) });
        expect(answers.map(({ status }) => status)).to.deep.equal([200]);
      },
      patience,
    );
  });

  for (const [what, bytes] of [
    ["with its headers", "GET /healthz HTTP/1.1\r\nHost"],
    ["with its body", "POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhel"],
    ["to ask for anything", ""],
    ["to ask again", "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"],
  ] as const) {
    it(`${what} is dropped`, async () => {
      await served(
        makeApp(),
        async ({ port }) => {
          const { closed } = await exchange({ port, bytes });
          expect(closed).to.equal(true);
        },
        patience,
      );
    });
  }
});
