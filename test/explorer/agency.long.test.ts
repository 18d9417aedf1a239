import { expect } from "chai";
import { agencysApril } from "../support/agency.ts";
import { AURORA } from "../support/data.ts";
import { findBrowser } from "./browser.ts";
import { type Opened, openExplorer, watchErrors } from "./opened.ts";
import * as on from "./page.ts";

describe("The Explorer, of a month that was reported before", function () {
  this.timeout(240_000);
  let opened: Opened;

  before(async function () {
    const browser = findBrowser();
    if (!browser) return this.skip();
    opened = await openExplorer(browser, await agencysApril(), AURORA);
  });

  after(() => opened?.close());

  it("says what has changed since, why, and by which files", async () => {
    const page = await opened.openTab();
    const errors: string[] = [];
    watchErrors(page, (text) => errors.push(text));
    await on.show(page, "overview?from=2025-04-01&to=2025-04-30&compare=none&known=abril-fechado");
    await page.getByText("Como se sabia em 3 de mai. de 2025").waitFor();
    expect(await page.locator("main").innerText()).to.match(/R\$\s5\.635\b/);
    await on.show(page, "data?tab=changes&since=abril-fechado");
    const [april] = await on.tableTexts(page, "restatements");
    expect(april?.slice(0, 4)).to.deep.equal(["abr. de 2025", `+${on.brl(224)}`, "", `+${on.brl(85.4)}`]);
    const [revenue] = await on.tableTexts(page, "changed");
    expect(revenue?.slice(1)).to.deep.equal([
      on.brl(5635),
      on.brl(5859),
      `+${on.brl(224)}`,
      `chegaram +${on.brl(726)} · sumiram ${on.brl(-300)} · deixaram de contar ${on.brl(-150)} · mudaram de valor ${on.brl(-52)}`,
    ]);
    const net = (await on.tableTexts(page, "statements")).find(([line]) => line === "Receita líquida");
    expect(net?.slice(1)).to.deep.equal([on.brl(5184.2), on.brl(5390.28), `+${on.brl(206.08)}`]);
    const orders = await on.tableTexts(page, "orders");
    expect(orders).to.have.lengthOf(9);
    expect(orders.map((row) => [row[0], row[1], row.at(-1)])).to.deep.include.members([
      ["303", "chegaram", "tarde-1.json"],
      ["100", "deixaram de contar", "tarde-2.json"],
      ["900", "sumiram", "–"],
      ["101", "mudaram de valor", "tarde-2.json"],
    ]);
    const [spend] = await on.tableTexts(page, "spend");
    expect([spend?.[0], spend?.at(-1)]).to.deep.equal(["Prospecção", "tarde.json"]);
    const asked: URL[] = [];
    page.on("request", (sent) => asked.push(new URL(sent.url())));
    await page.locator("[data-picture=orders] select").selectOption("gone");
    await on.settled(page);
    expect((await on.tableTexts(page, "orders")).map(([order]) => order)).to.deep.equal(["902", "901", "900"]);
    const gone = asked.find(({ pathname }) => pathname === "/v1/restatements/orders")?.searchParams;
    expect(Object.fromEntries(gone ?? [])).to.include({ knownAt: "abril-fechado", startDate: "2025-04-01" });
    // As known on a later day, the page compares with that: the landing was not revoked yet.
    await on.show(page, "data?tab=changes&since=abril-fechado&known=2025-05-09T23:59:59.999Z");
    expect((await on.tableTexts(page, "restatements"))[0]?.[1]).to.equal(`+${on.brl(524)}`);
    expect(errors).to.deep.equal([]);
    await page.context().close();
  });
});
