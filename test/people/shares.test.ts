import { expect } from "chai";
import { pino } from "pino";
import request from "supertest";
import { openOrganizations } from "../../src/core/organizations/open.ts";
import { sharesFeature } from "../../src/features/shares/routes.ts";
import { addressIn } from "../../src/features/shares/shared.ts";
import { type Section, Shares } from "../../src/features/shares/shares.ts";
import { AURORA, DataFolder, NOW } from "../support/data.ts";
import { openService, type Service } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";

const DATES = "startDate=2025-02-01&endDate=2025-02-28";
const CARDS = `/v1/profitability/cards?${DATES}`;
const STATEMENT = `/v1/profit/statement?${DATES}&granularity=month`;
const DAY_MS = 86_400_000;

describe("Shares of a page [D94]", () => {
  let data: DataFolder;
  let shares: Shares;
  let service: Service;

  before(async () => {
    data = await DataFolder.copyOf(await landedFixtures());
    shares = new Shares(data.path);
    const organizations = openOrganizations(data.path, () => {});
    const settings = async (id: string) => (await organizations.get(id))?.settings;
    const answers = { dataState: async () => ({ version: "1" }) };
    const feature = sharesFeature({
      shares,
      writes: true,
      answers,
      organizations: { settings },
      now: () => new Date(NOW),
      log: pino({ level: "silent" }),
    });
    service = await openService(data.config, AURORA, { platform: { mail: false, features: [feature] } });
  });
  after(async () => {
    await shares.write();
    await service.close();
    await data.remove();
  });

  const share = async (sections: readonly Section[] = [], more: object = {}) => {
    const kept = [CARDS, STATEMENT].map((address) => addressIn(address) ?? "");
    const wanted = { organization: AURORA, name: "Sócia", page: "report", answers: kept, sections, maker: "a@b.com" };
    return shares.create({ ...wanted, expiresAt: new Date(Date.now() + DAY_MS).toISOString(), ...more });
  };
  const open = (token: string) => request(service.app).get("/shared").set("x-lucra-share", token);
  const answer = (token: string, address: string) =>
    request(service.app).get("/shared/answer").query({ address }).set("x-lucra-share", token);

  it("answer what their page shows, as the API does, in any spelling of the address", async () => {
    const { token } = await share(["fixed", "profit"]);
    for (const address of [CARDS, STATEMENT]) {
      const { status, body } = await answer(token, address);
      expect(status).to.equal(200);
      expect(body).to.deep.equal((await service.get(address)).body);
    }
    const turned = `/v1/profitability/cards?endDate=2025-02-28&organizationId=x&format=csv&startDate=2025-02-01`;
    expect((await answer(token, turned)).body).to.deep.equal((await service.get(CARDS)).body);
  });

  it("answer nothing else: no other days, endpoints, states or organizations", async () => {
    const { token } = await share();
    for (const address of [
      "/v1/profitability/cards",
      CARDS.replace("02-28", "02-27"),
      `/v1/profitability/orders?${DATES}`,
      "/v1/storea/orders",
      "/v1/organizations",
      "/v1/sql?query=select+1",
      `/v1/explain?endpoint=${encodeURIComponent(CARDS)}`,
      "//evil.example/v1/profitability/cards",
      "http://evil.example/",
      "",
    ]) {
      expect((await answer(token, address)).status, address).to.equal(404);
    }
    expect(
      (await request(service.app).get(`${CARDS}&organizationId=${AURORA}`).set("x-lucra-share", token)).status,
    ).to.equal(200);
  });

  it("show what is fixed, and what remains of it, only if chosen", async () => {
    const whole = (await service.get(STATEMENT)).text;
    expect(whole).to.include('"fixed"').and.to.include('"profit"');
    const { token } = await share();
    const { text, body } = await answer(token, STATEMENT);
    expect(text).to.not.match(/"(fixed|profit)"/);
    expect(body.statement.contribution3).to.deep.equal(JSON.parse(whole).statement.contribution3);
    const { token: other } = await share(["profit"]);
    expect((await answer(other, STATEMENT)).text)
      .to.include('"profit"')
      .and.to.not.include('"fixed"');
  });

  it("say what they open, without settings, and count who opens them", async () => {
    const { token, share: made } = await share();
    const { status, body, headers } = await open(token);
    expect(status).to.equal(200);
    expect(headers).to.include({
      "x-robots-tag": "noindex",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    });
    expect(body).to.deep.include({ name: "Sócia", page: "report", sections: [], knownAt: null });
    expect(body.organization).to.include({ id: AURORA, name: "Casa Aurora" });
    expect(body.organization.notes).to.deep.equal([]);
    await open(token);
    await shares.write();
    const [listed] = (await shares.of(AURORA)).filter(({ id }) => id === made.id);
    expect(listed).to.include({ openings: 2, maker: "a@b.com" });
    expect(JSON.stringify(listed)).to.not.match(/127\.0\.0\.1|::1/);
  });

  it("that are unknown, expired or revoked have one answer", async () => {
    const { token: expired } = await share([], { expiresAt: new Date(Date.now() - 1).toISOString() });
    const { token: revoked, share: made } = await share();
    expect((await open(revoked)).status).to.equal(200);
    await shares.revoke(made.id);
    const answers = await Promise.all([expired, revoked, "x".repeat(43), "", "../x"].map((token) => open(token)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
    expect(answers[0]?.status).to.equal(404);
    expect((await answer(revoked, CARDS)).status).to.equal(404);
    expect(await data.text("shares.json")).to.not.include(revoked);
  });
});
