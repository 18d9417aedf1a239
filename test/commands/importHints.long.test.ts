import { expect } from "chai";
import { command } from "../support/command.ts";
import { AURORA } from "../support/data.ts";
import { Imports } from "../support/imports.ts";

const SHOPIFY =
  "Name,Email,Financial Status,Currency,Subtotal,Shipping,Taxes,Total,Created at,Lineitem quantity,Lineitem name,Lineitem price,Id";
const SHOPIFY_ROW = "#1,a@x.com,paid,BRL,10.00,0,0,10.00,2025-05-01 10:00:00 -0300,1,Hat,10.00,1";

describe("What import says of a file that may be meant otherwise", function () {
  this.timeout(120_000);
  const imports = new Imports({
    organizationId: AURORA,
    name: "T",
    currency: "BRL",
    integrations: [
      { id: "a1d7c0de-0b5e-4f3a-8c11-2e9f4a6b7d01", connector: "storea", name: "Principal", timezone: "Etc/GMT-3" },
      { id: "b2e8d1ef-1c6f-4a4b-9d22-3fa05b7c8e02", connector: "storeb", name: "Loja", timezone: "Etc/GMT+3" },
    ],
  });

  it("names the heading that a download lacks, also where columns are mapped", async () => {
    for (const heading of ["Name", "Lineitem quantity", "Lineitem name", "Lineitem price"]) {
      const renamed = SHOPIFY.split(",").map((one) => (one === heading ? "Numero" : one));
      const file = await imports.given("orders.csv", `${renamed.join(",")}\n${SHOPIFY_ROW}\n`);
      const reason =
        `has 12 headings of a Shopify orders CSV, but no column "${heading}": download it again, with its headings unchanged; ` +
        "it has Numero, which such a file does not have";
      for (const options of [[], ["--map", "name=Numero"]])
        expect(await imports.refusal(file, "--dry-run", ...options)).to.equal(reason);
    }
  });

  it("takes a table with some headings of a download for a table", async () => {
    const file = await imports.given(
      "t.csv",
      "Id,Name,Email,Currency,Total,Created at\n1,#1,a@x.com,BRL,10,2025-01-01\n",
    );
    const [report] = await imports.reports(file, "--dry-run");
    expect(report).to.include({ state: "ready", record: "storeb/orders" });
  });

  it("names another account that the file fits, columns without values, and what a zone means", async () => {
    const heading = "Pedido,Data,E-mail,Total,Situação,Cupom,authorized_date";
    const file = await imports.given("t.csv", `${heading}\n1,2025-05-01,a@x.com,10.00,pago,,2025-05-01\n`);
    const [report] = await imports.reports(file, "--dry-run");
    expect(report).to.include({ record: "storea/orders", state: "ready" });
    expect(report?.columns).to.deep.include({ empty: ["coupon_code"] });
    expect(report?.notes).to.deep.equal([
      "also fits T / Loja (shopify): --integration Loja takes it as an export of that account",
      "orders are dated in Etc/GMT-3: this is UTC+03:00, because the signs of these names are inverted; if UTC-03:00 is meant, it is " +
        "Etc/GMT+3, or better the zone of a city, such as America/Sao_Paulo",
    ]);
    const other = await imports.reports(file, "--dry-run", "--integration", "Loja");
    expect(other[0]?.notes).to.equal(undefined);
    const { stdout } = await command(imports.data, "import", file, "--dry-run");
    expect(stdout).to.match(/^ {2}empty {5}coupon_code ← Cupom$/m);
  });

  it("says what an inverted zone means when settings name it", async () => {
    const { status, stderr } = await command(imports.data, "organizations", "check");
    expect(status).to.equal(0);
    expect(stderr).to.match(/^lucra: timezone Etc\/GMT-3: this is UTC\+03:00, /m);
    expect(stderr).to.match(/^lucra: timezone Etc\/GMT\+3: this is UTC-03:00, /m);
    const added = await command(imports.data, "integrations", "add", "vtex:B", "--timezone", "Etc/GMT-10");
    expect([added.status, added.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 0 && /Etc\/GMT-10: this is UTC\+10:00/.test(text),
    );
    const plain = await command(imports.data, "integrations", "add", "vtex:C", "--timezone", "America/Sao_Paulo");
    expect(plain.stderr).to.equal("");
  });
});

describe("A report below campaigns", function () {
  this.timeout(120_000);
  const imports = new Imports({
    organizationId: AURORA,
    name: "T",
    currency: "BRL",
    integrations: [{ id: "c3f9e2d0-2d70-4b5c-8e33-40b16c8d9f03", connector: "searchads", name: "Ads" }],
  });
  const cells: Readonly<Record<string, string>> = {
    ad_group_id: "2",
    ad_group_criterion: "customers/1/adGroupCriteria/2~3",
    ad_id: "4",
    keyword_text: "hat",
    search_term: "red hat",
    country: "BR",
    device: "MOBILE",
  };
  const report = (...columns: readonly string[]): Promise<string> => {
    const heading = ["date,campaign_id,campaign_name,clicks,cost", ...columns].join(",");
    return imports.given(
      "t.csv",
      `${heading}\n${["2025-05-01,1,Brand,10,12.5", ...columns.map((one) => cells[one])]}\n`,
    );
  };

  it("is not taken for one of campaigns, whose other spend it lacks", async () => {
    const below = [
      ["ad_group_id", "keyword_text"],
      ["keyword_text"],
      ["search_term"],
      ["ad_group_id", "ad_id"],
      ["country"],
    ];
    for (const columns of below) {
      const file = await report(...columns);
      const reason = await imports.refusal(file, "--dry-run");
      expect(reason).to.match(new RegExp(`^breaks campaigns down by ${columns.join(", ")}: `));
      expect(reason.includes("searchads/keywords needs date, ad_group_criterion, cost")).to.equal(
        columns.includes("keyword_text"),
      );
      const [asked] = await imports.reports(file, "--dry-run", "--record", "searchads/campaigns");
      expect(asked).to.include({ state: "ready", record: "searchads/campaigns" });
    }
  });

  it("is none of keywords either if it breaks these down", async () => {
    const file = await report("ad_group_id", "ad_group_criterion", "keyword_text", "search_term");
    expect(await imports.refusal(file, "--dry-run")).to.match(/^breaks keywords down by search_term: .*their spend/);
  });

  it("is one of keywords with their names, and of campaigns by device", async () => {
    const [keywords] = await imports.reports(
      await report("ad_group_id", "ad_group_criterion", "keyword_text"),
      "--dry-run",
    );
    expect(keywords).to.include({ state: "ready", record: "searchads/keywords" });
    const [devices] = await imports.reports(await report("device"), "--dry-run");
    expect(devices).to.include({ state: "ready", record: "searchads/campaigns" });
  });
});
