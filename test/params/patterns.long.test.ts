import { expect } from "chai";
import { isSafe } from "redos-detector";
import request from "supertest";
import { endpoints } from "../../src/core/endpoints/index.ts";
import { validate } from "../../src/core/params/validate.ts";
import { makeApp, signed, withOrganization } from "../support/app.ts";
import { DECLARED, WORST } from "../support/hostileText.ts";

/** Superagent reads the address with it before it sends anything. */
const OF_THE_CLIENT = String.raw`/^([a-z][a-z\d+.-]*:\/\/[^/?#]*)([^?#]*)(.*)$/i`;

/** The minimum of three: the machine may be busy. */
function millisecondsOf(work: () => void): number {
  const once = (): number => {
    const start = performance.now();
    work();
    return performance.now() - start;
  };
  return Math.min(once(), once(), once());
}

describe("Hostile text", function () {
  this.timeout(60_000);

  for (const { endpoint, name } of DECLARED)
    it(`costs no time as ${name} of ${endpoint.path}`, () => {
      for (const text of WORST) {
        const taken = millisecondsOf(() => {
          try {
            validate(endpoint, { [name]: text }, new Date("2025-04-01"));
          } catch {
            // Most of them are refused.
          }
        });
        expect(taken, `${text.slice(0, 12)}… (ms)`).to.be.lessThan(100);
      }
    });

  it("meets no pattern that backtracks, ours or a library's", async () => {
    const MARK = "mark3r";
    const met = new Map<string, RegExp>();
    const { exec } = RegExp.prototype;
    // Every use of a pattern, literal or constructed, looks up this method.
    RegExp.prototype.exec = function (text) {
      if (String(text).includes(MARK)) met.set(String(this), this);
      return exec.call(this, text);
    };
    try {
      const { app } = makeApp();
      for (const client of ["good", MARK])
        for (const { path, params } of endpoints)
          await signed(
            request(app).get(
              withOrganization(
                `${path.replace(/:\w+/g, MARK)}?${Object.keys(params)
                  .filter((name) => name !== "organizationId")
                  .map((name) => `${name}=${MARK}`)
                  .join("&")}`,
              ),
            ),
            client,
          ).set({ accept: MARK, "x-request-id": MARK, "if-none-match": MARK, "accept-encoding": MARK });
      await request(app).get(`/${MARK}/x`).set("cookie", MARK);
    } finally {
      RegExp.prototype.exec = exec;
    }
    expect(met.size).to.be.greaterThan(20);
    const backtracks = (pattern: RegExp): boolean => !isSafe(pattern, { maxScore: 10_000 }).safe;
    expect([...met.values()].filter(backtracks).map(String)).to.deep.equal([OF_THE_CLIENT]);
  });
});
