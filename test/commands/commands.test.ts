import type { ChildProcess } from "node:child_process";
import { readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { command, commandIn, type Said } from "../support/command.ts";
import { oneLine, run } from "../support/commandLine.ts";
import { AURORA, DataFolder, exportsOf, ROOT, STOREA, storeaOrder } from "../support/data.ts";

describe("The command line", () => {
  let data: DataFolder;
  const serving: ChildProcess[] = [];
  const lucra = (...args: string[]): Promise<Said> => command(data, ...args);

  beforeEach(async () => {
    data = await DataFolder.empty();
  });

  afterEach(async () => {
    for (const child of serving.splice(0)) child.kill("SIGKILL");
    await data.remove();
  });

  it("lists what it can do, and accepts nothing else", async () => {
    await symlink(path.join(ROOT, "bin", "lucra.cjs"), path.join(data.path, "lucra"));
    const linked = run(process.execPath, [path.join(data.path, "lucra"), "--help"]);
    const [help, nothing, unknown, option, incomplete, twice] = await Promise.all([
      data.lucra(["--help"]),
      lucra(),
      lucra("synch"),
      lucra("sync", "--everything"),
      lucra("keys", "create"),
      lucra("sync", "--organization", "a", "--organization", "b"),
    ]);
    expect(help.status).to.equal(0);
    expect([twice.status, twice.stderr]).to.deep.equal([2, "lucra: a and b: the option takes one of them\n"]);
    for (const command of ["serve", "sync", "organizations", "import", "records", "keys", "sql", "demo", "doctor"]) {
      expect(help.stdout).to.match(new RegExp(`^  ${command}\\b`, "m"));
    }
    expect(help.stdout).to.include("LUCRA_DATA_DIR");
    expect((await linked).stdout, "by a link, as npm makes them").to.equal(help.stdout);
    expect([nothing, unknown, option, incomplete].map(({ status }) => status)).to.deep.equal([2, 2, 2, 2]);
    expect(unknown.stderr).to.match(/unknown command 'synch'/);
    expect(incomplete.stderr).to.match(/--organization/);
  });

  it("refuses an invalid environment in one line", async () => {
    const [folder, now, port, timeout] = await Promise.all([
      commandIn(data, { LUCRA_DATA_DIR: "/srv/da[t]a" }, ["sync"]),
      commandIn(data, { LUCRA_NOW: "tomorrow" }, ["sync"]),
      commandIn(data, { PORT: "http" }, ["serve"]),
      commandIn(data, { LUCRA_TIMEOUT_MS: "0" }, ["serve"]),
    ]);
    expect([folder.status, now.status, port.status, timeout.status]).to.deep.equal([1, 1, 1, 1]);
    expect(oneLine(folder)).to.equal("lucra: LUCRA_DATA_DIR=/srv/da[t]a: a path without *, ? and [ is expected");
    expect(oneLine(now)).to.equal("lucra: LUCRA_NOW=tomorrow: not an ISO instant");
    expect(oneLine(timeout)).to.equal("lucra: LUCRA_TIMEOUT_MS=0: a whole number from 1 to 3600000 is expected");
    expect(oneLine(port)).to.match(/^lucra: PORT=http: /);
  });

  it("syncs, and reports the result and whether everything succeeded", async () => {
    await data.settings({
      organizationId: AURORA,
      name: "Shop",
      integrations: [{ id: STOREA, connector: "storea", name: "Store" }],
    });
    const orders = exportsOf(STOREA, "orders");
    await data.write(`${orders}/a.json`, JSON.stringify([storeaOrder({ id: "a", value: 1 })]));
    const json = await lucra("sync", "--json");
    expect([json.status, json.stderr]).to.deep.equal([0, ""]);
    const report = JSON.parse(json.stdout);
    const derivation = ["derived", "increments", "incrementalFallbacks"];
    expect(report).to.have.all.keys(
      "outcomes",
      "unknownRecordFolders",
      "linkedFolders",
      "unconfiguredFolders",
      "misplacedFolders",
      "repaired",
      ...derivation,
      "failures",
      "more",
    );
    expect(report.outcomes[0]).to.include({ connector: "storea", record: "orders", files: 1, landed: 1, rejected: 0 });
    await data.write(`${orders}/b.json`, JSON.stringify([{ ...storeaOrder({ id: "b", value: 1 }), value: "x" }]));
    await data.write(`${orders}/c.json`, "[");
    await data.write(`exports/${AURORA}/${STOREA}/order/d.json`, "[]");
    await data.write(`exports/${AURORA}/gone/orders/e.json`, "[]");
    const partly = await lucra("sync");
    expect(partly.status).to.equal(1);
    expect(partly.stdout).to.match(/storea orders +1 +0 +0 +1 /);
    expect(partly.stdout).to.match(/^Shop +Store +storea orders/m);
    expect(partly.stderr).to.match(/^not read: Store\/orders\/c\.json ends in the middle/m);
    expect(partly.stderr).to.match(/^rejected: 1 row, see rejects\//m);
    expect(partly.stderr).to.match(
      /^not read: exports\/.*\/order is not a record of Store, did you mean orders\? its folders are orders, /m,
    );
    expect(partly.stderr).to.match(/^not read: exports\/.*\/gone: Shop has no such integration: there are Store \(/m);
    const [organization, integration] = await Promise.all([
      lucra("sync", "--organization", "nobody"),
      lucra("sync", "--integration", "nothing"),
    ]);
    expect([organization.status, integration.status]).to.deep.equal([1, 1]);
    expect(oneLine(organization)).to.match(/^lucra: no organization nobody/);
    expect(oneLine(integration)).to.match(/^lucra: no integration nothing/);
  });

  it("refuses a data folder that is not there, or is a file", async () => {
    const missing = path.join(data.path, "x");
    const file = await data.write("file", "");
    for (const args of [["sync"], ["doctor"], ["keys", "list"], ["organizations", "check"]]) {
      const { status, stderr } = await commandIn(data, { LUCRA_DATA_DIR: missing }, args);
      expect([status, oneLine({ stderr })], args.join(" ")).to.deep.equal([
        1,
        `lucra: there is no data folder ${missing}: check LUCRA_DATA_DIR; a new one is made by \`organizations add\` or \`demo\``,
      ]);
    }
    const of = await commandIn(data, { LUCRA_DATA_DIR: file }, ["sync"]);
    expect([of.status, oneLine(of)]).to.deep.equal([1, `lucra: LUCRA_DATA_DIR=${file} is not a folder`]);
    const nothing = await lucra("sync");
    expect([nothing.status, nothing.stdout]).to.deep.equal([
      0,
      "no organizations yet: `lucra organizations add` writes settings\n",
    ]);
  });

  it("takes names as well as ids, and asks for an id if several have the name", async () => {
    const other = "22222222-2222-4222-8222-222222222222";
    const integrations = [{ id: STOREA, connector: "storea" as const, name: "Store" }];
    await data.settings({ organizationId: AURORA, name: "Shop", integrations });
    await data.settings({ organizationId: other, name: "Other", integrations: [] });
    const named = await Promise.all([
      lucra("sync", "--organization", "shop", "--integration", "STORE", "--json"),
      lucra("doctor", "--organization", "Other", "--json"),
      lucra("keys", "create", "--organization", "Shop", "--organization", other, "--json"),
      lucra("organizations", "show", "Other"),
      lucra("organizations", "check", "Other"),
    ]);
    expect(named.map(({ status }) => status)).to.deep.equal([0, 0, 0, 0, 0]);
    expect(JSON.parse(named[1]?.stdout ?? "").organizations[0].organizationId).to.equal(other);
    expect(JSON.parse((await lucra("keys", "list", "--json")).stdout)[0].organizations).to.have.members([
      AURORA,
      other,
    ]);
    await data.settings({ organizationId: other, name: "Shop", integrations: [] });
    const { status, stderr } = await lucra("sync", "--organization", "Shop");
    expect([status, stderr]).to.deep.equal([
      1,
      `lucra: organization Shop: several have this name, name one by its id: ${other}, ${AURORA}\n`,
    ]);
  });

  it("shows its version", async () => {
    const { version } = JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8"));
    expect(await lucra("--version")).to.include({ status: 0, stdout: `${version}\n` });
  });

  it("shows names of files without moving the cursor or forging a line", async () => {
    await data.settings({ organizationId: AURORA, name: "Shop", integrations: [{ id: STOREA, connector: "storea" }] });
    const hostile = "\u001b]0;PWNED\u0007\u001b[2J\nlucra: all is well\u202e";
    await data.write(`${exportsOf(STOREA, "orders")}/${hostile}.json`, "[");
    await data.write(`${exportsOf(STOREA, `x${hostile}`)}/a.json`, "[]");
    await data.write(`organizations/${hostile}.json`, "{}");
    const { status, stdout, stderr } = await lucra("sync");
    expect(status).to.equal(1);
    expect(stdout + stderr)
      .to.match(/PWNED/)
      .and.not.match(/(?!\n)\p{C}/u);
    expect(stderr).to.not.match(/^lucra: all is well/m);
  });
  it("creates, lists, rotates and revokes credentials", async () => {
    await data.settings({ organizationId: AURORA, name: "Shop" });
    const unknown = await lucra("keys", "create", "--organization", "11111111-1111-4111-8111-111111111111");
    expect([unknown.status, unknown.stdout]).to.deep.equal([1, ""]);
    expect(oneLine(unknown)).to.match(/^lucra: no organization 11111111-/);
    const made = JSON.parse((await lucra("keys", "create", "--organization", AURORA, "--name", "BI", "--json")).stdout);
    expect(made).to.have.all.keys("client_id", "client_secret");
    const renewed = await lucra("keys", "rotate", made.client_id);
    expect(renewed.stdout).to.include(made.client_id).and.not.include(made.client_secret);
    const secret = /client_secret: (\S+)/.exec(renewed.stdout)?.[1] ?? "";
    const listed = await lucra("keys", "list", "--json");
    expect(JSON.parse(listed.stdout)).to.have.lengthOf(1);
    expect(listed.stdout).to.include("BI").and.not.include(secret);
    const kept = await data.text("credentials.json");
    expect(kept).to.not.include(made.client_secret).and.not.include(secret);
    expect((await lucra("keys", "revoke", made.client_id)).status).to.equal(0);
    const [again, overlap, endless, table] = await Promise.all([
      lucra("keys", "rotate", made.client_id),
      lucra("keys", "rotate", made.client_id, "--overlap", "a day"),
      lucra("keys", "rotate", made.client_id, "--overlap", "1e20"),
      lucra("keys", "list"),
    ]);
    expect([again.status, overlap.status, endless.status, table.status]).to.deep.equal([1, 2, 2, 0]);
    expect(oneLine(endless)).to.equal("lucra: --overlap 1e20: whole seconds from 0 to 31536000, a year");
    expect(table.stdout).to.match(/^client id +name +organizations +created +old secret until +revoked\n/);
  });

  it("serves no demo unless asked to: an empty folder may be a disk that is not mounted", async () => {
    const { status, stdout, stderr } = await data.lucra(["serve", "--no-demo"], { PORT: "0", LUCRA_METRICS_PORT: "0" });
    expect([status, stdout]).to.deep.equal([1, ""]);
    expect(oneLine({ stderr })).to.match(
      /^lucra: .* holds no organizations and no operator: check LUCRA_DATA_DIR and that its disk is mounted/,
    );
    expect(await data.files()).to.deep.equal([]);
  });
  it("writes the settings of an organization once, and shows where its exports go", async () => {
    const id = "2222222a-2222-4222-8222-222222222222";
    const options = ["--name", "Loja", "--id", id.toUpperCase(), "--currency", "BRL"];
    const added = await lucra(
      "organizations",
      "add",
      ...options,
      "--integration",
      "VTEX:Loja: a",
      "--integration",
      "crm",
    );
    expect([added.status, added.stderr]).to.deep.equal([0, ""]);
    const settings = JSON.parse(await data.text(`organizations/${id}.json`));
    expect(settings).to.deep.include({ organizationId: id, name: "Loja", currency: "BRL" });
    const [store, crm] = settings.integrations;
    expect(store).to.include({ connector: "storea", name: "Loja: a" });
    for (const place of [`${store.id}/orders/`, `${store.id}/inventory/`, `${crm.id}/pipelines/`]) {
      expect(added.stdout).to.include(path.join(data.path, "exports", id, place));
    }
    expect(added.stdout).to.match(/^Loja: a, storea \(vtex\): drop exports into$/m);
    const before = await data.text(`organizations/${id}.json`);
    const [again, made, connector, currency] = await Promise.all([
      lucra("organizations", "add", ...options),
      lucra("organizations", "add", "--name", "Other"),
      lucra("organizations", "add", "--name", "Other", "--integration", "stora"),
      lucra("organizations", "add", "--name", "Other", "--currency", "real"),
    ]);
    expect([again, made, connector, currency].map(({ status }) => status)).to.deep.equal([1, 0, 2, 2]);
    expect(oneLine(again)).to.match(/ exists already and was not changed$/);
    expect(oneLine(connector)).to.equal('lucra: integrations[0].connector: "stora" is unknown, did you mean storea?');
    expect(oneLine(currency)).to.match(/^lucra: currency: three capital letters/);
    expect(await data.text(`organizations/${id}.json`)).to.equal(before);
    expect(await data.files("organizations")).to.have.lengthOf(2);
    expect((await lucra("organizations", "check")).status).to.equal(0);
  });

  it("shows the settings in force, and whose credentials read them", async () => {
    await data.settings({
      organizationId: AURORA,
      name: "Shop",
      currency: "BRL",
      integrations: [{ id: STOREA, connector: "storea", name: "Store", schedule: "*/30 * * * *" }],
      margin: { items: { gateway: { percent: 3.5 }, tax: "orders" } },
      campaigns: [{ strategy: "brand", name: "*marca*" }],
    });
    const made = JSON.parse((await lucra("keys", "create", "--organization", AURORA, "--json")).stdout);
    const shown = await lucra("organizations", "show", AURORA);
    expect([shown.status, shown.stderr]).to.deep.equal([0, ""]);
    for (const part of ["Shop", "BRL", STOREA, "*/30 * * * *", "gateway 3.5 %", "tax from orders", "*marca*"]) {
      expect(shown.stdout).to.include(part);
    }
    expect(shown.stdout).to.include(made.client_id).and.not.include(made.client_secret);
    const unknown = await lucra("organizations", "show", STOREA);
    const text = `lucra: no organization ${STOREA} in ${data.path}/organizations`;
    expect([unknown.status, oneLine(unknown)]).to.deep.equal([1, text]);
  });

  it("checks settings files, and reports everything that is wrong with them", async () => {
    const [bad, folder] = ["22222222-2222-4222-8222-222222222222", "33333333-3333-4333-8333-333333333333"];
    await data.settings({ organizationId: AURORA, name: "Shop" });
    const margin = { items: { gatway: "orders" } };
    await data.write(
      `organizations/${bad}.json`,
      JSON.stringify({ organizationId: bad, name: "Bad", margin, nam: "x" }),
    );
    await data.write(`organizations/${folder}.json/x`, "");
    await data.write("organizations/loja.json", "{}");
    const [all, one, unknown] = await Promise.all([
      lucra("organizations", "check"),
      lucra("organizations", "check", AURORA),
      lucra("organizations", "check", STOREA),
    ]);
    expect([all, one, unknown].map(({ status }) => status)).to.deep.equal([1, 0, 1]);
    expect(all.stdout.trimEnd().split("\n")).to.deep.equal([
      `organizations/${bad}.json: nam: unknown, did you mean name?`,
      `organizations/${bad}.json: margin.items.gatway: unknown, did you mean gateway?`,
      `organizations/${folder}.json: cannot be read (EISDIR)`,
      `good: organizations/${AURORA}.json Shop`,
      "organizations/loja.json: not read, settings are named <organizationId>.json",
    ]);
    expect(one.stdout).to.equal(`good: organizations/${AURORA}.json Shop\n`);
  });

  it("works for one organization despite another one's bad settings", async () => {
    await data.settings({ organizationId: AURORA, name: "Shop" });
    await data.write("organizations/22222222-2222-4222-8222-222222222222.json", "{");
    await data.write("organizations/loja.json", "{}");
    for (const command of [["sync"], ["derive"], ["keys", "create"]]) {
      const { status, stderr } = await lucra(...command, "--organization", AURORA);
      expect([status, stderr], command.join(" ")).to.deep.equal([0, ""]);
    }
    const all = await lucra("sync");
    expect(all.status).to.equal(1);
    expect(all.stderr)
      .to.match(/^lucra: organizations\/22222222-/m)
      .and.match(/^lucra: organizations\/loja\.json: /m);
    await data.write(`organizations/${AURORA}.json`, "{");
    const own = await lucra("sync", "--organization", AURORA);
    expect([own.status, oneLine(own)]).to.deep.equal([1, own.stderr.trimEnd()]);
    expect(own.stderr).to.match(/^lucra: organizations\/5f0c2b1e-/);
  });
});
