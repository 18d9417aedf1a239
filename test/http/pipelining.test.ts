import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { pino } from "pino";
import type { TableFile } from "../../src/core/contract/endpoint.ts";
import { type Listening, listen, type Patience } from "../../src/core/http/server.ts";
import { type Answer, exchange } from "../../torture/support/raw.ts";
import { CARDS, CONTACTS, FakeAnswers, type Made, makeApp, SECRET, until, withOrganization } from "../support/app.ts";

const SIGNED = `x-client-id: good\r\nx-client-secret: ${SECRET}\r\n`;
const BUNDLE = "/docs/swagger-ui-bundle.js";
/** One that is being answered, and those that may wait. */
const MOST = 33;

const get = (target: string, headers = ""): string => `GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const last = (target: string, headers = ""): string => get(target, `Connection: close\r\n${headers}`);
const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status);

async function served(made: Made, use: (server: Listening) => Promise<void>, patience?: Partial<Patience>) {
  const server = await listen(made.app, { host: "127.0.0.1", port: 0 }, pino({ level: "silent" }), patience);
  try {
    await use(server);
  } finally {
    await server.stop();
  }
}

/** A client that sends everything at once, and reads nothing. */
async function unread({ port }: Listening, bytes: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").pause();
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(bytes);
  return socket;
}

describe("Pipelined requests", () => {
  it("are answered in order, each in its turn", async () => {
    const made = makeApp(new FakeAnswers(() => sleep(50, "{}")));
    await served(made, async ({ port }) => {
      const cards = get(withOrganization(CARDS), SIGNED);
      const bytes = [cards, get("/healthz"), get(BUNDLE), get("/nothing"), cards, get("foo://x")].join("");
      const { answers } = await exchange({ port, bytes });
      expect(statuses(answers)).to.deep.equal([200, 200, 200, 404, 200, 400]);
      expect(answers[2]?.body.length).to.be.above(1_000_000);
    });
  });

  it("are answered up to a number; a connection with more is closed", async () => {
    await served(makeApp(), async ({ port }) => {
      const { answers } = await exchange({ port, bytes: get("/healthz").repeat(MOST - 1) + last("/healthz") });
      expect(statuses(answers)).to.deep.equal(Array(MOST).fill(200));
    });
    const answers = new FakeAnswers(() => new Promise(() => {}));
    await served(makeApp(answers), async (server) => {
      const socket = await unread(server, get(withOrganization(CARDS), SIGNED) + get("/healthz").repeat(MOST - 1));
      await until(() => answers.asked.length === 1);
      expect(answers.asked[0]?.signal.aborted).to.equal(false);
      socket.write(get("/healthz"));
      await until(() => answers.asked[0]?.signal.aborted === true);
      socket.destroy();
    });
  });

  it("leave no file open when their client is gone", async function () {
    const opened = (): Promise<string[]> => readdir("/proc/self/fd");
    const before = await opened().catch(() => this.skip());
    const made = makeApp();
    await served(made, async (server) => {
      const sockets = await Promise.all(Array.from({ length: 10 }, () => unread(server, get(BUNDLE).repeat(MOST))));
      await sleep(500);
      for (const socket of sockets) socket.destroy();
      await until(async () => (await opened()).length <= before.length + 5, "files stay open");
      expect(made.log).to.have.lengthOf.within(10, 10 * MOST - 1);
    });
  });

  it("leave no place of an export taken when their client is gone", async () => {
    let open = 0;
    const bytes = 1_000_000;
    const table = async (): Promise<TableFile> => {
      open++;
      const content = Readable.from([Buffer.alloc(bytes)]);
      return { rows: 1, bytes, content, close: async () => void open-- };
    };
    const exported = withOrganization(`${CONTACTS}?all=true&format=csv`);
    await served(makeApp(new FakeAnswers(), { tables: { table } }), async (server) => {
      const socket = await unread(server, get(BUNDLE).repeat(10) + get(exported, SIGNED).repeat(5));
      await sleep(500);
      socket.destroy();
      await until(() => open === 0, "exports stay open");
      const { answers } = await exchange({ port: server.port, bytes: last(exported, SIGNED) });
      expect(statuses(answers)).to.deep.equal([200]);
    });
  });

  it("do not keep a client connected that reads nothing", async () => {
    const made = makeApp(new FakeAnswers(() => new Promise(() => {})));
    await served(
      made,
      async (server) => {
        const socket = await unread(server, get(BUNDLE).repeat(10) + get(withOrganization(CARDS), SIGNED));
        await until(() => made.log.some((line) => line.includes("request aborted")), "it was kept");
        socket.destroy();
      },
      { stalled: 150 },
    );
  });

  it("whose turn comes when a service no longer waits are refused", async () => {
    const ending = new AbortController();
    const answers = new FakeAnswers(() => new Promise(() => {}));
    await served(makeApp(answers, { ending: ending.signal }), async ({ port }) => {
      const asking = exchange({ port, bytes: get(withOrganization(CARDS), SIGNED).repeat(2) + last("/healthz") });
      await until(() => answers.asked.length === 1);
      ending.abort();
      expect(statuses((await asking).answers)).to.deep.equal([503, 503, 200]);
    });
  });
});
