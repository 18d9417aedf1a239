import { expect } from "chai";
import request from "supertest";
import { ApiError } from "../../src/contract/error.ts";
import { ask, makeApp, OURS, until } from "../support/app.ts";

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
