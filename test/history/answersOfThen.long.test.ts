import { expect } from "chai";
import { comparable, recordedHistory, serviceAt, withoutKnown } from "../support/histories.ts";
import { ANALYSES } from "../support/service.ts";

const ADDRESSES = [
  ...ANALYSES.filter((_, no) => no % 6 === 0),
  "/v1/storea/orders?limit=5",
  "/v1/profitability/cards?period=30d&format=csv",
  "/v1/profitability/orders?all=true",
  "/v1/explain?endpoint=/v1/profitability/cards&figure=revenue",
  "/v1/sql?query=select%20count(*)%20from%20orders",
  "/v1/profitability/cards?startDate=2025-05-01",
  "/v1/products/x?integrationId=a1d7c0de-0b5e-4f3a-8c11-2e9f4a6b7d01&dateFrom=2025-01-01&dateTo=2025-03-31",
];

describe("What was known", () => {
  it("is answered byte for byte as it was then", async () => {
    const { data, recorded, end } = await recordedHistory(4, 2, ADDRESSES);
    const service = await serviceAt(data, end);
    try {
      for (const { at, address, status, text } of recorded.toReversed()) {
        const then = await service.get(`${address}${address.includes("?") ? "&" : "?"}knownAt=${at}`);
        const about = `${address} at ${at}`;
        expect(then.status, about).to.equal(status);
        const isJson = text.startsWith("{");
        expect(isJson ? comparable(then.text) : then.text, about).to.equal(isJson ? comparable(text) : text);
        if (isJson && status === 200) expect(withoutKnown(then.text), about).to.not.equal(then.text);
      }
      expect(service.problems).to.deep.equal([]);
    } finally {
      await service.close();
      await data.remove();
    }
  }).timeout(120_000);
});
