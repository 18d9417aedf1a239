import { expect } from "chai";
import { COHORT_BREAKS } from "../../src/core/contract/attributes.ts";
import type { Session } from "../../src/core/engine/database.ts";
import { openServing } from "../../src/core/engine/serving.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { currentGeneration } from "../../src/core/marts/generations.ts";
import { AURORA, type DataFolder } from "../support/data.ts";
import { landedFixtures } from "../support/shared.ts";

describe("A choice that an analysis does not know", () => {
  let data: DataFolder;

  before(async () => {
    data = await landedFixtures();
  });

  after(() => data?.remove());

  /** The error of a query with these members of `p`; undefined if there is none. */
  const failure = async (sql: string, members: string): Promise<string | undefined> => {
    const generation = await currentGeneration(foldersOf(data.path, AURORA));
    const database = await openServing(data.config, AURORA, undefined, generation?.folder ?? "");
    try {
      return await database.use(async (session: Session) => {
        await session.set("marts", generation?.folder ?? "");
        const period = "'start_date': null, 'end_date': null, 'view': 'revenue', 'group_by': 'month', 'break_by': null";
        await session.run(`set variable p = json_merge_patch(to_json({${period}}), to_json({${members}}))::json`);
        await session.run(
          `set variable p = from_json(getvariable('p'), '{"start_date": "DATE", "end_date": "DATE", "view": "VARCHAR", "group_by": "VARCHAR", "break_by": "VARCHAR", "granularity": "VARCHAR", "by": "VARCHAR"}')`,
        );
        await session.rows(sql);
        return undefined;
      });
    } catch (error) {
      return (error as Error).message;
    } finally {
      database.close();
    }
  };

  it("is an error, and does not have the rows or the spend of another one [D30]", async () => {
    const cases: [sql: string, members: string, named: string][] = [
      ["from cohort_rows()", "'break_by': 'cor'", "break_by: cor"],
      ["from cohort_rows()", "'break_by': 'origem,cor'", "break_by: cor"],
      ["from payback_rows()", "'break_by': 'channel'", "break_by: channel"],
      ["from cohort_rows()", "'break_by': 'origem,loja,estado'", "break_by: channel,store,state"],
      ["from breakdown_rows()", "'by': 'cor'", "by: cor"],
      ["from breakdown_rows()", "'by': 'produto'", "by: produto"],
      ["from breakdown_rows()", "'by': 'channel,store,state'", "by: channel,store,state"],
      ["from cohort_rows()", "'group_by': 'day'", "group_by: day"],
      ["from covered_steps('quarter')", "'view': 'logo'", "granularity: quarter"],
      ["from contributions('coupon')", "'view': 'logo'", "dimension: coupon"],
    ];
    for (const [sql, members, named] of cases) expect(await failure(sql, members), sql).to.include(named);
  });

  it("is one of the values that are known otherwise", async () => {
    for (const value of COHORT_BREAKS)
      expect(await failure("from cohort_rows()", `'break_by': '${value}'`), value).to.equal(undefined);
    expect(await failure("from cohort_rows()", "'view': 'logo'")).to.equal(undefined);
    for (const unit of ["year", "quarter", "week"])
      expect(await failure("from cohort_rows()", `'group_by': '${unit}'`), unit).to.equal(undefined);
  });
});
