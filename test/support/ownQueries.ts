import { expect } from "chai";
import { ApiError, QueryError } from "../../src/core/contract/error.ts";
import { everyParam, usual } from "../../src/core/endpoints/every.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { Queue } from "../../src/core/http/queue.ts";
import { currentGeneration } from "../../src/core/marts/generations.ts";
import { type OwnAnswer, OwnQueries, type OwnQuery } from "../../src/features/adhoc/ownQuery.ts";
import { AURORA, type DataFolder } from "./data.ts";
import { landedFixtures } from "./shared.ts";

export const OTHER = "22222222-2222-4222-8222-222222222222";
export const CANARY = "CANARY-of-another";
export const ENDLESS = "select count(*) from range(1000000000000)";

export async function failure(work: Promise<unknown>): Promise<Error> {
  return work.then(
    (result) => expect.fail(`no failure, but ${JSON.stringify(result)?.slice(0, 300)}`),
    (error: Error) => error,
  );
}

export async function kindOf(work: Promise<unknown>): Promise<string> {
  const error = await failure(work);
  if (error instanceof QueryError || error instanceof ApiError) return error.kind;
  throw error;
}

/** Own queries over the fixtures, beside a second organization whose name is `CANARY`. */
export class QueriedFixtures {
  readonly own: OwnQueries;

  private constructor(
    readonly data: DataFolder,
    readonly folder: string,
    readonly other: string,
  ) {
    this.own = this.open();
  }

  static async landed(): Promise<QueriedFixtures> {
    const data = await landedFixtures();
    await data.settings({ organizationId: OTHER, name: CANARY });
    await data.sync();
    const generationOf = async (organization: string): Promise<string> =>
      (await currentGeneration(foldersOf(data.path, organization)))?.folder ?? expect.fail("nothing is derived");
    return new QueriedFixtures(data, await generationOf(AURORA), await generationOf(OTHER));
  }

  open(processes = 2): OwnQueries {
    return new OwnQueries({
      dataDir: this.data.path,
      slots: new Queue(processes, 100, 200_000),
      params: everyParam,
      usual,
      processes,
    });
  }

  run(sql: string, more: Partial<OwnQuery> = {}, queries = this.own): Promise<OwnAnswer> {
    return queries.run({
      organizationId: AURORA,
      folder: this.folder,
      sql,
      signal: new AbortController().signal,
      timeoutMs: 60_000,
      ...more,
    });
  }

  async close(): Promise<void> {
    await this.own.close();
    await this.data.remove();
  }
}
