import { expect } from "chai";
import request from "supertest";
import { AURORA } from "../support/data.ts";
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

  it("are refused unless they are two different ones, with only a comma between them", async () => {
    const wrong = ["", ",", ",origem", "origem,", "origem,,loja", "origem, loja", "origem,origem", "origem,cupom,loja"];
    const foreign = [
      "loja,x",
      "channel",
      "Origem",
      "origem;loja",
      "origem|loja",
      "origem\nloja",
      "'",
      "origem,' or '1",
    ];
    for (const path of [COHORT, PAYBACK]) {
      const ofLines = path === PAYBACK ? ["produto", "marca,origem", "loja,categoria"] : [];
      for (const breakBy of [...wrong, ...foreign, ...ofLines]) {
        const { status, body } = await of.service.get(`${path}?${new URLSearchParams({ breakBy })}`);
        expect(status, `${path} ${JSON.stringify(breakBy)}`).to.equal(400);
        const details = body.details as { parameter: string }[];
        expect(details.map(({ parameter }) => parameter)).to.deep.equal(["breakBy"]);
      }
    }
  });

  it("are sorted by cohort, without a value last, by customers, and by the first key before the second", async () => {
    for (const address of [`${COHORT}?breakBy=campanha,pagamento`, `${COHORT}?breakBy=marca,campanha&groupBy=year`]) {
      const rows = (await rowsOf(address)).map((row) => ({
        month: row.cohortMonth as string,
        keys: row.breakKey as (string | null)[],
        customers: row.firstPurchaseCustomers as number,
      }));
      const last = (key: string | null): string => (key === null ? "1" : `0${key}`);
      const rank = ({ month, keys, customers }: (typeof rows)[number]): string =>
        [month, Number(keys.includes(null)), 1_000_000 - customers, ...keys.map(last)].join("\u0000");
      expect(
        rows.some(({ keys }) => keys.includes(null)),
        address,
      ).to.equal(true);
      expect(rows, address).to.deep.equal(rows.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)));
    }
  });

  it("are two columns in tables", async () => {
    for (const path of [COHORT, PAYBACK]) {
      const { text } = await request(of.service.app)
        .get(`${path}?breakBy=loja,origem&format=csv&organizationId=${AURORA}`)
        .set("x-client-id", "test")
        .set("x-client-secret", "x");
      const [header = ""] = text.replace(/^\uFEFF/, "").split("\r\n");
      expect(header.split(",").slice(0, 5)).to.deep.equal([
        "cohortMonth",
        "breakKey.0",
        "breakKey.1",
        "breakLabel.0",
        "breakLabel.1",
      ]);
    }
  });

  it("have the spend of both: a row of two has that of either where the other has no choice", async () => {
    const investments = async (breakBy: string): Promise<number> =>
      (await rowsOf(`${COHORT}?breakBy=${breakBy}&groupBy=year`)).reduce(
        (sum, { investment }) => sum + Number(investment),
        0,
      );
    // Each of the fixtures' ad accounts names one store alone, and has the spend of one channel.
    for (const pair of ["origem,loja", "campanha,loja", "origem,campanha"])
      expect(await investments(pair), pair).to.be.at.most(await investments("loja"));
    expect((await rowsOf(`${COHORT}?breakBy=origem,cupom`)).every(({ investment }) => investment === null)).to.equal(
      true,
    );
  });

  // The last, because the service has fewer cells from then on.
  it("leave out the rows with the fewest customers of each cohort where an answer has too many cells, and say how many", async () => {
    const address = `${PAYBACK}?breakBy=origem,pagamento`;
    const all = await rowsOf(address);
    const first = all.filter((row, n) => row.cohortMonth !== all[n - 1]?.cohortMonth);
    const most = first.reduce((points, row) => points + (row.points as unknown[]).length, 0);
    await of.service.database.use((session) => session.run(`create or replace macro most_cells() as ${most}`));
    // Another period, because the answer about the whole is kept.
    const { body } = await of.service.get(`${address}&startDate=2000-01-01&endDate=2100-01-01`);
    expect(body.data).to.deep.equal(first);
    expect(body.rowsLeftOut).to.equal(all.length - first.length);
  });
});
