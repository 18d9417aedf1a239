import { expect } from "chai";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { findBrowser, startBrowser } from "./browser.ts";
import * as on from "./page.ts";
import { type Process, serveProcess } from "./service.ts";

const ANA = "ana@example.com";

interface Line {
  readonly order: string;
  readonly day: string;
  readonly sku: string;
  readonly units: number;
  /** Cents. */
  readonly discount: number;
}

/** Price and cost in cents. */
const GOODS: Readonly<Record<string, readonly [name: string, price: number, cost: number]>> = {
  "CAN-01": ["Caneca azul", 3990, 1420],
  "PRA-01": ["Prato raso", 5900, 2550],
  "VAS-01": ["Vaso alto", 14900, 6100],
};

/** 100 days of a shop up to yesterday: one to three products an order. */
function linesUntil(yesterday: number): Line[] {
  const skus = Object.keys(GOODS);
  return Array.from({ length: 200 }, (_, n) => n).flatMap((n) => {
    const day = new Date(yesterday - Math.floor(n / 2) * 864e5).toISOString().slice(0, 10);
    return skus.slice(0, 1 + (n % 3)).map((sku, at) => {
      return { order: `P${1000 + n}`, day, sku, units: 1 + ((n + at) % 2), discount: n % 5 === 0 ? 390 + 100 * at : 0 };
    });
  });
}

const brazilian = (cents: number): string => (cents / 100).toFixed(2).replace(".", ",");
const dayMonth = (day: string): string => day.split("-").reverse().join("/");

/** As somebody keeps them: without status, payment and the order's amount. */
const ordersFile = (lines: readonly Line[]): string =>
  [
    "Pedido;Data;SKU;Produto;Quantidade;Preço;Desconto;E-mail;Origem",
    ...lines.map(({ order, day, sku, units, discount }, n) => {
      const [name, price] = GOODS[sku] ?? ["", 0];
      const visit = ["google / cpc", "facebook / cpc", "email", ""][n % 4];
      const who = `c${Number(order.slice(1)) % 40}@exemplo.com.br`;
      return [order, dayMonth(day), sku, name, units, brazilian(price), brazilian(discount), who, visit].join(";");
    }),
  ].join("\n");

const costsFile = (): string =>
  ["SKU;Custo", ...Object.entries(GOODS).map(([sku, [, , cost]]) => `${sku};${brazilian(cost)}`)].join("\n");

const adsFile = (days: readonly string[]): string =>
  [
    "Dia;ID da campanha;Campanha;Valor gasto (BRL);Impressões",
    ...days.map((day) => `${day};77;Prospecção;20,50;900`),
  ].join("\n");

/** `R$ 1.234,56`, with a minus of either kind. */
const amountIn = (text: string | null): number =>
  Number(
    (text ?? "")
      .replace("−", "-")
      .replaceAll(/[^\d,-]/g, "")
      .replace(",", "."),
  );

/** What is left of 30 days after taxes of 6 %, payment of 4 % and ads, in cents. */
function leftOf(lines: readonly Line[], from: string): number {
  const own = lines.filter(({ day }) => day >= from);
  const sum = (of: (line: Line) => number): number => own.reduce((total, line) => total + of(line), 0);
  const revenue = sum(({ sku, units, discount }) => (GOODS[sku]?.[1] ?? 0) * units - discount);
  const goods = sum(({ sku, units }) => (GOODS[sku]?.[2] ?? 0) * units);
  return revenue - goods - revenue * 0.1 - 30 * 2050;
}

describe("From three spreadsheets to the first profit, in a browser [D93]", function () {
  this.timeout(600_000);
  let service: Process;
  let browser: Browser;
  /** The service's clock stands at noon of 1 April. */
  const yesterday = Date.parse("2025-03-31");

  before(async function () {
    const executable = findBrowser();
    if (!executable) this.skip();
    service = await serveProcess();
    browser = await startBrowser(executable);
  });

  after(async () => {
    await browser?.close();
    await service?.close();
  });

  async function walk(organization: string, options: BrowserContextOptions): Promise<void> {
    await service.lucra("organizations", "add", "--name", "Loja da Ana", "--currency", "BRL", "--id", organization);
    await service.lucra("people", "add", ANA, "--role", "admin", "--organization", organization);
    const context = await browser.newContext({ reducedMotion: "reduce", locale: "pt-BR", ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    let presses = 0;
    const press = async (what: Locator): Promise<void> => {
      presses++;
      await what.scrollIntoViewIfNeeded();
      await (options.hasTouch ? what.tap() : what.click());
    };
    const button = (name: string | RegExp): Locator => page.getByRole("button", { name }).first();
    const sent = (name: string, text: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
    const lines = linesUntil(yesterday);
    const days = [...new Set(lines.map(({ day }) => day))].sort();

    await page.goto((await service.lucra("people", "link", ANA)).trim());
    const started = Date.now();
    await press(page.locator("form .primary").first());
    await page.locator(".main-menu").waitFor();
    await page.goto(`${service.base}/explorer#/${organization}/overview`);
    await press(page.getByText("Outra loja, ou uma planilha de pedidos"));
    presses++;
    await page.locator("[data-drop] input[type=file]").setInputFiles(sent("pedidos.csv", ordersFile(lines)));
    await press(button(/^Todos os pedidos deste arquivo foram pagos/));
    await page.locator("[data-upload='pedidos.csv'] [data-look=ready]", { hasText: "200 pedidos contam." }).waitFor();
    expect(await on.axeFindings(page)).to.deep.equal([]);
    await fits(page);
    await press(button("Importar pedidos.csv"));
    await page.locator("[data-step=costs]").waitFor();
    for (const [name, value] of [
      ["tax", "6"],
      ["gateway", "4"],
      ["shipping", "0"],
    ] as const)
      await page.fill(`[name=${name}]`, value);
    await press(button("Continuar"));
    await press(page.getByText("Enviar uma tabela com o custo de cada produto"));
    presses++;
    await page
      .locator("[data-drop] input[type=file]")
      .setInputFiles([sent("custos.csv", costsFile()), sent("anuncios.csv", adsFile(days))]);
    for (const name of ["custos.csv", "anuncios.csv"]) {
      await press(button(`Importar ${name}`));
      await page.locator(`[data-upload='${name}'][data-state=landed]`).waitFor();
    }
    await fits(page);
    await press(page.getByText("Ver os números").first());
    const left = page.locator("[data-metric=contribution3] .figure-value [data-exact]").first();
    const expected = leftOf(lines, days.at(-30) ?? "") / 100;
    let shown = "";
    for (let tries = 0; tries < 60 && !(Math.abs(amountIn(shown) - expected) < 0.02); tries++) {
      if (tries > 0) await page.waitForTimeout(1_000);
      shown = (await left.getAttribute("data-exact")) ?? "";
    }
    expect(amountIn(shown), `what is left: ${shown}`).to.be.closeTo(expected, 0.02);
    const seconds = Math.round((Date.now() - started) / 1000);
    console.log(`      ${presses} presses, ${seconds} s of machine time, ${expected.toFixed(2)} is left of 30 days`);
    expect(presses).to.be.at.most(14);
    await fits(page);
    await context.close();
  }

  const fits = async (page: Page): Promise<void> => {
    const [wide, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(wide, "nothing is beside the page").to.be.at.most(shown ?? 0);
  };

  it("takes some fifteen presses, and is right to the cent", () =>
    walk("be9c0000-0000-4000-8000-00000000f001", { viewport: { width: 1280, height: 900 } }));

  it("does so on a phone by touch", () =>
    walk("be9c0000-0000-4000-8000-00000000f002", {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    }));
});
