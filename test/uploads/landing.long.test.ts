import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import type { Organization } from "../../src/core/contract/settings.ts";
import { Database, literal } from "../../src/core/engine/database.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { currentGeneration } from "../../src/core/marts/generations.ts";
import { AURORA, STOREA } from "../support/data.ts";
import { values } from "../support/syncs.ts";
import { Page, refusal } from "../support/uploads.ts";

/** Settings as a person formats them. */
const SHOP = `{
    "organizationId": "${AURORA}",
    "name": "Shop",
    "integrations": [
        { "id": "${STOREA}", "connector": "storea", "name": "Loja", "timezone": "America/Sao_Paulo" }
    ]
}
`;
const EMPTY: Organization = { organizationId: AURORA, name: "Shop", currency: "BRL" };

/** Columns of a derived relation. */
async function derived(page: Page, relation: string, columns: string): Promise<Record<string, unknown>[]> {
  const generation = await currentGeneration(foldersOf(page.data.path, AURORA));
  const file = path.join(generation?.folder ?? "", `${relation}.parquet`);
  const database = await Database.open({ memoryLimit: "1GB", threads: 1 });
  try {
    return await database.use((session) =>
      session.rows(`select ${columns} from read_parquet(${literal(file)}) order by all`),
    );
  } finally {
    database.close();
  }
}

const table = (...rows: string[]): string => ["order_id,status,value,creation_date", ...rows].join("\n");
const ORDERS = table("1,invoiced,10.00,2025-02-10", "2,invoiced,20.00,2025-02-11", "3,invoiced,x,2025-02-12");

describe("Files that are dropped on the page [D93]", function () {
  this.timeout(240_000);
  let page: Page;

  beforeEach(async () => {
    page = await Page.open(EMPTY);
    await page.data.write(`organizations/${AURORA}.json`, SHOP);
  });
  afterEach(() => page.remove());

  it("say what would be rejected, with its place and reason", async () => {
    const { look } = await page.preview(await page.drop("a.csv", ORDERS));
    expect(look).to.include({ outcome: "ready", rows: 2, rejected: 1 });
    expect(look?.rejects).to.deep.equal([{ reason: "value: a value is not an amount", rows: 1, position: 3 }]);
    expect(look?.headings).to.deep.equal(["order_id", "status", "value", "creation_date"]);
  });

  it("say what would be replaced, are known, and replaced by others, and land again", async () => {
    const first = await page.landed("a.csv", table("1,invoiced,10.00,2025-02-10", "2,invoiced,20.00,2025-02-11"));
    const second = await page.drop("b.csv", table("2,invoiced,25.00,2025-02-11", "3,invoiced,30.00,2025-02-12"));
    const { look } = await page.preview(second);
    const file = first.landed?.exports[0]?.file ?? "";
    expect(look?.changes).to.deep.equal({
      ...{ added: 1, same: 0, replaced: 1, older: 0, files: [{ file, landing: 1, rows: 1 }] },
    });
    expect((await page.land(second)).state).to.equal("landed");
    expect(await values(page.data)).to.deep.equal({ 1: 10, 2: 25, 3: 30 });

    const { files } = await page.work.arrived(AURORA, STOREA);
    expect(files.map(({ landing, replaced }) => [landing, replaced?.rows, replaced?.landing])).to.deep.equal([
      [2, undefined, undefined],
      [1, 1, 2],
    ]);
    const same = await page.preview(
      await page.drop("c.csv", table("2,invoiced,25.00,2025-02-11", "3,invoiced,30.00,2025-02-12")),
    );
    expect(same.look).to.include({ outcome: "known", reason: null });
    expect(await refusal(page.land(same.id))).to.deep.equal(["notReady", { outcome: "known" }]);
    const old = await page.preview(
      await page.drop("d.csv", table("1,invoiced,10.00,2025-02-10", "2,invoiced,20.00,2025-02-11")),
    );
    expect([old.look?.outcome, old.look?.known?.replaced?.rows]).to.deep.equal(["again", 1]);

    const export1 = { integration: STOREA, record: "orders", file, landing: 1 };
    const again = await page.again(export1);
    expect([again.state, again.reason]).to.deep.equal(["landed", null]);
    expect(await values(page.data)).to.deep.equal({ 1: 10, 2: 20, 3: 30 });
  });

  it("land again only as long as their export is what landed", async () => {
    const { landed } = await page.landed("a.csv", ORDERS);
    const { file = "", landing = 0 } = landed?.exports[0] ?? {};
    const place = path.join(page.data.path, "exports", AURORA, STOREA, "orders", file);
    await writeFile(place, table("1,invoiced,99.00,2025-02-10"));
    const again = () => page.again({ integration: STOREA, record: "orders", file, landing });
    expect((await again()).reason).to.match(
      /is not in the folder of exports any more as it landed: drop the file again$/,
    );
    await rm(place);
    expect((await again()).state).to.equal("failed");
    expect(await values(page.data)).to.deep.equal({ 1: 10, 2: 20 });
  });

  it("are mapped where their headings differ, and the settings keep their text", async () => {
    const given = "Pedido nº;Situação;Total pago;Criado em\n1;invoiced;10,00;10/02/2025\n2;invoiced;20,00;28/02/2025\n";
    const id = await page.drop("vendas.csv", given);
    const { look } = await page.preview(id, { record: "orders" });
    expect(look).to.include({ outcome: "map", record: "orders" });
    const missing = look?.columns?.filter(({ required, heading }) => required && heading === null);
    expect(missing?.map(({ name }) => name)).to.include("order_id");
    expect(look?.headings).to.deep.equal(["Pedido nº", "Situação", "Total pago", "Criado em"]);
    const columns = {
      order_id: "Pedido nº",
      status: "Situação",
      value: "Total pago",
      creation_date: "Criado em",
    };
    const wrong = await page.preview(id, { record: "orders", columns: { ...columns, value: "Total" } });
    expect(wrong.look).to.include({ outcome: "refused", reason: "has no heading Total, which value is mapped to" });
    const seen = await page.preview(id, { record: "orders", columns });
    expect(seen.look).to.include({ outcome: "ready", rows: 2, integration: STOREA });
    expect(await page.data.text(`organizations/${AURORA}.json`)).to.equal(SHOP);
    expect((await page.land(id)).state).to.equal("landed");
    expect(await values(page.data)).to.deep.equal({ 1: 10, 2: 20 });
    const [one] = (await page.settings()).integrations ?? [];
    expect(one?.columns?.orders).to.deep.equal(columns);
    const text = await page.data.text(`organizations/${AURORA}.json`);
    expect(text.split("\n").slice(0, 3)).to.deep.equal(SHOP.split("\n").slice(0, 3));
    // The next file of this form needs nothing.
    const next = await page.preview(await page.drop("vendas.csv", given.replace("1;", "9;")));
    expect(next.look).to.include({ outcome: "ready", rows: 2 });
  });

  it("of a record or an integration that is not clear are not guessed", async () => {
    await page.data.settings({
      ...EMPTY,
      integrations: [
        { id: STOREA, connector: "storea", name: "Loja" },
        { id: STOREA.replace(/.$/, "9"), connector: "storea", name: "Outra" },
      ],
    });
    const id = await page.drop("a.csv", ORDERS);
    const { look } = await page.preview(id);
    expect([look?.outcome, look?.integrations.map(({ name }) => name)]).to.deep.equal(["choose", ["Loja", "Outra"]]);
    expect(await refusal(page.land(id))).to.deep.equal(["notReady", { outcome: "choose" }]);
    const other = STOREA.replace(/.$/, "9");
    expect((await page.preview(id, { integration: other })).look).to.include({ outcome: "ready", integration: other });
    expect((await page.land(id)).landed?.integration).to.equal(other);
    const unknown = await page.preview(await page.drop("x.csv", "a,b\n1,2\n"));
    expect(unknown.look?.outcome).to.equal("unknown");
    const gone = await page.preview(unknown.id, { integration: AURORA });
    expect(gone.look).to.include({ outcome: "refused" });
  });

  it("of a new organization make the integration, one for several files", async () => {
    await page.data.settings(EMPTY);
    const ids = [await page.drop("a.csv", ORDERS), await page.drop("b.csv", table("7,invoiced,70.00,2025-02-13"))];
    for (const id of ids) {
      const { look } = await page.preview(id, { timezone: "America/Sao_Paulo", name: "Loja" });
      expect(look).to.include({
        outcome: "ready",
        connector: "storea",
        integration: null,
        timezone: "America/Sao_Paulo",
      });
    }
    const both = await Promise.all(ids.map((id) => page.land(id)));
    expect(both.map(({ state, reason }) => [state, reason])).to.deep.equal(both.map(() => ["landed", null]));
    const { integrations = [] } = await page.settings();
    expect(integrations.map(({ connector, name, timezone }) => [connector, name, timezone])).to.deep.equal([
      ["storea", "Loja", "America/Sao_Paulo"],
    ]);
    expect(Object.keys(await values(page.data)).sort()).to.deep.equal(["1", "2", "7"]);
    for (const id of ids) expect((await page.undo(id)).state).to.equal("undone");
    expect(await values(page.data)).to.deep.equal({});
  });

  it("of expenses that name one day are of their month, if a person says so; their rows stay as written", async () => {
    const table = [
      "Data,Categoria,Valor,Descrição",
      "2025-02-05,frete,280,Correios",
      "2025-02-20,frete,28,Motoboy",
      "2025-02-10,outros,7,Papel",
      "",
    ].join("\n");
    const id = await page.drop("despesas.csv", table);
    const { look } = await page.preview(id);
    expect(look?.oneDay).to.deep.equal([
      { item: "other", rows: 1, sum: "7.00", of: null },
      { item: "shipping", rows: 2, sum: "308.00", of: null },
    ]);
    const said = await page.preview(id, { oneDayExpenses: { shipping: "month", other: "day" } });
    expect(said.look?.oneDay.map(({ of }) => of)).to.deep.equal(["day", "month"]);
    expect((await page.land(id)).state).to.equal("landed");
    const { integrations } = JSON.parse(await page.data.text(`organizations/${AURORA}.json`));
    expect(integrations[1].oneDayExpenses).to.deep.equal({ shipping: "month", other: "day" });
    const days = await derived(page, "daily_expenses", "spent_on::varchar as day, item, amount::double as amount");
    const of = (item: string) => days.filter((one) => one.item === item);
    expect(of("other")).to.deep.equal([{ day: "2025-02-10", item: "other", amount: 7 }]);
    expect(of("shipping").map(({ day }) => day)).to.deep.equal(
      Array.from({ length: 28 }, (_, n) => `2025-02-${String(n + 1).padStart(2, "0")}`),
    );
    expect(new Set(of("shipping").map(({ amount }) => amount))).to.deep.equal(new Set([11]));
    expect(await derived(page, "expenses", "date_start::varchar as day, amount::double as amount")).to.deep.equal([
      { day: "2025-02-05", amount: 280 },
      { day: "2025-02-10", amount: 7 },
      { day: "2025-02-20", amount: 28 },
    ]);
    // What the settings say is not asked again.
    const again = await page.preview(await page.drop("marco.csv", table.replaceAll("2025-02", "2025-03")));
    expect(again.look?.oneDay.map(({ of: said }) => said)).to.deep.equal(["day", "month"]);
  });

  it("of reports without ids of campaigns ask whether their names tell them apart", async () => {
    const report = [
      "Nome da campanha,Dia,Impressões,Valor usado (BRL),Início dos relatórios,Término dos relatórios",
      "Catálogo,2025-02-10,100,12.50,2025-02-10,2025-02-10",
      "",
    ].join("\n");
    const id = await page.drop("meta.csv", report);
    const { look } = await page.preview(id);
    expect(look).to.include({ outcome: "refused", asks: "campaignsByName", connector: "socialads" });
    const said = await page.preview(id, { campaignsByName: true });
    expect(said.look).to.include({ outcome: "ready", asks: null, rows: 1 });
    expect((await page.land(id)).state).to.equal("landed");
    const { integrations } = JSON.parse(await page.data.text(`organizations/${AURORA}.json`));
    expect(integrations[1]).to.include({ connector: "socialads", campaignsByName: true });
  });

  it("that nothing recognizes say what they may be, and propose columns by their values once a person has said it", async () => {
    const strange =
      "Nota;Quando;Comprador;Quanto\nA1;01/02/2025;a@example.com;100,50\nA2;15/02/2025;b@example.com;20,00\n";
    const id = await page.drop("estranha.csv", strange);
    const { look } = await page.preview(id);
    expect(look).to.include({ outcome: "unknown", connector: null, record: null });
    const said = await page.preview(id, { integration: STOREA, record: "orders" });
    expect(said.look).to.include({ outcome: "map", record: "orders" });
    const proposed = Object.fromEntries(said.look?.columns?.map(({ name, candidates }) => [name, candidates[0]]) ?? []);
    expect(proposed).to.include({ creation_date: "Quando", value: "Quanto", email: "Comprador" });
    const stock = await page.preview(await page.drop("estoque.csv", "Produto;Local;Saldo\nCamiseta;A1;10\n"));
    expect(stock.look?.outcome).to.equal("unknown");
  });

  it("that two people use at once land as they were last looked at", async () => {
    const id = await page.drop("a.csv", ORDERS);
    const first = await page.preview(id);
    const second = await page.preview(id, { name: "x" });
    expect(second.look?.id).to.not.equal(first.look?.id);
    const [kind, facts] = await refusal(page.work.land(AURORA, id, { look: first.look?.id ?? "", by: "ana" }));
    expect([kind, facts.look]).to.deep.equal(["look", second.look?.id]);
    const both = await Promise.allSettled([page.land(id), page.land(id)]);
    expect(both.map(({ status }) => status).sort()).to.deep.equal(["fulfilled", "rejected"]);
    const all = await Promise.allSettled([1, 2].map(() => page.undo(id)));
    expect(all.map(({ status }) => status).sort()).to.deep.equal(["fulfilled", "rejected"]);
    expect(await values(page.data)).to.deep.equal({});
  });

  it("of which nothing lands leave nothing behind, and wait with their reason", async () => {
    const id = await page.drop("a.csv", ORDERS);
    await page.preview(id);
    // The settings are broken by hand between the look and the landing.
    const file = path.join(page.data.path, `organizations/${AURORA}.json`);
    await writeFile(file, SHOP.replace('"connector"', '"conector"'));
    const failed = await page.land(id);
    expect([failed.state, failed.reason]).to.satisfy(
      ([state, reason]: string[]) => state === "failed" && /conector/.test(reason ?? ""),
    );
    expect(await page.data.files("exports")).to.deep.equal([]);
    expect(await readFile(file, "utf8")).to.contain('"conector"');
    await writeFile(file, SHOP);
    expect((await page.preview(id)).reason).to.equal(null);
    expect((await page.land(id)).state).to.equal("landed");
  });

  it("of another content than the page said are refused", async () => {
    const bytes = Buffer.from(ORDERS);
    const { id } = await page.work.create(AURORA, {
      name: "a.csv",
      bytes: bytes.length,
      sha256: "0".repeat(64),
      by: "ana",
    });
    await page.work.piece(AURORA, id, 0, bytes);
    expect((await page.preview(id)).look?.reason).to.match(/^arrived with another content/);
  });
});
