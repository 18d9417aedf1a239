import { expect } from "chai";
import { exported, exportedBy } from "../../src/core/records/index.ts";
import { command, type Said } from "../support/command.ts";
import { oneLine } from "../support/commandLine.ts";
import { DataFolder } from "../support/data.ts";
import { land } from "../support/landing.ts";

describe("`lucra records`", () => {
  let data: DataFolder;
  const lucra = (...args: string[]): Promise<Said> => command(data, "records", ...args);

  before(async () => {
    data = await DataFolder.empty();
  });

  after(() => data.remove());

  it("lists the records with connector, vendor and grain", async () => {
    const { status, stdout } = await lucra();
    expect(status).to.equal(0);
    expect(stdout).to.match(/^storea\/orders +vtex\/orders +VTEX +An order, with its items/m);
    expect(stdout, "without exports of its own").to.not.include("storea/items");
    expect(stdout.trimEnd().split("\n")).to.have.lengthOf(exported.length + 1);
  });

  it("shows the columns of one record, by the name of its connector or vendor", async () => {
    const [own, alias] = await Promise.all([lucra("storea/orders"), lucra("VTEX/orders")]);
    expect(own.stdout).to.equal(alias.stdout);
    expect(own.stdout).to.match(/^value +amount +required +Amount that the customer pays/m);
    expect(own.stdout).to.match(/^items\[\]\.quantity +whole number /m);
    expect(own.stdout).to.match(/^API: Orders API: /m);
    expect(own.stdout).to.include("cents");
  });

  it("prints templates that land unchanged", async () => {
    for (const format of ["csv", "json"]) {
      const { status, bytes } = await lucra("vtex/orders", "--template", format);
      expect(status).to.equal(0);
      const { rows, rejects } = await land("storea", "orders", { [`orders.${format}`]: bytes });
      expect([rows.length, rejects]).to.deep.equal([2, []]);
    }
  });

  it("refuses an unknown record or template in one line", async () => {
    const all = await Promise.all([
      lucra("magento/orders"),
      lucra("vtex/pedidos"),
      lucra("vtex/orders", "--template", "xlsx"),
      lucra("--template", "csv"),
    ]);
    expect(all.map(({ status }) => status)).to.deep.equal([2, 2, 2, 2]);
    const [connector, record, template, none] = all.map(oneLine);
    expect(connector).to.match(/^lucra: magento\/orders: no such connector; known are .*storea, .*vtex/);
    expect(record).to.equal(
      `lucra: vtex/pedidos: no such record; vtex has ${exportedBy("storea")
        .map(({ name }) => name)
        .join(", ")}`,
    );
    expect(template).to.equal("lucra: --template xlsx: one of csv, json");
    expect(none).to.match(/^lucra: --template: name a record/);
  });
});
