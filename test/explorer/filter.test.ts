import { readFileSync } from "node:fs";
import { expect } from "chai";

Object.assign(globalThis, {
  location: { hash: "" },
  addEventListener: () => {},
  history: { pushState: () => {}, replaceState: () => {} },
});
const { FILTERABLE, filterParams, isChannel, isFiltered } = await import("../../explorer/src/filter.ts");
const { readAddress, route } = await import("../../explorer/src/route.ts");
const { state } = await import("../../explorer/src/session.ts");

const STORE = "a1d7c0de-0b5e-4f3a-8c11-2e9f4a6b7d01";
const ADS = "c3f9e2f0-2d70-4b5c-8e33-40b16c8d9f03";
const CARDS = "/v1/profitability/cards";

/** Of the families that the page asks, those that have both parameters. */
function filterableInDocument(): readonly string[] {
  const { paths } = JSON.parse(readFileSync("docs/openapi.json", "utf8")) as {
    paths: Record<string, { get: { parameters: { name: string }[] } }>;
  };
  const names = (path: string): readonly string[] => (paths[path]?.get.parameters ?? []).map(({ name }) => name);
  return Object.keys(paths)
    .filter((path) => /^\/v1\/(acquisition|profit|profitability)\//.test(path))
    .filter((path) => names(path).includes("integrationId") && names(path).includes("channel"))
    .sort();
}

describe("The store and the channel in the address", () => {
  before(() => {
    const of = (integrationId: string, connector: string) => ({
      integrationId,
      connector,
      name: connector,
      newestDay: null,
      lastLandedAt: null,
    });
    state.value = {
      is: "in",
      organizations: [{ id: "acme", connectors: [of(STORE, "storea"), of(ADS, "socialads")] }],
    } as unknown as typeof state.value;
  });

  after(() => {
    state.value = { is: "checking" };
    route.value = readAddress("");
  });

  it("are in every request that takes them, and in that of its explanation", () => {
    route.value = readAddress(`#/acme/overview?onlyStore=${STORE}&onlyChannel=direct`);
    const both = { integrationId: STORE, channel: "direct" };
    expect(filterParams(CARDS, {})).to.deep.equal(both);
    expect(filterParams("/v1/explain", { endpoint: CARDS })).to.deep.equal(both);
    for (const path of ["/v1/profitability/forecast", "/v1/products", "/v1/profit/pace"])
      expect(filterParams(path, {})).to.deep.equal({});
    expect(filterParams("/v1/explain", { endpoint: "/v1/profitability/forecast" })).to.deep.equal({});
    route.value = readAddress("#/acme/overview?onlyChannel=direct");
    expect(filterParams(CARDS, {})).to.deep.equal({ channel: "direct" });
  });

  it("filter nothing on pages that do not follow them", () => {
    for (const view of ["products", "data", "sql", "portfolio", "settings/targets"]) {
      route.value = readAddress(`#/acme/${view}?onlyStore=${STORE}`);
      expect(filterParams(CARDS, {}), view).to.deep.equal({});
      expect(isFiltered.value, view).to.equal(false);
    }
  });

  it("are ignored if they are none", () => {
    route.value = readAddress(`#/acme/overview?onlyStore=${ADS}&onlyChannel=toString`);
    expect(filterParams(CARDS, {})).to.deep.equal({});
    expect(isFiltered.value).to.equal(false);
    expect(isChannel("toString")).to.equal(false);
  });

  it("are those of the service", () => {
    expect([...FILTERABLE].sort()).to.deep.equal(filterableInDocument());
  });
});
