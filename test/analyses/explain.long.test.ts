import { expect } from "chai";
import { AURORA, type DataFolder } from "../support/data.ts";
import { COMPARED, compareFigures } from "../support/explanations.ts";
import { openService, type Service } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";

describe("Explanations of every figure [D56]", () => {
  let data: DataFolder;
  let service: Service;
  const counts = { figures: 0, computed: 0 };

  before(async () => {
    data = await landedFixtures();
    service = await openService(data.config, AURORA);
  });

  after(async () => {
    await service?.close();
    await data?.remove();
  });

  for (const address of COMPARED) {
    it(`have the value, the inputs and the orders of ${address}`, async () => {
      const { figures, computed } = await compareFigures(service, address);
      counts.figures += figures;
      counts.computed += computed;
      expect(figures).to.be.greaterThan(0);
    });
  }

  it("give a fifth of the figures again from those that their formulas name", () => {
    expect(counts.computed).to.be.greaterThan(counts.figures / 5);
  });
});
