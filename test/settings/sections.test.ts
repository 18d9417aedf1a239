import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { AURORA, type DataFolder } from "../support/data.ts";
import { openPlatformService, type Page, type PlatformService } from "../support/platform.ts";
import { landedFixtures } from "../support/shared.ts";

const at = (place: string): string => `/organizations/${AURORA}/${place}`;

describe("Sections of the settings [D92]", () => {
  let data: DataFolder;
  let platform: PlatformService;
  let admin: Page;
  let viewer: Page;
  let file: string;
  let original: string;

  before(async () => {
    data = await landedFixtures();
    platform = await openPlatformService(data);
    admin = await platform.as("admin");
    viewer = await platform.as("viewer");
    file = path.join(data.path, "organizations", `${AURORA}.json`);
    original = await readFile(file, "utf8");
  });
  afterEach(() => writeFile(file, original));
  after(async () => {
    await platform.close();
    await data.remove();
  });

  const section = (name: string): string => at(`settings/${name}`);

  it("are read by admins alone", async () => {
    const { status, body, headers } = await admin.get(section("margin"));
    expect(status).to.equal(200);
    expect(body.value.items.gateway).to.deep.equal({ percent: 4 });
    expect(headers.etag).to.match(/^"/);
    expect((await viewer.get(section("margin"))).status).to.equal(403);
    expect((await admin.get(section("nothing"))).status).to.equal(404);
    expect((await admin.get(section("webhook"))).body).to.deep.equal({ value: null });
    expect((await admin.get(section("organization"))).body.value).to.deep.equal({
      name: "Casa Aurora",
      locale: null,
      currency: "BRL",
    });
  });

  it("change one place of the file, and the rest of its text stays", async () => {
    const { status, body } = await admin.put(section("targets"), { value: { cac: 40 } });
    expect(status).to.equal(200);
    expect(body.value).to.deep.equal({ cac: 40 });
    const text = await readFile(file, "utf8");
    expect(JSON.parse(text).targets).to.deep.equal({ cac: 40 });
    expect(text).to.include('    { "id": "f62c1523-50a3-4e8f-9b66-73e49fb0c206", "connector": "crm",');
    expect(Object.keys(JSON.parse(text)).slice(0, 3)).to.deep.equal(["organizationId", "name", "currency"]);
    expect(await platform.last()).to.deep.include({
      what: "settings.change",
      after: { section: "targets", value: { cac: 40 } },
      outcome: "done",
    });
    expect((await admin.put(section("targets"), { value: null })).body).to.deep.equal({ value: null });
    expect(JSON.parse(await readFile(file, "utf8"))).to.not.have.property("targets");
  });

  it("write nothing that stays the same", async () => {
    const { body } = await admin.get(section("costs"));
    expect((await admin.put(section("costs"), { value: body.value })).status).to.equal(200);
    expect(await readFile(file, "utf8")).to.equal(original);
  });
});
