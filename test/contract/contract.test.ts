import { existsSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { comparesStates, type Endpoint, filesOf, ROOT } from "../../src/core/contract/endpoint.ts";
import type { Fields } from "../../src/core/contract/field.ts";
import { isServed, servedFields, servedRelation } from "../../src/core/contract/record.ts";
import { endpoints } from "../../src/core/endpoints/index.ts";
import { openStates } from "../../src/core/engine/comparedStates.ts";
import { type Database, literal } from "../../src/core/engine/database.ts";
import { setParameters } from "../../src/core/engine/parameters.ts";
import { readSql } from "../../src/core/engine/sql.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { SQL } from "../../src/core/files/paths.ts";
import { currentGeneration } from "../../src/core/marts/generations.ts";
import { records } from "../../src/core/records/index.ts";
import { AURORA, DataFolder } from "../support/data.ts";
import { Laboratory } from "../support/exports.ts";
import { openService, type Service } from "../support/service.ts";
import { deriveNobody, landedFixtures, NOBODY } from "../support/shared.ts";

/** A SQL file that an endpoint runs, and the declaration of its columns. */
interface Source {
  readonly sql: string;
  readonly fields: Fields;
  /** Columns that every file of its kind has in addition. */
  readonly additional: readonly string[];
}

/** The root of blocks is read off them; its file says only that the subject exists. */
const sourcesOf = ({ by, parts }: Endpoint): Source[] =>
  Object.entries(parts).flatMap(([name, { sql, from, fields, leftOut }]) => {
    if (sql === undefined || from || (by === "blocks" && name === ROOT)) return [];
    return [{ sql, fields, additional: by === "blocks" ? BLOCK : leftOut ? [leftOut.column] : [] }];
  });

const BLOCK = ["reason", "asOf", "window"];

const sources = endpoints.flatMap((endpoint) => sourcesOf(endpoint).map((source) => ({ endpoint, ...source })));

describe("A declaration", () => {
  let data: DataFolder;
  let database: Database;
  let marts: string;

  before(async () => {
    data = await DataFolder.empty();
    await deriveNobody(data.config);
    ({ database } = await Laboratory.open());
    marts = (await currentGeneration(foldersOf(data.path, NOBODY.organizationId)))?.folder ?? "";
  });

  after(() => data?.remove());

  it("gives each endpoint its own address", () => {
    const addresses = endpoints.map(({ path: address }) => address);
    expect(new Set(addresses).size).to.equal(addresses.length);
  });

  it("gives each analysis its own existing SQL file; documents may share parts", () => {
    const analyses = endpoints.flatMap((endpoint) => (endpoint.envelope ? filesOf(endpoint) : []));
    expect(analyses.filter((name, n) => analyses.indexOf(name) !== n)).to.deep.equal([]);
    const missing = sources.map(({ sql }) => sql).filter((name) => !existsSync(path.join(SQL, `${name}.sql`)));
    expect(missing).to.deep.equal([]);
  });

  for (const { endpoint, sql, fields, additional } of sources) {
    it(`has the columns of ${sql}.sql, one for one`, async () => {
      const columns = await database.use(async (session) => {
        await session.set("marts", marts);
        await setParameters(session, endpoint.params, {});
        const folders = { before: marts, between: marts, after: marts };
        if (comparesStates(endpoint)) await openStates(session, { endpoint, onQuery: () => {} }, folders);
        return session.columns(readSql(sql));
      });
      const names = columns.map(({ name }) => name).filter((name) => !additional.includes(name) || name in fields);
      expect(names, "in the same order").to.deep.equal(Object.keys(fields).filter((name) => names.includes(name)));
      expect(names).to.have.members(Object.keys(fields));
      expect(new Set(names).size, "no name twice").to.equal(names.length);
    });
  }

  for (const record of records.filter(isServed)) {
    it(`has the fields of the rows of ${record.served.path}, and of every filter`, async () => {
      const columns = await database.use(async (session) => {
        const file = path.join(marts, `${servedRelation(record)}.parquet`);
        return (await session.columns(`from read_parquet(${literal(file)})`)).map(({ name }) => name);
      });
      const fields = servedFields(record);
      expect(columns).to.include.members(fields);
      const filtered = Object.values(record.served.filters).flatMap((filter) =>
        ("field" in filter ? filter.field : "from" in filter ? filter.from : filter.to).split("|"),
      );
      expect(columns).to.include.members([...filtered, record.served.order, "document_id"]);
      expect(record.key.filter((name) => !(name in record.fields))).to.deep.equal([]);
    });
  }
});

describe("An answer", () => {
  let data: DataFolder;
  let service: Service;

  before(async () => {
    data = await landedFixtures();
    // The checks of a reconciliation take longer than all other answers; the cases have them.
    service = await openService(data.config, AURORA, { checks: { of: async () => [] } });
  });

  after(async () => {
    service?.close();
    await data?.remove();
  });

  for (const endpoint of endpoints) {
    const [name, part] = Object.entries(endpoint.parts).find(([_, { sql, from }]) => sql && !from) ?? [];
    // Nothing changed in the fixtures: the cases of data with a history have rows of those that compare states.
    if (!endpoint.envelope || name === undefined || !part || comparesStates(endpoint)) continue;
    it(`of ${endpoint.path} has the declared fields; its rows have those that a parameter adds when it is sent`, async () => {
      const { only, rows: count } = part;
      const adding = endpoint.params[only?.parameter ?? ""];
      const value = adding?.kind === "choice" || adding?.kind === "crossing" ? adding.of[0] : "";
      const days = "startDate" in endpoint.params ? "startDate=2025-02-01&endDate=2025-02-28" : "";
      const required = Object.entries(endpoint.params).flatMap(([name, param]) =>
        param.kind === "crossing" && param.required ? [`&${name}=${param.of[0]}`] : [],
      );
      for (const extra of only ? [`&${only.parameter}=${value}`, ""] : [""]) {
        const { status, body } = await service.get(`${endpoint.path}?${days}${required.join("")}${extra}`);
        expect(status).to.equal(200);
        const rows = (count === "many" ? body[name] : [body]) as object[];
        expect(rows).to.not.be.empty;
        const added = only?.fields ?? [];
        for (const row of rows) expect(added.filter((name) => name in row)).to.deep.equal(extra ? added : []);
      }
    });
  }
});
