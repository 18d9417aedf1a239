import { expect } from "chai";
import { agreement } from "./agreement.ts";

// Not among the service's own tests: `npx mocha bench/references/agreement.test.ts`.
describe("agreement of a reference with the service", () => {
  const service = [
    { month: "2024-01-01", revenue: 10.25, orders: 3, pct: 0.5 },
    { month: "2024-02-01", revenue: 7, orders: 2, pct: null },
  ];
  const differences = (reference: Parameters<typeof agreement>[1]): readonly string[] =>
    agreement(service, reference).differences;

  it("holds for the same figures, or some of them", () => {
    expect(agreement(service, service)).to.deep.equal({
      differences: [],
      figures: ["month", "revenue", "orders", "pct"],
      missing: [],
      values: 8,
      ties: 0,
    });
    const some = agreement(service, [{ orders: 3 }, { orders: 2 }]);
    expect(some).to.deep.include({
      differences: [],
      figures: ["orders"],
      missing: ["month", "revenue", "pct"],
      values: 2,
    });
  });

  it("does not hold for a figure that differs, or that the service does not have", () => {
    expect(differences([{ revenue: 10.27 }, { revenue: 7 }])).to.deep.equal([
      "row 0 (month 2024-01-01): revenue is 10.27, the service's 10.25",
    ]);
    expect(differences([{ orders: 3 }, { orders: 3 }])).to.have.length(1);
    expect(differences([{ pct: 0.5 }, { pct: 0 }])).to.have.length(1);
    expect(differences([{ revenues: 10.25 }, { revenues: 7 }])[0]).to.match(
      /revenues is 10.25, the service's not there/,
    );
  });

  it("does not hold for rows that are missing, too many, or in another order", () => {
    expect(differences(service.slice(0, 1))).to.deep.equal(["the service has 2 rows, the reference 1"]);
    expect(differences([...service, { month: "2024-03-01" }])).to.have.length(1);
    expect(differences([...service].reverse())).to.have.length.greaterThan(1);
    expect(differences([{}, {}])).to.deep.equal(["the reference has none of the service's figures"]);
  });

  it("takes a difference of one in the last shown decimal for another rounding of a half, and reports it", () => {
    const found = agreement(service, [
      { revenue: 10.26, pct: 0.5001 },
      { revenue: 6.99, pct: null },
    ]);
    expect(found.differences).to.deep.equal([]);
    expect(found.ties).to.equal(3);
    expect(differences([{ pct: 0.5002 }, { pct: null }])).to.have.length(1);
  });
});
