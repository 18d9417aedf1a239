import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import request from "supertest";
import { AURORA, type DataFolder } from "../support/data.ts";
import { serviceAt } from "../support/histories.ts";
import type { Service } from "../support/service.ts";
import { FIRST, landedTwo, SHOP } from "../support/syncs.ts";

const END = "2025-04-05T12:00:00.000Z";
const CARDS = "/v1/profitability/cards";

describe("knownAt", () => {
  let data: DataFolder;
  let service: Service;

  before(async () => {
    data = await landedTwo(SHOP);
    service = await serviceAt(data, END);
  });

  after(async () => {
    await service.close();
    await data.remove();
  });

  const revenueAt = async (knownAt: string): Promise<unknown> => {
    const { status, body } = await service.get(`${CARDS}?knownAt=${encodeURIComponent(knownAt)}`);
    return status === 200 ? body.revenue : body;
  };
  const faultOf = async (query: string): Promise<unknown> => {
    const { status, body } = await service.get(`${CARDS}?${query}`);
    expect(status).to.equal(400);
    return (body.details as { parameter: string; message: string }[]).map(
      ({ parameter, message }) => `${parameter}: ${message}`,
    );
  };

  it("takes an instant, to the millisecond, in any offset, or a day, which means its end in UTC", async () => {
    expect(await revenueAt(FIRST)).to.equal(10);
    expect(await revenueAt("2025-04-02T11:59:59.999999Z")).to.equal(10);
    expect(await revenueAt("2025-04-02T09:00:00-03:00")).to.equal(42);
    expect(await revenueAt("2025-04-01")).to.equal(10);
    expect(await revenueAt("2025-04-02")).to.equal(42);
    const { body } = await service.get(`${CARDS}?knownAt=2025-04-05`);
    expect(body.knownAt).to.equal(END);
    expect((await service.get(`${CARDS}?knownAt=2025-04-04`)).body.knownAt).to.equal("2025-04-04T23:59:59.999Z");
  });

  it("is refused with its reason if it names nothing that was known", async () => {
    const wrong = "knownAt: Deve ser uma data (AAAA-MM-DD), uma data e hora ISO 8601 ou o nome de um marco.";
    for (const text of ["", "2025-02-30", "ontem", "2025-04-02T25:00:00Z", "Abril", "..%2Fx", "a".repeat(41)])
      expect(await faultOf(`knownAt=${text}`), text).to.deep.equal([wrong]);
    expect(await faultOf("knownAt=2025-04-06")).to.deep.equal(["knownAt: Não pode ser depois de agora."]);
    expect(await faultOf("knownAt=2025-04-01T11:59:59.999Z")).to.deep.equal([
      `knownAt: Nada era conhecido então: os primeiros dados chegaram em ${FIRST}.`,
    ]);
    expect(await faultOf("knownAt=2025-04-02&knownAt=2025-04-02")).to.deep.equal([
      "knownAt: O parâmetro deve ser enviado uma única vez.",
    ]);
    expect(await faultOf("knownAt=x&startDate=x")).to.have.lengthOf(2);
    for (const address of ["/v1/storea/orders?knownAt=x", "/v1/sql?query=select%201&knownAt=x"])
      expect((await service.get(address)).status, address).to.equal(400);
  });

  it("is no parameter of what is about now", async () => {
    expect((await service.get("/v1/organizations?knownAt=2025-04-02")).status).to.equal(400);
    expect((await service.get("/v1/data-quality?knownAt=2025-04-02")).status).to.equal(400);
  });

  it("takes the time of rules from the instant", async () => {
    const { status, body } = await service.get(
      "/v1/acquisition/summary?startDate=2025-04-01&endDate=2025-04-04&knownAt=2025-04-02",
    );
    expect([status, JSON.stringify(body)]).to.deep.equal([
      400,
      JSON.stringify({
        ...body,
        details: [{ parameter: "endDate", message: "A data não pode estar no futuro (UTC)." }],
      }),
    ]);
  });

  it("is said in headers and in the name of a file, and has a tag of its own", async () => {
    const get = (query: string) =>
      request(service.app)
        .get(`/v1/storea/orders?organizationId=${AURORA}&${query}`)
        .set("x-client-id", "x")
        .set("x-client-secret", "x");
    const csv = await get("format=csv&knownAt=2025-04-01");
    expect(csv.headers["x-known-at"]).to.equal("2025-04-01T23:59:59.999Z");
    expect(csv.headers["x-settings-since"]).to.equal(FIRST);
    expect(csv.headers["x-known-state"]).to.match(/^[0-9a-f]{32}$/);
    expect(csv.headers["content-disposition"]).to.equal(
      "attachment; filename=storea-orders-known-2025-04-01T23-59-59.999Z.csv",
    );
    for (const query of ["knownAt=2025-04-01", "format=csv&knownAt=2025-04-01", "all=true&knownAt=2025-04-01"]) {
      const { headers } = await get(query);
      expect((await get(query).set("if-none-match", String(headers.etag))).status, query).to.equal(304);
    }
    const whole = await get("all=true&knownAt=2025-04-01");
    expect(Object.keys(whole.body).slice(0, 3)).to.deep.equal(["knownAt", "knownState", "settingsSince"]);
    expect(whole.body.data).to.have.lengthOf(1);
    expect((await get("")).headers["x-known-at"]).to.equal(undefined);
  });

  it("has equal states at all instants between two entries", async () => {
    const stateAt = async (at: string) => (await service.get(`${CARDS}?knownAt=${at}`)).body.knownState;
    expect(await stateAt("2025-04-01T12:00:00Z")).to.equal(await stateAt("2025-04-02T11:00:00Z"));
    expect(await stateAt("2025-04-02")).to.equal(await stateAt("2025-04-05"));
    expect(await stateAt("2025-04-01")).to.not.equal(await stateAt("2025-04-02"));
  });

  it("is answered after a restart, and after its files were removed or damaged", async () => {
    const mart = path.join(data.path, "marts", `organization_id=${AURORA}`);
    const states = (await readdir(mart)).filter((name) => name.startsWith("state="));
    expect(states).to.have.lengthOf.greaterThan(0);
    for (const state of states) await rm(path.join(mart, state), { recursive: true });
    const again = await serviceAt(data, END);
    try {
      const { body } = await again.get(`${CARDS}?knownAt=2025-04-01`);
      expect(body.revenue).to.equal(10);
      const [state = ""] = (await readdir(mart)).filter((name) => name.startsWith("state="));
      expect((await stat(path.join(mart, state, "orders.parquet"))).size).to.be.greaterThan(0);
    } finally {
      await again.close();
    }
  });
});
