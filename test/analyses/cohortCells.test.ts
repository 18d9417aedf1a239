import { expect } from "chai";
import request from "supertest";
import { AURORA } from "../support/data.ts";
import { openService, type Service } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";

type Rows = { cohortMonth: string; firstPurchaseCustomers: number; months: object }[];

const BY_PRODUCT = "/v1/profitability/cohort?breakBy=produto";

describe("Cohorts with more cells than an answer can have", () => {
  let data: Awaited<ReturnType<typeof landedFixtures>>;
  let service: Service;
  let all: Rows;
  let most: number;

  before(async () => {
    data = await landedFixtures();
    service = await openService(data.config, AURORA);
    // Another period, because the answer about the whole is kept.
    const { body } = await service.get(`${BY_PRODUCT}&startDate=2000-01-01&endDate=2100-01-01`);
    expect(body).to.not.have.property("rowsLeftOut");
    all = body.data as Rows;
    // As many cells as the first row of each cohort has.
    most = first(all).reduce((cells, { months }) => cells + Object.keys(months).length, 0);
    await service.database.use((session) => session.run(`create or replace macro most_cells() as ${most}`));
  });

  after(async () => {
    await service?.close();
    await data?.remove();
  });

  /** The row with the most customers in each cohort. */
  const first = (rows: Rows): Rows => rows.filter((row, n) => row.cohortMonth !== rows[n - 1]?.cohortMonth);

  it("have the rows with the most customers of every cohort, and the number of the others", async () => {
    const { body } = await service.get(BY_PRODUCT);
    expect(body.data).to.deep.equal(first(all));
    expect(body.rowsLeftOut)
      .to.equal(all.length - first(all).length)
      .greaterThan(0);
  });

  it("have that number in a header as a table", async () => {
    const { headers, text } = await request(service.app)
      .get(`${BY_PRODUCT}&format=csv&organizationId=${AURORA}`)
      .set("x-client-id", "test")
      .set("x-client-secret", "x");
    expect(headers["x-rows-left-out"]).to.equal(String(all.length - first(all).length));
    expect(text.trimEnd().split("\r\n")).to.have.lengthOf(most + 1);
  });

  it("have all rows without a breakdown, and of a period that is short enough", async () => {
    const month = all.at(-1)?.cohortMonth ?? "";
    const { body: whole } = await service.get("/v1/profitability/cohort");
    expect(whole).to.not.have.property("rowsLeftOut");
    const { body } = await service.get(`${BY_PRODUCT}&startDate=${month}&endDate=${month.slice(0, 8)}28`);
    expect(body).to.not.have.property("rowsLeftOut");
    expect(body.data).to.have.lengthOf(all.filter(({ cohortMonth }) => cohortMonth === month).length);
  });
});
