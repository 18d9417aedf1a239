import { expect } from "chai";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { AURORA } from "../support/data.ts";
import { findBrowser, startBrowser } from "./browser.ts";
import * as on from "./page.ts";
import { type Process, serveProcess } from "./service.ts";

const ANA = "ana@example.com";
const BIA = "bia@example.com";
const NEW = "99999999-9999-4999-8999-999999999999";

/** Three months of orders as somebody's own table has them, of which one has no amount. */
function ownOrders(): string {
  const rows = ["Nº do pedido;Situação;Total do pedido;Feito em;Contato"];
  for (let month = 1; month <= 3; month++)
    for (let day = 1; day <= 28; day++)
      rows.push(
        `${month * 100 + day};faturado;100,50;${String(day).padStart(2, "0")}/0${month}/2025 10:15;c${day}@example.com`,
      );
  return [...rows, "999;faturado;sem valor;01/03/2025 10:00;z@example.com", ""].join("\n");
}

describe("What an owner changes in the Explorer, in a browser", function () {
  this.timeout(600_000);
  let service: Process;
  let browser: Browser;
  let ana: BrowserContext;
  let bia: BrowserContext;

  before(async function () {
    const executable = findBrowser();
    if (!executable) this.skip();
    service = await serveProcess();
    await service.lucra("organizations", "add", "--name", "Loja Nova", "--currency", "BRL", "--id", NEW);
    for (const email of [ANA, BIA])
      await service.lucra("people", "add", email, "--role", "admin", "--organization", AURORA, "--organization", NEW);
    browser = await startBrowser(executable);
    [ana, bia] = [await signedIn(ANA), await signedIn(BIA)];
  });

  afterEach(async () => {
    for (const page of [ana, bia].flatMap((context) => context?.pages() ?? []))
      await page.close({ runBeforeUnload: false });
  });

  after(async () => {
    await browser?.close();
    await service?.close();
  });

  async function signedIn(email: string): Promise<BrowserContext> {
    const context = await browser.newContext({
      reducedMotion: "reduce",
      locale: "pt-BR",
      viewport: { width: 1280, height: 900 },
    });
    const page = await context.newPage();
    await page.goto((await service.lucra("people", "link", email)).trim());
    await page.locator("form .primary").click({ timeout: 60_000 });
    await page.locator(".main-menu").waitFor({ timeout: 60_000 });
    await page.close();
    return context;
  }

  async function open(context: BrowserContext, address: string): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(90_000);
    await page.goto(`${service.base}/explorer#/${address}`);
    await page.locator(".main-menu").waitFor();
    return page;
  }

  const settingsOf = async (organization: string): Promise<Record<string, unknown>> =>
    JSON.parse(await service.data.text(`organizations/${organization}.json`));

  const saved = (page: Page): Promise<void> => page.locator(".save-said .icon").waitFor();
  const isEffect = (page: Page): Promise<void> => page.locator("[data-effect]").waitFor({ timeout: 180_000 });

  it("leads an organization without data from a table of its own to the first figure", async () => {
    const page = await open(ana, `${NEW}/overview`);
    await page.locator("[data-step=source]").waitFor();
    expect(await page.locator(".toolbar").count(), "controls over nothing").to.equal(0);
    await page.getByText("Outra loja, ou uma planilha de pedidos").click();
    const file = { name: "vendas.csv", mimeType: "text/csv", buffer: Buffer.from(ownOrders()) };
    await page.locator("[data-drop] input[type=file]").setInputFiles(file);
    await page.locator("[data-form=mapping]").waitFor();
    expect(await on.axeFindings(page)).to.deep.equal([]);
    await page.getByLabel("Valor do pedido").selectOption("Total do pedido");
    await page.getByLabel("Data do pedido").selectOption("Feito em");
    await page.getByLabel("Data do pagamento").selectOption("Feito em");
    await page.getByLabel("E-mail do cliente").selectOption("Contato");
    await page.getByRole("button", { name: "Usar estas colunas" }).click();
    const upload = page.locator("[data-upload='vendas.csv']");
    await upload.locator("[data-look=ready]").waitFor();
    expect(await upload.locator("[data-rejected]").innerText()).to.include("Valor do pedido não é um número");
    expect(await upload.locator(".preview-what").innerText()).to.include("84 linhas");
    await upload.getByRole("button", { name: "Importar vendas.csv" }).click();
    await page.locator("[data-step=costs]").waitFor({ timeout: 180_000 });
    for (const [name, value] of [
      ["costOfGoods", "40"],
      ["tax", "8"],
      ["gateway", "3,5"],
      ["shipping", "8,5"],
    ] as const)
      await page.fill(`[name=${name}]`, value);
    await page.getByRole("button", { name: "Continuar" }).click();
    await page.locator("[data-first=revenue]").waitFor();
    expect(await page.locator("[data-first=revenue]").innerText()).to.include("2.814");
    expect(await page.locator("[data-first-orders] tbody tr").count()).to.equal(8);
    expect(await on.axeFindings(page)).to.deep.equal([]);
    expect((await settingsOf(NEW)).margin).to.deep.equal({
      items: {
        costOfGoods: { percent: 40 },
        tax: { percent: 8 },
        gateway: { percent: 3.5 },
        shipping: { percent: 8.5 },
      },
    });
    await page.getByRole("button", { name: "Está certo: ver a Visão geral" }).click();
    await page.locator(".toolbar").waitFor();
  });

  it("undoes a file from the place where it landed", async () => {
    const page = await open(ana, `${NEW}/settings/files`);
    const file = page.locator("[data-upload='vendas.csv']");
    await file.getByRole("button", { name: "Desfazer vendas.csv" }).click();
    await file.getByRole("button", { name: "Desfazer a importação" }).click();
    await page.locator("[data-upload='vendas.csv'][data-state=undone]").waitFor({ timeout: 180_000 });
    await page.locator("[data-arrived].is-ended").waitFor();
  });

  it("adds a cost as a sentence, says what adds up, and shows the effect before it is saved", async () => {
    const page = await open(ana, `${AURORA}/settings/costs`);
    const before = (await settingsOf(AURORA)).costs;
    const other = page.locator("[data-cost-item=other]");
    const add = async (percent: string): Promise<void> => {
      await other.getByRole("button", { name: "Acrescentar: Outros custos da venda" }).click();
      await page.fill("[name=percentOfRevenue]", percent);
    };
    await add("3,5");
    await page.fill("[name=perOrder]", "0,40");
    expect(await page.locator("[data-reads]").innerText()).to.match(/3,5% da receita \+ R\$\s0,40 por pedido/);
    await page.getByRole("button", { name: "Pronto" }).click();
    await other.locator("[data-cost]", { hasText: "3,5% da receita" }).waitFor();
    await add("2");
    await page.locator("[data-sums]").waitFor();
    await page.getByRole("button", { name: "Pronto" }).click();
    expect(await page.locator("[data-form=cost] .setting-error").innerText()).to.equal(
      "Escolha o que fazer com a soma.",
    );
    await page.getByRole("button", { name: "Cancelar" }).click();
    expect((await settingsOf(AURORA)).costs, "nothing is saved yet").to.deep.equal(before);
    await page.getByRole("button", { name: "Ver o efeito" }).click();
    await isEffect(page);
    expect(await on.axeFindings(page)).to.deep.equal([]);
    await page.getByRole("button", { name: "Salvar", exact: true }).click();
    await saved(page);
    expect((await settingsOf(AURORA)).costs).to.deep.include.members([
      { item: "other", percentOfRevenue: 3.5 },
      { item: "other", perOrder: 0.4 },
    ]);
  });

  it("classes a campaign by a click, with the rule for its like", async () => {
    const before = (await settingsOf(AURORA)).campaigns as readonly object[];
    const page = await open(ana, `${AURORA}/settings/campaigns`);
    const campaign = page.locator("[data-campaign]").first();
    const name = (await campaign.getAttribute("data-campaign")) ?? "";
    const other = campaign.locator(".classes button[aria-pressed=false]").last();
    await other.click();
    await campaign.locator(".new-rule").waitFor();
    await campaign.getByText(/também as parecidas/).click();
    await page.getByRole("button", { name: "Ver o efeito" }).click();
    await isEffect(page);
    await page.getByRole("button", { name: "Salvar", exact: true }).click();
    await saved(page);
    const after = (await settingsOf(AURORA)).campaigns as readonly { name?: string; strategy: string }[];
    const added = after.filter((rule) => !before.some((one) => JSON.stringify(one) === JSON.stringify(rule)));
    expect(added).to.have.length(1);
    expect(added[0]?.strategy).to.equal("monetization");
    expect(name.toLowerCase()).to.include((added[0]?.name ?? "-").replaceAll("*", "").toLowerCase());
  });

  it("keeps what is not saved while other pages are looked at, and says so in the list", async () => {
    const page = await open(ana, `${AURORA}/settings/targets`);
    const field = page.locator("main input").first();
    await field.fill("123456");
    await page.locator(".save-bar").waitFor();
    await page.getByRole("link", { name: "Clientes", exact: true }).first().click();
    await page.waitForFunction(() => location.hash.includes("/customers"));
    await page.locator(".save-bar").waitFor({ state: "detached" });
    await page.goto(`${service.base}/explorer#/${AURORA}/settings/targets`);
    await page.locator(".save-bar").waitFor();
    expect(await field.inputValue()).to.match(/^123\.?456/);
    expect(await page.locator(".settings-list .chip").count()).to.equal(1);
    await page.locator(".save-bar .quiet").click();
    await page.locator(".settings-list .chip").waitFor({ state: "detached" });
    expect((await settingsOf(AURORA)).targets ?? {}).to.not.deep.include({ revenue: 123_456 });
  });

  it("keeps the notes of two admins who write at once", async () => {
    const [mine, theirs] = [await open(ana, `${AURORA}/settings/notes`), await open(bia, `${AURORA}/settings/notes`)];
    const write = async (page: Page, text: string): Promise<void> => {
      await page.getByLabel("O que houve").fill(text);
      await page.getByRole("button", { name: "Acrescentar", exact: true }).click();
      await page.locator(`[data-note="${text}"]`).waitFor();
    };
    await write(mine, "Loja fora do ar");
    await write(theirs, "Promoção");
    await theirs.getByRole("button", { name: "Salvar", exact: true }).click();
    await saved(theirs);
    await mine.getByRole("button", { name: "Salvar", exact: true }).click();
    await mine.locator("[data-conflict]", { hasText: "Promoção" }).waitFor();
    expect(await on.axeFindings(mine)).to.deep.equal([]);
    await mine.getByRole("button", { name: "Manter as duas mudanças" }).click();
    await mine.getByRole("button", { name: "Salvar", exact: true }).click();
    await saved(mine);
    const notes = (await settingsOf(AURORA)).notes as readonly { text: string }[];
    expect(notes.map(({ text }) => text)).to.include.members(["Loja fora do ar", "Promoção"]);
  });

  it("leads from a notice to the field that it is about", async () => {
    const page = await open(ana, `${AURORA}/settings/costs?field=margin`);
    await page.locator("[data-part=margin] h3:focus").waitFor();
  });
});
