import { expect } from "chai";
import { ATTRIBUTES } from "../../src/core/contract/attributes.ts";
import type { Row, Session } from "../../src/core/engine/database.ts";
import { openServing } from "../../src/core/engine/serving.ts";
import { readMacros, readSql } from "../../src/core/engine/sql.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { currentGeneration } from "../../src/core/marts/generations.ts";
import { attributesSql } from "../../src/documents/attributesSql.ts";
import { AURORA, type DataFolder } from "../support/data.ts";
import { landedFixtures } from "../support/shared.ts";

/** The attributes with one more, of a column that orders have. */
const declared = {
  ...ATTRIBUTES,
  orders: { ...ATTRIBUTES.orders, status: { key: "{}status", cohorts: "situacao", label: "'* ' || {}" } },
};

describe("A new attribute", () => {
  let data: DataFolder;

  before(async () => {
    data = await landedFixtures();
  });

  after(() => data?.remove());

  const withAttribute = async (use: (session: Session) => Promise<void>): Promise<void> => {
    const generation = await currentGeneration(foldersOf(data.path, AURORA));
    const database = await openServing(data.config, AURORA, undefined, generation?.folder ?? "");
    try {
      await database.use(async (session) => {
        await session.set("marts", generation?.folder ?? "");
        await session.run(attributesSql(declared).replaceAll("create macro", "create or replace temp macro"));
        await session.run(
          readMacros(
            "setup/named_values",
            "setup/breakdowns",
            "setup/cohorts",
            "setup/payback_curves",
            "setup/period_breakdowns",
          ),
        );
        await use(session);
      });
    } finally {
      database.close();
    }
  };

  const ask = async (session: Session, breakBy: string, sql: string): Promise<Row[]> => {
    const p = `{'start_date': null::date, 'end_date': null::date, 'view': 'logo', 'group_by': 'year', 'by': 'status', 'compare': 'none', 'break_by': '${breakBy}'}`;
    await session.run(`set variable p = ${p}`);
    return session.rows(sql);
  };

  it("is one declaration and one column: cohorts, payback curves and the breakdown of a period have it", () =>
    withAttribute(async (session) => {
      const expected = await session.rows(
        "select status as key, count(*)::int as customers from orders where is_first group by status order by status",
      );
      expect(expected).to.not.be.empty;
      for (const file of ["cohort", "payback"]) {
        const customers = file === "cohort" ? '"firstPurchaseCustomers"' : "customers";
        for (const [breakBy, half] of [
          ["situacao", 1],
          ["origem,situacao", 2],
        ] as const) {
          const found = await ask(
            session,
            breakBy,
            `select "breakKey"[${half}] as key, sum(${customers})::int as customers
              from (${readSql(`profitability/${file}`)}) group by all order by all`,
          );
          expect(found, `${file} by ${breakBy}`).to.deep.equal(expected);
        }
      }
      const labels = await ask(
        session,
        "situacao",
        `select distinct "breakLabel"[1] as label from (${readSql("profitability/cohort")}) order by label`,
      );
      expect(labels).to.deep.equal(expected.map(({ key }) => ({ label: key === null ? null : `* ${key}` })));
    }));

  it("has the SQL that is written from the declarations", () => {
    expect(readSql("setup/attributes")).to.equal(attributesSql(ATTRIBUTES).trimEnd().replace(/;$/, ""));
  });
});
