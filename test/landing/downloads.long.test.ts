import { expect } from "chai";
import fc from "fast-check";
import { drop, refusals } from "../support/drop.ts";
import { archive, workbook } from "../support/workbook.ts";

const csv = (rows: readonly (readonly (string | number)[])[], mark = ","): string =>
  rows
    .map((row) =>
      row.map((cell) => (/[",;\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : cell)).join(mark),
    )
    .join("\n")
    .concat("\n");

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, "utf16le");

describe("A Meta Ads Manager export", () => {
  const head = [
    "Reporting starts",
    "Reporting ends",
    "Campaign name",
    "Campaign ID",
    "Day",
    "Amount spent (BRL)",
    "Impressions",
    "Clicks (all)",
  ];
  const rows = [
    ["2025-01-01", "2025-01-31", "Total Wine", "120330000000000001", "2025-01-06", "1020.50", 5000, 50],
    ["2025-01-01", "2025-01-31", "", "", "", "1050.50", 8000, 50],
    ["2025-01-01", "2025-01-31", "B", "120330000000000002", "2025-01-07", "30", 3000, ""],
  ];

  it("lands by day, in CSV and as a workbook, without its total", async () => {
    const raw = [["Raw Data Report"], [], ["", ...head], ...rows.map((row) => ["", ...row])];
    const files = {
      "csv.csv": `\ufeff${csv([head, ...rows])}`,
      "xlsx.xlsx": workbook({ "Formatted Report": [["x"]], "Raw Data Report": raw }),
    };
    for (const [name, content] of Object.entries(files)) {
      const { rows, outcome, rejects } = await drop("socialads", "campaigns", { [name]: content });
      expect([outcome.refused, rejects]).to.deep.equal([[], []]);
      expect(
        rows.map((row) => [row.campaign_id, row.campaign_name, row.date_start, row.date_stop, row.spend, row.clicks]),
      ).to.deep.equal([
        ["120330000000000001", "Total Wine", "2025-01-06", "2025-01-06", "1020.500000", "50"],
        ["120330000000000002", "B", "2025-01-07", "2025-01-07", "30.000000", "0"],
      ]);
      expect(rows.map(({ inline_link_clicks }) => inline_link_clicks)).to.deep.equal([null, null]);
      expect(outcome.notes.map(({ note }) => note)).to.deep.equal([
        "no column of Link clicks, Purchase ROAS (return on ad spend): those figures are N/D",
      ]);
    }
  });

  it("lands ranges and breakdowns in Portuguese, with decimal commas", async () => {
    const { rows, outcome } = await drop("socialads", "campaigns", {
      "c.csv": csv(
        [
          [
            "Início dos relatórios",
            "Término dos relatórios",
            "Nome da campanha",
            "ID da campanha",
            "Idade",
            "Plataforma",
            "Valor usado (BRL)",
            "Objetivo",
          ],
          ["2025-01-01", "2025-01-31", "A", "1", "18-24", "Instagram", "1.234,56", "Vendas"],
          ["2025-01-01", "2025-01-31", "A", "1", "25-34", "Instagram", "0,44", "Vendas"],
        ],
        ";",
      ),
    });
    expect(outcome.refused).to.deep.equal([]);
    expect(rows.map((row) => [row.spend, row._segment, row.objective, row.date_stop])).to.deep.equal([
      ["1234.560000", '{"age":"18-24","publisher_platform":"instagram"}', "OUTCOME_SALES", "2025-01-31"],
      ["0.440000", '{"age":"25-34","publisher_platform":"instagram"}', "OUTCOME_SALES", "2025-01-31"],
    ]);
    expect(outcome.notes.map(({ note }) => note)).to.include(
      "no column of the day: the spend of each row counts evenly for the days of its range, so figures by day are estimates",
    );
  });

  it("is refused with a total that does not add up, another currency, or no ids", async () => {
    const other = rows.map((row) => [...row]);
    (other[1] as (string | number)[])[5] = "1050.51";
    const unnamed = [
      ["Início dos relatórios", "Nome da campanha", "Valor usado (BRL)"],
      ["2025-01-01", "A", "1,5"],
    ];
    const files = {
      "currency.csv": csv([head.map((name) => name.replace("BRL", "USD")), ...rows]),
      "ids.csv": csv(unnamed, ";"),
      "total.csv": csv([head, ...other]),
      "twice.csv": csv([
        [...head, "Creative"],
        [...(rows[0] as string[]), "x"],
        [...(rows[0] as string[]), "y"],
      ]),
    };
    const found = await drop("socialads", "campaigns", files);
    expect(found.rows).to.deep.equal([]);
    expect(refusals(found)).to.deep.equal([
      "currency.csv has amounts in USD, and the organization's currency is BRL",
      'ids.csv has no ids of campaigns: add the column "Identificação da campanha" or "ID da campanha" to the table before you export ' +
        'it, or set "campaignsByName" of its integration to true',
      'total.csv has a total of 1050.51 in "Amount spent (BRL)", but its rows add up to 1050.5: export it again, with all rows or ' +
        "without totals",
      "twice.csv has two rows of one campaign, days and breakdowns; they may differ in Creative, which are not read: export it without " +
        "that breakdown",
    ]);
    const named = await drop("socialads", "campaigns", { "ids.csv": csv(unnamed, ";") }, { campaignsByName: true });
    expect(named.rows.map(({ campaign_id, spend }) => [campaign_id, spend])).to.deep.equal([["name:A", "1.500000"]]);
  });

  it("adds up binary fractions of a workbook, and reads days that it keeps as numbers", async () => {
    const all = [
      ["2025-01-01", "2025-01-31", "A", "1", 45663, 10.1, 5, 1],
      ["2025-01-01", "2025-01-31", "A", "1", { days: 45664 }, 20.2, 5, 1],
      ["2025-01-01", "2025-01-31", null, null, null, 30.299999999999997, 10, 2],
    ];
    const { rows, outcome, rejects } = await drop("socialads", "campaigns", {
      "a.xlsx": workbook({ S: [head, ...all] }),
    });
    expect([outcome.refused, rejects]).to.deep.equal([[], []]);
    expect(rows.map(({ date_start, spend }) => [date_start, spend])).to.deep.equal([
      ["2025-01-06", "10.100000"],
      ["2025-01-07", "20.200000"],
    ]);
  });

  it("rejects a row without its day, which would count the days again, and refuses the currency of a column", async () => {
    const [day] = rows;
    const whole = (day as (string | number)[]).map((cell, at) => (at === 4 ? "" : cell));
    const found = await drop("socialads", "campaigns", { "a.csv": csv([head, day as string[], whole]) });
    expect(found.rows.map(({ spend }) => spend)).to.deep.equal(["1020.500000"]);
    expect(found.rejects.map(({ reason }) => reason)).to.deep.equal(["Day: missing"]);
    const heads = [...head.map((name) => name.replace(" (BRL)", "")), "Currency"];
    const usd = await drop("socialads", "campaigns", { "a.csv": csv([heads, [...(day as string[]), "USD"]]) });
    expect(refusals(usd)).to.deep.equal(["a.csv has amounts in USD, and the organization's currency is BRL"]);
  });

  it("in the folder of another record is refused with its own", async () => {
    expect(refusals(await drop("socialads", "platform", { "c.csv": csv([head, ...rows]) }))).to.deep.equal([
      "c.csv is a Meta Ads Manager export, which belongs into the folder of socialads/campaigns",
    ]);
  });
});

describe("A Google Ads report", () => {
  const head = [
    "Day",
    "Campaign",
    "Campaign ID",
    "Campaign status",
    "Campaign type",
    "Network",
    "Currency code",
    "Cost",
    "Impr.",
    "Conversions",
  ];
  const rows: string[][] = [
    [
      "2025-01-08",
      "Total Wine",
      "21100000001",
      "Enabled",
      "Search",
      "Search partners",
      "BRL",
      "1,020.50",
      "12,345",
      "3.33",
    ],
    ["2025-01-08", "Total Wine", "21100000001", "Enabled", "Search", "Google search", "BRL", "99.90", " < 10%", "0.50"],
    ["2025-01-09", "P", "21100000002", "Paused", "Performance Max", " --", "BRL", "0.00", "0", " --"],
  ];
  const totals = [
    ["Total: Account", " --", " --", " --", " --", " --", "BRL", "1,120.40", "12,345", "3.84"],
    ["Total: Search", " --", " --", " --", " --", " --", "BRL", "1,120.40", "12,345", "3.83"],
  ];
  const preamble = [["Campaign report"], ["January 8, 2025 - January 9, 2025"]];

  it("lands from CSV, from tab-separated UTF-16, and from an archive", async () => {
    const good = rows.map((row) => row.map((cell) => (cell === " < 10%" ? "0" : cell)));
    const table = csv([...preamble, head, ...good, ...totals]);
    const tabs = [...preamble, head, ...good, ...totals].map((row) => row.join("\t")).join("\r\n");
    for (const files of [{ "a.csv": table }, { "a.csv": utf16(tabs) }, { "a.zip": archive({ "a.csv": table }) }]) {
      const { rows, outcome, rejects } = await drop("searchads", "campaigns", files);
      expect([outcome.refused, rejects]).to.deep.equal([[], []]);
      expect(
        rows.map((row) => [
          row.campaign_id,
          row.date,
          row.cost,
          row.impressions,
          row.conversions,
          row.all_conversions,
          row.campaign_status,
          row._segment,
        ]),
      ).to.deep.equal([
        [
          "21100000001",
          "2025-01-08",
          "1020.500000",
          "12345",
          3.33,
          null,
          "ENABLED",
          '{"adNetworkType":"SEARCH_PARTNERS"}',
        ],
        ["21100000001", "2025-01-08", "99.900000", "0", 0.5, null, "ENABLED", '{"adNetworkType":"SEARCH"}'],
        ["21100000002", "2025-01-09", "0.000000", "0", null, null, "PAUSED", ""],
      ]);
      expect(rows.map(({ advertising_channel_type }) => advertising_channel_type)).to.deep.equal([
        "SEARCH",
        "SEARCH",
        "PERFORMANCE_MAX",
      ]);
    }
  });

  it("lands in Portuguese", async () => {
    const { rows, outcome } = await drop("searchads", "campaigns", {
      "a.csv": csv([
        ["Relatório de campanha"],
        ["8 de jan. de 2025 - 9 de jan. de 2025"],
        [
          "Dia",
          "Status da campanha",
          "Campanha",
          "ID da campanha",
          "Tipo de campanha",
          "Código da moeda",
          "Custo",
          "Impr.",
        ],
        ["2025-01-08", "Ativada", "Conheça", "1", "Pesquisa", "BRL", "1.020,50", "5.874"],
        ["2025-01-08", "Pausada", "B", "2", "Performance Max", "BRL", "0,00", "0"],
        ["Total: Campanhas", "", "", "", "", "", "1.020,50", "5.874"],
      ]),
    });
    expect(outcome.refused).to.deep.equal([]);
    expect(
      rows.map((row) => [row.campaign_status, row.advertising_channel_type, row.cost, row.impressions]),
    ).to.deep.equal([
      ["ENABLED", "SEARCH", "1020.500000", "5874"],
      ["PAUSED", "PERFORMANCE_MAX", "0.000000", "0"],
    ]);
  });

  it("is refused with another total or currency, without ids or days, and rejects a part of a campaign", async () => {
    const file = (heads: string[], ...all: string[][]): string => csv([...preamble, heads, ...all]);
    const found = await drop("searchads", "campaigns", {
      "a-total.csv": file(head, ...rows.slice(2), ["Total: Account", ...Array(6).fill("--"), "0.01", "0", ""]),
      "b-currency.csv": file(
        head,
        (rows[2] as string[]).map((cell) => (cell === "BRL" ? "USD" : cell)),
      ),
      "c-ids.csv": file(["Day", "Campaign", "Cost", "Clicks"], ["2025-01-01", "A", "1.00", "1"]),
      "d-days.csv": csv([
        ["Custo", "Campanha", "ID da campanha"],
        ["1,50", "A", "1"],
      ]),
      "e-groups.csv": file(
        ["Day", "Campaign", "Campaign ID", "Ad group", "Cost"],
        ["2025-01-01", "A", "1", "G", "1.00"],
      ),
    });
    expect(found.rows).to.deep.equal([]);
    const [total, currency, ids, days] = refusals(found);
    expect(total).to.match(/^a-total\.csv has a total of 0\.01 in "Cost", but its rows add up to 0:/);
    expect(currency).to.equal("b-currency.csv has amounts in USD, and the organization's currency is BRL");
    expect(ids).to.match(/add the column "Campaign ID"/);
    expect(days).to.match(/has no days: add the column "Dia" or "Data"/);
    expect(found.rejects.map(({ reason }) => reason)).to.deep.equal([
      "adGroup: a report below campaign level leaves out the rest of the campaign",
    ]);
  });

  it("knows a total by its label in whichever column is the first, and a campaign of that name by its day", async () => {
    const file = (heads: string[], ...all: string[][]): string => csv([...preamble, heads, ...all]);
    const heads = ["Campaign ID", "Day", "Campaign", "Cost"];
    const row = ["1", "2025-01-06", "A", "1.50"];
    const found = await drop("searchads", "campaigns", {
      "a.csv": file(heads, row, ["Total: Account", "--", "--", "1.50"]),
      "b.csv": file(heads, row, ["Total: Account", "--", "--", "1.60"]),
    });
    expect([found.rows.length, found.rejects.length]).to.deep.equal([1, 0]);
    expect(refusals(found)[0]).to.match(/^b\.csv has a total of 1\.6 in "Cost", but its rows add up to 1\.5:/);
    const named = await drop(
      "searchads",
      "campaigns",
      {
        "a.csv": file(
          ["Campaign", "Day", "Cost"],
          ["Total: Search", "2025-01-06", "1.50"],
          ["Total", "2025-01-06", "1.50"],
          ["B", "2025-01-06", "1.00"],
          ["Total: Account", "", "4.00"],
        ),
      },
      { campaignsByName: true },
    );
    expect(named.outcome.refused).to.deep.equal([]);
    expect(named.rows.map((row) => row.campaign_id)).to.deep.equal(["name:Total: Search", "name:Total", "name:B"]);
  });

  it("with two columns of one meaning is read by the more exact one", async () => {
    const heads = ["Day", "Campaign ID", "Cost", "Network", "Network (with search partners)", "Campaign"];
    const all = ["Google search", "Search partners"].map((one) => [
      "2025-01-08",
      "1",
      "1.50",
      "Search Network",
      one,
      "A",
    ]);
    const { rows, outcome } = await drop("searchads", "campaigns", { "a.csv": csv([...preamble, heads, ...all]) });
    expect(outcome.refused).to.deep.equal([]);
    expect(rows.map(({ _segment }) => _segment)).to.deep.equal([
      '{"adNetworkType":"SEARCH"}',
      '{"adNetworkType":"SEARCH_PARTNERS"}',
    ]);
    const twice = await drop("searchads", "campaigns", { "a.csv": csv([[...heads, "Day"], ["2025-01-08"]]) });
    expect(refusals(twice)).to.deep.equal(["a.csv has two columns Day"]);
  });

  it("is not what a plain table in capitals is: all of its columns land", async () => {
    const heads = ["Date", "Campaign_ID", "Campaign_Name", "Cost", "Conversions_Value"];
    const { rows } = await drop("searchads", "campaigns", {
      "a.csv": csv([heads, ["2025-01-08", "1", "A", "1.50", "9.90"]]),
    });
    expect(rows.map((row) => [row.campaign_name, row.cost, row.conversions_value])).to.deep.equal([
      ["A", "1.500000", 9.9],
    ]);
  });

  it("is read from UTF-16 without a mark, and under a title with commas", async () => {
    const [row] = rows;
    const tabs = [["A, B, C report"], ...preamble.slice(1), head, row as string[]]
      .map((one) => one.join("\t"))
      .join("\n");
    for (const content of [utf16(tabs), utf16(tabs).subarray(2)]) {
      const found = await drop("searchads", "campaigns", { "a.csv": content });
      expect([refusals(found), found.rows.map(({ cost }) => cost)]).to.deep.equal([[], ["1020.500000"]]);
    }
  });

  it("lands exactly its rows, or is refused if a total is not their sum", async () => {
    const cents = fc.integer({ min: 0, max: 10 ** 8 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(cents, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: -2, max: 2 }),
        fc.boolean(),
        async (costs, off, isPt) => {
          const locale = isPt ? "pt-BR" : "en-US";
          const amount = (value: number): string => (value / 100).toLocaleString(locale, { minimumFractionDigits: 2 });
          const names = isPt
            ? ["Dia", "Campanha", "ID da campanha", "Custo"]
            : ["Day", "Campaign", "Campaign ID", "Cost"];
          const sum = costs.reduce((total, one) => total + one, 0);
          const all = costs.map((cost, at) => ["2025-01-08", "A", String(at + 1), amount(cost)]);
          const table = csv([names, ...all, ["Total: Account", "--", "--", amount(sum + off)]]);
          const found = await drop("searchads", "campaigns", { "a.csv": table });
          expect(found.outcome.refused.length).to.equal(off === 0 ? 0 : 1);
          if (off === 0) expect(found.rows.map(({ cost }) => Math.round(Number(cost) * 100))).to.deep.equal(costs);
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe("A VTEX orders CSV", () => {
  const head = [
    ..."Origin;Order;Sequence;Creation Date;Client Document;Email;UF;Status;Last Change Date;UtmSource;Quantity_SKU;ID_SKU;SKU Name".split(
      ";",
    ),
    ..."SKU Value;SKU Selling Price;Shipping Value;Total Value;Discounts Totals;Status raw value (temporary);Currency Code;Client Name".split(
      ";",
    ),
  ];
  const line = (
    order: string,
    sku: string,
    quantity: number,
    price: string,
    total: string,
    more: Partial<Record<string, string>> = {},
  ): string[] => {
    const cells: Record<string, string> = {
      Origin: "Marketplace",
      Order: order,
      "Creation Date": "2025-01-08 14:20:11Z",
      "Client Document": "00000000191",
      Email: "a@example.com",
      Status: "Faturado",
      "Last Change Date": "2025-01-10 09:00:00Z",
      Quantity_SKU: String(quantity),
      ID_SKU: sku,
      "SKU Name": `Blusa ${sku}`,
      "SKU Value": price,
      "SKU Selling Price": price,
      "Shipping Value": "5.25",
      "Total Value": total,
      "Discounts Totals": "20",
      "Status raw value (temporary)": "invoiced",
      "Currency Code": "BRL",
      "Client Name": "Alice",
      ...(more as Record<string, string>),
    };
    return head.map((name) => cells[name] ?? "");
  };

  it("counts an order once, whatever the order of its rows", async () => {
    const lines = [
      line("a", "1", 1, "200.1", "310.5"),
      line("b", "9", 1, "10", "10"),
      line("a", "2", 2, "60", "310.5"),
    ];
    const { rows, outcome, rejects } = await drop("storea", "orders", {
      "o.csv": `\ufeff${csv([head, ...lines], ";")}`,
    });
    expect([outcome.refused, rejects]).to.deep.equal([[], []]);
    expect(outcome.landed).to.equal(2);
    const [order] = rows;
    expect(order).to.include({
      order_id: "a",
      value: "310.500000",
      total_items_value: "320.100000",
      total_discounts: "-20.000000",
      total_shipping: "10.500000",
      status: "invoiced",
      email: "a@example.com",
      creation_date: "2025-01-08 14:20:11+00",
      invoiced_date: null,
      returns: null,
    });
    const items = order?.items as {
      id: string;
      quantity: string;
      price: string;
      cost_price: null;
      product_id: null;
      unique_id: string;
    }[];
    expect(
      items.map(({ id, quantity, price, cost_price, product_id, unique_id }) => [
        id,
        quantity,
        price,
        cost_price,
        product_id,
        unique_id,
      ]),
    ).to.deep.equal([
      ["1", "1", "200.100000", null, null, "a#1"],
      ["2", "2", "60.000000", null, null, "a#2"],
    ]);
    expect(JSON.stringify(rows)).not.to.contain("00000000191").and.not.to.contain("Alice");
    expect(outcome.notes.map(({ note }) => note)).to.include(
      "no cost of the items: margins of products are N/D; other figures use the margin of the settings, or 100 % without one",
    );
  });

  it("keeps the lines of each version of an order, and the newest wins by its own time", async () => {
    const older = csv([head, line("a", "1", 1, "10.5", "20"), line("a", "2", 1, "10", "20")]);
    const newer = csv([head, line("a", "1", 1, "10.5", "10.5", { "Last Change Date": "2025-01-11 09:00:00Z" })]);
    const { rows } = await drop("storea", "orders", [
      { "new.csv": newer },
      { "old.csv": older },
      { "again.csv": newer },
    ]);
    const newest = rows.filter(({ last_change }) => last_change === "2025-01-11 09:00:00+00");
    expect(newest.length).to.be.greaterThan(0);
    for (const { items } of newest) expect(items).to.have.lengthOf(1);
    for (const { items } of rows.filter((row) => !newest.includes(row))) expect(items).to.have.lengthOf(2);
  });

  it("rejects an order whose rows contradict each other, without personal data", async () => {
    const { rows, rejects } = await drop("storea", "orders", {
      "o.csv": csv([
        head,
        line("a", "1", 1, "10.5", "20"),
        line("a", "2", 1, "10", "21"),
        [...line("b", "1", 1, "1", "1"), "x"],
      ]),
    });
    expect(rows).to.deep.equal([]);
    expect(rejects.map(({ position, reason }) => [position, reason])).to.deep.equal([
      [1, "Total Value: not the same in all rows of the order"],
      [3, "22 columns under 21 headings"],
    ]);
    expect(JSON.stringify(rejects)).not.to.contain("00000000191").and.not.to.contain("Alice");
    expect(rejects.map(({ row }) => row)).to.deep.equal([{ order_id: "a" }, ""]);
  });

  it("shows nothing of a row that a mark has shifted, also if its last cell was empty", async () => {
    const heads = [...head, "Obs"];
    const good = [...line("a", "1", 1, "10.5", "20"), ""];
    const shifted = [...line("b", "1", 1, "10.5", "20", { Origin: "Market;place" }), ""].join(";");
    const { rows, rejects } = await drop("storea", "orders", { "o.csv": `${csv([heads, good], ";")}${shifted}\n` });
    expect(rows.map(({ order_id }) => order_id)).to.deep.equal(["a"]);
    expect(rejects.map(({ reason, row }) => [reason, row])).to.deep.equal([["23 columns under 22 headings", ""]]);
  });

  it("without the time of the last change has the lines of the newest file, and no sum of which a part is missing", async () => {
    const changed = head.indexOf("Last Change Date");
    const without = (...all: string[][]): string =>
      csv([head, ...all].map((row) => row.filter((_, at) => at !== changed)));
    const { rows } = await drop("storea", "orders", [
      { "a.csv": without(line("a", "1", 1, "10.5", "20"), line("a", "2", 1, "10", "20")) },
      { "b.csv": without(line("a", "1", 1, "10.5", "10.5")) },
    ]);
    expect(rows.map(({ value, items }) => [value, (items as unknown[]).length])).to.deep.equal([
      ["20.000000", 2],
      ["10.500000", 1],
    ]);
    const partial = await drop("storea", "orders", {
      "a.csv": csv([head, line("a", "1", 1, "10.5", "20"), line("a", "2", 1, "", "20")]),
    });
    expect(partial.rows.map(({ total_items_value }) => total_items_value)).to.deep.equal([null]);
  });

  it("without a column that each order needs is refused by that column", async () => {
    const total = head.indexOf("Total Value");
    const rows = [head, line("a", "1", 1, "10.5", "20")].map((row) => row.filter((_, at) => at !== total));
    expect(refusals(await drop("storea", "orders", { "o.csv": csv(rows) }))).to.deep.equal([
      'o.csv is a VTEX orders CSV without the column "Total Value": export it with all columns',
    ]);
  });

  it("rejects an order that lacks a row, because that was rejected or has no time of the last change", async () => {
    const { rows, rejects } = await drop("storea", "orders", {
      "o.csv": csv([
        head,
        line("a", "1", 1, "10", "20"),
        [...line("a", "2", 1, "10", "20"), "x"],
        line("b", "1", 1, "10", "20"),
        line("b", "2", 1, "10", "20", { "Last Change Date": "2025-01-10 09:" }),
        line("c", "1", 1, "10", "10"),
        line("d", "1", 1, "10", "20"),
        line("d", "2", 1, "10", "20", { "Last Change Date": "2425-01-10 09:00:00Z" }),
        line("e", "1", 1, "10", "20"),
        line("e", "2", 1, "10", "20", { "Last Change Date": "2025-01-10 09:00:00+17:00" }),
      ]),
    });
    expect(rows.map(({ order_id }) => order_id)).to.deep.equal(["c"]);
    const lacking = "one of its rows was rejected: without it the order is not whole";
    expect(rejects.map(({ position, reason }) => [position, reason]).sort()).to.deep.equal([
      [1, lacking],
      [2, "22 columns under 21 headings"],
      [3, lacking],
      [4, lacking],
      [6, lacking],
      [7, `${lacking}; last_change: "2425-01-10T09:00:00Z" is not an instant (ISO 8601)`],
      [8, lacking],
      [9, `${lacking}; last_change: "2025-01-10 09:00:00+17:00" is not an instant (ISO 8601)`],
    ]);
  });
});

describe("A Shopify orders CSV", () => {
  const head = [
    ..."Name;Email;Financial Status;Currency;Subtotal;Shipping;Taxes;Total;Discount Code;Discount Amount;Created at;Lineitem quantity".split(
      ";",
    ),
    ..."Lineitem name;Lineitem price;Lineitem sku;Lineitem discount;Refunded Amount;Payment Method;Id;Billing Name".split(
      ";",
    ),
  ];
  const first = [
    "#1001",
    "a@example.com",
    "paid",
    "BRL",
    "90.00",
    "10.00",
    "5.00",
    "105.00",
    "DEZ",
    "10.00",
    "2025-01-10 10:00:00 -0300",
  ];
  const rows = [
    [...first, "1", "Blusa", "33.33", "B-1", "0.00", "0.00", "Cartão", "5001", "Alice"],
    ["#1001", ...Array(10).fill(""), "1", "Saia", "66.67", "S-1", "0.00", "", "", "", ""],
    [
      "#1002",
      "b@example.com",
      "refunded",
      "BRL",
      "7.00",
      "0.00",
      "0.00",
      "7.00",
      "",
      "0.00",
      "2025-01-11 23:30:00 -0300",
      "1",
      "Meia",
      "7.00",
      "M-1",
      "0.00",
      "7.00",
      "Bogus Gateway",
      "5002",
      "Bia",
    ],
  ];

  it("counts an order once, and spreads its discount over its lines", async () => {
    const { rows: landed, outcome, rejects } = await drop("storeb", "orders", { "o.csv": csv([head, ...rows]) });
    expect([outcome.refused, rejects]).to.deep.equal([[], []]);
    expect(
      landed.map((row) => [
        row.order_id,
        row.name,
        row.total_price,
        row.total_shipping,
        row.created_at,
        row.is_test,
        row.coupon_code,
      ]),
    ).to.deep.equal([
      ["5001", "#1001", "105.000000", "10.000000", "2025-01-10 13:00:00+00", null, "DEZ"],
      ["5002", "#1002", "7.000000", "0.000000", "2025-01-12 02:30:00+00", true, null],
    ]);
    const items = landed[0]?.items as Record<string, unknown>[];
    expect(
      items.map((item) => [item.name, item.sku, item.price, item.discount, item.product_id, item.current_quantity]),
    ).to.deep.equal([
      ["Blusa", "B-1", "33.330000", "3.330000", null, null],
      ["Saia", "S-1", "66.670000", "6.670000", null, null],
    ]);
    // The sum that was refunded is in it, but not when, and of which units.
    expect(landed.map(({ refunds }) => refunds)).to.deep.equal([null, null]);
    const refund = { refund_no: "0", refund_id: null, created_at: null, processed_at: null };
    const sums = { repaid: null, total_refunded: "7.000000", shipping: null, adjustments: null };
    expect(landed.map(({ refund_totals }) => refund_totals)).to.deep.equal([[], [{ ...refund, ...sums }]]);
    expect(landed.map((row) => row.payment_gateway_names)).to.deep.equal(['["Cartão"]', '["Bogus Gateway"]']);
    expect(landed.map(({ taxes_included }) => taxes_included)).to.deep.equal([false, null]);
    expect(landed.map(({ utm_source }) => utm_source)).to.deep.equal([null, null]);
    expect(outcome.notes.map(({ note }) => note)).to.include(
      'no landing page and no UTM parameters: these orders are of the channel "unknown" and of no campaign',
    );
  });

  it("always has columns of which nothing is read: only others are named", async () => {
    const named = async (...headings: string[]): Promise<string[]> => {
      const table = [[...head, ...headings], ...rows.map((row) => [...row, ...headings.map(() => "x")])];
      const { outcome } = await drop("storeb", "orders", { "o.csv": csv(table) });
      return outcome.notes.map(({ note }) => note).filter((note) => note.includes("do not land"));
    };
    expect(
      await named("Billing Phone", "Shipping Address1", "Lineitem requires shipping", "Tax 5 Value"),
    ).to.deep.equal([]);
    expect(await named("Tax 5 Value", "Loyalty level")).to.deep.equal([
      "columns that are no fields of the record do not land: Loyalty level",
    ]);
  });

  it("has lines without the order's name, ids behind an apostrophe, and rejects without personal data", async () => {
    const at = head.indexOf("Id");
    const guarded = (rows[0] as string[]).map((cell, n) => (n === at ? `'${cell}` : cell));
    const nameless = ["", ...(rows[1] as string[]).slice(1)];
    const wrong = (rows[2] as string[]).map((cell, n) => (head[n] === "Total" ? "x" : cell));
    const found = await drop("storeb", "orders", { "o.csv": csv([head, guarded, nameless, wrong]) });
    expect(found.rows.map(({ order_id, items }) => [order_id, (items as unknown[]).length])).to.deep.equal([
      ["5001", 2],
    ]);
    expect(found.rejects.map(({ reason, row }) => [reason, row])).to.deep.equal([
      ['total_price: "x" is not an amount', { order_id: "5002" }],
    ]);
  });

  it("rejects an order that lacks a line, or whose name or id is that of another", async () => {
    const [one = [], more = [], two = []] = rows;
    const of = (row: readonly string[], name: string, id: string): string[] =>
      row.map((cell, at) => (at === 0 ? name : head[at] === "Id" && cell !== "" ? id : cell));
    const found = await drop("storeb", "orders", {
      "o.csv": csv([
        head,
        ...[one, [...more, "x"]],
        ...[of(one, "#3", "3"), of(two, "#3", "4"), of(more, "#3", "")],
        ...[two, of(two, "#5", "5002")],
      ]),
    });
    expect(found.rows.map(({ order_id, items }) => [order_id, (items as unknown[]).length])).to.deep.equal([
      ["5002", 1],
    ]);
    expect(found.rejects.map(({ position, reason }) => [position, reason]).sort()).to.deep.equal([
      [1, "one of its rows was rejected: without it the order is not whole"],
      [2, "21 columns under 20 headings"],
      [3, "one of its rows was rejected: without it the order is not whole"],
      [4, "Name: that of two orders"],
      [7, "Id: that of two orders"],
    ]);
  });

  it("without ids is refused, and so are products, which have none", async () => {
    const without = [head, ...rows].map((row) => row.filter((_, at) => at !== head.indexOf("Id")));
    expect(refusals(await drop("storeb", "orders", { "o.csv": csv(without) }))[0]).to.match(/without the column "Id"/);
    const products = csv([
      ["Handle", "Title", "Variant SKU", "Variant Price"],
      ["blusa", "Blusa", "B-1", "10.00"],
    ]);
    expect(refusals(await drop("storeb", "products", { "p.csv": products }))[0]).to.match(
      /is a Shopify products CSV, which has no product ids/,
    );
    expect(refusals(await drop("storeb", "orders", { "p.csv": products }))[0]).to.match(
      /belongs into the folder of storeb\/products/,
    );
  });
});

describe("A HubSpot export", () => {
  it("of contacts lands with the words of the API and the times of the account", async () => {
    const files = {
      "en.csv": csv([
        [
          "Record ID",
          "First Name",
          "Email",
          "Lifecycle Stage",
          "Original Traffic Source",
          "Create Date",
          "Last Modified Date",
        ],
        ["90001", "Alice", "a@example.com", "Customer", "Paid Search", "2025-01-05 10:00", "2/1/2025 2:30 PM"],
        ["90003", "Bob", "c@example.com", "Own stage", "", "2025-01-05 10:00", "3/15/2025 2:30 PM"],
      ]),
      "pt.xlsx": workbook({
        Contatos: [
          ["ID do registro", "E-mail", "Fase do ciclo de vida", "Fonte original", "Data de criação"],
          [90002, "b@example.com", "Cliente", "Pesquisa paga", { days: 45662.5 }],
        ],
      }),
    };
    const { rows, outcome, rejects } = await drop("crm", "contacts", files, { timezone: "America/Sao_Paulo" });
    expect([outcome.refused, rejects]).to.deep.equal([[], []]);
    expect(
      rows.map((row) => [row.id, row.lifecycle_stage, row.crm_analytics_source, row.create_date, row.updated_at]),
    ).to.deep.equal([
      ["90001", "customer", "PAID_SEARCH", "2025-01-05 13:00:00+00", "2025-02-01 17:30:00+00"],
      ["90003", "Own stage", null, "2025-01-05 13:00:00+00", "2025-03-15 17:30:00+00"],
      ["90002", "customer", "PAID_SEARCH", "2025-01-05 15:00:00+00", null],
    ]);
  });

  it("of all associations has the primary company, and one of few columns needs no e-mail", async () => {
    const { rows, outcome } = await drop("crm", "contacts", {
      "a.csv": csv([
        ["Record ID", "Email", "Associated Company IDs", "Associated Company IDs (Primary)"],
        ["1", "a@example.com", "5;6", "6"],
      ]),
      "b.csv": csv([
        ["Record ID", "First Name", "Lifecycle Stage"],
        ["2", "B", "Lead"],
      ]),
    });
    expect(outcome.refused).to.deep.equal([]);
    expect(rows.map((row) => [row.id, row.associated_company_id, row.lifecycle_stage])).to.deep.equal([
      ["1", "6", null],
      ["2", null, "lead"],
    ]);
  });

  it("of deals is refused, because there is no such record", async () => {
    const found = await drop("crm", "contacts", {
      "d.csv": csv([
        ["Record ID", "Deal Name", "Amount"],
        ["1", "D", "5"],
      ]),
    });
    expect(refusals(found)).to.deep.equal([
      "d.csv is a HubSpot deals export: deals are not read, only contacts, products and pipelines",
    ]);
  });
});
