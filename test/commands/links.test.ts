import { expect } from "chai";
import { command, type Said } from "../support/command.ts";
import { oneLine } from "../support/commandLine.ts";
import { AURORA, DataFolder, STOREA } from "../support/data.ts";

const CHANNELS = "/v1/acquisition/channels";

describe("lucra links", () => {
  let data: DataFolder;
  const lucra = (...args: string[]): Promise<Said> => command(data, "links", ...args);
  const create = (endpoint: string, ...more: string[]): Promise<Said> =>
    lucra("create", "--organization", "shop", "--endpoint", endpoint, ...more);
  const organizations = (...args: string[]): Promise<Said> => command(data, "organizations", ...args);

  beforeEach(async () => {
    data = await DataFolder.empty();
    const integrations = [{ id: STOREA, connector: "storea", name: "Store", timezone: "America/Sao_Paulo" }];
    await data.write(
      `organizations/${AURORA}.json`,
      JSON.stringify({ organizationId: AURORA, name: "Shop", currency: "BRL", integrations }),
    );
  });

  afterEach(() => data.remove());

  it("create shows an address once; list and revoke do not", async () => {
    const shown = await create(`${CHANNELS}?format=csv&organizationId=${AURORA.toUpperCase()}`, "--days", "28");
    expect([shown.status, shown.stderr.includes("LUCRA_SHARE_LINKS=on")]).to.deep.equal([0, true]);
    const [, token = ""] = /address: http:\/\/localhost:\d+\/links\/([\w-]{43}) /.exec(shown.stdout) ?? [];
    const [, id = ""] = /id: +(link_\S+)/.exec(shown.stdout) ?? [];
    expect([token, id]).to.not.include("");
    const listed = await lucra("list");
    expect(listed.stdout).to.include(id).and.include(`${CHANNELS}?format=csv (last 28 days)`).and.include("works");
    expect((await lucra("revoke", id)).status).to.equal(0);
    const after = (await lucra("list")).stdout + (await lucra("list", "--json")).stdout;
    expect(after).to.include("revoked 20").and.not.include(token).and.not.include("hash");
    expect((await lucra("revoke", id)).status).to.equal(1);
  });

  it("create refuses what a request would be refused for, and makes nothing", async () => {
    const wrong: [string[], string][] = [
      [["/v1/acquisition/chanels"], "did you mean /v1/acquisition/channels?"],
      [["/openapi.json"], "no such endpoint"],
      [["/links/x"], "no such endpoint"],
      [[`${CHANNELS}?startDate=2025-02-30&view=x`], "startDate: "],
      [[`${CHANNELS}?organizationId=x`], "organizationId: "],
      [["/v1/profitability/cards?format=csv"], "formato"],
      [["/v1/products/%zz"], "percent code"],
      [["/v1/products/501"], "integrationId: "],
      [["/v1/explain?endpoint=/v1/profitability/cards"], "figure: "],
      [["/v1/products/integrations", "--days", "7"], "days: "],
      [[`${CHANNELS}?endDate=2025-02-01`, "--days", "7"], "endDate: "],
      [[CHANNELS, "--days", "0"], "whole days from 1"],
      [[CHANNELS, "--expires", "2020-01-01"], "that day is over"],
      [[CHANNELS, "--expires", "soon"], "whole days from 1"],
    ];
    for (const [[endpoint = "", ...more], fault] of wrong) {
      const { status, stderr } = await create(endpoint, ...more);
      expect([status, stderr.includes(fault)], `${endpoint} ${more} ${stderr}`).to.deep.equal([2, true]);
      oneLine({ stderr });
    }
    expect(JSON.parse((await lucra("list", "--json")).stdout)).to.deep.equal([]);
  });

  it("create takes any endpoint of /v1, days and an end", async () => {
    for (const [endpoint, ...more] of [
      ["/v1/organizations"],
      ["/v1/crm/contacts?all=true&format=parquet", "--expires", "30"],
      ["/v1/explain?endpoint=/v1/profitability/cards&figure=cac", "--days", "7"],
      [`/v1/products/a%2Fb?integrationId=${STOREA}`, "--days", "30"],
      ["http://127.0.0.1:3000/v1/storea/orders?limit=5", "--days", "2", "--expires", "2999-12-31"],
    ] as const) {
      const { status, stderr } = await create(endpoint, ...more);
      expect(status, `${endpoint} ${stderr}`).to.equal(0);
    }
    const all = JSON.parse((await lucra("list", "--json")).stdout);
    expect(all.at(-1)).to.include({ endpoint: "/v1/storea/orders?limit=5", expiresAt: "3000-01-01T00:00:00.000Z" });
    expect(all[3].endpoint).to.equal(`/v1/products/a%2Fb?integrationId=${STOREA}`);
  });

  it("list follows an organization that is renamed, and names one that is removed", async () => {
    await create(CHANNELS);
    await organizations("rename", "shop", "Other shop");
    expect((await lucra("list")).stdout).to.include("Other shop");
    const { stdout } = await organizations("remove", AURORA, "--yes");
    expect(stdout).to.include("links revoke");
    expect((await lucra("list")).stdout).to.include(`${AURORA} (removed)`);
  });
});
