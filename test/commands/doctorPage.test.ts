import { expect } from "chai";
import { wrappedTable } from "../../src/core/terminal/table.ts";
import { page } from "../../src/features/doctor/page.ts";
import { finding } from "../../src/features/doctor/report.ts";

describe("The doctor's page", () => {
  const reason = "orders/retail.csv.gz is neither JSON nor Parquet, ".repeat(4).trim();
  const text = (width: number): string => {
    const found = finding("lastSync", "wrong", "integrations whose last sync did not land everything", [
      { integration: "A shop", outcome: "refused", ended: "2025-04-01T12:00:00.000Z", reason },
      { integration: "Ads", outcome: "failed", ended: "2025-04-01T12:00:00.000Z", reason: "short" },
    ]);
    return page({ now: "", wrong: 1, notices: 0, findings: [found], organizations: [] }, width);
  };

  it("shows a long text whole, below itself, within the width of the terminal", () => {
    for (const width of [80, 100, 120]) {
      const lines = text(width).split("\n");
      expect(Math.max(...lines.map(({ length }) => length)), String(width)).to.be.at.most(width);
      const words = lines.flatMap((line) => line.split(/\s+/));
      expect(words.filter((word) => word === "orders/retail.csv.gz")).to.have.lengthOf(4);
      expect(text(width)).to.not.include("…");
    }
  });

  it("breaks no word, since it may be a path to copy", () => {
    const path = `exports/${"x".repeat(100)}/orders`;
    expect(wrappedTable(["folder", "hint"], [[path, "a b"]], 60)).to.include(path);
  });

  it("adds no amounts of different currencies up", () => {
    const rows = [
      { integration: "Shop", currency: "USD", orders: 2, revenue: 30 },
      { integration: "Shop", currency: "BRL", orders: 1, revenue: 10 },
    ];
    const amounts = rows.map(({ currency, revenue }) => ({ currency, revenue }));
    const found = { ...finding("uncountedOrders", "notice", "orders that do not count", rows), count: 9, amounts };
    const shown = { ...found, total: { orders: 12, revenue: 90 } };
    const lines = page({ now: "", wrong: 0, notices: 1, findings: [shown], organizations: [] }, 120).split("\n");
    expect(lines[0]).to.equal("! orders that do not count: 12 orders, USD 30.00, BRL 10.00");
    expect(lines.find((line) => line.includes("more"))?.trim()).to.equal("… and 7 more");
  });

  it("shows the first unknown columns of each record, and counts the others", () => {
    const columns = Array.from({ length: 9 }, (_, n) => `Column ${n}`);
    const rows = [
      ...columns.map((column) => ({ integration: "Shop", record: "orders", column, files: 1, first: "a.csv" })),
      { integration: "Ads", record: "campaigns", column: "Results", files: 1, first: "b.csv" },
    ];
    const found = finding("unknownColumns", "notice", "columns that do not land", rows);
    const lines = page({ now: "", wrong: 0, notices: 1, findings: [found], organizations: [] }, 120).split("\n");
    expect(
      lines.filter((line) => /^ +(Shop|Ads) /.test(line)).map((line) => line.trim().split(/ {2,}/)[2]),
    ).to.deep.equal([...columns.slice(0, 4), "and 5 more: --json lists them", "Results"]);
    expect(lines[0]).to.equal("! columns that do not land: 10");
  });
});
