import { writeFileSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect } from "chai";
import { allEndpoints, endpointAt } from "../../src/core/endpoints/index.ts";
import { CASES, readCases } from "../../src/documents/cases.ts";
import { createPin } from "../../src/features/pins/create.ts";
import { byParameter, filled, UPDATES_CASES, withoutHashes } from "../support/cases.ts";
import { AURORA, type DataFolder, KNOTS, KNOTS_FOLDER, NOW } from "../support/data.ts";
import { openService, type Service } from "../support/service.ts";
import { landedFixtures, landedHistory, landedKnots } from "../support/shared.ts";

/** The cases about what changed, whose data have a history. */
const OF_HISTORY = "restatements/";

/** A test for each of the cases of a folder, about one organization. */
function holdsTo(
  folder: string,
  land: () => Promise<DataFolder>,
  organization: string,
  isOne: (name: string) => boolean = () => true,
): void {
  let data: DataFolder;
  let service: Service;

  before(async () => {
    data = await land();
    service = await openService(data.config, organization);
  });

  after(async () => {
    service?.close();
    await data?.remove();
  });

  for (const [name, expected] of readCases(folder).filter(([name]) => isOne(name))) {
    it(name.replace(/\.json$/, ""), async () => {
      expect(expected.why, "why").to.be.a("string").and.not.equal("");
      const { status, body } = await service.get(expected.request);
      const actual = filled(body, expected.body);
      const same = status === expected.status && isDeepStrictEqual(byParameter(actual), byParameter(expected.body));
      if (UPDATES_CASES && !same) {
        const written = { ...expected, status, body: withoutHashes(actual) };
        writeFileSync(path.join(folder, name), `${JSON.stringify(written, null, 2)}\n`);
        return;
      }
      expect(expected, "a case without a body proves nothing: `npm run cases` writes one, to be read").to.have.property(
        "body",
      );
      expect(status).to.equal(expected.status);
      expect(byParameter(actual)).to.deep.equal(byParameter(expected.body));
    });
  }
}

/** The fixtures, with a pin. */
async function pinnedFixtures(): Promise<DataFolder> {
  const data = await landedFixtures();
  await createPin(data.config, { organization: AURORA, name: "1o-trimestre", knownAt: NOW, createdBy: "command" });
  return data;
}

describe("The cases", () => {
  holdsTo(CASES, pinnedFixtures, AURORA, (name) => !name.startsWith(OF_HISTORY));

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

describe("The cases of data with a history", () => {
  holdsTo(CASES, landedHistory, AURORA, (name) => name.startsWith(OF_HISTORY));
});

describe("The cases that are easily computed wrongly", () => {
  holdsTo(path.join(KNOTS_FOLDER, "cases"), landedKnots, KNOTS);
});
