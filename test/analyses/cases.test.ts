import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect } from "chai";
import { allEndpoints, endpointAt } from "../../src/core/endpoints/index.ts";
import { CASES, readCases } from "../../src/documents/cases.ts";
import { createPin } from "../../src/features/pins/create.ts";
import { withoutHashes } from "../support/cases.ts";
import { holdsTo, isOfHistory } from "../support/caseTests.ts";
import { AURORA, type DataFolder, KNOTS, KNOTS_FOLDER, NOW } from "../support/data.ts";
import { landedFixtures, landedKnots } from "../support/shared.ts";

/** The fixtures, with a pin. */
async function pinnedFixtures(): Promise<DataFolder> {
  const data = await landedFixtures();
  await createPin(data.config, { organization: AURORA, name: "1o-trimestre", knownAt: NOW, createdBy: "command" });
  return data;
}

describe("The cases", () => {
  holdsTo(CASES, pinnedFixtures, AURORA, (name) => !isOfHistory(name));

  const cases = readCases();

  it("have `…` for every hash", () => {
    const hashed = cases.filter(([, { body }]) => !isDeepStrictEqual(withoutHashes(body), body));
    expect(hashed.map(([name]) => name)).to.deep.equal([]);
  });

  for (const endpoint of allEndpoints) {
    it(`include one of ${endpoint.path}`, () => {
      const answered = cases.filter(([, { request, status }]) => status === 200 && endpointAt(request) === endpoint);
      expect(answered).to.not.be.empty;
    });
  }
});

describe("The cases that are easily computed wrongly", () => {
  holdsTo(path.join(KNOTS_FOLDER, "cases"), landedKnots, KNOTS);
});
