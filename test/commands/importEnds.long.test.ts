import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { Organization } from "../../src/core/contract/settings.ts";
import { command } from "../support/command.ts";
import { AURORA, ended, STOREA } from "../support/data.ts";
import { Imports } from "../support/imports.ts";
import { workbook } from "../support/workbook.ts";

const SHOP: Organization = {
  organizationId: AURORA,
  name: "Shop",
  currency: "BRL",
  integrations: [{ id: STOREA, connector: "storea", name: "Loja", timezone: "America/Sao_Paulo" }],
};
const ORDER = { orderId: "1", status: "invoiced", value: 100, creationDate: "2025-05-01T00:00:00Z" };
const ROWS = Array.from({ length: 60_000 }, (_, n) => `${n},invoiced,1.00,2025-05-01`);
const TABLE = ["order_id,status,value,creation_date", ...ROWS].join("\n");

describe("`lucra import` that ends early", function () {
  this.timeout(120_000);
  const imports = new Imports(SHOP);

  /** Starts an import, and ends it by the signal as soon as it has a temporary folder. */
  async function killed(signal: NodeJS.Signals, temporary: string): Promise<number | null> {
    const file = await imports.given("orders.csv", TABLE);
    const child = imports.data.start(["import", "--dry-run", file], { TMPDIR: temporary });
    const end = ended(child);
    while ((await readdir(temporary)).length === 0) await sleep(10);
    await sleep(200);
    child.kill(signal);
    return (await end).status;
  }

  it("removes its temporary folder when a signal ends it", async () => {
    const temporary = path.join(imports.data.path, "tmp");
    await mkdir(temporary);
    expect(await killed("SIGTERM", temporary)).to.equal(143);
    expect(await readdir(temporary)).to.deep.equal([]);
    expect(await killed("SIGINT", temporary)).to.equal(130);
    expect(await readdir(temporary)).to.deep.equal([]);
  });

  it("leaves its temporary folder to the next one if it is killed", async () => {
    const temporary = path.join(imports.data.path, "tmp");
    await mkdir(temporary);
    await killed("SIGKILL", temporary);
    expect(await readdir(temporary)).to.have.lengthOf(1);
    const file = await imports.given("few.csv", TABLE.split("\n").slice(0, 5).join("\n"));
    const { status, stderr } = await imports.data.lucra(["import", "--dry-run", file], { TMPDIR: temporary });
    expect(status, stderr).to.equal(0);
    expect(await readdir(temporary)).to.deep.equal([]);
  });
});

describe("The reason why `lucra import` refuses a file", function () {
  this.timeout(120_000);
  const imports = new Imports(SHOP);

  for (const [what, content, reason] of [
    [
      "nested too deeply",
      `{"list":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`,
      /^nested deeper than 500 levels/,
    ],
    ["of unclosed lists", "[".repeat(300_000), /^nested deeper than 500 levels/],
    [
      "with a number of 2 MB",
      JSON.stringify(ORDER).replace("100", `1${"0".repeat(2_000_000)}`),
      /1 × value: a value is not an amount$/,
    ],
    ["of binary zeros", Buffer.alloc(1_000_000), /^is binary data in a format that is not read/],
  ] as const)
    it(`is the true one: ${what}`, async () => {
      expect(await imports.refusal(await imports.given("x.json", content))).to.match(reason);
    });

  it("quotes headings only in part", async () => {
    const long = await imports.refusal(await imports.given("long.csv", "0".repeat(1_000_000)));
    expect(long).to.match(/its headings are 0{99}…\. /);
    const many = Array.from({ length: 1_000 }, (_, n) => `column ${n}`).join(",");
    expect(await imports.refusal(await imports.given("many.csv", `${many}\n1\n`))).to.match(
      /column 11 and 988 more\. /,
    );
  });

  it("is no reason for an object of very many members, which lands", async () => {
    const members = Object.fromEntries(Array.from({ length: 300_000 }, (_, n) => [`k${n}`, n]));
    const [report] = await imports.reports(
      await imports.given("wide.json", JSON.stringify({ ...ORDER, ...members })),
      "--dry-run",
    );
    expect([report?.state, (report?.preview as { rows: number } | undefined)?.rows]).to.deep.equal(["ready", 1]);
  });
});

describe("What `lucra import` shows", function () {
  this.timeout(120_000);
  const imports = new Imports(SHOP);

  it("is what a sync lands: below a title, with a mark that is named, and for a value that is no number", async () => {
    const heading = ["order_id", "status", "value", "creation_date"];
    const rows = [
      ["1", "invoiced", "10.50", "2025-05-01"],
      ["2", "invoiced", "NaN", "2025-05-02"],
      ["2", "invoiced", "7.25", "2025-05-03"],
      ["2", "invoiced", "7.25", "2025-05-03"],
    ];
    const ndjson = (value: string): string => JSON.stringify(ORDER).replace("100", value);
    const files = {
      "title.xlsx": workbook({ Orders: [["Orders of May"], [""], heading, ...rows] }),
      "mark.csv": ["sep=;", ...[heading, ...rows].map((row) => row.join(";"))].join("\r\n"),
      "values.ndjson": ["100", "NaN", "-Infinity"].map(ndjson).join("\n"),
    };
    for (const [name, content] of Object.entries(files)) {
      const [report] = await imports.reports(await imports.given(name, content));
      const { rows: shown, replaced, rejected } = (report?.preview ?? {}) as Record<string, number>;
      const sync = JSON.parse((await command(imports.data, "sync", "--json")).stdout);
      const { landed, replaced: gone, rejected: refused } = sync.outcomes[0];
      expect([shown, rejected], name).to.deep.equal([landed - (replaced ?? 0), refused]);
      expect(gone, name).to.be.at.least(replaced ?? 0);
    }
  });
});
