import { expect } from "chai";
import request from "supertest";
import { ApiError } from "../../src/core/contract/error.ts";
import { ask, FakeAnswers, type Made, makeApp, OURS, onPort, SECRET, until } from "../support/app.ts";

const SIGNED = { "x-client-id": "good", "x-client-secret": SECRET };

describe("The log's paths", () => {
  const logged = async (address: string): Promise<string> => {
    const { app, log } = makeApp();
    await request(app).get(address);
    await until(() => log.length === 1);
    return JSON.parse(log[0] ?? "").req.path as string;
  };

  it("are the declared ones for endpoints: a path segment may be a value", async () => {
    const { app, log } = makeApp();
    await ask(app, `/v1/things/ana%40example.com?organizationId=${OURS}`);
    await until(() => log.length === 1);
    expect(JSON.parse(log[0] ?? "").req.path).to.equal("/v1/things/:thingId");
  });

  it("keep only words elsewhere", async () => {
    expect(await logged("/v1/crm/contacts/ana@example.com")).to.equal("/v1/crm/contacts/…");
    expect(await logged("/12345678909/x%40y")).to.equal("/…/…");
    expect(await logged("/docs/page.css")).to.equal("/docs/page.css");
  });
});

describe("The log's names of parameters", () => {
  it("are only declared ones: a value sent without a name may be a telephone number", async () => {
    const { app, log } = makeApp();
    const sent = "12345678909&5511999998888=x&ana%40example.com&joao_silva&startDate=2025-01-01";
    await ask(app, `/v1/things/a?organizationId=${OURS}&${sent}`);
    await until(() => log.length === 1);
    const { parameters } = JSON.parse(log[0] ?? "").req;
    expect(parameters).to.have.members(["organizationId", "…", "startDate"]);
  });
});

describe("The log of a refused request", () => {
  it("has the reason, which the status does not show", async () => {
    const { app, log, answers } = makeApp();
    answers.reply = () => {
      throw new ApiError("tooLarge");
    };
    const { status } = await ask(app, `/v1/things/1?organizationId=${OURS}`);
    await until(() => log.length === 1);
    expect([status, JSON.parse(log[0] ?? "").refusal]).to.deep.equal([503, "tooLarge"]);
  });
});

describe("The log's line of a request", () => {
  /** The lines of the log after a request, without what differs from process to process. */
  async function linesOf({ app, log }: Made, send: (app: Made["app"]) => Promise<unknown>, count = 1) {
    await send(app).catch(() => {});
    await until(() => log.length === count);
    return log.map((line) => {
      const { time, pid, hostname, responseTime, req, ...rest } = JSON.parse(line);
      expect([time, pid].every(Number.isInteger) && hostname !== "").to.equal(true);
      expect(req.id).to.match(/^[\w-]{36}$/);
      return { ...rest, req: { ...req, id: "…" }, ...(responseTime === undefined ? {} : { responseTime: "…" }) };
    });
  }

  const req = { id: "…", method: "GET", path: "/v1/things/:thingId", parameters: ["organizationId"] };
  const address = `/v1/things/a?organizationId=${OURS}`;
  const broken = () =>
    new FakeAnswers(() => {
      throw new TypeError("broken");
    });

  it("has its client, its status and its time", async () => {
    const [line] = await linesOf(makeApp(), (app) => ask(app, address));
    const res = { status: 200 };
    expect(line).to.deep.equal({
      level: 30,
      req,
      clientId: "good",
      res,
      responseTime: "…",
      msg: "request completed",
    });
  });

  it("has no client for wrong credentials", async () => {
    const [line] = await linesOf(makeApp(), async (app) => request(app).get(address));
    const refused = { refusal: "unauthorized", res: { status: 401 } };
    expect(line).to.deep.equal({ level: 30, req, ...refused, responseTime: "…", msg: "request completed" });
  });

  it("is an error for a failure, after a line with its cause", async () => {
    const [cause, line] = await linesOf(makeApp(broken()), (app) => ask(app, address), 2);
    expect(cause?.err.stack).to.include("TypeError: broken");
    const { stack: _, ...err } = cause?.err ?? {};
    expect({ ...cause, err }).to.deep.equal({
      level: 50,
      req,
      err: { type: "TypeError", message: "broken" },
      msg: "unforeseen",
    });
    const failed = { err: { message: "failed with status code 500" }, res: { status: 500 } };
    expect(line).to.deep.equal({
      level: 50,
      req,
      clientId: "good",
      ...failed,
      responseTime: "…",
      msg: "request errored",
    });
  });

  it("reports that the client did not wait", async () => {
    const made = makeApp(new FakeAnswers(() => new Promise(() => {})));
    const hangUp = new AbortController();
    const [line] = await linesOf(made, (app) =>
      onPort(app, async (port) => {
        const asking = fetch(port + address, { headers: SIGNED, signal: hangUp.signal });
        await until(() => made.answers.asked.length === 1);
        hangUp.abort();
        await asking.catch(() => {});
        await until(() => made.log.length === 1);
      }),
    );
    expect(line).to.include({ level: 30, clientId: "good", msg: "request aborted" });
  });
});
