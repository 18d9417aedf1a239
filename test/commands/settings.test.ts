import { access, rename } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { exportedBy } from "../../src/core/records/index.ts";
import { command, type Said } from "../support/command.ts";
import { oneLine } from "../support/commandLine.ts";
import { AURORA, DataFolder, exportsOf, STOREA, storeaOrder } from "../support/data.ts";

describe("Settings that commands change", () => {
  let data: DataFolder;
  const lucra = (...args: string[]): Promise<Said> => command(data, ...args);
  const text = (): Promise<string> => data.text(`organizations/${AURORA}.json`);
  const isThere = (name: string): Promise<boolean> =>
    access(path.join(data.path, name)).then(
      () => true,
      () => false,
    );

  /** Formatted as no program would. */
  const WRITTEN = `{
    "name": "Shop",   "currency": "BRL",
    "organizationId": "${AURORA}",
    "integrations": [
        { "id": "${STOREA}", "connector": "storea", "name": "Store", "timezone": "America/Sao_Paulo" }
    ],
    "margin": {"percent": 40}
}
`;

  beforeEach(async () => {
    data = await DataFolder.empty();
    await data.write(`organizations/${AURORA}.json`, WRITTEN);
  });

  afterEach(() => data.remove());

  it("keep the rest of their text", async () => {
    expect((await lucra("organizations", "rename", "shop", "Other shop")).status).to.equal(0);
    expect(await text()).to.equal(WRITTEN.replace('"Shop"', '"Other shop"'));
    expect((await lucra("integrations", "rename", "store", "Loja")).status).to.equal(0);
    expect(await text()).to.equal(WRITTEN.replace('"Shop"', '"Other shop"').replace('"Store"', '"Loja"'));
  });

  it("get an integration, with the folders of its exports", async () => {
    const { status, stdout } = await lucra("integrations", "add", "crm:Contacts", "--organization", "Shop");
    expect(status).to.equal(0);
    const { integrations, ...rest } = JSON.parse(await text());
    expect(integrations).to.have.lengthOf(2);
    expect(integrations[1]).to.include({ connector: "crm", name: "Contacts" });
    expect(rest).to.deep.equal({ name: "Shop", currency: "BRL", organizationId: AURORA, margin: { percent: 40 } });
    expect(await text()).to.include('"name": "Shop",   "currency"');
    const folder = `exports/${AURORA}/${integrations[1].id}/contacts`;
    expect(stdout).to.include(folder);
    expect(await isThere(folder)).to.equal(true);
    const wrong = await lucra("integrations", "add", "stora:x");
    expect(wrong.status).to.equal(1);
    expect(oneLine(wrong)).to.include('"stora" is unknown, did you mean storea?');
  });

  it("lose an integration only with --yes; its data stays and counts no more", async () => {
    await data.write(`${exportsOf(STOREA, "orders")}/a.json`, JSON.stringify([storeaOrder({ id: "a", value: 1 })]));
    await data.sync();
    const asked = await lucra("integrations", "remove", "Store");
    expect([asked.status, await text()]).to.deep.equal([2, WRITTEN]);
    expect(asked.stdout).to.match(/^to be removed: Store .*\nkept: /);
    expect((await lucra("integrations", "remove", "Store", "--yes")).status).to.equal(0);
    expect(JSON.parse(await text()).integrations).to.deep.equal([]);
    expect(await isThere(`${exportsOf(STOREA, "orders")}/a.json`)).to.equal(true);
    expect((await lucra("sync")).stderr).to.match(/^left out: /m);
  });

  it("are removed only with --yes, and everything of the organization with --data", async () => {
    await data.write(`${exportsOf(STOREA, "orders")}/a.json`, JSON.stringify([storeaOrder({ id: "a", value: 1 })]));
    await data.sync();
    const before = await data.files();
    const asked = await lucra("organizations", "remove", "Shop", "--data");
    expect([asked.status, await data.files()]).to.deep.equal([2, before]);
    const kept = await lucra("organizations", "remove", "Shop", "--yes");
    expect(kept.status).to.equal(0);
    expect(kept.stdout).to.match(/^kept:\n.*\/exports\//m);
    const left = await data.files();
    expect(left.filter((name) => /^(organizations|marts|status)\//.test(name))).to.deep.equal([]);
    expect(left.filter((name) => name.includes(AURORA)).map((name) => name.split("/")[0])).to.include.members([
      "exports",
      "lake",
    ]);
    await data.write(`organizations/${AURORA}.json`, WRITTEN);
    // What a process left that was killed while it wrote the secret.
    await data.write(`secrets/${AURORA}/.customers.0123456789ab`, "half");
    expect((await lucra("organizations", "remove", AURORA, "--data", "--yes")).status).to.equal(0);
    const log = [`audit/${AURORA}.ndjson`];
    expect(
      (await data.files()).filter((name) => name.includes(AURORA)),
      "the log stays",
    ).to.deep.equal(log);
  });

  it("of a new organization come with the folders of its exports, and a notice if the name is taken", async () => {
    const { status, stdout, stderr } = await lucra(
      "organizations",
      "add",
      "--name",
      "Shop",
      "--integration",
      "storea:A",
    );
    expect(status).to.equal(0);
    expect(stderr).to.match(/^lucra: another organization has the name Shop /);
    const folders = stdout.split("\n").filter((line) => /^ {2}\//.test(line));
    expect(folders).to.have.lengthOf(exportedBy("storea").length);
    for (const folder of folders) expect(await isThere(path.relative(data.path, folder.trim()))).to.equal(true);
  });

  it("of new accounts have the time zone that is named, if it is one", async () => {
    const zone = ["--timezone", "America/Sao_Paulo"];
    expect((await lucra("integrations", "add", "shopify:Loja", ...zone)).status).to.equal(0);
    expect(JSON.parse(await text()).integrations[1]).to.include({ name: "Loja", timezone: "America/Sao_Paulo" });
    const added = await lucra("organizations", "add", "--name", "B", "--integration", "vtex:A", ...zone);
    const file = /\S+\.json/.exec(added.stdout)?.[0] ?? "";
    expect(JSON.parse(await data.text(path.relative(data.path, file))).integrations[0]).to.include({
      timezone: zone[1],
    });
    const wrong = await lucra(
      "organizations",
      "add",
      "--name",
      "C",
      "--integration",
      "vtex:A",
      "--timezone",
      "Sao_Paulo",
    );
    expect(wrong.status).to.equal(2);
    expect(oneLine(wrong)).to.include('"Sao_Paulo" is no known timezone');
  });

  it("of a new organization have the margin that is named, or its output names what is missing [D16]", async () => {
    const added = async (...options: string[]) => {
      const { status, stdout } = await lucra("organizations", "add", "--name", options.join(" ") || "-", ...options);
      const file = /\S+\.json/.exec(stdout)?.[0] ?? "";
      const notes = [...stdout.matchAll(/^note: no "(\w+)"/gm)].map(([, name]) => name);
      return {
        status,
        notes,
        settings: file ? JSON.parse(await data.text(path.relative(data.path, file))) : undefined,
      };
    };
    const bare = await added("--integration", "vtex:A");
    expect([bare.notes, bare.settings.margin]).to.deep.equal([["currency", "timezone", "margin"], undefined]);
    const whole = ["--integration", "vtex:A", "--timezone", "UTC", "--currency", "BRL", "--margin"];
    expect(await added(...whole, "42.5")).to.deep.include({ status: 0, notes: [] });
    expect((await added("--margin", "0", "--currency", "BRL")).settings.margin).to.deep.equal({ percent: 0 });
    for (const wrong of ["101", "-1", "42,5", "42%", "", "much", "1e1", "0x10"])
      expect((await added("--margin", wrong)).status, wrong).to.equal(2);
  });

  it("that cannot be read are not none: every command says so", async () => {
    const folder = path.join(data.path, "organizations");
    await rename(folder, `${folder}.away`);
    await data.write("organizations", "");
    for (const asked of [
      ["sql", "--query", "select 1"],
      ["sql", "--organization", "Shop", "--query", "select 1"],
      ["keys", "create", "--organization", AURORA],
      ["landings", "list"],
      ["secrets", "list"],
      ["webhooks", "list"],
      ["organizations", "check"],
      ["doctor"],
    ]) {
      const said = await lucra(...asked).catch((error: Error) => ({ stderr: error.message }));
      expect(said.stderr, asked.join(" ")).to.include("organizations: cannot be read (ENOTDIR)");
    }
  });
});
