import { expect } from "chai";
import { isAnalysis } from "../../src/core/contract/endpoint.ts";
import { endpointAt, endpoints } from "../../src/core/endpoints/index.ts";
import { WITH_QUESTIONS } from "../independent/questions/index.ts";
import { OF_AN_ENDED_PERIOD, OF_ANY_PERIOD, WITHOUT_DATES } from "../independent/worldFigures.ts";
import { ANALYSES } from "../support/service.ts";

const analyses = endpoints.filter(isAnalysis).map(({ path }) => path);

describe("The endpoints of analyses", () => {
  it("each have an address in ANALYSES of test/support/service.ts", () => {
    const covered = ANALYSES.map((address) => endpointAt(address)?.path);
    expect(analyses.filter((path) => !covered.includes(path))).to.deep.equal([]);
  });

  it("of profitability and acquisition are each computed again in test/independent", () => {
    const tables = [OF_ANY_PERIOD, OF_AN_ENDED_PERIOD, WITHOUT_DATES];
    const computed = [...tables.flatMap((table) => Object.keys(table)), ...WITH_QUESTIONS];
    const due = analyses.filter((path) => /^\/v1\/(profitability|acquisition)\//.test(path));
    expect(due.filter((path) => !computed.includes(path))).to.deep.equal([]);
  });
});
