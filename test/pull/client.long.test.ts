import { expect } from "chai";
import { Client, LIMITS } from "../../src/features/pull/client.ts";
import { meta } from "../../src/features/pull/connectors/meta.ts";
import { FakeVendor, TOKEN } from "./fakeVendor.ts";

/** The deadlines of the HTTP client are whole seconds, and a little more. */
describe("the client of a pull and a silent vendor [D64]", () => {
  for (const fault of ["silence", "silentBody"] as const) {
    it(`asks again after ${fault}`, async () => {
      const vendor = await FakeVendor.start();
      const client = new Client({
        declaration: meta,
        account: {},
        secrets: { accessToken: TOKEN },
        set: { keys: ["accessToken"] },
        baseUrl: vendor.url,
        tokenUrl: undefined,
        signal: new AbortController().signal,
        limits: { ...LIMITS, headersMs: 400, silenceMs: 400, firstBackOffMs: 20 },
      });
      try {
        vendor.faults = [fault, fault];
        await client.json("GET", "v1/act_1/adsets", undefined);
        expect(vendor.requests).to.have.lengthOf(3);
      } finally {
        await client.close();
        await vendor.stop();
      }
    });
  }
});
