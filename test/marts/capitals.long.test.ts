import { expect } from "chai";
import { Credentials } from "../../src/core/access/credentials.ts";
import { openOrganizations } from "../../src/core/organizations/open.ts";
import { DataFolder, STOREA, STOREB, storeaOrder } from "../support/data.ts";
import { openService } from "../support/service.ts";

const ID = "abcdef00-0000-4000-8000-00000000000a";
/** An integration whose id has letters. */
const LETTERS = "b2e8d1df-1c6f-4a4b-9d22-3fa05b7c8e02";
const SHOUTED = ID.toUpperCase();

describe("An id in capitals", () => {
  let data: DataFolder;
  const settings = (organizationId: string, integration: string, name = "Loja"): string =>
    JSON.stringify({
      organizationId,
      name,
      integrations: [
        { id: integration, connector: "storea" },
        { id: STOREB, connector: "storeb" },
      ],
    });

  beforeEach(async () => {
    data = await DataFolder.empty();
  });

  afterEach(() => data.remove());

  it("names the same organization and integration: in settings, folders, credentials and requests", async () => {
    await data.write(`organizations/${SHOUTED}.json`, settings(SHOUTED, STOREA));
    const orders = [storeaOrder({ id: "o1", value: 10 })];
    await data.write(`exports/${SHOUTED}/${STOREA.toUpperCase()}/orders/o.json`, JSON.stringify(orders));
    await data.write(`exports/${SHOUTED}/${STOREB}/orders/b.json`, "[]");
    const report = await data.sync();
    expect([report.unconfiguredFolders, report.unknownRecordFolders, report.derived]).to.deep.equal([[], [], [ID]]);
    const { status, stdout } = await data.lucra(["keys", "create", "--organization", SHOUTED, "--json"]);
    expect(status).to.equal(0);
    const { client_id, client_secret } = JSON.parse(stdout);
    const verified = await new Credentials(data.path).verify(client_id, client_secret);
    expect(verified?.organizations).to.deep.equal([ID]);
    const service = await openService(data.config, ID);
    try {
      const cards = await service.get("/v1/profitability/cards");
      expect([cards.status, cards.body.revenue]).to.deep.equal([200, 10]);
      const shouted = await service.get("/v1/profitability/cards", SHOUTED);
      expect(shouted.text).to.equal(cards.text);
      const listed = await service.get(`/v1/products?integrationId=${STOREA.toUpperCase()}`, SHOUTED);
      expect([
        listed.status,
        (listed.body.data as { integrationId: string }[]).map((row) => row.integrationId),
      ]).to.deep.equal([200, []]);
      const { body } = await service.get("/v1/products/integrations");
      expect((body.data as { sourceIntegrationId: string }[]).map((row) => row.sourceIntegrationId)).to.deep.equal([
        STOREA,
        STOREB,
      ]);
    } finally {
      await service.close();
    }
  });

  it("as a folder next to the one in small letters lands with it; a file that is in both is refused by name", async () => {
    const write = (organization: string, integration: string, name: string, value: number): Promise<unknown> =>
      data.write(
        `exports/${organization}/${integration}/orders/${name}.json`,
        JSON.stringify([storeaOrder({ id: `${name}${value}`, value })]),
      );
    await data.write(`organizations/${ID}.json`, settings(ID, LETTERS));
    await write(ID, LETTERS, "a", 1);
    await write(ID, LETTERS.toUpperCase(), "b", 2);
    await write(SHOUTED, LETTERS, "c", 4);
    await write(SHOUTED, LETTERS, "a", 8);
    const report = await data.sync();
    const [outcome] = report.outcomes;
    expect([outcome?.landed, outcome?.refused]).to.deep.equal([
      3,
      [
        {
          file: "a.json",
          reason: "is there twice: in folders that spell one id in small letters and in capitals; give it another name",
        },
      ],
    ]);
    const service = await openService(data.config, ID);
    try {
      expect((await service.get("/v1/profitability/cards")).body.revenue).to.equal(7);
    } finally {
      await service.close();
    }
  });

  it("next to the same one in small letters is not read, and is reported once", async () => {
    await data.write(`organizations/${SHOUTED}.json`, settings(SHOUTED, STOREA));
    await data.write(`organizations/${ID}.json`, settings(ID, STOREA, "Outra"));
    const problems: string[] = [];
    const organizations = openOrganizations(data.path, (problem) => problems.push(problem));
    expect(await organizations.ids()).to.deep.equal([ID]);
    expect(await organizations.ids()).to.deep.equal([ID]);
    expect(problems).to.deep.equal([
      `organizations/${SHOUTED}.json: not read, another file has the settings of the same organization`,
    ]);
    expect((await organizations.get(SHOUTED))?.settings.name).to.equal("Outra");
  });
});
