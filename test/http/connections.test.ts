import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect } from "chai";
import { pino } from "pino";
import { readConfig } from "../../src/core/config.ts";
import { type Listening, listen } from "../../src/core/http/server.ts";
import { makeApp, until } from "../support/app.ts";

describe("Connections", () => {
  let server: Listening;
  const sockets: Socket[] = [];
  const log: string[] = [];

  const start = async (connectionsPerAddress: number): Promise<void> => {
    const logger = pino({}, { write: (line: string) => void log.push(line) });
    server = await listen(makeApp().app, { host: "127.0.0.1", port: 0, connectionsPerAddress }, logger);
  };
  /** A connection that sends nothing. */
  const silent = async (localAddress = "127.0.0.2"): Promise<Socket> => {
    const socket = connect({ port: server.port, host: "127.0.0.1", localAddress }).on("error", () => {});
    sockets.push(socket);
    await once(socket, "connect");
    return socket;
  };
  /** Whether the server answers on this connection. */
  const works = async (socket: Socket): Promise<boolean> => {
    socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    return Promise.race([
      once(socket, "data").then(([bytes]) => String(bytes).startsWith("HTTP/1.1 200")),
      once(socket, "close").then(() => false),
    ]);
  };

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    log.length = 0;
    await server.stop();
  });

  it("of one address beyond the limit are closed, and those of other addresses work", async () => {
    await start(3);
    const [first] = [await silent(), await silent(), await silent()];
    expect(await works(await silent())).to.equal(false);
    expect(await works(await silent("127.0.0.3"))).to.equal(true);
    expect(await works(first)).to.equal(true);
  });

  it("of an address work again after its others have ended", async () => {
    await start(2);
    const [first] = [await silent(), await silent()];
    expect(await works(await silent())).to.equal(false);
    first.destroy();
    await until(async () => works(await silent()));
  });

  it("that are refused are logged, not once for each", async () => {
    await start(1);
    await silent();
    for (let n = 0; n < 5; n++) expect(await works(await silent())).to.equal(false);
    expect(log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "connections refused")).to.have.lengthOf(1);
    expect(JSON.parse(log[0] ?? "")).to.include({ limit: 1, setting: "LUCRA_CONNECTIONS_PER_ADDRESS" });
  });

  it("of the same machine are not limited: they may be a proxy's", async () => {
    await start(2);
    const all = await Promise.all(Array.from({ length: 20 }, () => silent("127.0.0.1")));
    expect(await Promise.all(all.map(works))).to.not.include(false);
  });

  it("of one address are not limited by 0", async () => {
    await start(0);
    const all = await Promise.all(Array.from({ length: 300 }, () => silent()));
    expect(await Promise.all(all.map(works))).to.not.include(false);
  });
});

describe("The limit of connections", () => {
  it("of one address is 256 by default, and 0 for any number", () => {
    expect(readConfig({}).connectionsPerAddress).to.equal(256);
    expect(readConfig({ LUCRA_CONNECTIONS_PER_ADDRESS: "0" }).connectionsPerAddress).to.equal(0);
  });
});
