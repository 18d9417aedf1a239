import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { endpoints } from "../../src/core/endpoints/index.ts";
import { AURORA, type DataFolder, seeded } from "../support/data.ts";
import { askedOf, comparable, type Recorded, recordedHistory, serviceAt } from "../support/histories.ts";
import { ANALYSES } from "../support/service.ts";

const HISTORIES = 10;
const ROUNDS = 5;

const ADDRESSES = [
  ...ANALYSES,
  ...endpoints
    .filter(({ parts }) => Object.values(parts).some(({ record }) => record))
    .map(({ path: at }) => `${at}?limit=20`),
  "/v1/storea/orders?all=true&format=csv",
  "/v1/profitability/cards?period=30d&format=csv",
  "/v1/profitability/orders?all=true",
  "/v1/explain?endpoint=/v1/profitability/cards&figure=revenue",
  "/v1/explain?endpoint=/v1/profit/statement&figure=data[].goods&row=2025-02-01&granularity=month&startDate=2025-02-01&endDate=2025-02-28",
  "/v1/sql?query=select%20*%20from%20integrations%20order%20by%20all",
  "/v1/acquisition/summary?startDate=2025-04-01&endDate=2025-04-02",
];

/** Asks for all of them again, in random order. After every 60 questions the service is restarted, without some of the states. */
async function askAgain(
  { data, recorded, end }: { readonly data: DataFolder; readonly recorded: readonly Recorded[]; readonly end: string },
  seed: number,
): Promise<number> {
  const random = seeded(seed);
  const order = recorded.map((one) => ({ one, by: random() })).sort((a, b) => a.by - b.by);
  let service = await serviceAt(data, end);
  let equal = 0;
  for (const [no, { one }] of order.entries()) {
    if (no % 60 === 59) {
      await service.close();
      const mart = path.join(data.path, "marts", `organization_id=${AURORA}`);
      const states = (await readdir(mart)).filter((name) => name.startsWith("state="));
      for (const state of states) if (random() < 0.5) await rm(path.join(mart, state), { recursive: true });
      service = await serviceAt(data, end);
    }
    const { at, address, status, text } = one;
    const then = await askedOf(service, `${address}${address.includes("?") ? "&" : "?"}knownAt=${at}`);
    expect([then.status, comparable(then.text)], `${address} at ${at}`).to.deep.equal([status, comparable(text)]);
    equal++;
  }
  expect(service.problems).to.deep.equal([]);
  await service.close();
  return equal;
}

describe("Random histories", () => {
  for (let no = 0; no < HISTORIES; no++) {
    const seed = Number(process.env.SEED ?? 1) * 100 + no;
    it(`answer byte for byte as they did: history ${seed}`, async () => {
      const history = await recordedHistory(seed, ROUNDS, ADDRESSES);
      try {
        expect(await askAgain(history, seed)).to.equal(ROUNDS * ADDRESSES.length);
      } finally {
        await history.data.remove();
      }
    }).timeout(0);
  }
});
