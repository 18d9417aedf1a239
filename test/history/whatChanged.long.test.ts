import { expect } from "chai";
import request, { type Response } from "supertest";
import type { Accepted } from "../../src/core/contract/param.ts";
import { endpointAt } from "../../src/core/endpoints/index.ts";
import { openStates } from "../../src/core/engine/comparedStates.ts";
import type { Session } from "../../src/core/engine/database.ts";
import { setParameters } from "../../src/core/engine/parameters.ts";
import { readSql, sqlFiles } from "../../src/core/engine/sql.ts";
import { StateStore } from "../../src/core/marts/stateStore.ts";
import { deriveStateAlone } from "../../src/core/sync/sync.ts";
import { AURORA, type DataFolder } from "../support/data.ts";
import { readers } from "../support/readers.ts";
import { openService, type Service } from "../support/service.ts";
import { landedHistory } from "../support/shared.ts";
import { compareHistories } from "./compareStates.ts";

const CHANGES = endpointAt("/v1/restatements");
const FOR_ALL: Accepted = { startDate: null, endDate: null, granularity: "month", cause: null };

describe("What changed [D84]", () => {
  let data: DataFolder;
  let service: Service;
  let states: StateStore;

  before(async () => {
    data = await landedHistory();
    service = await openService(data.config, AURORA);
    states = new StateStore(data.path, {
      bytes: 1e9,
      derive: (id, wanted) => deriveStateAlone(data.config, id, wanted),
      onFailure: (_, error) => service.problems.push(String(error)),
    });
  });

  after(async () => {
    await service?.close();
    await data?.remove();
  });

  /** The folders of two states, and of the later landings under the earlier settings. */
  async function folders(): Promise<Record<"before" | "between" | "after", string>> {
    const before = await states.known(AURORA, { at: "2025-04-02T23:59:59.999Z" });
    const after = await states.known(AURORA, { at: "2025-04-08T12:00:00.000Z" });
    const between = await states.between(AURORA, before, after);
    const folderOf = async ({ files }: typeof before): Promise<string> => (await files.current(AURORA)).folder;
    return { before: await folderOf(before), between: await folderOf(between), after: await folderOf(after) };
  }

  /** The rows that violate the queries about two states, after a change of the answers. */
  async function violations(session: Session, change: string): Promise<Record<string, number>> {
    if (!CHANGES || CHANGES.by !== undefined) throw new Error("it is declared SQL");
    await setParameters(session, CHANGES.params, FOR_ALL);
    await openStates(session, { endpoint: CHANGES, onQuery: () => {} }, await folders());
    for (const name of ["changes", "orders"]) {
      await session.run(`create temp table restatements_${name} as ${readSql(`restatements/${name}`)}`);
    }
    await session.run(change);
    const found: Record<string, number> = {};
    for (const name of sqlFiles("integrity/restatements/")) {
      found[name] = (await session.rows(readSql(`integrity/restatements/${name}`))).length;
    }
    return found;
  }

  const afterChange = (change: string): Promise<Record<string, number>> =>
    service.database.use((session) => violations(session, change));

  it("adds up: by causes, and by orders", async () => {
    expect(await afterChange("select 1")).to.deep.equal({ "causes-add-up": 0, "orders-are-the-change": 0 });
    const tooMuch = "update restatements_changes set change = '1' where figure = 'revenue'";
    expect(await afterChange(tooMuch)).to.deep.equal({ "causes-add-up": 3, "orders-are-the-change": 0 });
    const tooFew = "delete from restatements_orders where cause = 'gone'";
    expect(await afterChange(tooFew)).to.deep.equal({ "causes-add-up": 0, "orders-are-the-change": 1 });
    expect(service.problems).to.deep.equal([]);
  });

  /** An answer with its headers; the body as bytes. */
  const raw = (address: string): Promise<Response> =>
    new Promise((done, fail) => {
      request(service.app)
        .get(`${address}&organizationId=${AURORA}`)
        .set({ "x-client-id": "test", "x-client-secret": "x" })
        .buffer()
        .parse((response, parsed) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.on("end", () => parsed(null, Buffer.concat(parts)));
        })
        .end((error, response) => (error ? fail(error) : done(response)));
    });

  it("is a table in every format, page by page or whole, named by the earlier state", async () => {
    for (const [path, key, page] of [
      ["orders", "orderId", ["1400008-01", "1400017-01"]],
      ["spend", "spentOn", ["2025-03-28", "2025-01-08"]],
    ] as const) {
      for (const format of Object.keys(readers) as (keyof typeof readers)[]) {
        const address = `/v1/restatements/${path}?knownAt=2025-04-02&format=${format}`;
        const { headers, body } = await raw(`${address}&limit=2`);
        const { rows } = await readers[format](body);
        const keys = rows.map((row) => (row[key] instanceof Date ? row[key].toISOString().slice(0, 10) : row[key]));
        expect(keys, address).to.deep.equal(page);
        expect(headers["content-disposition"]).to.include(`restatements-${path}-known-2025-04-02T23-59-59.999Z.`);
        expect(headers["x-known-at"]).to.equal("2025-04-02T23:59:59.999Z");
        expect(headers["x-has-next-page"]).to.equal(String(path === "orders"));
        const whole = await raw(`${address}&all=true`);
        expect((await readers[format](whole.body)).rows, address).to.have.lengthOf(path === "orders" ? 6 : 2);
      }
    }
  });

  it("is the same whether the later state is in force or asked for by its instant", async () => {
    for (const path of ["/v1/restatements", "/v1/restatements/orders", "/v1/restatements/spend"]) {
      const inForce = await service.get(`${path}?knownAt=2025-04-02`);
      const byInstant = await service.get(`${path}?knownAt=2025-04-02&comparedAt=2025-04-08T12:00:00.000Z`);
      expect(byInstant.text).to.equal(inForce.text);
    }
  });

  it("is what a random history says, and what both states answer themselves", async () => {
    await compareHistories([1], 3);
  });
}).timeout(300_000);
