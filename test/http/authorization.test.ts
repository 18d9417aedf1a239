import { expect } from "chai";
import request, { type Test } from "supertest";
import { SlidingLog } from "../../src/core/http/rateLimit.ts";
import { ACME, FakeAnswers, fakeApp, OTHER, SECRET, signed } from "./fake.ts";

const basic = (text: string): string => `Basic ${Buffer.from(text).toString("base64")}`;
const BASIC = basic(`client:${SECRET}`);
const BEARER = `Bearer client.${SECRET}`;
const STRICT = `/v1/strict?organizationId=${ACME}`;

const ask = (app: ReturnType<typeof fakeApp>, authorization: string, address = STRICT): Test =>
  request(app).get(address).set("authorization", authorization);

describe("Authorization", () => {
  it("as Basic and Bearer is answered like the two headers [D41]", async () => {
    const app = fakeApp();
    const wanted = await signed(request(app).get(STRICT));
    for (const authorization of [BASIC, BEARER, BASIC.replace("Basic", "basic")]) {
      const { status, body, headers } = await ask(app, authorization);
      expect([status, body, headers.etag], authorization).to.deep.equal([200, wanted.body, wanted.headers.etag]);
      const statuses: number[] = [];
      for (const address of [`/v1/strict?organizationId=${OTHER}&x=1`, "/v1/strict?organizationId=", `${STRICT}&x=1`]) {
        statuses.push((await ask(app, authorization, address)).status);
      }
      expect(statuses, authorization).to.deep.equal([403, 400, 400]);
    }
  });

  it("shares the rate of its client with the two headers [D43]", async () => {
    const limit = new SlidingLog(3, () => 0);
    const app = fakeApp(new FakeAnswers(), { limit });
    const left = [
      await signed(request(app).get(STRICT)),
      await ask(app, BASIC),
      await ask(app, BEARER),
      await ask(app, BASIC),
    ].map(({ status, headers }) => `${status} ${headers["x-ratelimit-remaining"]}`);
    limit.shutdown();
    expect(left).to.deep.equal(["200 2", "200 1", "200 0", "429 0"]);
  });

  it("that is wrong or malformed is 401, never an error, and counts among the failures of the address", async () => {
    const app = fakeApp();
    const wrong = [
      basic("client:wrong"),
      basic("client"),
      basic(":"),
      `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString("base64")}`,
      "Basic",
      "Basic ****",
      `Basic ${"A".repeat(12_000)}`,
      "Bearer",
      `Bearer client${SECRET}`,
      `Bearer ${"a.".repeat(5_000)}`,
      "Negotiate abc",
      `${BASIC}, ${BASIC}`,
    ];
    for (const authorization of wrong) {
      const { status, body } = await ask(app, authorization);
      expect([status, body], authorization.slice(0, 60)).to.deep.equal([401, { message: "Unauthorized" }]);
    }
    const statuses: number[] = [];
    for (let n = wrong.length; n < 32; n++) statuses.push((await ask(app, basic("client:no"))).status);
    expect(statuses.slice(-3)).to.deep.equal([401, 429, 429]);
    expect((await ask(app, BASIC)).status).to.equal(200);
  });

  it("is not read next to one of the two headers, so that a proxy may use it", async () => {
    const app = fakeApp();
    expect((await signed(request(app).get(STRICT)).set("authorization", basic("proxy:pass"))).status).to.equal(200);
    expect((await ask(app, BASIC).set("x-client-id", "client")).status).to.equal(401);
    expect((await ask(app, BASIC).set("x-client-secret", "no")).status).to.equal(401);
  });

  it("is asked for by a 401: Basic of programs only, so that no browser asks for a password", async () => {
    const app = fakeApp();
    const offered = async (test: Test): Promise<unknown> => (await test).headers["www-authenticate"];
    const both = 'Bearer realm="lucra", Basic realm="lucra", charset="UTF-8"';
    expect(await offered(request(app).get(STRICT))).to.equal(both);
    expect(await offered(ask(app, "Bearer x.y"))).to.equal(both);
    const bearer = 'Bearer realm="lucra"';
    expect(await offered(request(app).get(STRICT).set("sec-fetch-mode", "cors"))).to.equal(bearer);
    expect(await offered(request(app).get(STRICT).set("x-client-id", "client").set("x-client-secret", "no"))).to.equal(
      bearer,
    );
    expect(await offered(ask(app, BASIC))).to.equal(undefined);
    expect(await offered(ask(app, BASIC, "/v1/nowhere"))).to.equal(undefined);
  });

  it("reaches no log, answer or request id", async () => {
    const lines: string[] = [];
    const app = fakeApp(
      new FakeAnswers(() => Promise.reject(new Error("broken"))),
      {},
      { write: (line) => void lines.push(line) },
    );
    const answers: string[] = [];
    for (const authorization of [BASIC, BEARER]) {
      for (const id of [SECRET, `job.${SECRET}`, authorization.split(" ")[1]?.slice(4, 50) ?? "", "abc-1"]) {
        const { text, headers } = await ask(app, authorization).set("x-request-id", id);
        answers.push(text, JSON.stringify(headers));
        expect(headers["x-request-id"] === id, id).to.equal(id === "abc-1");
      }
    }
    const all = [...answers, ...lines].join("\n");
    expect(all).to.not.contain(SECRET).and.not.contain(BASIC.slice(6, 30));
    expect(lines.some((line) => JSON.parse(line).clientId === "client")).to.equal(true);
  });
});
