import { readFileSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { titleOf } from "../../src/core/contract/record.ts";
import type { Organization } from "../../src/core/contract/settings.ts";
import { VENDORS } from "../../src/core/contract/vendor.ts";
import { examplePath } from "../../src/core/files/paths.ts";
import { exported } from "../../src/core/records/index.ts";
import { command } from "../support/command.ts";
import { oneLine } from "../support/commandLine.ts";
import { AURORA, exportsOf, OTHER_STOREA, SOCIALADS, STOREA, STOREB, storeaOrders } from "../support/data.ts";
import { ALL_CONNECTORS, Imports } from "../support/imports.ts";
import { asked } from "../support/service.ts";
import { workbook } from "../support/workbook.ts";

const SHOP: Organization = {
  organizationId: AURORA,
  name: "Shop",
  integrations: [{ id: STOREA, connector: "storea", name: "Loja" }],
};
const SHEET = [
  "Pedido;Data;Situação;Valor total;Obs",
  "1;2025-02-03;Pago;10.50;x",
  "2;2025-02-04;Cancelado;20.00;",
].join("\n");

describe("`lucra import`", () => {
  const imports = new Imports(SHOP);
  const orders = exportsOf(STOREA, "orders");

  for (const format of ["csv", "json"] as const) {
    it(`recognizes the example of every record among those of all connectors: ${format}`, async function () {
      this.timeout(300_000);
      await imports.data.settings({ ...SHOP, integrations: ALL_CONNECTORS });
      const wanted = exported.map((record) => [examplePath(record, format), titleOf(record)] as const);
      const reports = await imports.reports(...wanted.map(([file]) => file), "--dry-run");
      expect(imports.seen.status, imports.seen.stderr).to.equal(0);
      expect(reports.map(({ file, record }) => [file, record])).to.deep.equal(wanted);
      expect(reports.filter(({ state }) => state !== "ready")).to.deep.equal([]);
    });
  }

  it("recognizes a large file by its beginning, and counts all its rows", async function () {
    this.timeout(300_000);
    await imports.data.settings({ ...SHOP, integrations: ALL_CONNECTORS });
    const rows = storeaOrders(800, 7);
    const whole = JSON.stringify(rows);
    const table = [
      "order_id,creation_date,value,note",
      ...rows.map((_, n) => `t${n},2025-02-03,1,"${"x\n".repeat(300)}"`),
    ];
    const folder = await imports.folder({
      "list.json": whole,
      "page.json": JSON.stringify({ list: rows, paging: { total: 800 } }),
      "lines.ndjson": rows.map((row) => JSON.stringify(row)).join("\n"),
      "packed.json.gz": gzipSync(whole),
      "table.csv": table.join("\n"),
    });
    const files = (await readdir(folder)).map((name) => path.join(folder, name));
    const store = ALL_CONNECTORS.find(({ connector }) => connector === "storea")?.id as string;
    const reports = await imports.reports(...files, "--integration", store, "--dry-run");
    expect(reports.map(({ record, preview }) => [record, (preview as { rows: number }).rows])).to.deep.equal(
      Array.from({ length: 5 }, () => ["storea/orders", 800]),
    );
  });

  it("recognizes downloads below a title, as a workbook and in UTF-16, and refuses them with their own reason", async () => {
    await imports.data.settings({ ...SHOP, currency: "BRL", integrations: ALL_CONNECTORS });
    const title = [["Campaign report"], ["January 8, 2025 - January 9, 2025"]];
    const google = [...title, ["Day", "Campaign", "Campaign ID", "Cost"], ["2025-01-08", "A", "1", "1,000.50"]];
    const heads = ["Day", "Campaign name", "Campaign ID", "Amount spent (BRL)"];
    const meta = Array.from({ length: 9000 }, (_, n) => `2025-01-08,Campaign ${n},12033000${n},1.50`);
    const files = {
      "google.csv": Buffer.from(`\ufeff${google.map((row) => row.join("\t")).join("\n")}`, "utf16le"),
      "meta.xlsx": workbook({ "Raw Data Report": [["Title"], ["", ...heads], ["", "2025-01-08", "A", "1", 5]] }),
      // Only the whole file adds up.
      "large.csv": [heads.join(","), ",,,13500.00", ...meta].join("\n"),
      "currency.csv": "Day,Campaign name,Campaign ID,Amount spent (USD)\n2025-01-08,A,1,5\n",
      "deals.csv": "Record ID,Deal Name\n1,A\n",
      "page.csv": "%PDF-1.4\n",
    };
    const paths = await Promise.all(Object.entries(files).map(([name, content]) => imports.given(name, content)));
    const reports = await imports.reports(...paths, "--dry-run");
    expect(
      reports.map(({ record, preview, reason }) => [
        record,
        (preview as { amount?: unknown } | undefined)?.amount ?? reason,
      ]),
    ).to.deep.equal([
      ["searchads/campaigns", { field: "cost", sum: "1000.500000" }],
      ["socialads/campaigns", { field: "spend", sum: "5.000000" }],
      ["socialads/campaigns", { field: "spend", sum: "13500.000000" }],
      [undefined, "has amounts in USD, and the organization's currency is BRL"],
      [undefined, "is a HubSpot deals export: deals are not read, only contacts, products and pipelines"],
      [undefined, "is a PDF document: export the data as CSV"],
    ]);
  });

  it("shows what would land, and changes nothing with --dry-run", async () => {
    const file = await imports.given(
      "orders.csv",
      readFileSync(examplePath({ connector: "storea", name: "orders" }, "csv")),
    );
    const { status, stdout } = await command(imports.data, "import", file, "--dry-run");
    expect(status).to.equal(0);
    expect(stdout).to.match(/^ {2}record {4}storea\/orders, VTEX$/m);
    expect(stdout).to.match(/^ {2}account {3}Shop \/ Loja \(vtex\)$/m);
    expect(stdout).to.match(/^ {2}rows {6}2$/m);
    expect(stdout).to.match(/^ {2}days {6}2025-02-03 to 2025-02-04$/m);
    expect(stdout).to.match(/^ {2}sum {7}value 278\.90$/m);
    expect(stdout).to.match(/^ {2}orders {4}1 of 2 count; not counted: 1 cancelled$/m);
    expect(stdout).to.match(/nothing was changed/);
    expect(await imports.data.files("exports")).to.deep.equal([]);
    expect(JSON.parse(await imports.data.text(`organizations/${AURORA}.json`))).to.deep.equal(SHOP);
  });

  it("puts a file into its folder once, unchanged, and never over another one", async () => {
    const modified = new Date("2025-02-10T00:00:00Z");
    const csv = (value: number): string => `order_id,creation_date,value\n1,2025-02-03,${value}\n`;
    const file = await imports.data.write("given/.orders.csv", csv(1), modified);
    const [first] = await imports.reports(file);
    expect(first).to.include({ state: "imported", place: `${orders}/orders.csv` });
    expect(await imports.data.text(`${orders}/orders.csv`)).to.equal(csv(1));
    const found = await stat(path.join(imports.data.path, orders, "orders.csv"));
    expect([found.mtime.toISOString(), found.mode & 0o777]).to.deep.equal([modified.toISOString(), 0o600]);
    const [again] = await imports.reports(file);
    expect(again?.state).to.equal("known");
    expect(again?.reason).to.equal("the same content is in the folder already, as orders.csv: lucra sync lands it");
    await imports.data.sync();
    const [landed] = await imports.reports(await imports.given("copy.csv", csv(1)));
    expect(landed?.reason).to.equal("the same content has landed already, as orders.csv");
    const [other] = await imports.reports(await imports.given("orders.csv", csv(2)));
    expect(other?.place).to.match(/\/orders-[0-9a-f]{8}\.csv$/);
    expect(await readdir(path.join(imports.data.path, orders))).to.have.lengthOf(2);
    expect(await imports.data.text(`${orders}/orders.csv`)).to.equal(csv(1));
  });

  it("maps the columns of a foreign table, and remembers them for later files", async () => {
    const file = await imports.given("pedidos.csv", SHEET);
    const [dry] = await imports.reports(file, "--dry-run");
    expect(dry).to.deep.include({ orders: { counted: 0, uncounted: { cancelled: 1, unpaid: 1 } } });
    const [report] = await imports.reports(file, "--map", "authorized_date=Data");
    const mapped = {
      order_id: "Pedido",
      creation_date: "Data",
      authorized_date: "Data",
      status: "Situação",
      value: "Valor total",
    };
    expect(report?.mapped).to.deep.equal(mapped);
    expect(report?.columns).to.deep.include({ unused: ["Obs"] });
    expect(report?.orders).to.deep.equal({ counted: 1, uncounted: { cancelled: 1 } });
    const settings = JSON.parse(await imports.data.text(`organizations/${AURORA}.json`));
    expect(settings).to.deep.equal({
      ...SHOP,
      integrations: [{ ...SHOP.integrations?.[0], columns: { orders: mapped } }],
    });
    // A file that comes without the command, with the same headings in another order.
    await imports.data.write(`${orders}/later.csv`, "Valor total;Pedido;Data;Situação\n30;3;2025-02-05;Faturado\n");
    const { outcomes } = await imports.data.sync();
    expect(outcomes[0]).to.include({ files: 2, landed: 3, rejected: 0 });
    expect(await asked(imports.data, "/v1/profitability/cards")).to.deep.include({ revenue: 40.5, orders: 2 });
  });

  it("lands the same file again with another mapping, and says how to take back the first one", async () => {
    const file = await imports.given("pedidos.csv", "Pedido;Data;Bruto;Pago em;Total\n1;2025-02-03;10;2025-02-03;8\n");
    await imports.reports(file, "--map", "authorized_date=Pago em", "--map", "status=Pedido");
    const [waiting] = await imports.reports(file, "--map", "value=Bruto");
    expect(waiting).to.deep.include({ state: "imported", place: `${orders}/pedidos.csv` });
    expect(await readdir(path.join(imports.data.path, orders))).to.deep.equal(["pedidos.csv"]);
    await imports.data.sync();
    expect(await asked(imports.data, "/v1/profitability/cards")).to.deep.include({ revenue: 10, orders: 1 });
    const [again] = await imports.reports(file, "--map", "value=Total");
    expect(again?.place).to.match(/\/pedidos-[0-9a-f]{8}\.csv$/);
    expect(JSON.stringify(again?.notes)).to.include("lucra landings revoke 1`");
    await imports.data.sync();
    expect(await asked(imports.data, "/v1/profitability/cards")).to.deep.include({ revenue: 8, orders: 1 });
    await rm(path.join(imports.data.path, orders, "pedidos.csv"));
    const [third] = await imports.reports(file, "--map", "value=Total", "--map", "coupon_code=Bruto");
    expect(third?.place).to.match(/\/pedidos-[0-9a-f]{8}-2\.csv$/);
    const { outcomes } = await imports.data.sync();
    expect(outcomes[0]).to.include({ files: 1, landed: 1 });
  });

  it("adds a heading to a column that has one", async () => {
    await imports.reports(await imports.given("a.csv", SHEET));
    await imports.reports(
      await imports.given("b.csv", "Pedido,Data,Montante\n4,2025-02-06,7\n"),
      "--map",
      "value=Montante",
    );
    const [integration] = JSON.parse(await imports.data.text(`organizations/${AURORA}.json`)).integrations;
    expect(integration.columns.orders.value).to.deep.equal(["Montante", "Valor total"]);
    const { outcomes } = await imports.data.sync();
    expect(outcomes[0]).to.include({ files: 2, landed: 3, rejected: 0 });
  });

  it("reads a table of one's own as CSV, in Windows-1252 and as a workbook, by its Portuguese headings", async () => {
    await imports.data.settings({
      ...SHOP,
      integrations: [{ id: STOREB, connector: "storeb", name: "Loja", timezone: "America/Sao_Paulo" }],
    });
    const sheet = [
      ["Pedido", "Data", "Total", "Situação", "E-mail"],
      ["A-1", { days: 46326 }, 1244.7, "Pago", "ana@example.com"],
      ["A-2", { days: 46296 }, 158.91, "Cancelado", "bia@example.com"],
    ];
    const csv =
      "Pedido;Data;Total;Situação;E-mail\nA-1;31/10/2026;1.244,70;Pago;ana@example.com\nA-2;01/10/2026;158,91;Cancelado;bia@example.com\n";
    const files = [
      await imports.given("a.xlsx", workbook({ Pedidos: sheet })),
      await imports.given("b.csv", csv),
      await imports.given("c.csv", Buffer.from(csv, "latin1")),
    ];
    for (const report of await imports.reports(...files, "--dry-run")) {
      expect(report, String(report.file)).to.deep.include({
        state: "ready",
        record: "storeb/orders",
        mapped: {
          order_id: "Pedido",
          created_at: "Data",
          financial_status: "Situação",
          total_price: "Total",
          email: "E-mail",
        },
        orders: { counted: 1, uncounted: { unpaid: 1 } },
      });
      expect(report.preview).to.deep.include({ rows: 2, firstDay: "2026-10-01", lastDay: "2026-10-31" });
    }
    await imports.reports(files[0] as string);
    await imports.data.sync();
    const revenue = async (day: string): Promise<string> => {
      const { stdout } = await command(
        imports.data,
        "sql",
        "profitability/cards",
        "--start-date",
        day,
        "--end-date",
        day,
        "--format",
        "json",
      );
      return stdout;
    };
    expect(await revenue("2026-10-31")).to.match(/"revenue": ?1244.7\b/);
  });

  it("says which column makes orders count, and that days are those of UTC without a time zone", async () => {
    const file = await imports.given("pedidos.csv", SHEET);
    const { stdout } = await command(imports.data, "import", file, "--dry-run");
    expect(stdout).to.include("0 of 2 count; not counted: 1 cancelled, 1 unpaid (docs/exports.md says");
    const unpaid =
      "no order of it counts, because it has no column authorized_date or invoiced_date: map the one with the day of " +
      "payment, which is empty for unpaid orders (lucra import --map authorized_date=…)";
    expect(stdout).to.include(`  note      ${unpaid}\n`);
    expect(stdout).to.match(/^ {2}note {6}orders are dated in UTC: set "timezone" of the account/m);
    await imports.data.settings({
      ...SHOP,
      integrations: [{ id: STOREA, connector: "storea", name: "Loja", timezone: "America/Sao_Paulo" }],
    });
    const unknown = `${SHEET}\n3;2025-02-05;Enviado;1.00;`;
    const few = await command(imports.data, "import", await imports.given("few.csv", unknown), "--dry-run");
    expect(few.stdout).to.match(/2 unpaid \(docs\/exports\.md/);
    const mapped = await command(imports.data, "import", file, "--dry-run", "--map", "authorized_date=Data");
    expect(mapped.stdout).to.match(/^ {2}orders {4}1 of 2 count; not counted: 1 cancelled$/m);
    expect(mapped.stdout).to.not.include("in UTC");
    expect(mapped.stdout).to.not.match(/^ {2}note/m);
    await imports.data.write(`${orders}/dropped.csv`, "order_id,creation_date,value,status\n1,2025-02-03,10,Pago\n");
    const { outcomes } = await imports.data.sync();
    expect(outcomes[0]?.notes).to.deep.equal([{ file: "dropped.csv", note: unpaid }]);
    expect((await command(imports.data, "doctor")).stdout.replaceAll(/\s+/g, " ")).to.include(
      "no order of it counts, because",
    );
  });

  it("names statuses that no rule knows, of orders that do not count", async () => {
    await imports.data.settings({
      ...SHOP,
      integrations: [{ id: STOREB, connector: "storeb", name: "Loja", timezone: "America/Sao_Paulo" }],
    });
    const rows = ["Faturado", "Enviado", "Enviado", "Pago", "Pendente"].map(
      (status, n) => `${n};2025-02-03;10;${status}`,
    );
    const file = await imports.given("pedidos.csv", ["Pedido;Data;Total;Situação", ...rows].join("\n"));
    const { stdout } = await command(imports.data, "import", file, "--dry-run");
    expect(stdout).to.include(
      "1 of 5 count; not counted: 4 unpaid; no rule knows the statuses Enviado (2), Faturado (1)",
    );
  });

  it("shows the days of orders in the store's time zone", async () => {
    await imports.data.settings({
      ...SHOP,
      integrations: [{ id: STOREA, connector: "storea", name: "Loja", timezone: "America/Sao_Paulo" }],
    });
    const file = await imports.given(
      "late.csv",
      "order_id,creation_date,authorized_date,value,status\n1,2025-02-04T01:00:00Z,2025-02-04T01:00:00Z,10,invoiced\n",
    );
    const [report] = await imports.reports(file);
    expect(report?.preview).to.deep.include({ firstDay: "2025-02-03", lastDay: "2025-02-03" });
    await imports.data.sync();
    const { stdout } = await command(imports.data, "doctor", "--json");
    const [{ integrations }] = JSON.parse(stdout).organizations;
    expect(integrations[0].records[0]).to.include({ record: "orders", newestDay: "2025-02-03" });
    expect((await command(imports.data, "doctor")).stdout).to.match(
      /^ {2}1 order counts, .* 2025-02-03 to 2025-02-03$/m,
    );
  });

  it("maps no columns of a download, which is read by its own headings", async () => {
    await imports.data.settings({
      ...SHOP,
      integrations: [{ id: SOCIALADS, connector: "socialads", name: "Meta" }],
    });
    const before = await imports.data.text(`organizations/${AURORA}.json`);
    const csv =
      "Encerramento dos relatórios;Nome da campanha;Identificação da campanha;Dia;Valor usado (BRL)\n2026-10-31;A;1;2026-10-01;1,50\n";
    const [report] = await imports.reports(await imports.given("meta.csv", csv));
    expect(report).to.deep.include({ state: "imported", tool: "download", mapped: {} });
    expect(await imports.data.text(`organizations/${AURORA}.json`)).to.equal(before);
  });

  it("takes no table for a record because of an id and a name, unless the operator names it", async () => {
    await imports.data.settings({ ...SHOP, integrations: [{ id: STOREA, connector: "crm", name: "CRM" }] });
    const ads = "id,name,ad_group_id,type,status,final_urls\n1,A,2,TEXT,ENABLED,x\n";
    const file = await imports.given("ad_history.csv", ads);
    expect(await imports.refusal(file)).to.match(
      /^is not recognized as an export of any record; its headings are id, name, /,
    );
    const [named] = await imports.reports(file, "--record", "products", "--dry-run");
    expect(named).to.include({ state: "ready", record: "crm/products" });
  });

  it("says what to do with a file of a vendor that has no account", async () => {
    const old = await imports.given("old.xls", Buffer.from("d0cf11e0a1b11ae1", "hex"));
    expect(await imports.refusal(old)).to.match(/^is an Excel workbook of the old format/);
    const csv = "Nome da campanha;Identificação da campanha;Dia;Valor usado (BRL)\nA;1;2026-10-01;1,50\n";
    expect(await imports.refusal(await imports.given("meta.csv", csv))).to.equal(
      "is a Meta Ads Manager export, which belongs into the folder of socialads/campaigns, of an account of meta " +
        "(lucra integrations add meta:NAME adds one)",
    );
  });

  it("refuses a table without a required column, and a mapping to something that is not there", async () => {
    const file = await imports.given("pedidos.csv", "Pedido,Data,Montante\n1,2025-02-03,5\n");
    expect(await imports.refusal(file)).to.equal(
      "looks like storea/orders and has no column for value: add --map value=… with one of its headings (Pedido, Data, Montante)",
    );
    expect(await imports.refusal(file, "--map", "value=Total")).to.equal(
      "--map value=Total: there is no such heading; there are Pedido, Data, Montante",
    );
    const json = examplePath({ connector: "storea", name: "orders" }, "json");
    expect(await imports.refusal(json, "--map", "value=x")).to.match(/^only the columns of a CSV file can be mapped/);
    const [bad, unknown] = await Promise.all([
      command(imports.data, "import", file, "--map", "value"),
      command(imports.data, "import", file, "--map", "price=Montante"),
    ]);
    expect([bad.status, unknown.status]).to.deep.equal([2, 2]);
    expect(oneLine(bad)).to.match(/^lucra: --map value: a column and its heading are expected/);
    expect(oneLine(unknown)).to.match(/^lucra: --map: no record has all of price/);
    expect(await imports.data.files("exports")).to.deep.equal([]);
  });

  it("lists the candidates of an ambiguous file or account, and takes the chosen one", async () => {
    await imports.data.settings({
      ...SHOP,
      integrations: [
        { id: STOREA, connector: "storea", name: "Loja" },
        { id: OTHER_STOREA, connector: "storea", name: "Atacado" },
        { id: STOREB, connector: "storeb", name: "Outlet" },
      ],
    });
    const file = await imports.given("pedidos.csv", SHEET);
    expect(await imports.refusal(file)).to.equal(
      "may be an export of storea/orders or storeb/orders: choose one with --record",
    );
    expect(await imports.refusal(file, "--record", "orders")).to.match(
      /^may be an export of storea\/orders or storeb\/orders/,
    );
    expect(await imports.refusal(file, "--record", "vtex/orders")).to.equal(
      "is an export of storea/orders: choose with --organization or --integration: Shop / Loja (vtex), Shop / Atacado (vtex)",
    );
    const [report] = await imports.reports(file, "--integration", "atacado", "--organization", "SHOP");
    expect(report).to.include({ state: "imported", integration: OTHER_STOREA, record: "storea/orders" });
    const unknown = await command(imports.data, "import", file, "--integration", "Varejo");
    expect(unknown.status).to.equal(1);
    expect(oneLine(unknown)).to.equal(
      `lucra: no integration Varejo; known are Shop / Loja (${VENDORS.storea.alias}), Shop / Atacado (vtex), Shop / Outlet (shopify)`,
    );
  });

  it("reports each file that it cannot read, and imports the others", async () => {
    const files = await Promise.all([
      imports.given("empty.csv", ""),
      imports.given("other.csv", "a,b\n1,2\n"),
      imports.given("damaged.json.gz", gzipSync("[{}]").subarray(0, 12)),
      imports.given("mixed.csv", "order_id,creation_date,value\n1,2025-02-03,5\n2,someday,5\n"),
    ]);
    const reports = await imports.reports(...files, path.join(imports.data.path, "nothing.csv"));
    expect(imports.seen.status).to.equal(1);
    expect(reports.map(({ state }) => state)).to.deep.equal(["refused", "refused", "refused", "imported", "refused"]);
    const [empty, other, damaged, mixed, nothing] = reports;
    expect(empty?.reason).to.equal("is empty");
    expect(other?.reason).to.match(/^is not recognized as an export of any record; its headings are a, b\./);
    expect(damaged?.reason).to.match(/gzip/);
    expect(mixed?.preview).to.deep.include({
      rows: 1,
      rejected: 1,
      reasons: { "creation_date: a value is not an instant (ISO 8601)": 1 },
    });
    expect(nothing?.reason).to.equal("there is no such file");
  });
});
