import { expect } from "chai";
import fc from "fast-check";
import request from "supertest";
import type { Row, Session } from "../../src/core/engine/database.ts";
import { readSql } from "../../src/core/engine/sql.ts";
import { coreSql } from "../../src/core/marts/build.ts";
import { withCatalog } from "../../src/documents/lineage/catalog.ts";
import { Fraction } from "../independent/fraction.ts";
import { AURORA } from "../support/data.ts";
import { openService, type Service } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";

/** A month of a customer: the number of months since the first order, and the revenue. */
const months = "create or replace temp table bought (customer_no bigint, month_no int, revenue decimal(38, 6))";

/** Derives the cohorts of these months, of customers acquired in January 2025, with the last order on a day. */
async function derive(session: Session, rows: string, horizon: string): Promise<void> {
  await session.run(
    `${months}; insert into bought ${rows};
      delete from customer_months;
      insert into customer_months by name
        select
            customer_no,
            date '2025-01-01' as first_on,
            first_on as first_month,
            month_no,
            'direct' as channel,
            revenue,
            sum(revenue) over (partition by customer_no order by month_no) - revenue as earlier_revenue
        from bought;
      create or replace table daily_cohorts_by_store as ${coreSql("daily_cohorts_by_store")};
      create or replace table daily_cohorts as ${coreSql("daily_cohorts")};
      update organization set horizon_on = date '${horizon}';
      set variable p = {'start_date': null, 'end_date': null, 'break_by': null}`,
  );
}

interface Point {
  readonly month: string;
  readonly complete: boolean;
  readonly perCustomer: number;
  readonly lower: number | null;
  readonly upper: number | null;
}

async function pointsOf(session: Session): Promise<readonly Point[]> {
  const [row] = await session.rows(readSql("profitability/payback"));
  return row?.points as readonly Point[];
}

/** Half the width of the interval of a mean. */
function errorOf(amounts: readonly Fraction[]): number {
  const number = new Fraction(amounts.length);
  const mean = Fraction.sum(amounts).per(number) as Fraction;
  const squares = Fraction.sum(amounts.map((amount) => amount.minus(mean).times(amount.minus(mean))));
  const variance = squares.per(number.times(number.minus(Fraction.one))) as Fraction;
  return Fraction.of("1.96").times(variance.root()).number(12);
}

const decimal = (millionths: bigint): string => `${millionths}::decimal(38, 0) * 0.000001::decimal(7, 6)`;

describe("Payback curves of the months of customers", () => {
  let session: Session;
  let end = (): void => {};
  let ended: Promise<void>;

  before(() => {
    return new Promise<void>((begun, failed) => {
      ended = withCatalog((opened) => {
        session = opened;
        begun();
        return new Promise<void>((done) => {
          end = done;
        });
      });
      ended.catch(failed);
    });
  });

  after(() => {
    end();
    return ended;
  });

  describe("The interval of a payback curve", () => {
    it("has no width for a million customers with equal amounts of a trillion", async () => {
      const first = 499_999_999_999_999_999n;
      const rows = `select no, month, ${decimal(first)} from range(1000) as customers(no), range(2) as months(month)`;
      await derive(session, rows, "2025-02-10");
      // A thousand times as many customers, on as many days.
      await session.run(
        "insert into daily_cohorts select cohorts.* from daily_cohorts as cohorts cross join range(999)",
      );
      const points = await pointsOf(session);
      expect(points.map(({ lower, perCustomer, upper }) => [lower, perCustomer, upper])).to.deep.equal([
        [500_000_000_000, 500_000_000_000, 500_000_000_000],
        [1_000_000_000_000, 1_000_000_000_000, 1_000_000_000_000],
      ]);
      const [sum] = await session.texts("select sum(square_thousands)::varchar from daily_cohorts where month_no = 0");
      expect(BigInt(sum ?? 0)).to.equal(1_000_000n * first * (first / 1_000_000_000n));
    });

    it("is that of the customers' exact amounts, however little they differ", async () => {
      const amount = fc.oneof(
        fc.bigInt({ min: 0n, max: 10n ** 18n }),
        fc.bigInt({ min: 10n ** 17n, max: 10n ** 17n + 3n }),
        fc.constantFrom(0n, 1n, 12_340_000n),
        fc.bigInt({ min: -(10n ** 9n), max: -1n }),
      );
      const customer = fc.tuple(amount, amount, fc.option(amount, { nil: null }));
      await fc.assert(
        fc.asyncProperty(fc.array(customer, { minLength: 2, maxLength: 12 }), async (customers) => {
          const rows = customers.flatMap((months, no) =>
            months.flatMap((revenue, month) => (revenue === null ? [] : [`(${no}, ${month}, ${decimal(revenue)})`])),
          );
          await derive(session, `values ${rows.join(", ")}`, "2025-03-31");
          const found = await session.rows(
            `with cohorts as (from acquired_cohorts()), points as (from payback_points('cohorts'))
              select error from with_errors('points') order by month_no`,
          );
          for (const [no, { error }] of found.entries()) {
            const amounts = customers.map((months) =>
              Fraction.sum(months.slice(0, no + 1).map((each) => new Fraction(each ?? 0n, 1_000_000n))),
            );
            const expected = errorOf(amounts);
            expect(error as number).to.be.closeTo(expected, 1e-12 + expected * 1e-13);
          }
        }),
        { numRuns: 40 },
      );
    });

    it("is null below two customers", async () => {
      await derive(session, "values (1, 0, 10)", "2025-01-31");
      const [point] = await pointsOf(session);
      expect(point).to.include({ complete: true, perCustomer: 10, lower: null, upper: null });
    });
  });

  describe("The points of a payback curve", () => {
    it("are complete up to the month of the last order, which is complete on its last day", async () => {
      const completes = async (horizon: string): Promise<boolean[]> => {
        await derive(session, "values (1, 0, 10), (2, 0, 30), (2, 1, 5)", horizon);
        return (await pointsOf(session)).map(({ complete }) => complete);
      };
      const average = async (): Promise<Row[]> =>
        session.rows(
          `select month::int as month, customers::int as customers, "perCustomer" from (${readSql("profitability/payback-average")})`,
        );
      expect(await completes("2025-02-27")).to.deep.equal([true, false]);
      expect(await average()).to.deep.equal([{ month: 0, customers: 2, perCustomer: 20 }]);
      expect(await completes("2025-02-28")).to.deep.equal([true, true]);
      expect(await average()).to.deep.equal([
        { month: 0, customers: 2, perCustomer: 20 },
        { month: 1, customers: 2, perCustomer: 22.5 },
      ]);
      expect(await completes("2025-01-30")).to.deep.equal([false]);
      expect(await average()).to.deep.equal([]);
    });
  });
});

describe("Payback curves", () => {
  let data: Awaited<ReturnType<typeof landedFixtures>>;
  let service: Service;
  const PATH = "/v1/profitability/payback";
  // biome-ignore lint/suspicious/noExplicitAny: a parsed answer.
  type Curves = any[];

  before(async () => {
    data = await landedFixtures();
    service = await openService(data.config, AURORA);
  });

  after(async () => {
    await service?.close();
    await data?.remove();
  });

  it("are tables with a row per point, which lack the average", async () => {
    const { body } = await service.get(`${PATH}?breakBy=origem`);
    const { headers, text } = await request(service.app)
      .get(`${PATH}?breakBy=origem&format=csv&organizationId=${AURORA}`)
      .set("x-client-id", "test")
      .set("x-client-secret", "x");
    const [head = "", ...lines] = text.trimEnd().split("\r\n");
    const points = (body.data as Curves).flatMap(({ points, ...row }) =>
      points.map((point: object) => ({ row, point })),
    );
    expect(head).to.equal(
      "cohortMonth,breakKey,breakLabel,customers,investment,cac,state,paybackMonths,points_month,points_complete,points_contribution,points_perCustomer,points_lower,points_upper,points_paidBackPct",
    );
    expect(headers["x-row-count"]).to.equal(String(points.length));
    expect(lines.map((line) => line.split(",")[0])).to.deep.equal(points.map(({ row }) => row.cohortMonth));
    expect(lines.map((line) => Number(line.split(",")[8]))).to.deep.equal(points.map(({ point }) => point.month));
    expect(lines.map((line) => Number(line.split(",")[10]))).to.deep.equal(
      points.map(({ point }) => point.contribution),
    );
  });

  // The last, because the service has fewer points from then on.
  it("with more points than fit are those with the most customers of every month, and the number of the others", async () => {
    const { body: whole } = await service.get(`${PATH}?breakBy=origem`);
    const all = whole.data as Curves;
    const first = all.filter((row, no) => row.cohortMonth !== all[no - 1]?.cohortMonth);
    expect(first.length).to.be.lessThan(all.length);
    const most = first.reduce((points, row) => points + row.points.length, 0);
    await service.database.use((session) => session.run(`create or replace macro most_cells() as ${most}`));
    // Another period, because the answer about the whole is kept.
    const { body } = await service.get(`${PATH}?breakBy=origem&startDate=2000-01-01&endDate=2100-01-01`);
    expect(body.data).to.deep.equal(first);
    expect(body.rowsLeftOut).to.equal(all.length - first.length);
    expect((await service.get(PATH)).body).to.not.have.property("rowsLeftOut");
  });
});
