import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { hasSecret, type Presented, presented } from "../../src/core/access/presented.ts";
import { held } from "../http/fake.ts";

const ID = "lucra_abc-123_XYZ";
const SECRET = "fz1nVhQyq0lrZ8G2cWm3kP7xT4bD9sJ6uE_aR-oLwXM";
const NOTHING = { clientId: "", secret: "" };
const GOOD = { clientId: ID, secret: SECRET };

type Header = readonly [name: string, value: string];

/** What becomes of a request with these headers, once Node has parsed it. */
async function receive<T>(headers: readonly Header[], read: (request: IncomingMessage) => T, path = "/"): Promise<T> {
  const [server, { promise, release }] = [createServer(), held<T>()];
  server.on("request", (request, response) => {
    release(read(request));
    response.end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  try {
    request({ port, path, headers: ["host", "lucra", ...headers.flat()] as never, agent: false }, (response) =>
      response.resume(),
    ).end();
    return await promise;
  } finally {
    server.close();
  }
}

const basic = (text: string | Uint8Array): string => `Basic ${Buffer.from(text as string).toString("base64")}`;
const sent = (headers: readonly Header[]): Promise<Presented> => receive(headers, presented);
const by = (authorization: string): Promise<Presented> => sent([["Authorization", authorization]]);

describe("Credentials as sent [D41]", () => {
  it("are read from the two headers, Basic and Bearer, whatever the scheme's case and the blanks after it", async () => {
    const headers: Header[] = [
      ["X-Client-Id", ID],
      ["X-Client-Secret", SECRET],
    ];
    expect(await sent(headers)).to.deep.equal(GOOD);
    const encoded = basic(`${ID}:${SECRET}`);
    for (const good of [encoded, encoded.replace("Basic", "basic"), encoded.replace(" ", "  "), `${encoded} `]) {
      expect(await by(good), good).to.deep.equal(GOOD);
    }
    for (const scheme of ["Bearer", "bearer", "BEARER"])
      expect(await by(`${scheme} ${ID}.${SECRET}`)).to.deep.equal(GOOD);
    expect(await by(basic("ação:s:e"))).to.deep.equal({ clientId: "ação", secret: "s:e" });
  });

  it("are none of what is malformed", async () => {
    const token = Buffer.from(`${ID}:${SECRET}`).toString("base64");
    for (const bad of [
      "",
      "Basic",
      "Basic ",
      "Bearer",
      `Basic${token}`,
      `Basic\t${token}`,
      `Basic ${token} x`,
      `Basic ${token}, Basic ${token}`,
      `Basic ${token.slice(0, 10)}*${token.slice(10)}`,
      `Basic ${token}===`,
      `Digest ${token}`,
      `Token ${ID}.${SECRET}`,
      `${ID}.${SECRET}`,
      `Bearer ${ID}${SECRET}`,
      `Bearer ${ID}:${SECRET}`,
      `Bearer ${ID} ${SECRET}`,
      basic(ID),
      basic(Uint8Array.of(0xff, 0x3a, 0xfe)),
      basic(Uint8Array.of(0xc3, 0x28)),
    ]) {
      expect(await by(bad), bad).to.deep.equal(NOTHING);
    }
  });

  it("are none of a repeated Authorization, also of an equal one", async () => {
    const token = basic(`${ID}:${SECRET}`);
    for (const other of [token, "Bearer x.y"]) {
      const repeated: Header[] = [
        ["Authorization", token],
        ["authorization", other],
      ];
      expect(await sent(repeated)).to.deep.equal(NOTHING);
    }
  });

  it("are those of the headers if one of these is sent: a proxy may use Authorization for itself", async () => {
    for (const authorization of [basic("proxy:password"), "Bearer x.y", "nonsense", basic(`${ID}:${SECRET}`)]) {
      const both: Header[] = [
        ["x-client-id", ID],
        ["x-client-secret", SECRET],
        ["authorization", authorization],
      ];
      expect(await sent(both), authorization).to.deep.equal(GOOD);
      const half: Header[] = [
        ["x-client-id", ID],
        ["authorization", authorization],
      ];
      expect(await sent(half), authorization).to.deep.equal({ clientId: ID, secret: "" });
    }
  });
});

describe("A request id", () => {
  const authorization = basic(`${ID}:${SECRET}`);
  const holds = (id: string, headers: readonly Header[] = [], path = "/"): Promise<boolean> =>
    receive(headers, (request) => hasSecret(id, request), path);

  it("that is, ends in, or contains a secret of the request is replaced", async () => {
    expect(await holds(SECRET)).to.equal(true);
    expect(await holds(`lucra_0.${SECRET}`)).to.equal(true);
    for (const sent of [authorization, `Bearer ${ID}.${SECRET}`]) {
      expect(await holds(`job-7.${SECRET}`, [["authorization", sent]]), sent).to.equal(true);
      expect(await holds(`x${SECRET}x`, [["authorization", sent]]), sent).to.equal(true);
    }
    expect(await holds(authorization.slice(20, 60), [["authorization", authorization]])).to.equal(true);
    expect(await holds("short-one", [["authorization", "Bearer a.short-one"]])).to.equal(true);
    expect(await holds(`job-${SECRET}-7`, [], `/links/${SECRET}`)).to.equal(true);
    expect(await holds(`job-${SECRET}-7`, [], `/links/${SECRET}/x?y=1`)).to.equal(true);
  });

  it("of any other form stays", async () => {
    for (const id of ["4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "a.b", "job-7"]) {
      expect(await holds(id, [["authorization", authorization]], "/links/")).to.equal(false);
    }
  });
});
