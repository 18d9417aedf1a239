import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import request from "supertest";
import { answerFields } from "../../src/core/contract/answer.ts";
import { isOfRecord } from "../../src/core/contract/endpoint.ts";
import type { Field, Fields } from "../../src/core/contract/field.ts";
import { FORMATS } from "../../src/core/contract/format.ts";
import { isSent } from "../../src/core/contract/param.ts";
import { allEndpoints, endpointAt, endpoints } from "../../src/core/endpoints/index.ts";
import { OPENAPI } from "../../src/core/files/paths.ts";
import { readCases } from "../../src/documents/cases.ts";
import { declared } from "../../src/documents/index.ts";
import { makeApp } from "../support/app.ts";
import { ROOT } from "../support/data.ts";
import { undocumented } from "../support/documented.ts";

const cases = readCases();
const caseOf = (name: string): { request: string; body: Record<string, unknown> } =>
  structuredClone(Object.fromEntries(cases)[`${name}.json`]) as never;

/** Every figure of an answer by its path, nested ones included. */
function placed(fields: Fields, prefix = ""): [string, Field][] {
  return Object.entries(fields).flatMap(([name, figure]): [string, Field][] => {
    const { unit } = figure;
    const { key: _, ...parts } = typeof unit === "string" ? {} : (unit as Record<string, unknown>);
    const inside = Object.values(parts).flatMap((it) => (Array.isArray(it) ? it : [it]));
    const members = inside.filter((it) => typeof it === "object" && !("choice" in (unit as object)));
    return [[prefix + name, figure], ...members.flatMap((it) => placed(it as Fields, `${prefix}${name}/`))];
  });
}

const MEASURES = ["currency", "ratio", "percent", "months", "days", "units", "count", "count or currency"];

describe("The documents", () => {
  it("match the declarations; `npm run documents` writes them", async () => {
    const stale = Object.entries(await declared()).filter(
      ([file, text]) => readFileSync(path.join(ROOT, file), "utf8") !== text,
    );
    expect(stale.map(([file]) => file)).to.deep.equal([]);
  });

  it("have every endpoint, with an example and every parameter that may be sent", () => {
    const { paths } = JSON.parse(readFileSync(OPENAPI, "utf8"));
    expect(Object.keys(paths)).to.have.length(allEndpoints.length);
    for (const endpoint of allEndpoints) {
      const { get } = paths[endpoint.path.replaceAll(/:(\w+)/g, "{$1}")];
      const names = get.parameters.map(({ name }: { name: string }) => name);
      const sendable = Object.entries(endpoint.params).flatMap(([name, param]) => (isSent(param) ? [name] : []));
      expect(names, endpoint.path).to.have.members(sendable);
      expect(get.responses[200].content["application/json"].examples.demo.value, endpoint.path).to.be.an("object");
    }
  });

  it("give every metric's unit, formula and null rule", () => {
    for (const endpoint of endpoints.filter((endpoint) => !isOfRecord(endpoint))) {
      const metrics = placed(answerFields(endpoint)).filter(([, { unit }]) => MEASURES.includes(String(unit)));
      expect(metrics, endpoint.path).to.not.be.empty;
      const without = metrics.filter(([, { formula, description }]) => !formula || !description);
      expect(
        without.map(([name]) => name),
        endpoint.path,
      ).to.deep.equal([]);
    }
    const reference = readFileSync(path.join(ROOT, "docs", "reference.md"), "utf8");
    for (const endpoint of allEndpoints) {
      const section = reference.split(`### ${endpoint.path}\n`)[1]?.split("\n### ")[0] ?? "";
      const names = placed(answerFields(endpoint)).map(([name]) => name.split("/").at(-1) ?? "");
      const missing = names.filter((name) => !new RegExp(`[\`.]${name}\``).test(section));
      expect(missing, endpoint.path).to.deep.equal([]);
    }
  });

  it("name the formats of tables, and only JSON for other answers", () => {
    const offered = (of: string): string[] => {
      const { get } = JSON.parse(readFileSync(OPENAPI, "utf8")).paths[of];
      return Object.keys(get.responses[200].content);
    };
    expect(offered("/v1/crm/contacts")).to.deep.equal(Object.values(FORMATS));
    expect(offered("/v1/profitability/cohort")).to.deep.equal(Object.values(FORMATS));
    expect(offered("/v1/profitability/cards")).to.deep.equal(["application/json"]);
  });
});

const LISTS: ReadonlySet<string> = new Set(["details", "checks"]);

describe("The schemas", () => {
  for (const [name, { request: address, status, body }] of cases) {
    it(`accept the case ${name.replace(/\.json$/, "")}`, () => {
      // A case may leave open which parameters the details name, and which checks there are.
      const open = Object.entries(body as object).filter(([key, value]) => LISTS.has(key) && value === "…");
      const actual = { ...(body as object), ...Object.fromEntries(open.map(([key]) => [key, []])) };
      expect(undocumented(address, status, actual)).to.deep.equal([]);
    });
  }

  it("accept only declared fields, and require all of them", () => {
    const { request: address, body } = caseOf("profitability/cards/february-beside-january");
    const changed = (change: object): string[] => undocumented(address, 200, { ...body, ...change });
    expect(changed({}), "unchanged").to.deep.equal([]);
    expect(changed({ email: "a@example.com" }), "a field too many").to.have.length(1);
    expect(changed({ revenue: undefined }), "a field missing").to.have.length(1);
    expect(changed({ revenue: null }), "null where it never is").to.have.length(1);
    expect(changed({ orders: 1.5 }), "half an order").to.have.length(1);
    expect(changed({ marginBasis: "guess" }), "a word there is not").to.have.length(1);
    expect(changed({ asOf: "yesterday" }), "no instant").to.have.length(1);
    expect(changed({ previousPeriod: { ...(body.previousPeriod as object), more: 1 } }), "deep inside").to.have.length(
      1,
    );
  });

  it("accept a block without figures only if it is in error", () => {
    const { request: address, body } = caseOf("products/detail/returned-scarf");
    const funnel = body.funnel as Record<string, unknown>;
    const nothing = Object.fromEntries(Object.keys(funnel).map((name) => [name, null]));
    const { periodApplied, window } = funnel;
    const failed = { ...nothing, state: "error", reason: "source_unavailable", periodApplied, window };
    expect(undocumented(address, 200, { ...body, funnel: failed })).to.deep.equal([]);
    expect(undocumented(address, 200, { ...body, funnel: { ...failed, state: "ready" } })).to.not.be.empty;
  });

  it("distinguish a fixed path from a product's", () => {
    expect(endpointAt("/v1/products/categories?x=1")?.path).to.equal("/v1/products/categories");
    expect(endpointAt("/v1/products/a%2Fb/series")?.path).to.equal("/v1/products/:productId/series");
    expect(endpointAt("/v1/products/a/b")).to.equal(undefined);
  });
});

describe("/openapi.json and /docs", () => {
  const { app } = makeApp();
  const get = (address: string): request.Test => request(app).get(address);

  it("need no credentials; the document is the committed one", async () => {
    const { status, body, headers } = await get("/openapi.json");
    expect(status).to.equal(200);
    expect(headers["content-type"]).to.match(/^application\/json/);
    expect(body).to.deep.equal(JSON.parse(readFileSync(OPENAPI, "utf8")));
  });

  it("load everything from the service itself, and are not allowed to load anything else", async () => {
    const { status, text, headers } = await get("/docs");
    expect(status).to.equal(200);
    const assets = [...text.matchAll(/(?:src|href)="([^"]+)"/g)]
      .map(([, it]) => it ?? "")
      .filter((it) => it !== "data:,");
    expect(assets).to.include.members(["/docs/swagger-ui-bundle.js", "/docs/page.js", "/docs/page.css"]);
    for (const address of assets) expect((await get(address)).status, address).to.equal(200);
    const policy = String(headers["content-security-policy"]);
    expect(policy)
      .to.match(/default-src 'none'/)
      .and.to.match(/script-src 'self'(;|$)/);
    expect(policy).to.not.match(/unsafe|https?:|\*|upgrade/);
    expect(text, "no script in the page").to.not.match(/<script(?![^>]*\bsrc=)|\bon\w+=/);
  });

  it("are read-only, and no other file is served next to them", async () => {
    expect((await request(app).post("/docs")).status).to.equal(405);
    expect((await request(app).put("/openapi.json")).status).to.equal(405);
    for (const address of ["/docs/index.html", "/docs/package.json", "/docs/..%2fapp.ts", "/OpenAPI.json"]) {
      expect((await get(address)).status, address).to.equal(404);
    }
  });
});
