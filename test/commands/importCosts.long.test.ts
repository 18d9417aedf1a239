import { spawnSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { command } from "../support/command.ts";
import { AURORA, FINANCE, ROOT, STOREA } from "../support/data.ts";
import { Imports } from "../support/imports.ts";

const HEAD = "Início;Fim;Categoria;Valor;Descrição";
const table = (...rows: string[]): string => [HEAD, ...rows, ""].join("\n");
const RENT = "01/02/2025;28/02/2025;fixo;2.800,00;Galpão";
const BOXES = "12/02/2025;;embalagem;36,00;Caixas";

describe("`lucra import` of a table of expenses or fees [D71]", function () {
  this.timeout(120_000);
  const imports = new Imports({
    organizationId: AURORA,
    name: "Shop",
    currency: "BRL",
    integrations: [
      { id: STOREA, connector: "storea", name: "Loja", timezone: "America/Sao_Paulo" },
      { id: FINANCE, connector: "finance", name: "Planilhas" },
    ],
  });

  /** The name of each expense in the lake that is in force, by its export, with their number of rows. */
  async function inForce(): Promise<unknown[]> {
    const { stdout } = await command(imports.data, "landings", "list", "--record", "expenses", "--json");
    const landings = JSON.parse(stdout) as { revokedAt: string | null; exports: { name: string; rows: number }[] }[];
    return landings
      .filter(({ revokedAt }) => revokedAt === null)
      .flatMap(({ exports }) => exports.map(({ name, rows }) => [name, rows]));
  }

  const landed = async (name: string, content: string): Promise<void> => {
    await imports.reports(await imports.given(name, content));
    await command(imports.data, "sync");
  };

  const items = async (): Promise<unknown> => {
    const settings = JSON.parse(
      await readFile(path.join(imports.data.path, "organizations", `${AURORA}.json`), "utf8"),
    );
    return settings.integrations[1].items;
  };

  it("shows what it adds, what it replaces, and the earlier table that has other rows of its days", async () => {
    await landed("fevereiro.csv", table(RENT, BOXES));
    const file = await imports.given(
      "corrigido.csv",
      table(RENT.replace("2.800", "2.900"), "20/02/2025;;frete;50,00;Devoluções"),
    );
    const [report] = await imports.reports(file, "--dry-run");
    expect(report?.changes).to.deep.equal({
      added: { rows: 1, sum: "50.00" },
      replaced: { rows: 1, before: "2800.00", after: "2900.00" },
      others: [{ file: "fevereiro.csv", landing: 1, rows: 1, of: 2 }],
    });
    const { stdout } = await command(imports.data, "import", file, "--dry-run");
    expect(stdout).to.match(/^ {2}changes {3}adds 1 row of 50.00, replaces 1 row of 2800.00 by 2900.00$/m);
    expect(stdout).to.match(
      /^ {2}stays {5}1 row of these days, only in fevereiro.csv, still counts: --instead-of "fevereiro.csv" lands .* \(landing 1\), all its 2 rows$/m,
    );
    expect(await inForce()).to.deep.equal([["fevereiro.csv", 2]]);
  });

  it("says nothing of the first table, of the same one, and of records whose rows replace each other", async () => {
    await landed("fevereiro.csv", table(RENT, BOXES));
    const [same] = await imports.reports(await imports.given("copia.csv", table(RENT, BOXES)));
    expect([same?.state, same?.changes]).to.deep.equal(["known", undefined]);
    const costs = await imports.given("custos.csv", "SKU;Custo\nA-1;3,00\n");
    expect((await imports.reports(costs))[0]).to.not.have.property("changes");
    expect(await imports.refusal(costs, "--dry-run", "--instead-of", "fevereiro.csv")).to.match(
      /^is an export of finance\/product-costs, whose rows replace earlier ones/,
    );
  });

  it("lands a table instead of another one, whose rows no longer count, also after both have landed", async () => {
    await landed("fevereiro.csv", table(RENT, BOXES));
    const file = await imports.given("corrigido.csv", table(RENT.replace("2.800", "2.900")));
    expect(await imports.refusal(file, "--instead-of", "janeiro.csv")).to.equal(
      "--instead-of janeiro.csv: no such export of finance/expenses has landed; there are fevereiro.csv",
    );
    const [report] = await imports.reports(file, "--instead-of", "fevereiro.csv");
    expect(report?.changes).to.deep.equal({
      added: { rows: 1, sum: "2900.00" },
      replaced: { rows: 0, before: "0.00", after: "0.00" },
      others: [],
    });
    expect(report).to.include({ state: "landed", reason: "instead of fevereiro.csv, whose landing 1 is revoked" });
    expect(await inForce()).to.deep.equal([["corrigido.csv", 1]]);
    await landed("mais.csv", table(BOXES));
    const [other] = await imports.reports(
      await imports.given("mais.csv", table(BOXES)),
      "--instead-of",
      "corrigido.csv",
    );
    expect(other).to.include({ state: "landed" });
    expect(await inForce()).to.deep.equal([["mais.csv", 1]]);
    const [itself] = await imports.reports(await imports.given("mais.csv", table(BOXES)), "--instead-of", "mais.csv");
    expect(itself).to.include({ state: "refused", reason: "has the content of mais.csv itself" });
  });

  it("revokes all landings of the other table, whose file was written again", async () => {
    await landed("fevereiro.csv", table(RENT));
    await imports.data.write(`exports/${AURORA}/${FINANCE}/expenses/fevereiro.csv`, table(BOXES));
    await command(imports.data, "sync");
    expect(await inForce()).to.have.lengthOf(2);
    const file = await imports.given("corrigido.csv", table(RENT, BOXES));
    const [report] = await imports.reports(file, "--instead-of", "fevereiro.csv");
    expect(report?.reason).to.equal("instead of fevereiro.csv, whose landings 1, 2 are revoked");
    expect(await inForce()).to.deep.equal([["corrigido.csv", 2]]);
  });

  it("keeps the other table when the new one does not land", async () => {
    await landed("fevereiro.csv", table(RENT, BOXES));
    const file = await imports.given("errado.csv", table("28/02/2025;;fixo;x;y"));
    expect(await imports.refusal(file, "--instead-of", "fevereiro.csv")).to.match(/no row would land/);
    expect(await inForce()).to.deep.equal([["fevereiro.csv", 2]]);
    for (const args of [[file, file], [path.dirname(file)]])
      expect((await command(imports.data, "import", ...args, "--instead-of", "fevereiro.csv")).status).to.equal(2);
  });

  it("lists words that nothing knows, and takes what they are for by --item, also after the table has landed", async () => {
    const content = table(RENT.replace("fixo", "Aluguel"), BOXES);
    const file = await imports.given("fevereiro.csv", content);
    const [report] = await imports.reports(file);
    expect(report).to.deep.include({ state: "imported", unknownItems: ["Aluguel"] });
    expect(report?.notes).to.deep.equal([
      'no cost that is known: Aluguel: --item "Aluguel=fixed" says what it is for and writes it into the settings ("items" of the ' +
        "integration); it may be salesTax, payment, shipping, fulfilment, commission, other, fixed",
    ]);
    await command(imports.data, "sync");
    expect(await inForce()).to.deep.equal([["fevereiro.csv", 1]]);
    const [again] = await imports.reports(file, "--item", "Aluguel=Fixed");
    expect(again).to.deep.include({ state: "imported" }).and.not.have.property("unknownItems");
    expect(again?.changes).to.deep.equal({
      added: { rows: 1, sum: "2800.00" },
      replaced: { rows: 1, before: "36.00", after: "36.00" },
      others: [],
    });
    expect(await items()).to.deep.equal({ Aluguel: "fixed" });
    await command(imports.data, "sync");
    expect((await inForce()).length).to.equal(2);
    const only = await imports.given("só.csv", table(RENT.replace("fixo", "Marketing")));
    expect(await imports.refusal(only)).to.match(/no row would land: .*; no cost that is known: Marketing: --item/);
    for (const wrong of ["Marketing", "Marketing=goods", "=fixed"])
      expect((await command(imports.data, "import", file, "--item", wrong)).status).to.equal(2);
  });

  it("asks on a terminal what a word is for, once", async function () {
    // `script` gives the program a terminal; where it is another program, this cannot be tested.
    if (spawnSync("script", ["--version"]).status !== 0) this.skip();
    const file = await imports.given("fevereiro.csv", table(RENT.replace("fixo", "Aluguel"), BOXES));
    const program = `${process.execPath} ${path.join(ROOT, "bin", "lucra.cjs")} import ${file}`;
    const environment = { PATH: process.env.PATH, LUCRA_DATA_DIR: imports.data.path };
    const asked = spawnSync("script", ["-qec", program, "/dev/null"], { env: environment, input: "aluguel\nfixed\n" });
    expect(asked.status, String(asked.stdout)).to.equal(0);
    expect(String(asked.stdout)).to.include('What is "Aluguel" for?');
    expect(await items()).to.deep.equal({ Aluguel: "fixed" });
    const [report] = await imports.reports(await imports.given("outro.csv", table(RENT.replace("fixo", "Aluguel"))));
    expect(report?.preview).to.include({ rows: 1, rejected: 0 });
    const place = path.join(imports.data.path, "exports", AURORA, FINANCE, "expenses");
    expect((await readdir(place)).toSorted()).to.deep.equal(["fevereiro.csv", "outro.csv"]);
  });
});
