import type { RequestListener } from "node:http";
import { expect } from "chai";
import request, { type Test } from "supertest";
import { ApiError } from "../../src/core/contract/error.ts";
import { SlidingLog } from "../../src/core/http/rateLimit.ts";
import {
  ask,
  CARDS,
  FakeAnswers,
  makeApp,
  OURS,
  SECRET,
  SUMMARY,
  signed,
  THEIRS,
  WITHOUT_SETTINGS,
} from "../support/app.ts";

const failing = (error: Error): RequestListener =>
  makeApp(
    new FakeAnswers(() => {
      throw error;
    }),
  ).app;
/** The window has no requests left. */
const spent = (): RequestListener => makeApp(new FakeAnswers(), { limit: new SlidingLog(0) }).app;

describe("An error answer:", () => {
  const kinds: [string, number, () => Test][] = [
    ["without credentials", 401, () => request(makeApp().app).get(CARDS)],
    ["above the rate", 429, () => ask(spent(), CARDS)],
    ["without organizationId", 400, () => signed(request(makeApp().app).get(CARDS))],
    ["for another client's organization", 403, () => ask(makeApp().app, `${CARDS}?organizationId=${THEIRS}`)],
    [
      "of an organization without settings",
      403,
      () => ask(makeApp().app, `${CARDS}?organizationId=${WITHOUT_SETTINGS}`),
    ],
    ["with a wrong parameter", 400, () => ask(makeApp().app, `${CARDS}?startDate=x`)],
    ["to an unknown address below /v1", 404, () => ask(makeApp().app, "/v1/profitability/card")],
    ["to another case of an address", 404, () => ask(makeApp().app, "/v1/Profitability/cards")],
    ["with an extra slash", 404, () => ask(makeApp().app, `${CARDS}/`)],
    ["to /v1 itself", 404, () => ask(makeApp().app, "/v1")],
    ["to another case of /v1", 404, () => ask(makeApp().app, "/V1/profitability/cards")],
    ["to an unknown address elsewhere", 404, () => request(makeApp().app).get("/index.html")],
    ["to nothing", 404, () => request(makeApp().app).get("/nothing")],
    ["for an unknown resource", 404, () => ask(failing(new ApiError("notFound")), CARDS)],
    ["that posts", 405, () => signed(request(makeApp().app).post(`${CARDS}?organizationId=${OURS}`))],
    ["that deletes", 405, () => signed(request(makeApp().app).delete(`${CARDS}?organizationId=${OURS}`))],
    ["for an unsupported format", 406, () => ask(failing(new ApiError("notAcceptable")), CARDS)],
    ["that fails internally", 500, () => ask(failing(new Error("IO Error: /srv/lake/secret.parquet")), CARDS)],
    ["that throws a value other than an error", 500, () => ask(failing(null as unknown as Error), CARDS)],
    ["to a busy service", 503, () => ask(failing(new ApiError("busy")), CARDS)],
    ["that takes too long", 503, () => ask(failing(new ApiError("timeout")), CARDS)],
    ["with an invalid percent code", 400, () => ask(makeApp().app, "/v1/things/%zz")],
    ["with a percent code that is not UTF-8", 400, () => ask(makeApp().app, "/v1/things/%ff")],
    ["with a NUL in the path", 400, () => ask(makeApp().app, "/v1/things/a%00b")],
    ["with a NUL in a value", 400, () => ask(makeApp().app, "/v1/crm/contacts?email=a%00b")],
  ];
  for (const [kind, status, send] of kinds) {
    it(`a request ${kind} is answered ${status}, in JSON, without internal details`, async () => {
      const answer = await send();
      expect(answer.status).to.equal(status);
      expect(answer.headers["content-type"]).to.equal("application/json; charset=utf-8");
      expect(answer.headers["x-request-id"]).to.be.a("string");
      expect(answer.text).to.not.match(/<|\bat \/|\.ts\b|node_modules|Error:|parquet|express/i);
      expect(answer.headers).to.not.have.any.keys("etag", "x-powered-by");
      const { error, message, details } = answer.body;
      expect(message).to.be.a("string").that.is.not.empty;
      if (status === 401) return;
      expect(error).to.be.a("string").that.is.not.empty;
      expect(message, "Portuguese").to.match(
        /[ãçéíóõú]|não|parâmetro|formato|Somente|Deve|ocupado|recurso|Ocorreu|consulta|organização/,
      );
      expect(Array.isArray(details)).to.equal(status === 400);
    });
  }

  it("401 has only the message, whatever is wrong with the credentials", async () => {
    const { app } = makeApp();
    const sent: Record<string, string>[] = [
      {},
      { "x-client-id": "good" },
      { "x-client-secret": SECRET },
      { "x-client-id": "good", "x-client-secret": "" },
      { "x-client-id": "good", "x-client-secret": `${SECRET} x` },
      { "x-client-id": "bad", "x-client-secret": SECRET },
      { authorization: `Basic ${Buffer.from(`bad:${SECRET}`).toString("base64")}` },
    ];
    for (const headers of sent) {
      const { status, body } = await request(app).get(`${CARDS}?organizationId=${OURS}`).set(headers);
      expect([status, body], JSON.stringify(headers)).to.deep.equal([401, { message: "Unauthorized" }]);
    }
  });

  it("429 has the documented body [D42]", async () => {
    const { status, body, headers } = await ask(spent(), CARDS);
    expect(status).to.equal(429);
    expect(Object.keys(body).sort()).to.deep.equal(["error", "message", "retryAfter", "statusCode"]);
    expect(body).to.include({ statusCode: 429, error: "Too Many Requests", retryAfter: 60 });
    expect(headers["retry-after"]).to.equal("60");
  });

  it("a missing organizationId is a Validation Error with a message in Portuguese", async () => {
    for (const query of ["", "?organizationId=", "?organizationid=x", "?organizationId[]=x"]) {
      const { status, body } = await signed(request(makeApp().app).get(CARDS + query));
      expect(status, query).to.equal(400);
      expect(body.error).to.equal("Validation Error");
      expect(body.message).to.equal("O parâmetro organizationId é obrigatório.");
    }
  });

  it("organizationId is sent once and has at most 128 characters", async () => {
    for (const value of ["x".repeat(129), `${OURS}&organizationId=${OURS}`]) {
      const { status, body } = await ask(makeApp().app, `${CARDS}?organizationId=${value}`);
      expect([status, body.details?.[0]?.parameter]).to.deep.equal([400, "organizationId"]);
    }
    expect((await ask(makeApp().app, `${CARDS}?organizationId=${"x".repeat(128)}`)).status).to.equal(403);
  });

  it("every wrong parameter is named at once", async () => {
    const query = "startDate=2025-02-30&endDate=x&view=pie&groupBy=day&breakBy=cor&tamanho=1&page=2";
    const { body } = await ask(makeApp().app, `/v1/profitability/cohort?${query}`);
    const parameters = body.details.map(({ parameter }: { parameter: string }) => parameter);
    expect(parameters).to.have.members(["startDate", "endDate", "view", "groupBy", "breakBy", "tamanho", "page"]);
    expect(body.error).to.equal("Validation Error");
    expect(body.message).to.equal("7 parâmetros são inválidos.");
  });

  it("405 lists the allowed methods", async () => {
    for (const method of ["post", "put", "patch", "delete", "options"] as const) {
      const { status, headers } = await signed(request(makeApp().app)[method](`${CARDS}?organizationId=${OURS}`));
      expect([status, headers.allow], method).to.deep.equal([405, "GET, HEAD"]);
    }
  });

  it("500 has the request's id, and the log has it with the error", async () => {
    const { app, log } = makeApp(
      new FakeAnswers(() => {
        throw new Error("disk on fire");
      }),
    );
    const { body, headers } = await ask(app, CARDS);
    expect(Object.keys(body).sort()).to.deep.equal(["error", "message", "requestId"]);
    expect(body.requestId).to.equal(headers["x-request-id"]);
    expect(log.some((line) => line.includes("disk on fire") && line.includes(body.requestId))).to.equal(true);
  });

  it("503 says when to retry", async () => {
    for (const kind of ["busy", "timeout"] as const) {
      const { status, headers } = await ask(failing(new ApiError(kind)), CARDS);
      expect(status).to.equal(503);
      expect(Number(headers["retry-after"])).to.be.within(1, 60);
    }
  });

  it("a slash in an id is sent encoded and arrives decoded", async () => {
    const { app, answers } = makeApp();
    expect((await ask(app, "/v1/things/a%2Fb+c")).status).to.equal(200);
    expect(answers.last.thingId).to.equal("a/b+c");
    expect((await ask(app, "/v1/things/a/b")).status).to.equal(404);
    expect((await ask(app, `/v1/things/${"a".repeat(257)}`)).status).to.equal(400);
  });

  it("a uuid is a uuid, not a urn", async () => {
    const { app } = makeApp();
    expect((await ask(app, `/v1/things/a?integrationId=${OURS}`)).status).to.equal(200);
    for (const wrong of [`urn:uuid:${OURS}`, `${OURS}0`, OURS.replaceAll("-", "")]) {
      expect((await ask(app, `/v1/things/a?integrationId=${wrong}`)).status, wrong).to.equal(400);
    }
  });

  it("/readyz?verbose shows the details to this machine, but not through a proxy", async () => {
    const { app } = makeApp(undefined, { details: async () => ({ integrations: ["secret"] }) });
    const verbose = () => request(app).get("/readyz?verbose");
    expect((await verbose()).body).to.deep.equal({ ready: true, integrations: ["secret"] });
    expect((await request(app).get("/readyz")).body).to.deep.equal({ ready: true });
    for (const header of ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"]) {
      expect((await verbose().set(header, "127.0.0.1")).body, header).to.deep.equal({ ready: true });
    }
  });

  it("/readyz?verbose hides the details under any other name of this machine, as a page in a browser may use", async () => {
    const { app } = makeApp(undefined, { details: async () => ({ integrations: ["secret"] }) });
    const asked = (host: string) => request(app).get("/readyz?verbose").set("Host", host);
    for (const host of [
      "evil.example",
      "evil.example:3000",
      "localhost.evil.example",
      "127.0.0.1.evil.example",
      "[::2]",
    ]) {
      expect((await asked(host)).body, host).to.deep.equal({ ready: true });
    }
    for (const host of ["localhost", "localhost:3000", "127.0.0.1:3000", "[::1]:3000"]) {
      expect((await asked(host)).body, host).to.deep.equal({ ready: true, integrations: ["secret"] });
    }
  });

  it("an unready service answers 503 on /readyz and is healthy", async () => {
    const { app } = makeApp(new FakeAnswers(), { ready: async () => ({ ready: false }) });
    expect((await request(app).get("/readyz")).status).to.equal(503);
    expect((await request(app).get("/healthz")).status).to.equal(200);
    expect((await request(makeApp().app).get("/readyz")).body).to.deep.equal({ ready: true });
  });
});

describe("the order of the checks [D41]", () => {
  const credentials = { bad: "bad", good: "good" };
  const rates = { over: 0, within: 100 };
  const organizations = { none: "", theirs: THEIRS, ours: OURS };
  const queries = { wrong: "&startDate=x", right: "" };
  const addresses = { there: SUMMARY, missing: "/v1/missing" };

  const combinations = Object.entries(credentials).flatMap((credential) =>
    Object.entries(rates).flatMap((rate) =>
      Object.entries(organizations).flatMap((organization) =>
        Object.entries(queries).flatMap((query) =>
          Object.entries(addresses).map((address) => ({ credential, rate, organization, query, address })),
        ),
      ),
    ),
  );

  it("holds for every combination of faults", async () => {
    const seen = new Set<number>();
    for (const { credential, rate, organization, query, address } of combinations) {
      const expected = (): number => {
        if (credential[0] === "bad") return 401;
        if (rate[0] === "over") return 429;
        if (organization[0] === "none") return 400;
        if (organization[0] === "theirs") return 403;
        if (address[0] === "missing") return 404;
        return query[0] === "wrong" ? 400 : 200;
      };
      const limit = new SlidingLog(rate[1]);
      const { app } = makeApp(new FakeAnswers(), { limit });
      const { status } = await signed(
        request(app).get(`${address[1]}?organizationId=${organization[1]}${query[1]}`),
        credential[1],
      );
      limit.shutdown();
      const which = { credential, rate, organization, query, address };
      expect(status, Object.values(which).map(String).join("; ")).to.equal(expected());
      seen.add(status);
    }
    expect([...seen].sort()).to.deep.equal([200, 400, 401, 403, 404, 429]);
  });

  it("looks for the resource only after the parameters", async () => {
    const { app, answers } = makeApp(
      new FakeAnswers(() => {
        throw new ApiError("notFound");
      }),
    );
    expect((await ask(app, "/v1/things/a?integrationId=x")).status).to.equal(400);
    expect(answers.asked).to.have.length(0);
    expect((await ask(app, "/v1/things/a")).status).to.equal(404);
  });
});
