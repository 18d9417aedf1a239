import { expect } from "chai";
import request from "supertest";
import { fakeApp } from "./fake.ts";

describe("The addresses of the pages", () => {
  for (const [from, to, status] of [
    ["/", "/explorer", 302],
    ["/explorer/", "/explorer", 308],
    ["/docs/", "/docs", 308],
    ["/docs/?a=b", "/docs?a=b", 308],
  ] as const) {
    it(`lead from ${from} to ${to}`, async () => {
      const answer = await request(fakeApp()).get(from);
      expect([answer.status, answer.headers.location]).to.deep.equal([status, to]);
    });
  }

  it("lead nowhere else", async () => {
    for (const address of ["//", "/index.html", "/docs//", "/docs/x/", "//example.com/docs/"]) {
      expect((await request(fakeApp()).get(address)).status, address).to.equal(404);
    }
  });
});
