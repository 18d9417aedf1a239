import { expect } from "chai";
import { serveFixtures } from "../support/service.ts";

const COHORT = "/v1/profitability/cohort";
const PAYBACK = "/v1/profitability/payback";

type Rows = Record<string, unknown>[];

describe("Cohorts by two attributes", () => {
  const of = serveFixtures();

  const rowsOf = async (address: string): Promise<Rows> => {
    const { status, body } = await of.service.get(address);
    expect(status, address).to.equal(200);
    return body.data as Rows;
  };

  it("have rows that explanations name by both keys, and those of weeks by their Mondays", async () => {
    const addresses = [`${COHORT}?breakBy=origem,pagamento`, `${COHORT}?breakBy=loja,produto&groupBy=week`];
    for (const address of [...addresses, `${PAYBACK}?breakBy=cidade,loja`]) {
      const rows = await rowsOf(address);
      const figure = address.startsWith(COHORT) ? "firstPurchaseCustomers" : "customers";
      for (const row of [rows[0], rows.at(-1)] as Rows) {
        const keys = (row.breakKey as (string | null)[]).map((key) => (key ?? "").replaceAll(":", "%3A"));
        const month = String(row.cohortMonth);
        const name = [address.includes("week") ? month : month.slice(0, 7), ...keys].join(":");
        const [endpoint, query] = address.split("?");
        const asked = new URLSearchParams({ endpoint: endpoint as string, figure, row: name });
        const { status, body } = await of.service.get(`/v1/explain?${asked}&${query}`);
        expect(status, `${address} ${name}`).to.equal(200);
        expect(body.value).to.equal(row[figure]);
        expect((body.rows as { ordersUsed: number }).ordersUsed).to.be.at.least(Number(row[figure]));
      }
    }
  });
});
