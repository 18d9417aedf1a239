import { expect } from "chai";
import { ApiError } from "../../src/core/contract/error.ts";
import { allAlertLines } from "../../src/features/alerts/pinned.ts";
import { AURORA } from "../support/data.ts";
import { serviceAt } from "../support/histories.ts";
import { END, PinnedShop } from "../support/pinned.ts";

describe("The alert of a pinned month [D96]", function () {
  this.timeout(300_000);
  const shop = new PinnedShop();

  it("says what changed and why, until it is switched off", async () => {
    const organizationId = AURORA;
    const pinned = await shop.lucraAt(
      END,
      ...["pin-month", "--organization", organizationId, "--name", "2025-02", "--at", "2025-03-03T00:00:00.000Z"],
    );
    expect(pinned.status, pinned.stderr).to.equal(0);
    const service = await serviceAt(shop.data, END);
    try {
      const ask = async <T>(path: string, params: Readonly<Record<string, string>>): Promise<T> => {
        for (let tries = 0; ; tries++) {
          const { status, body } = await service.get(`${path}?${new URLSearchParams(params)}`);
          if (status === 200) return body as T;
          if (tries > 20) throw new ApiError("stateUnderived");
          await new Promise((done) => setTimeout(done, 500));
        }
      };
      const settings = { organizationId, name: "Shop", currency: "BRL" };
      const lines = allAlertLines(shop.data.config.dataDir);
      const of = async (language: "pt-BR" | "en", alerts: object = {}, day = "2025-03-10"): Promise<string[]> =>
        (await lines({ settings: { ...settings, ...alerts }, day, language, ask }))
          .filter(({ about }) => about.includes("pinnedMonth"))
          .map(({ text }) => text.replaceAll("\u00a0", " "));
      expect(await of("pt-BR")).to.include(
        "Um mês fixado mudou (fevereiro de 2025): receita líquida de R$ 100,00 para R$ 150,00 (+50%); fixado em 3 de mar. de 2025 (há 7 dias); pedidos que chegaram +R$ 50,00",
      );
      expect(await of("en")).to.include(
        "A pinned month changed (February 2025): net revenue from R$100.00 to R$150.00 (+50%); pinned on Mar 3, 2025 (7 days ago); orders that arrived +R$50.00",
      );
      expect(await of("en", { alerts: [{ builtIn: "pinnedMonth", off: true }] })).to.deep.equal([]);
      expect(await of("en", {}, "2025-03-02"), "before it was pinned").to.deep.equal([]);
    } finally {
      await service.close();
    }
  });
});
