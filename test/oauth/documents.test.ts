import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { createServer, type Server } from "node:https";
import { type AddressInfo, createServer as createSocketServer } from "node:net";
import path from "node:path";
import { expect } from "chai";
import { fetchDocument, isDocumentAddress, NoDocument } from "../../src/features/oauth/metadataDocument.ts";
import { ForbiddenAddress, Networks } from "../../src/features/webhooks/networks.ts";
import { ROOT } from "../support/data.ts";
import { OauthFlow, REDIRECT } from "../support/oauth.ts";
import { Platform } from "../support/people.ts";

const TLS = path.join(ROOT, "test/support/tls");
const CA = readFileSync(path.join(TLS, "cert.pem"), "utf8");
const HERE = ["127.0.0.0/8", "::1/128"];

describe("Metadata documents of clients [D97]", () => {
  let server: Server;
  let base: string;
  let answer: RequestListener;
  let asked: number;
  let platform: Platform;
  let flow: OauthFlow;

  before(async () => {
    const key = readFileSync(path.join(TLS, "key.pem"));
    server = createServer({ key, cert: CA }, (request, response) => {
      asked++;
      answer(request, response);
    }).listen(0);
    await once(server, "listening");
    base = `https://localhost:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(async () => {
    asked = 0;
    answer = document({});
    platform = await Platform.open({ networks: HERE, ca: CA });
    flow = await OauthFlow.open(platform);
    flow.clientId = `${base}/client.json`;
  });
  afterEach(() => platform.remove());

  const document =
    (changed: object, headers: Readonly<Record<string, string>> = {}): RequestListener =>
    (request, response) => {
      const content = {
        client_id: `${base}${request.url}`,
        client_name: "Agent of a document",
        redirect_uris: [REDIRECT],
        token_endpoint_auth_method: "none",
        ...changed,
      };
      response.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify(content));
    };

  it("let a client in whose id is their address, and are fetched once for looking and consenting", async () => {
    const { body } = await flow.look();
    expect(body.client).deep.equal({ name: "Agent of a document", host: new URL(base).host });
    const { access_token: access } = await flow.tokens();
    expect(await flow.works(access)).equals(true);
    expect(asked).equals(1);
    const [listed] = await platform.agents.of("ana@example.com");
    expect(listed?.clientHost).equals(new URL(base).host);
  });

  it("are kept a day at most, and as long as their server says", async () => {
    answer = document({}, { "cache-control": "max-age=9999999" });
    await flow.look();
    platform.now += 86_399_000;
    await flow.look();
    expect(asked).equals(1);
    platform.now += 2_000;
    answer = document({}, { "cache-control": "max-age=120" });
    await flow.look();
    platform.now += 121_000;
    await flow.look();
    expect(asked).equals(3);
  });

  for (const [what, changed] of Object.entries({
    "of another address": { client_id: "https://other.example/client.json" },
    "without redirect addresses": { redirect_uris: [] },
    "of another redirect address": { redirect_uris: ["https://app.example/callback"] },
    "of a client with a secret": { token_endpoint_auth_method: "client_secret_basic" },
  })) {
    it(`${what} are refused`, async () => {
      answer = document(changed);
      expect((await flow.look()).status).equals(400);
      expect((await flow.consent()).status).equals(400);
    });
  }

  it("are refused when they lead elsewhere, are large, slow, missing, or no JSON", async () => {
    const answers: Record<string, RequestListener> = {
      "it answers 302": (_, response) => response.writeHead(302, { location: `${base}/other.json` }).end(),
      "it answers 404": (_, response) => response.writeHead(404).end("{}"),
      "it has more than 65536 bytes": (_, response) =>
        response.writeHead(200, { "content-type": "application/json" }).end(`"${"x".repeat(70_000)}"`),
      "it is no JSON": (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("{}"),
    };
    for (const [reason, listener] of Object.entries(answers)) {
      answer = listener;
      const { status, text } = await flow.look();
      expect([status, text.includes(reason)], reason).deep.equal([400, true]);
    }
    expect(asked).equals(4);
    answer = () => {};
    const slow = fetchDocument(flow.clientId, new Networks(HERE), { ca: CA, mostMs: 100 });
    expect(await slow.catch((error: Error) => error)).instanceOf(NoDocument);
    answer = (_, response) => void response.writeHead(200, { "content-type": "application/json" }).write("{");
    const endless = fetchDocument(flow.clientId, new Networks(HERE), { ca: CA, mostMs: 100 });
    expect(await endless.catch((error: Error) => error)).instanceOf(NoDocument);
  });

  it("at an inner address are never connected to, by number or by name", async () => {
    const inner = createSocketServer().listen(0, "127.0.0.1");
    await once(inner, "listening");
    let connections = 0;
    inner.on("connection", (socket) => {
      connections++;
      socket.destroy();
    });
    const { port } = inner.address() as AddressInfo;
    const other = await Platform.open();
    const asking = await OauthFlow.open(other);
    for (const host of [
      "127.0.0.1",
      "localhost",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "[::ffff:7f00:1]",
      "0.0.0.0",
      "10.0.0.1",
      "169.254.169.254",
    ]) {
      const address = `https://${host}:${port}/client.json`;
      const failure = await fetchDocument(address, new Networks([]), { mostMs: 500 }).catch((error: Error) => error);
      expect(failure, host).instanceOf(ForbiddenAddress);
      const { status, text } = await asking.look({ client_id: address });
      expect(status, host).equals(400);
      // Nothing tells which addresses of the network are open.
      expect(text, host).not.match(/ECONN|public_address|\d+\.\d+\.\d+\.\d+ is/);
    }
    expect(connections).equals(0);
    inner.close();
    await other.remove();
  });

  it("have an https address with a path, as it would be sent", () => {
    expect(isDocumentAddress("https://app.example/client.json")).equals(true);
    for (const no of [
      "http://app.example/client.json",
      "https://app.example",
      "https://app.example/",
      "https://user@app.example/x",
      "https://app.example/x#y",
      "https://app.example/a/../b",
      "https://app.example:443/x",
      "https://APP.example/x",
      "https://app.example/x y",
      "agent_1",
    ])
      expect(isDocumentAddress(no), no).equals(false);
  });
});
