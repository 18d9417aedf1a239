import { rm } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { ApiError } from "../../src/core/contract/error.ts";
import { productDetail } from "../../src/core/endpoints/productDetail.ts";
import { BlockReader } from "../../src/core/engine/blocks.ts";
import { AURORA, DataFolder } from "../support/data.ts";
import { HEAVY, manyOrders } from "../support/memory.ts";
import { openService, type Service } from "../support/service.ts";

const LIGHT = ["/v1/storea/orders?limit=5", "/v1/profitability/cards", "/v1/crm/pipelines?limit=5"];

describe("A service with little memory", () => {
  let data: DataFolder;
  let service: Service;

  before(async () => {
    data = await manyOrders();
    service = await openService({ ...data.config, memoryLimit: "64MB", threads: 2 }, AURORA);
  });

  after(async () => {
    await service?.close();
    await data?.remove();
  });

  /** One after the other: no request has to share the memory. */
  const inTurn = async (addresses: readonly string[]): Promise<Awaited<ReturnType<Service["get"]>>[]> => {
    const answers = [];
    for (const address of addresses) answers.push(await service.get(address));
    return answers;
  };

  it("refuses what does not fit and says what to do", async () => {
    const { status, body } = await service.get(HEAVY);
    expect(status).to.equal(503);
    expect(body.error).to.equal("Service Unavailable");
    expect(body.message).to.match(/não coube na memória.*período menor/);
  });

  it("answers the same before and after, also while it refuses", async () => {
    const before = await inTurn(LIGHT);
    expect(before.map(({ status }) => status)).to.deep.equal(LIGHT.map(() => 200));
    const asked = [service.get(HEAVY), ...LIGHT.map((address) => service.get(address))];
    const [refused, ...answered] = await Promise.all(asked);
    expect(refused?.status).to.equal(503);
    // They share the memory: a request without enough of it is asked to retry.
    for (const [n, { status, text }] of answered.entries()) {
      if (status !== 503) expect(text).to.equal(before[n]?.text);
    }
    const after = await inTurn(LIGHT);
    expect(after.map(({ text }) => text)).to.deep.equal(before.map(({ text }) => text));
  });

  it("answers a shorter period of the refused request", async () => {
    const { status } = await service.get(`${HEAVY}&startDate=2024-03-01&endDate=2024-03-31`);
    expect(status).to.equal(200);
  });

  it("is not derived for with less, and reports it in one line", async () => {
    const copy = await DataFolder.copyOf(data);
    try {
      await rm(path.join(copy.path, "marts"), { recursive: true });
      const { status, stderr } = await copy.lucra(["derive"], { LUCRA_MEMORY_LIMIT: "8MB" });
      expect([status, stderr]).to.deep.equal([
        1,
        "failed: x: could not derive: out of memory: more is needed than LUCRA_MEMORY_LIMIT allows; set it higher\n",
      ]);
    } finally {
      await copy.remove();
    }
  });

  it("reports a block that does not fit as unreadable, and gives the others", async () => {
    const reader = new BlockReader(0, () => {});
    const accepted = { dateFrom: "2024-01-01", dateTo: "2024-12-31" };
    const text = await reader.answer(productDetail, accepted, "x", {
      together: async () => {
        throw new ApiError("tooLarge");
      },
      keep: async () => {},
      rows: async (_, sql) => {
        if (sql === productDetail.parts.funnel?.sql) throw new ApiError("tooLarge");
        return ['{"state":"ready","asOf":null}'];
      },
    });
    const { funnel, summary } = JSON.parse(text);
    expect([funnel.state, funnel.reason, summary.state]).to.deep.equal(["error", "source_unavailable", "ready"]);
  });
});
