import { expect } from "chai";
import { alertLines } from "../../src/features/alerts/lines.ts";
import { AURORA, type DataFolder } from "../support/data.ts";
import { openService, type Service } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";

describe("The lines of alerts in letters [D96]", () => {
  let data: DataFolder;
  let service: Service;

  before(async () => {
    data = await landedFixtures();
    service = await openService(data.config, AURORA);
  });

  after(async () => {
    await service?.close();
    await data?.remove();
  });

  it("says a line of each cause in a letter, in both languages, without links", async () => {
    const settings = {
      organizationId: AURORA,
      name: "Casa Aurora",
      currency: "BRL",
    };
    const ask = async <T>(path: string, params: Readonly<Record<string, string>>): Promise<T> =>
      (await service.get(`${path}?${new URLSearchParams(params)}`)).body as T;
    const lines = await alertLines({ settings, day: "2025-03-06", language: "pt-BR", ask });
    const strong = lines.find(({ text }) => text.startsWith("Dia forte"));
    expect(strong?.text.replaceAll("\u00a0", " ")).to.equal(
      "Dia forte: R$ 300,00, esperado R$ 0,00; desde 5 de mar. de 2025 (1 dia); anotação: Carnaval; campanhas que pararam: Conheça a Aurora",
    );
    expect([strong?.atOnce, strong?.isOver]).to.deep.equal([true, false]);
    const explain = new URLSearchParams(strong?.address.split("?")[1]).get("explain") ?? "";
    const [endpoint = "", query = ""] = explain.split("?");
    const explained = await service.get(`/v1/explain?${new URLSearchParams({ endpoint })}&${query}`);
    expect(explained.body, explained.text).to.deep.include({ value: 300 });
    const later = await alertLines({ settings, day: "2025-03-26", language: "en", ask });
    expect(later.map(({ text }) => text)).to.include(
      "Data are late (Aurora Outlet): 4 days are missing; since Mar 22, 2025",
    );
    expect(
      later.find(({ about, since }) => about === strong?.about && since === strong.since),
      "the same cause",
    ).to.include({ atOnce: true });
  });

  it("is explained by the orders of its own days, also where these are before the period", async () => {
    const row = "2025-03-05:Dia forte:";
    const explained = async (startDate: string, endDate: string): Promise<Record<string, unknown>> => {
      const query = new URLSearchParams({ endpoint: "/v1/alerts", figure: "actual", row, startDate, endDate });
      const { status, body, text } = await service.get(`/v1/explain?${query}`);
      expect(status, text).to.equal(200);
      return { value: body.value, rows: body.rows, orders: body.orders };
    };
    const own = await explained("2025-03-01", "2025-03-08");
    expect(own).to.deep.include({ value: 300 });
    expect(await explained("2025-03-07", "2025-03-08")).to.deep.equal(own);
  });
});
