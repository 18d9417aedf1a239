import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import request, { type Test } from "supertest";
import { Credentials } from "../../src/core/access/credentials.ts";
import { SlidingLog } from "../../src/core/http/rateLimit.ts";
import { Sessions } from "../../src/features/people/sessions.ts";
import { CARDS, type Made, makeApp, OURS, onPort, THEIRS } from "../support/app.ts";

const DOOR = "/explorer/session";
const OTHER = "0aaaaaaa-0000-4000-8000-000000000004";

describe("The Explorer's session over HTTP", () => {
  let dataDir: string;
  let credentials: Credentials;
  let sessions: Sessions;
  let made: Made;
  let keys: { readonly clientId: string; readonly clientSecret: string };

  const newKeys = async (...organizations: string[]) => {
    const { client_id: clientId, client_secret: clientSecret } = await credentials.create({ organizations, name: "" });
    return { clientId, clientSecret };
  };

  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), "lucra-door-"));
    credentials = new Credentials(dataDir);
    sessions = new Sessions({ dataDir, credentials });
    made = makeApp(undefined, { credentials, sessions });
    keys = await newKeys(OURS);
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  const page = (test: Test): Test => test.set("x-lucra-page", "1");
  const post = (sent: object): Test => page(request(made.app).post(DOOR)).send(sent);
  const cookieOf = (headers: Record<string, unknown>): string => String((headers["set-cookie"] as string[])[0]);
  const signIn = async (sent: object = keys): Promise<string> => {
    const { status, headers } = await post(sent);
    expect(status).to.equal(200);
    return cookieOf(headers).split(";")[0] ?? "";
  };
  const cards = (cookie: string, organization = OURS): Test =>
    request(made.app).get(`${CARDS}?organizationId=${organization}`).set("cookie", cookie);

  it("begins with an id and a secret, in a cookie that scripts cannot read and other sites cannot send", async () => {
    const { status, body, headers } = await post(keys);
    expect(status).to.equal(200);
    expect(body).to.include({ signedIn: true, clientId: keys.clientId });
    expect(headers["cache-control"]).to.equal("no-store");
    expect(cookieOf(headers)).to.match(
      /^lucra_session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
    expect(JSON.stringify(body)).to.not.include(cookieOf(headers).slice(14, 57));
  });

  it("has a cookie for TLS only if the browser came over TLS, and takes no other one then", async () => {
    for (const [name, value] of [
      ["x-forwarded-proto", "https"],
      ["forwarded", 'for=1.2.3.4;proto="https"'],
    ] as const) {
      const { headers } = await post(keys).set(name, value);
      expect(cookieOf(headers))
        .to.match(/^__Host-lucra_session=/)
        .and.to.match(/; Secure$/);
      const cookie = cookieOf(headers).split(";")[0] ?? "";
      expect((await page(cards(cookie)).set(name, value)).status, name).to.equal(200);
      const plain = cookie.replace("__Host-", "");
      expect((await page(cards(plain)).set(name, value)).status, "set by another host of the domain").to.equal(401);
    }
  });

  it("answers what the client's own credentials are answered, with the same headers and limit", async () => {
    const cookie = await signIn();
    const one = await page(cards(cookie));
    const other = await request(made.app)
      .get(`${CARDS}?organizationId=${OURS}`)
      .set({ "x-client-id": keys.clientId, "x-client-secret": keys.clientSecret });
    expect(one.status).to.equal(200);
    expect(one.body).to.deep.equal(other.body);
    for (const name of ["cache-control", "etag", "vary", "content-type"]) {
      expect(one.headers[name], name).to.equal(other.headers[name]);
    }
    expect(Number(other.headers["x-ratelimit-remaining"])).to.equal(Number(one.headers["x-ratelimit-remaining"]) - 1);
    expect((await page(cards(cookie, THEIRS))).status).to.equal(403);
  });

  it("serves a plain link of the page, such as a download", async () => {
    const cookie = await signIn();
    expect((await cards(cookie).set("sec-fetch-site", "same-origin")).status).to.equal(200);
  });

  describe("is refused", () => {
    it("without the mark of the page: requests that other pages make a browser send", async () => {
      const cookie = await signIn();
      expect((await cards(cookie)).status).to.equal(401);
      for (const site of ["cross-site", "same-site", "none"]) {
        expect((await cards(cookie).set("sec-fetch-site", site)).status, site).to.equal(401);
      }
    });

    it("beside other credentials, which then count alone", async () => {
      const cookie = await signIn();
      const wrong = [{ "x-client-id": "x" }, { "x-client-secret": "x" }, { authorization: "Bearer x.y" }];
      for (const headers of wrong) expect((await page(cards(cookie)).set(headers)).status).to.equal(401);
    });

    it("by anything but the data: no other path and no other method takes it", async () => {
      const cookie = await signIn();
      for (const address of ["/mcp", "/metrics"]) {
        const { status } = await page(request(made.app).get(address)).set("cookie", cookie);
        expect(status, address).to.not.equal(200);
      }
      const { status } = await page(request(made.app).post(`${CARDS}?organizationId=${OURS}`)).set("cookie", cookie);
      expect(status).to.equal(401);
    });

    it("after the sign-out, by a client that kept the cookie", async () => {
      const cookie = await signIn();
      const out = await page(request(made.app).delete(DOOR)).set("cookie", cookie);
      expect(out.body).to.deep.equal({ signedIn: false });
      expect(cookieOf(out.headers)).to.match(/^lucra_session=; Path=\/; Max-Age=0/);
      expect((await page(cards(cookie))).status).to.equal(401);
    });

    it("after the client's revocation", async () => {
      const cookie = await signIn();
      await credentials.revoke(keys.clientId);
      expect((await page(cards(cookie))).status).to.equal(401);
    });

    it("if the browser sends two cookies of that name: one may be planted", async () => {
      const cookie = await signIn();
      expect((await page(cards(`${cookie}; ${cookie.slice(0, -1)}A`))).status).to.equal(401);
    });
  });

  it("gets a new token at every sign-in: one that was known before is worth nothing", async () => {
    const planted = `lucra_session=${"A".repeat(43)}`;
    const { headers } = await post(keys).set("cookie", planted);
    const cookie = cookieOf(headers).split(";")[0] ?? "";
    expect(cookie).to.not.equal(planted);
    expect((await page(cards(planted))).status).to.equal(401);
    const again = cookieOf((await post(keys).set("cookie", cookie)).headers).split(";")[0] ?? "";
    expect(again).to.not.equal(cookie);
    expect((await page(cards(cookie))).status, "the session that was replaced").to.equal(401);
  });

  it("does not begin or end for another page: no browser sends its mark across origins", async () => {
    const cookie = await signIn();
    expect((await request(made.app).post(DOOR).send(keys)).status).to.equal(401);
    expect((await request(made.app).post(DOOR).set("sec-fetch-site", "cross-site").send(keys)).status).to.equal(401);
    expect((await request(made.app).delete(DOOR).set("cookie", cookie)).status).to.equal(401);
    const form = page(request(made.app).post(DOOR)).type("form").send(keys);
    expect((await form).status, "a form").to.equal(401);
    expect((await page(cards(cookie))).status).to.equal(200);
  });

  it("reports to the page whether it is signed in, without a failure", async () => {
    expect((await page(request(made.app).get(DOOR))).body).to.deep.equal({ signedIn: false, signIn: null });
    const cookie = await signIn();
    const { body } = await page(request(made.app).get(DOOR)).set("cookie", cookie);
    expect(body).to.deep.equal({ signedIn: true, clientId: keys.clientId, signIn: null });
    const put = await page(request(made.app).put(DOOR));
    expect([put.status, put.headers.allow]).to.deep.equal([405, "GET, HEAD, POST, DELETE"]);
  });

  it("counts failed sign-ins with the other failures of an address", async () => {
    const wrong: readonly object[] = [{ ...keys, clientSecret: "x" }, { token: "x".repeat(43) }, {}, { clientId: 1 }];
    for (const sent of wrong) expect((await post(sent)).status, JSON.stringify(sent)).to.equal(401);
    expect((await post({ ...keys, more: "x".repeat(5000) })).status, "too long").to.equal(401);
    const { status } = await page(request(made.app).post(DOOR)).set("content-type", "application/json").send("{");
    expect(status).to.equal(401);
    for (let n = 0; n < 24; n++) await request(made.app).get(CARDS);
    expect((await post({ ...keys, clientSecret: "x" })).status).to.equal(429);
    expect((await post(keys)).status, "good ones are not locked out").to.equal(200);
  });

  it("counts a good sign-in as a request of its client, and begins no session beyond the limit", async () => {
    made = makeApp(undefined, { credentials, sessions, limit: new SlidingLog(3) });
    const answers = [await post(keys), await post(keys), await post(keys), await post(keys)];
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 429]);
    expect(answers[3]?.headers["retry-after"]).to.equal("60");
    expect(answers[3]?.headers).to.not.have.property("set-cookie");
    expect((await page(cards(cookieOf(answers[0]?.headers ?? {})))).status, "the same limit").to.equal(429);
    expect((await post(await newKeys(OURS))).status, "another client").to.equal(200);
  });

  it("reads no more of a body than a sign-in needs, and closes the connection after its answer", async () => {
    const head = [`POST ${DOOR} HTTP/1.1`, "Host: localhost", "X-Lucra-Page: 1", "Content-Type: application/json"];
    const endless: readonly [string, string][] = [
      ["Content-Length: 100000000", "{"],
      ["Transfer-Encoding: chunked", `2000\r\n${"x".repeat(0x2000)}\r\n`],
    ];
    await onPort(made.app, async (address) => {
      for (const [length, begun] of endless) {
        const socket = connect(Number(new URL(address).port), "127.0.0.1");
        socket.write(`${[...head, length].join("\r\n")}\r\n\r\n${begun}`);
        let text = "";
        for await (const part of socket) text += part;
        expect(text, length)
          .to.match(/^HTTP\/1.1 401 /)
          .and.to.match(/^connection: close\r$/im);
      }
    });
  });

  it("is one for each browser: two clients, two organizations, none sees the other's", async () => {
    const others = await newKeys(OTHER);
    const [ours, theirs] = [await signIn(), await signIn(others)];
    expect((await page(cards(ours, OURS))).status).to.equal(200);
    expect((await page(cards(theirs, OTHER))).status).to.equal(200);
    expect((await page(cards(ours, OTHER))).status).to.equal(403);
    expect((await page(cards(theirs, OURS))).status).to.equal(403);
  });

  it("leaves no token and no secret in the log", async () => {
    const cookie = await signIn();
    const value = cookie.split("=")[1] ?? "";
    await page(cards(cookie)).set("x-request-id", value);
    await post({ ...keys, clientSecret: `${keys.clientSecret}x` });
    await page(request(made.app).delete(DOOR)).set("cookie", cookie);
    const log = made.log.join("");
    expect(log).to.include("/explorer/session");
    for (const secret of [value, keys.clientSecret]) expect(log).to.not.include(secret);
  });

  it("does not exist without sessions", async () => {
    const { app } = makeApp();
    expect((await page(request(app).post(DOOR)).send(keys)).status).to.not.equal(200);
  });
});
