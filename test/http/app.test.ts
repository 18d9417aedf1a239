import { expect } from "chai";
import request from "supertest";
import { ApiError } from "../../src/core/contract/error.ts";
import { SlidingLog } from "../../src/core/http/rateLimit.ts";
import { ACME, ask, FakeAnswers, fakeApp, GONE, OTHER, SECRET, signed } from "./fake.ts";

const UNAUTHORIZED = { message: "Unauthorized" };

/** The stack of an Express router, as far as it is looked at. */
interface Layer {
  readonly handle: { readonly stack?: readonly Layer[] };
  readonly route?: { readonly path: unknown; readonly stack: readonly Layer[] };
}

type Stack = readonly Layer[];

/** The stacks of a router and of all within it. */
function stacksIn(stack: Stack, found = new Set<Stack>()): ReadonlySet<Stack> {
  if (found.has(stack)) return found;
  found.add(stack);
  for (const { handle } of stack.flatMap((layer) => layer.route?.stack ?? [layer])) {
    if (handle.stack) stacksIn(handle.stack, found);
  }
  return found;
}

describe("The service over HTTP", () => {
  it("is an Express app, with one router for all declared endpoints", () => {
    const { router } = fakeApp(undefined, { links: { find: async () => undefined } }) as unknown as {
      router: { stack: Stack };
    };
    const ofEndpoints = [...stacksIn(router.stack)]
      .map((stack) => stack.flatMap(({ route }) => (route ? [String(route.path)] : [])))
      .filter((paths) => paths.some((path) => path.startsWith("/v1")));
    expect(ofEndpoints.map((paths) => paths.sort())).to.deep.equal([
      ["/v1/items/:itemId", "/v1/lenient", "/v1/organizations", "/v1/strict"],
    ]);
  });

  describe("checks in this order [D41]", () => {
    it("credentials before everything else", async () => {
      const app = fakeApp();
      for (const address of ["/v1/strict", "/v1/nowhere", `/v1/strict?organizationId=${OTHER}&x=1`, "/v1/items/%zz"]) {
        const { status, body } = await request(app).get(address);
        expect([status, body], address).to.deep.equal([401, UNAUTHORIZED]);
      }
      const posted = await request(app).post("/v1/strict");
      expect([posted.status, posted.body]).to.deep.equal([401, UNAUTHORIZED]);
    });

    it("a wrong secret, an empty one and a repeated id are refused as credentials", async () => {
      const app = fakeApp();
      const address = `/v1/strict?organizationId=${ACME}`;
      const wrong = await request(app).get(address).set("x-client-id", "client").set("x-client-secret", "no");
      const empty = await request(app).get(address).set("x-client-id", "client").set("x-client-secret", "");
      const none = await request(app).get(address).set("x-client-secret", "no");
      expect([wrong.status, empty.status, none.status]).to.deep.equal([401, 401, 401]);
    });

    it("the rate before organizationId, the binding before the other parameters, those before the existence of the resource", async () => {
      const limit = new SlidingLog(5, () => 0);
      const app = fakeApp(new FakeAnswers(), { limit });
      const statuses: number[] = [];
      for (const address of [
        "/v1/strict?organizationId=",
        `/v1/strict?organizationId=${OTHER}&nonsense=1`,
        "/v1/strict?nonsense=1",
        "/v1/nowhere",
        "/v1/strict",
        "/v1/strict?organizationId=",
      ]) {
        statuses.push((await ask(app, address)).status);
      }
      limit.shutdown();
      expect(statuses).to.deep.equal([400, 403, 400, 404, 200, 429]);
    });

    it("organizationId and the binding even for an address that does not exist", async () => {
      const app = fakeApp();
      expect((await ask(app, "/v1/nowhere?organizationId=")).status).to.equal(400);
      expect((await ask(app, `/v1/nowhere?organizationId=${OTHER}`)).status).to.equal(403);
    });
  });

  describe("answers errors so that", () => {
    it("a missing organizationId is a 400 with a message in Portuguese", async () => {
      const missing = await signed(request(fakeApp()).get("/v1/strict"));
      const message = "O parâmetro organizationId é obrigatório.";
      expect(missing.status).to.equal(400);
      expect(missing.body).to.deep.equal({
        error: "Validation Error",
        message,
        details: [{ parameter: "organizationId", message }],
      });
    });

    it("an empty, a repeated and an overlong organizationId are 400", async () => {
      const app = fakeApp();
      for (const query of [
        "organizationId=",
        `organizationId=${ACME}&organizationId=${ACME}`,
        `organizationId=${"x".repeat(129)}`,
      ]) {
        const { status, body } = await ask(app, `/v1/strict?${query}`);
        expect(status, query).to.equal(400);
        expect(body.details).to.have.lengthOf(1);
        expect(body.details[0].parameter).to.equal("organizationId");
      }
    });

    it("another's organization, an unknown one and a removed one get the same answer", async () => {
      const app = fakeApp();
      const bodies = new Set<string>();
      for (const id of [OTHER, "44444444-4444-4444-8444-444444444444", GONE, "../../etc/passwd", "\0"]) {
        const { status, text } = await ask(app, `/v1/strict?organizationId=${encodeURIComponent(id)}`);
        expect(status, id).to.equal(403);
        bodies.add(text);
      }
      expect(bodies.size).to.equal(1);
      expect(JSON.parse([...bodies][0] ?? "")).to.have.all.keys("error", "message");
    });

    it("every wrong parameter is named in one 400", async () => {
      const { status, body } = await ask(fakeApp(), "/v1/strict?startDate=2025-02-30&view=pie&vew=logo");
      expect(status).to.equal(400);
      expect(body.error).to.equal("Validation Error");
      expect(body.message).to.be.a("string").and.not.equal("");
      expect(body.details.map((d: { parameter: string }) => d.parameter).sort()).to.deep.equal(
        ["startDate", "view", "vew"].sort(),
      );
      expect(JSON.stringify(body.details)).to.contain("Você quis dizer view?");
    });

    it("a 429 is as documented [D42]", async () => {
      const limit = new SlidingLog(1, () => 0);
      const app = fakeApp(new FakeAnswers(), { limit });
      await ask(app, "/v1/strict");
      const { status, body, headers } = await ask(app, "/v1/strict");
      limit.shutdown();
      expect(status).to.equal(429);
      expect(body).to.have.all.keys("statusCode", "error", "message", "retryAfter");
      expect(body).to.deep.include({ statusCode: 429, error: "Too Many Requests", retryAfter: 60 });
      expect(headers["retry-after"]).to.equal("60");
      expect(headers["x-ratelimit-remaining"]).to.equal("0");
    });

    it("methods except GET and HEAD are 405 with Allow, everywhere", async () => {
      const app = fakeApp();
      for (const method of ["post", "put", "patch", "delete", "options"] as const) {
        const { status, headers, body } = await signed(request(app)[method](`/v1/strict?organizationId=${ACME}`));
        expect([status, headers.allow], method).to.deep.equal([405, "GET, HEAD"]);
        expect(body).to.have.all.keys("error", "message");
        expect(headers["x-ratelimit-limit"]).to.equal("100");
      }
      expect((await request(app).post("/healthz")).status).to.equal(405);
    });

    it("an invalid percent code and a NUL are 400 in JSON", async () => {
      const app = fakeApp();
      for (const address of [
        "/v1/items/%E0%A4%A",
        "/v1/items/a%00b",
        "/v1/%zz",
        "/v1/%00",
        "/v1/lenient?email=a%00b",
      ]) {
        const { status, body, headers } = await ask(app, address);
        expect([status, body.error], address).to.deep.equal([400, "Validation Error"]);
        expect(headers["content-type"]).to.equal("application/json; charset=utf-8");
      }
      expect((await request(app).get("/%zz")).status).to.equal(400);
    });

    it("an unexpected error is a 500 with its id and no internal details", async () => {
      const app = fakeApp(new FakeAnswers(() => Promise.reject(new Error("secret table at /var/lib"))));
      const { status, body, text, headers } = await ask(app, "/v1/strict").set("x-request-id", "abc-1");
      expect(status).to.equal(500);
      expect(body).to.have.all.keys("error", "message", "requestId");
      expect(body.requestId).to.equal("abc-1");
      expect(text).to.not.contain("secret table").and.not.contain("    at ");
      expect(headers["x-ratelimit-remaining"]).to.equal("99");
    });

    it("busy and timeout are 503 with Retry-After", async () => {
      for (const kind of ["busy", "timeout"] as const) {
        const app = fakeApp(new FakeAnswers(() => Promise.reject(new ApiError(kind))));
        const { status, body, headers } = await ask(app, "/v1/strict");
        expect(status).to.equal(503);
        expect(Number(headers["retry-after"])).to.be.at.least(1);
        expect(body).to.have.all.keys("error", "message");
      }
    });

    it("an address outside /v1 is 404 in JSON", async () => {
      const { status, body } = await request(fakeApp()).get("/nothing");
      expect(status).to.equal(404);
      expect(body).to.have.all.keys("error", "message");
    });

    it("no failure is cached: the next request asks again", async () => {
      const answers = new FakeAnswers(() => Promise.reject(new Error("once")));
      const app = fakeApp(answers);
      expect((await ask(app, "/v1/strict")).status).to.equal(500);
      answers.respond = async () => "{}";
      expect((await ask(app, "/v1/strict")).status).to.equal(200);
    });
  });

  describe("answers", () => {
    it("carry the accepted parameters' answer, as JSON, private, with an id and the rate", async () => {
      const { status, body, headers } = await ask(fakeApp(), "/v1/strict?startDate=2025-01-01&endDate=2025-01-31");
      expect(status).to.equal(200);
      expect(body.id).to.equal(ACME);
      expect(body.accepted).to.deep.include({ startDate: "2025-01-01", endDate: "2025-01-31", view: "revenue" });
      expect(headers["content-type"]).to.equal("application/json; charset=utf-8");
      expect(headers["cache-control"]).to.equal("private, no-cache");
      expect(headers["x-request-id"]).to.match(/^[\w-]{36}$/);
      expect(headers["x-content-type-options"]).to.equal("nosniff");
      expect(headers).to.not.have.property("x-powered-by");
      expect(headers.vary).to.contain("Accept-Encoding");
      expect(headers["x-ratelimit-limit"]).to.equal("100");
      expect(headers["x-ratelimit-remaining"]).to.equal("99");
      const reset = Number(headers["x-ratelimit-reset"]) - Date.now() / 1000;
      expect(reset).to.be.within(50, 62);
    });

    it("carry the rate whatever the status", async () => {
      const app = fakeApp();
      const first = await ask(app, "/v1/strict");
      const seen = [first];
      for (const address of ["/v1/strict?organizationId=", `/v1/strict?organizationId=${OTHER}`, "/v1/nowhere"]) {
        seen.push(await ask(app, address));
      }
      seen.push(await ask(app, "/v1/strict").set("if-none-match", String(first.headers.etag)));
      expect(seen.map(({ status }) => status)).to.deep.equal([200, 400, 403, 404, 304]);
      expect(seen.map(({ headers }) => headers["x-ratelimit-remaining"])).to.deep.equal(["99", "98", "97", "96", "95"]);
    });

    it("to refused credentials carry no rate and use up no client's", async () => {
      const app = fakeApp();
      const bad = await request(app).get("/v1/strict").set("x-client-id", "client").set("x-client-secret", "no");
      expect(bad.headers).to.not.have.property("x-ratelimit-remaining");
      expect((await ask(app, "/v1/strict")).headers["x-ratelimit-remaining"]).to.equal("99");
    });

    it("repeat a client's clean request id, and replace any other", async () => {
      const app = fakeApp();
      for (const [given, kept] of [
        ["a-1_b.C", true],
        ["x".repeat(65), false],
        ["a b", false],
        ["<script>", false],
        // A secret, the client's own or another one.
        [SECRET, false],
        [`job-${SECRET}`, false],
        ["fz1nVhQyq0lrZ8G2cWm3kP7xT4bD9sJ6uE_aR-oLwXM", false],
        ["4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", true],
      ] as const) {
        const { headers } = await ask(app, "/v1/strict").set("x-request-id", given);
        expect(headers["x-request-id"] === given, given).to.equal(kept);
      }
    });

    it("are compressed from 1 KiB on", async () => {
      const app = fakeApp(
        new FakeAnswers(async (_id, { old }) => JSON.stringify({ text: "x".repeat(old ? 2000 : 10) })),
      );
      expect((await ask(app, "/v1/strict")).headers).to.not.have.property("content-encoding");
      expect((await ask(app, "/v1/strict?old=1")).headers["content-encoding"]).to.be.oneOf(["gzip", "br", "deflate"]);
    });

    it("to HEAD are GET's without the body", async () => {
      const app = fakeApp();
      const got = await ask(app, "/v1/strict");
      const head = await signed(request(app).head(`/v1/strict?organizationId=${ACME}`));
      expect(head.status).to.equal(200);
      expect(head.headers.etag).to.equal(got.headers.etag);
      expect(head.headers["content-length"]).to.equal(got.headers["content-length"]);
      expect(head.text ?? "").to.equal("");
    });

    it("say that a parameter is deprecated only when it was sent", async () => {
      const app = fakeApp();
      expect((await ask(app, "/v1/strict?old=1")).headers.deprecation).to.equal("@1735689600");
      expect((await ask(app, "/v1/strict")).headers).to.not.have.property("deprecation");
    });

    it("decode a slash in a path parameter", async () => {
      const { body } = await ask(fakeApp(), "/v1/items/a%2Fb%20c");
      expect(body.accepted.itemId).to.equal("a/b c");
    });
  });

  describe("failed credentials", () => {
    const bad = (app: ReturnType<typeof fakeApp>) =>
      request(app).get("/v1/strict").set("x-client-id", "x").set("x-client-secret", "no");

    it("are limited per address, without locking out a good client at that address", async () => {
      const app = fakeApp();
      const statuses: number[] = [];
      for (let n = 0; n < 32; n++) statuses.push((await bad(app)).status);
      expect(statuses.slice(0, 30).every((status) => status === 401)).to.equal(true);
      expect(statuses.slice(30)).to.deep.equal([429, 429]);
      expect((await ask(app, "/v1/strict")).status).to.equal(200);
    });
  });

  describe("health", () => {
    it("is reported without credentials", async () => {
      const app = fakeApp();
      expect((await request(app).get("/healthz")).body).to.deep.equal({ status: "ok" });
      expect((await request(app).get("/readyz")).status).to.equal(200);
    });

    it("is 503 while the service is not ready", async () => {
      const { status, body } = await request(fakeApp(undefined, { ready: async () => ({ ready: false }) })).get(
        "/readyz",
      );
      expect([status, body]).to.deep.equal([503, { ready: false }]);
    });
  });

  describe("the log", () => {
    it("has a line for each request, without any secret or value of a parameter", async () => {
      const lines: string[] = [];
      const answers = new FakeAnswers(() => Promise.reject(new Error("broken")));
      const app = fakeApp(answers, {}, { write: (line) => void lines.push(line) });
      await ask(app, "/v1/lenient?email=ana%40example.com&ana%40example.com=1");
      await request(app)
        .get("/v1/strict?email=ana@example.com")
        .set("x-client-id", "client")
        .set("x-client-secret", "wrong-one");
      const log = lines.join("");
      expect(log).to.not.contain(SECRET).and.not.contain("wrong-one").and.not.contain("example.com");
      const requests = lines.map((line) => JSON.parse(line)).filter((line) => line.res);
      expect(requests.map((line) => [line.req.path, line.res.status])).to.deep.equal([
        ["/v1/lenient", 500],
        ["/v1/strict", 401],
      ]);
      expect(requests[0].req.parameters).to.deep.equal(["email", "…", "organizationId"]);
      expect(requests[0].clientId).to.equal("client");
      expect(log).to.contain("broken");
    });
  });
});
