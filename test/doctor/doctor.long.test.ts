import { rename, rm } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { Credentials } from "../../src/core/access/credentials.ts";
import { readConfig } from "../../src/core/config.ts";
import type { Organization } from "../../src/core/contract/settings.ts";
import { Database, literal } from "../../src/core/engine/database.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { currentGeneration } from "../../src/core/marts/generations.ts";
import { diagnose } from "../../src/features/doctor/command.ts";
import { page } from "../../src/features/doctor/page.ts";
import type { Finding, OrganizationReport, Report } from "../../src/features/doctor/report.ts";
import { command, type Said } from "../support/command.ts";
import { AURORA, DataFolder, exportsOf, NOW, SOCIALADS, STOREA, STOREB, storeaOrder } from "../support/data.ts";

/** An organization without faults, next to one with every fault. */
const SOUND = "33333333-3333-4333-8333-333333333333";
const SOUND_STORE = "44444444-4444-4444-8444-444444444444";
const AT = "2025-03-31T12:00:00.000Z";

/** A counted order with or without an origin. */
const order = (id: string, value: number, more: object = {}): Record<string, unknown> => ({
  ...storeaOrder({ id, value, at: AT }),
  marketingData: null,
  ...more,
});
const from = (utmCampaign: string): object => ({ marketingData: { utmSource: "x", utmMedium: "y", utmCampaign } });
const paidBy = (paymentSystemName: string): object => ({
  paymentData: { transactions: [{ payments: [{ paymentSystemName }] }] },
});
const by = (email: string): object => ({ clientProfileData: { email } });

const ORDERS = [
  order("good", 1, from("Conheça")),
  order("cancelled", 10, { status: "canceled" }),
  order("asked", 20, { status: "cancellation-requested" }),
  order("replaced", 30, { status: "replaced" }),
  order("unpaid", 40, { status: "payment-pending", authorizedDate: null, invoicedDate: null }),
  order("incomplete", 50, { status: null }),
  order("dollars", 60, { storePreferencesData: { currencyCode: "USD" } }),
  order("masked", 70, by("maria.silva@gmail.com-123456b.ct.vtex.com.br")),
  order("alias", 80, { clientProfileData: { email: "a1b2c3@ct.vtex.com.br", userProfileId: "profile" } }),
  order("placeholder", 90, by("sem-email@loja.com.br")),
  order("marketplace", 100, by("joana.x@marketplace.amazon.com.br")),
  order("nobody", 110, by("joão sem e-mail")),
  ...Array.from({ length: 7 }, (_, n) => order(`utm${n}`, 200 + n, from(`parceiro ${n}`))),
  order("leak", 300, from("indicado por joana.costa@example.com")),
  order("costless", 400, { items: [{ ...line("costless", 400), costPrice: null }] }),
];

function line(id: string, value: number): object {
  return { uniqueId: id, id: `s${id}`, productId: id, name: `Produto ${id}`, quantity: 1, sellingPrice: value * 100 };
}

const TEST_ORDER = {
  id: 1,
  email: "teste@example.com",
  test: true,
  financial_status: "paid",
  currency: "BRL",
  created_at: AT,
  updated_at: AT,
  total_price: "500.00",
  line_items: [],
};

const campaign = (id: string, name: string, spend: string): object => ({
  campaign_id: id,
  campaign_name: name,
  account_id: "1",
  spend,
  impressions: "1",
  clicks: "1",
  date_start: "2025-03-01",
  date_stop: "2025-03-01",
});

describe("The doctor", () => {
  let data: DataFolder;
  let ended: Said;
  let report: Report;
  let text: string;

  const ask = (...options: string[]): Promise<Said> => command(data, "doctor", ...options);
  const at = (now: string, organization?: string, folder = data): Promise<Report> =>
    diagnose(readConfig({ LUCRA_DATA_DIR: folder.path, LUCRA_NOW: now }), organization);
  const of = ({ organizations }: Report, id: string): OrganizationReport => {
    const found = organizations.find(({ organizationId }) => organizationId === id);
    if (!found) throw new Error(`no report of ${id}`);
    return found;
  };
  const found = (kind: string, id = AURORA, among = report): Finding => {
    const one = of(among, id).findings.find((finding) => finding.kind === kind);
    if (!one) throw new Error(`no ${kind}: ${JSON.stringify(of(among, id).findings)}`);
    return one;
  };
  const kinds = (id: string, among = report): string[] => of(among, id).findings.map(({ kind }) => kind);
  const picked = (kind: string, ...columns: string[]): unknown[][] =>
    found(kind).rows.map((row) => columns.map((column) => row[column]));

  before(async () => {
    data = await DataFolder.empty();
    const amiss: Organization = {
      organizationId: AURORA,
      name: "Amiss",
      integrations: [
        { id: STOREA, connector: "storea", name: "Store" },
        { id: STOREB, connector: "storeb", name: "Outlet", schedule: "*/30 * * * *" },
        { id: SOCIALADS, connector: "socialads", name: "Social" },
      ],
      campaigns: [{ strategy: "acquisition", name: "conheça" }],
    };
    await data.settings(amiss);
    await data.settings({
      organizationId: SOUND,
      name: "Sound",
      currency: "BRL",
      integrations: [{ id: SOUND_STORE, connector: "storea", name: "Store", timezone: "UTC" }],
      margin: { percent: 100 },
    });
    const put = (integration: string, record: string, content: unknown, organization = AURORA): Promise<string> =>
      data.write(`${exportsOf(integration, record, organization)}/a.json`, JSON.stringify(content), new Date(NOW));
    await put(STOREA, "orders", [...ORDERS, { ...order("unreadable", 1), value: "much" }]);
    await put(STOREB, "orders", { orders: [TEST_ORDER] });
    await put(SOCIALADS, "campaigns", { data: [campaign("1", "Conheça", "5.00"), campaign("2", "Avulsa", "7.00")] });
    await put(SOUND_STORE, "orders", [order("fine", 1)], SOUND);
    await data.write(`${exportsOf(STOREA, "orders")}/cut.json`, "[", new Date(NOW));
    await data.write(`exports/${AURORA}/${STOREA}/order/b.json`, "[]");
    await data.write(`exports/${AURORA}/gone/orders/c.json`, "[]");
    // An order in dollars lands while the settings name no currency.
    await data.sync();
    await data.settings({ ...amiss, currency: "BRL" });
    await data.sync();
    await command(data, "keys", "create", "--organization", SOUND);
    [ended, report] = [await ask(), await at(NOW)];
    text = ended.stdout;
  });

  after(() => data?.remove());

  it("finds nothing wrong in sound data, and exits with 0", async () => {
    expect(of(report, SOUND).findings).to.deep.equal([]);
    const single = await ask("--organization", SOUND, "--json");
    expect([single.status, single.stderr]).to.deep.equal([0, ""]);
    const actual: Report = JSON.parse(single.stdout);
    expect(actual.organizations).to.deep.equal([of(report, SOUND)]);
    expect(actual).to.deep.include({ wrong: 0, notices: 0, findings: [] });
    expect(page(actual))
      .to.match(/^Sound \(33333333-.*\n {2}1 order counts, BRL 1\.00, /)
      .and.match(/\n\nnothing wrong$/);
  });

  it("exits with 1 when something is wrong, and counts it", async () => {
    expect([ended.status, ended.stderr]).to.deep.equal([1, ""]);
    expect(text).to.equal(`${page(report)}\n`);
    const all = report.organizations.flatMap(({ findings }) => findings);
    expect(report.wrong).to.equal(all.filter(({ level }) => level === "wrong").length);
    expect(report.notices).to.equal(all.filter(({ level }) => level === "notice").length);
    expect(text.trimEnd().split("\n").at(-1)).to.equal(`✗ ${report.wrong} wrong, ! ${report.notices} to know`);
    const unknown = await ask("--organization", "nobody");
    expect(unknown.status).to.equal(1);
    expect(unknown.stderr).to.match(/^lucra: no organization nobody in .*: there are /);
  });

  it("has a fixed shape and order as JSON", () => {
    expect(report).to.have.all.keys("now", "wrong", "notices", "findings", "organizations");
    expect(report.now).to.equal(NOW);
    const one = of(report, AURORA);
    expect(one).to.have.all.keys("organizationId", "name", "overview", "integrations", "findings");
    expect(one.overview).to.deep.equal({
      currency: "BRL",
      orders: 17,
      revenue: 2652,
      firstDay: "2025-03-31",
      lastDay: "2025-03-31",
    });
    for (const { kind, level, title, count, rows, total } of one.findings) {
      expect(level, kind).to.be.oneOf(["wrong", "notice"]);
      expect(title, kind).to.be.a("string").that.is.not.empty;
      expect(count, kind).to.be.at.least(rows.length);
      for (const sum of Object.values(total)) expect(sum).to.be.a("number");
    }
    expect(kinds(AURORA)).to.deep.equal([
      "unknownRecordFolders",
      "misplacedFolders",
      "lastSync",
      "waitingFiles",
      "rejectedRows",
      "oldData",
      "storesInUtc",
      "noMargin",
      "uncountedOrders",
      "anonymousOrders",
      "aliasedEmails",
      "unclassifiedCampaigns",
      "unmatchedCampaigns",
      "hiddenSpend",
      "foreignCurrencies",
      "itemsWithoutCost",
      "noCredentials",
    ]);
  });

  it("reports for each integration what landed, how much, and how old it is", () => {
    const [store, outlet, social] = of(report, AURORA).integrations;
    expect(store).to.include({ integrationId: STOREA, name: "Store", connector: "storea", daysSinceLanded: 0 });
    expect(outlet?.schedule).to.equal("*/30 * * * *");
    expect(store?.lastResult).to.include({ outcome: "refused" });
    expect(store?.lastResult?.reason).to.match(/^orders\/cut\.json /);
    expect(found("lastSync").rows).to.have.lengthOf(1);
    expect(store?.records.find(({ record }) => record === "orders")).to.deep.equal({
      record: "orders",
      lastLandedAt: NOW,
      newestDay: "2025-03-31",
      daysSinceNewest: 1,
      files: 1,
      rows: ORDERS.length,
      rejected: 1,
      waiting: ["cut.json"],
    });
    expect(store?.records.find(({ record }) => record === "products")).to.include({ lastLandedAt: null, rows: 0 });
    expect(social?.records.find(({ record }) => record === "campaigns")).to.include({ rows: 2, daysSinceNewest: 31 });
    expect(found("oldData").rows).to.deep.equal([
      { integration: "Social", record: "campaigns", newestDay: "2025-03-01", days: 31 },
    ]);
    expect(text).to.match(/^ {2}Store \(storea\) +orders +2025-04-01 12:00 +2025-03-31 +1 +1 +\d+ +1 +1$/m);
  });

  it("reports what did not land: rows, files, folders", () => {
    expect(picked("rejectedRows", "record", "rows", "reason", "list")).to.deep.equal([
      ["orders", 1, found("rejectedRows").rows[0]?.reason, `rejects/${AURORA}/${STOREA}/orders/a.json.jsonl`],
    ]);
    expect(found("rejectedRows").rows[0]?.reason).to.match(/^value: a value is not an amount/);
    expect(picked("waitingFiles", "record", "files", "first")).to.deep.equal([["orders", 1, "cut.json"]]);
    expect(picked("unknownRecordFolders", "folder")).to.deep.equal([[path.join("exports", AURORA, STOREA, "order")]]);
    expect(picked("misplacedFolders", "folder")).to.deep.equal([[path.join("exports", AURORA, "gone")]]);
    const levels = ["rejectedRows", "waitingFiles", "unknownRecordFolders", "misplacedFolders"].map(
      (kind) => found(kind).level,
    );
    expect(levels).to.deep.equal(["wrong", "notice", "wrong", "wrong"]);
  });

  it("reports which orders do not count, and why", () => {
    expect(found("uncountedOrders").total).to.deep.equal({ orders: 5, revenue: 630 });
    expect(picked("uncountedOrders", "integration", "reason", "status", "revenue")).to.deep.equal([
      ["Outlet", "test", "paid", 500],
      ["Store", "incomplete", null, 50],
      ["Store", "unpaid", "payment-pending", 40],
      ["Store", "replaced", "replaced", 30],
      ["Store", "cancelled", "canceled", 10],
    ]);
  });

  it("reports which e-mails are aliases, and prints no e-mail whole", () => {
    expect(picked("aliasedEmails", "alias", "orders", "anonymous", "revenue")).to.deep.equal([
      ["no address", 1, 1, 110],
      ["*@marketplace.amazon.*", 1, 1, 100],
      ["sem-email@*", 1, 1, 90],
      ["*@ct.vtex.com.br", 1, 0, 80],
    ]);
    for (const shown of [text, JSON.stringify(report)]) {
      expect(shown).to.not.match(/[\w.]+@[\w-]+\.\w/);
      for (const part of ["maria", "a1b2c3", "loja.com", "joana", "joão", "teste"]) expect(shown).to.not.include(part);
      expect(shown, "in a vendor's text").to.include("indicado por …@…");
    }
  });

  it("reports campaigns that match no rule, and utm_campaigns that match no campaign, by revenue", () => {
    expect(picked("unclassifiedCampaigns", "campaignName", "orders", "spend")).to.deep.equal([["Avulsa", 0, 7]]);
    const { count, total, rows } = found("unmatchedCampaigns");
    expect([count, total]).to.deep.equal([8, { revenue: 1721 }]);
    expect(rows.map(({ revenue }) => revenue)).to.deep.equal([300, 206, 205, 204, 203]);
    expect(text).to.include("… and 3 more (BRL 603.00): lucra sql doctor/unmatched_campaigns");
  });

  it("reports ad accounts that hide the spend of stores, until each names one store [D86]", async () => {
    expect(found("hiddenSpend")).to.deep.include({
      level: "notice",
      rows: [{ integrationId: SOCIALADS, name: "Social", connector: "socialads", stores: "Store, Outlet", spend: 12 }],
      total: { spend: 12 },
    });
    expect(kinds(SOUND)).to.not.include("hiddenSpend");
    const copy = await DataFolder.copyOf(data);
    try {
      const settings = JSON.parse(await copy.text(`organizations/${AURORA}.json`));
      settings.integrations[2].stores = [STOREB];
      await copy.settings(settings);
      await copy.sync();
      expect(kinds(AURORA, await at(NOW, AURORA, copy))).to.not.include("hiddenSpend");
    } finally {
      await copy.remove();
    }
  });

  it("reports orders in a foreign currency in that currency, and items without a cost", () => {
    expect(picked("foreignCurrencies", "currency", "orders", "revenue")).to.deep.equal([["USD", 1, 60]]);
    expect(text).to.match(/^! orders in a foreign currency, summed as if they were not: 1 order, USD 60\.00$/m);
    expect(text).to.match(/^ +Store +USD +1 +USD 60\.00$/m);
    expect(picked("itemsWithoutCost", "name", "revenue")).to.deep.equal([["Produto costless", 400]]);
    expect(text).to.match(/^! products sold without a cost: 1, BRL 400\.00$/m);
  });

  it("reports stores with orders that no time zone dates", () => {
    expect(found("storesInUtc")).to.deep.include({
      level: "notice",
      rows: [
        { integration: "Store", connector: "storea" },
        { integration: "Outlet", connector: "storeb" },
      ],
    });
    expect(kinds(SOUND)).to.not.include("storesInUtc");
  });

  it("reports that no margin is set while there are orders, but not for a margin of 100 % [D16]", () => {
    expect(found("noMargin")).to.include({ level: "notice", count: 0 });
    expect(text).to.match(/^! no "margin" in the settings: contribution, profit, LTV and ROI/m);
    expect(kinds(SOUND)).to.not.include("noMargin");
  });

  it("reports campaigns that landed with their id and by name, whose spend counts twice", async () => {
    const copy = await DataFolder.copyOf(data);
    try {
      const settings = JSON.parse(await copy.text(`organizations/${AURORA}.json`));
      settings.integrations[2].campaignsByName = true;
      await copy.settings(settings);
      const heading = "Nome da campanha;Dia;Impressões;Cliques (todos);Valor usado (BRL)";
      const rows = ["Conheça;2025-03-01;1;1;5,00", "Conheça;2025-03-02;1;1;9,00", "Outra;2025-03-01;1;1;3,00"];
      const csv = `${[heading, ...rows].join("\n")}\n`;
      await copy.write(`${exportsOf(SOCIALADS, "campaigns")}/download.csv`, csv, new Date(NOW));
      await copy.sync();
      expect(found("campaignsTwice", AURORA, await at(NOW, AURORA, copy))).to.deep.include({
        level: "wrong",
        rows: [{ campaignId: "name:Conheça", campaignName: "Conheça", connector: "socialads", days: 1, spend: 5 }],
      });
      expect(kinds(AURORA)).to.not.include("campaignsTwice");
    } finally {
      await copy.remove();
    }
  });

  it("shows an organization without credentials how to create some", () => {
    expect(found("noCredentials").title).to.include(AURORA);
    expect(kinds(SOUND)).to.not.include("noCredentials");
  });

  it("reports credentials that were created in the future, as does the list of keys", async () => {
    const copy = await DataFolder.copyOf(data);
    try {
      const { client_id } = await new Credentials(copy.path).create({ organizations: [SOUND], name: "" });
      const kept = JSON.parse(await copy.text("credentials.json"));
      const created = "2999-01-01T00:00:00.000Z";
      await copy.write(
        "credentials.json",
        JSON.stringify({
          clients: kept.clients.map((one: { client_id: string }) =>
            one.client_id === client_id ? { ...one, createdAt: created } : one,
          ),
        }),
      );
      const rows = [{ client: client_id, created }];
      expect(found("futureCredentials", SOUND, await at(NOW, SOUND, copy))).to.deep.include({ level: "notice", rows });
      expect(kinds(SOUND)).to.not.include("futureCredentials");
      const { stderr, status } = await copy.lucra(["keys", "list"]);
      expect(stderr).to.match(new RegExp(`^lucra: ${client_id}: created ${created}, in the future: `, "m"));
      expect(status).to.equal(0);
    } finally {
      await copy.remove();
    }
  });

  it("calls an integration stale and waiting files wrong after a day, and silence wrong after a week", async () => {
    const soon = await at("2025-04-02T12:00:01.000Z");
    expect(found("staleIntegrations", SOUND, soon)).to.deep.include({
      level: "notice",
      rows: [{ integration: "Store", connector: "storea", lastLandedAt: NOW, days: 1 }],
    });
    expect(kinds(SOUND, soon)).to.deep.equal(["staleIntegrations"]);
    expect(found("waitingFiles", AURORA, soon).level).to.equal("wrong");
    const later = await at("2025-04-08T12:00:01.000Z", SOUND);
    expect(later.wrong).to.equal(1);
    expect(page(later)).to.match(/^✗ nothing landed for more than 7 days\n +integration .*\n +Store +storea .* 7$/m);
  });

  it("counts rejected rows that their list only counts", async () => {
    const copy = await DataFolder.copyOf(data);
    const last = {
      file: "a.json",
      position: null,
      reason: "many more",
      row: null,
      unlisted: { rows: 41, reasons: {} },
    };
    const lines = [{ file: "a.json", position: 1, reason: "bad", row: {} }, last].map((line) => JSON.stringify(line));
    await copy.write(`rejects/${AURORA}/${STOREA}/orders/a.json.jsonl`, `${lines.join("\n")}\n`);
    const rejected = of(await at(NOW, undefined, copy), AURORA).findings.find(({ kind }) => kind === "rejectedRows");
    expect(rejected?.rows.map(({ rows }) => rows)).to.deep.equal([41, 1]);
    await copy.remove();
  });

  it("treats a file that was only touched as landed, and removed rejects as resolved", async () => {
    const copy = await DataFolder.copyOf(data);
    await copy.write(`${exportsOf(SOUND_STORE, "orders", SOUND)}/a.json`, JSON.stringify([order("fine", 1)]));
    await copy.write(`rejects/${AURORA}/${STOREA}/orders/a.json.jsonl`, "");
    const again = await at(NOW, undefined, copy);
    expect(of(again, SOUND).findings).to.deep.equal([]);
    expect(kinds(AURORA, again)).to.not.include("rejectedRows");
    await copy.remove();
  });

  it("reports settings that were refused, what is not derived, and what was derived from other settings", async () => {
    const copy = await DataFolder.empty();
    const settings = { organizationId: SOUND, name: "Sound" };
    await copy.settings(settings);
    const fresh = await at(NOW, undefined, copy);
    expect(fresh.wrong, "no exports yet").to.equal(0);
    expect(page(fresh)).to.match(/^! nothing is derived yet: run sync$/m);
    await copy.sync();
    await copy.settings({ ...settings, name: "Renamed" });
    await copy.write("organizations/loja.json", "{}");
    await copy.write(`exports/${AURORA}/x/orders/a.json`, "[]");
    const all = page(await at(NOW, undefined, copy));
    expect(all)
      .to.match(/^✗ settings refused: organizations\/loja\.json: /m)
      .and.match(/^✗ not read: exports\//m)
      .and.match(/^✗ the derived files are not of the present data, settings or version: run sync$/m);
    const one = await at(NOW, SOUND, copy);
    expect([one.findings, kinds(SOUND, one)]).to.deep.equal([[], ["outdated", "noCredentials"]]);
    await copy.remove();
  });

  it("reports exports from which nothing is derived", async () => {
    const copy = await DataFolder.empty();
    await copy.settings({
      organizationId: SOUND,
      name: "Sound",
      integrations: [{ id: SOUND_STORE, connector: "storea" }],
    });
    await copy.write(`${exportsOf(SOUND_STORE, "orders", SOUND)}/a.json`, "[]", new Date(NOW));
    const waiting = await at(NOW, SOUND, copy);
    expect(found("underived", SOUND, waiting).level).to.equal("wrong");
    expect(kinds(SOUND, waiting)).to.include.members(["waitingFiles", "emptyIntegrations"]);
    await copy.sync();
    expect(kinds(SOUND, await at(NOW, SOUND, copy))).to.deep.equal(["noCredentials"]);
    await copy.remove();
  });

  it("reports an organization whose files are damaged, and all others as usual", async () => {
    const copy = await DataFolder.copyOf(data);
    const { folder = "" } = (await currentGeneration(foldersOf(copy.path, AURORA))) ?? {};
    await rm(path.join(folder, "orders.parquet"));
    const doctor = await at(NOW, undefined, copy);
    expect(kinds(AURORA, doctor)).to.deep.equal(["unreadable"]);
    expect(found("unreadable", AURORA, doctor).level).to.equal("wrong");
    expect(of(doctor, SOUND)).to.deep.equal(of(report, SOUND));
    await copy.remove();
  });

  describe("reports what weakens figures", () => {
    const WEAK = "55555555-5555-4555-8555-555555555555";
    const STORE = "66666666-6666-4666-8666-666666666666";
    let weak: DataFolder;
    let doctor: Report;
    const rows = (kind: string): Finding["rows"] => found(kind, WEAK, doctor).rows;

    before(async () => {
      weak = await DataFolder.empty();
      await weak.settings({
        organizationId: WEAK,
        name: "Weak",
        currency: "BRL",
        integrations: [{ id: STORE, connector: "storea", name: "Store" }],
      });
      const put = (name: string, content: string): Promise<string> =>
        weak.write(`exports/${WEAK}/${STORE}/${name}`, content, new Date(NOW));
      const nobodys = { clientProfileData: null };
      await put(
        "orders/orders.json",
        JSON.stringify([
          order("hers", 300),
          order("gone", 60, { status: "Separado", ...paidBy("Appmax") }),
          order("nobodys", 40, { ...nobodys, ...paidBy("Pix") }),
          order("nobodys-too", 20, { clientProfileData: { email: "no-reply@example.com" }, items: [] }),
          // Amounts below a cent, and a negative one, contradict nothing.
          order("mills", 0, { ...nobodys, value: 0.4, creationDate: "2025-03-30T12:00:00.000Z" }),
          order("more-mills", 0, { value: 0.3, creationDate: "2025-03-29T12:00:00.000Z" }),
          order("credit", 0, { value: -500, creationDate: "2025-03-28T12:00:00.000Z", marketingData: null }),
        ]),
      );
      await put("orders/by-hand.csv", `order_id,creation_date,value,cor\nx1,${AT},10,azul\n`);
      await put(
        "orders/lines.ndjson",
        `${JSON.stringify({ order_id: "x2", creation_date: AT, value: 1, cor: "b", obs: "" })}\n`,
      );
      await put(
        "categories/tree.json",
        JSON.stringify([
          { Id: 9, Name: "Nove", FatherCategoryId: 8 },
          { Id: 8, Name: "Oito", FatherCategoryId: 9 },
          { Id: 7, Name: "Sete", FatherCategoryId: 9 },
          { Id: 1, Name: "Um", FatherCategoryId: null },
        ]),
      );
      await weak.sync();
      doctor = await at(NOW, WEAK, weak);
    });

    after(() => weak?.remove());

    it("orders without a customer, with their share of the revenue", () => {
      // 40 + 20 + 0.004 of 300 + 60 + 40 + 20 + 0.004 + 0.003 - 5.
      expect(rows("anonymousOrders")).to.deep.equal([
        { integration: "Store", integrationId: STORE, orders: 3, revenue: 60, percentOfRevenue: 14.46 },
      ]);
    });

    it("orders without lines, with their share of the revenue", () => {
      // 20 of 300 + 60 + 40 + 20 + 0.004 + 0.003.
      expect(rows("ordersWithoutLines")).to.deep.equal([
        { integration: "Store", integrationId: STORE, orders: 1, revenue: 20, percentOfRevenue: 4.76 },
      ]);
    });

    it("statuses that no rule knows, and which of them count", () => {
      expect(rows("unknownStatuses")).to.deep.equal([
        { integration: "Store", integrationId: STORE, status: "Separado", orders: 1, counted: 1, revenue: 60 },
      ]);
    });

    it("names of payments that nothing knows, but not those that a table or the settings know [D88]", async () => {
      expect(rows("unknownPayments")).to.deep.equal([
        { integration: "Store", integrationId: STORE, payment: "Appmax", orders: 1, counted: 1, revenue: 60 },
      ]);
      const copy = await DataFolder.copyOf(weak);
      try {
        const settings = JSON.parse(await copy.text(`organizations/${WEAK}.json`));
        await copy.settings({ ...settings, payments: [{ name: "app*", group: "credit_card" }] });
        await copy.sync();
        expect(kinds(WEAK, await at(NOW, WEAK, copy))).to.not.include("unknownPayments");
      } finally {
        await copy.remove();
      }
    });

    it("columns of which nothing lands", () => {
      expect(rows("unknownColumns")).to.deep.equal([
        { integration: "Store", record: "orders", column: "cor", files: 2, first: "by-hand.csv" },
        { integration: "Store", record: "orders", column: "obs", files: 1, first: "lines.ndjson" },
      ]);
    });

    it("categories that are each other's parents, with the root", () => {
      expect(rows("categoryLoops")).to.deep.equal([
        { integration: "Store", integrationId: STORE, root: "8", categories: "8, 9" },
      ]);
    });

    it("and does not call amounts below a cent, or negative ones, a contradiction", () => {
      expect(kinds(WEAK, doctor)).to.not.include("integrity");
    });
  });

  it("reports figures that contradict each other", async () => {
    const copy = await DataFolder.copyOf(data);
    const { folder = "" } = (await currentGeneration(foldersOf(copy.path, SOUND))) ?? {};
    const database = await Database.open();
    const [customers, falsified] = [path.join(folder, "customers.parquet"), path.join(folder, ".customers")];
    await database.use((session) =>
      session.run(
        `copy (select * replace (revenue + 1 as revenue) from read_parquet(${literal(customers)}))
          to ${literal(falsified)} (format parquet)`,
      ),
    );
    database.close();
    await rename(falsified, customers);
    const doctor = await at(NOW, SOUND, copy);
    expect(doctor.wrong).to.equal(1);
    expect(page(doctor))
      .to.match(/^✗ figures that contradict each other/m)
      .and.match(/^ +customers-hold-their-orders +1 /m);
    await copy.remove();
  });
});
