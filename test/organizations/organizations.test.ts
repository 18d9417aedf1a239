import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Ajv } from "ajv";
import { expect } from "chai";
import { OperatorError } from "../../src/core/contract/error.ts";
import { answerSettings, knownSettings } from "../../src/core/contract/settings.ts";
import { Organizations } from "../../src/core/organizations/organizations.ts";
import { parseOrganization, SCHEMA } from "../../src/core/organizations/settings.ts";
import { until } from "../http/fake.ts";
import { ROOT } from "../support/data.ts";

const ID = "11111111-1111-4111-8111-111111111111";
const STORE = "22222222-2222-4222-8222-222222222222";
const GOOD = { organizationId: ID, name: "Loja Exemplo" };

/** The settings shown in [D48]. */
const FULL = {
  ...GOOD,
  currency: "BRL",
  integrations: [
    {
      id: STORE,
      connector: "storea",
      name: "Loja principal",
      userId: "u-1",
      timezone: "America/Sao_Paulo",
      schedule: "*/30 * * * *",
      pull: { since: "2023-06-01", account: { account: "lojaexemplo" } },
    },
  ],
  margin: { items: { gateway: { percent: 3.5 }, tax: "orders", shipping: "orders", costOfGoods: "orders" } },
  costs: [
    { item: "payment", name: "Cartão", percentOfRevenue: 3.99, where: { paymentMethod: "creditCard" } },
    { item: "fixed", name: "Aluguel", perMonth: 3_000, from: "2024-01-01" },
  ],
  campaigns: [
    { strategy: "brand", name: "*institucional*" },
    { strategy: "acquisition", id: "120210" },
  ],
  funnel: { interest: ["view_item"], decision: ["purchase"] },
  payments: [{ name: "appmax*", group: "credit_card" }],
  pins: { monthly: 3 },
  targets: { cac: 40, ltvCacRatio: 3, margin: 45, revenue: 90_000, contribution3: 20_000, profit: 9_000 },
  locale: "pt-BR",
  notes: [
    { from: "2025-11-24", until: "2025-12-01", text: "Black Friday", sale: true },
    { from: "2026-01-12", text: "Site novo" },
  ],
  alerts: [
    { name: "Receita cai", figure: "revenue", rule: "change", value: -40, over: "day" },
    { builtIn: "returnRate", off: true },
  ],
};

const ALERT = { name: "x", figure: "revenue", rule: "below", value: 100, over: "day" };

const parse = (settings: unknown): unknown => parseOrganization(JSON.stringify(settings), `${ID}.json`, ID);

function problem(settings: unknown): string {
  try {
    parse(settings);
  } catch (error) {
    expect(error).to.be.instanceOf(OperatorError);
    return (error as Error).message;
  }
  throw new Error(`taken: ${JSON.stringify(settings)}`);
}

const store = (more: object): object => ({ ...GOOD, integrations: [{ id: STORE, connector: "storea", ...more }] });

describe("An organization's settings", () => {
  it("have a schema that is itself valid", () => {
    const ajv = new Ajv({ strict: false });
    expect(ajv.validateSchema(SCHEMA), ajv.errorsText()).to.equal(true);
  });

  it("have an example in their document that is valid", async () => {
    const text = await readFile(path.join(ROOT, "docs", "settings.md"), "utf8");
    const [, example = ""] = /```json\n(.*?)```/s.exec(text) ?? [];
    expect(parse(JSON.parse(example))).to.deep.equal(FULL);
  });

  it("that are wrong in several ways are refused with all faults at once, whatever finds them", () => {
    const integrations = [
      { id: STORE, connector: "storea", timezone: "Brasil/SP", schedule: "every day" },
      { id: STORE, connector: "stora", timezone: 7 },
      "a text",
    ];
    const text = problem({ ...GOOD, currency: "real", integrations, campaigns: [{ strategy: "brand" }, 3] });
    for (const part of [
      "currency: three capital letters",
      'integrations[0].timezone: "Brasil/SP" is no known timezone',
      'integrations[0].schedule: "every day" is no cron expression',
      `integrations[1].id: ${STORE} is there twice`,
      'integrations[1].connector: "stora" is unknown, did you mean storea?',
      "integrations[1].timezone: a text is expected",
      "integrations[2]: ",
      "campaigns[0]: either id or name is expected",
      "campaigns[1]: ",
    ]) {
      expect(text).to.include(part);
    }
  });

  it("need an id and a name, and may hold everything that [D48] shows", () => {
    expect(parse(GOOD)).to.deep.equal(GOOD);
    expect(parse(FULL)).to.deep.equal(FULL);
    expect(parse({ ...GOOD, margin: { percent: 42.5 } })).to.be.an("object");
    expect(parse({ ...GOOD, margin: { items: {} }, campaigns: [], integrations: [] })).to.be.an("object");
  });

  it("are no input of answers, nor part of what was known, in what only pages and letters read [D81]", () => {
    const shown = {
      targets: { profit: 9_000 },
      locale: "en",
      notes: [{ from: "2025-11-28", text: "x" }],
      alerts: [{ builtIn: "stock", off: true }],
    } as const;
    expect(answerSettings({ ...GOOD, ...shown })).to.deep.equal(GOOD);
    expect(knownSettings({ ...GOOD, ...shown })).to.deep.equal(GOOD);
  });

  it("may map columns of records to one heading or several", () => {
    const columns = { orders: { value: "Total", order_id: ["Pedido", "Nº"] } };
    expect(parse(store({ columns }))).to.deep.equal(store({ columns }));
    expect(parse(store({ connector: "vtex", columns }))).to.deep.equal(store({ columns }));
  });

  it("name a connector by itself or by its vendor", () => {
    for (const [alias, connector] of Object.entries({
      vtex: "storea",
      shopify: "storeb",
      meta: "socialads",
      "google-ads": "searchads",
      ga4: "webanalytics",
      hubspot: "crm",
    })) {
      expect(parse(store({ connector: alias })), alias).to.deep.equal(store({ connector }));
      expect(parse(store({ connector })), connector).to.deep.equal(store({ connector }));
    }
  });

  for (const [what, settings, ...parts] of [
    ["an unknown key", { ...GOOD, curency: "BRL" }, "curency: unknown, did you mean currency?"],
    [
      "an unknown key inside",
      store({ conector: "storea" }),
      "integrations[0].conector: unknown, did you mean connector?",
    ],
    ["no name", { organizationId: ID }, "name"],
    ["an empty name", { ...GOOD, name: "" }, "name"],
    ["another id than the file's name", { ...GOOD, organizationId: STORE }, "organizationId", ID],
    ["an id that is no UUID", { ...GOOD, organizationId: "loja" }, "organizationId", "UUID"],
    ["an integration's id that is a urn", store({ id: `urn:uuid:${STORE}` }), "integrations[0].id", "UUID"],
    [
      "an unknown connector",
      store({ connector: "magento" }),
      "integrations[0].connector",
      "magento",
      "storeb",
      "shopify",
    ],
    ["a misspelt connector", store({ connector: "store_b" }), '"store_b" is unknown, did you mean storeb?'],
    [
      "columns of an unknown record",
      store({ columns: { order: { value: "Total" } } }),
      "integrations[0].columns.order: no record of the connector, did you mean orders?",
    ],
    [
      "an unknown column",
      store({ columns: { orders: { valu: "Total" } } }),
      "integrations[0].columns.orders.valu: no column of the record, did you mean value?",
    ],
    ["a heading that is no text", store({ columns: { orders: { value: 3 } } }), "columns.orders.value", "heading"],
    ["a misspelt timezone", store({ timezone: "America/SaoPaulo" }), "did you mean America/Sao_Paulo?"],
    ["an unknown timezone", store({ timezone: "America/Lisarb" }), "integrations[0].timezone", "America/Lisarb"],
    ["an offset for a timezone", store({ timezone: "+03:00" }), "integrations[0].timezone"],
    ["an invalid schedule", store({ schedule: "every hour" }), "integrations[0].schedule", "every hour"],
    ["a currency that is no code", { ...GOOD, currency: "real" }, "currency", "BRL"],
    ["a margin over 100", { ...GOOD, margin: { percent: 101 } }, "margin.percent", "100"],
    ["a margin below 0", { ...GOOD, margin: { percent: -1 } }, "margin.percent", "0"],
    ["a target of 0", { ...GOOD, targets: { cac: 0 } }, "targets.cac", "a number above 0"],
    ["a target that is a text", { ...GOOD, targets: { revenue: "90000" } }, "targets.revenue", "a number above 0"],
    ["a target of nothing left", { ...GOOD, targets: { profit: 0 } }, "targets.profit", "a number above 0"],
    ["an unknown language", { ...GOOD, locale: "pt" }, "locale: en or pt-BR is expected"],
    ["a note without a text", { ...GOOD, notes: [{ from: "2025-11-28" }] }, "notes[0].text: missing"],
    ["a note of no day", { ...GOOD, notes: [{ from: "2025-11-31", text: "x" }] }, "notes[0].from", "2024-02-29"],
    [
      "a note that ends before it begins",
      { ...GOOD, notes: [{ from: "2025-11-28", until: "2025-11-27", text: "x" }] },
      "notes[0].until: 2025-11-27 is before from",
    ],
    [
      "a note that is a book",
      { ...GOOD, notes: [{ from: "2025-11-28", text: "x".repeat(81) }] },
      "notes[0].text",
      "80",
    ],
    [
      "a sale that is none",
      { ...GOOD, notes: [{ from: "2025-11-28", text: "x", sale: false }] },
      "notes[0].sale: true is expected",
    ],
    [
      "a letter without a receiver, at no time, by an unknown way",
      {
        ...GOOD,
        letters: [
          { on: "daily", at: "8h", channel: "fax" },
          { on: "daily", at: "08:00", channel: "mail" },
        ],
      },
      "letters[0].at: a time such as 08:00 is expected",
      "letters[0].channel",
      "letters[1].to: missing",
    ],
    [
      "a letter that is there twice, one to an address of Slack, one to a webhook that is not there",
      {
        ...GOOD,
        letters: [
          { to: "Ana@example.com", on: "daily", at: "08:00", channel: "mail" },
          { to: "ana@example.com", on: "daily", at: "09:00", channel: "mail" },
          { to: "https://hooks.example.com/secret", on: "daily", at: "08:00", channel: "slack" },
          { on: "daily", at: "08:00", channel: "webhook" },
        ],
      },
      "letters[1]: the same letter is there twice",
      "letters[2].to: a name of at most 60 characters is expected; `lucra letters slack` keeps its address",
      "letters[3].channel: the organization has no webhook",
    ],
    [
      "an alert without a rule",
      { ...GOOD, alerts: [{ name: "x" }] },
      "alerts[0].figure: missing",
      "alerts[0].over: missing",
    ],
    [
      "an alert of an unknown figure",
      { ...GOOD, alerts: [{ ...ALERT, figure: "revenues" }] },
      "alerts[0].figure",
      "did you mean revenue?",
    ],
    [
      "an alert of two things",
      { ...GOOD, alerts: [{ ...ALERT, channel: "direct", campaignId: "1" }] },
      "alerts[0]: one of channel, campaignId is expected",
    ],
    [
      "an alert of a store that is not there",
      { ...GOOD, alerts: [{ ...ALERT, integrationId: STORE }] },
      `alerts[0].integrationId: ${STORE} is no store of these settings`,
    ],
    [
      "an alert of what no store has",
      { ...store({}), alerts: [{ ...ALERT, figure: "cac", integrationId: STORE.toUpperCase() }] },
      "alerts[0].figure: cac is of no store, remove integrationId or choose another figure",
    ],
    [
      "an alert of a change by nothing",
      { ...GOOD, alerts: [{ ...ALERT, rule: "change", value: 0 }] },
      "alerts[0].value: the percent of a change is expected",
    ],
    ["an alert that is there twice", { ...GOOD, alerts: [ALERT, ALERT] }, "alerts[1].name: x is there twice"],
    ["a rule that is off", { ...GOOD, alerts: [{ ...ALERT, off: true }] }, "alerts[0].off: of a built-in alert only"],
    [
      "a built-in alert with a rule",
      { ...GOOD, alerts: [{ builtIn: "stock", value: 3 }] },
      "alerts[0].value: a built-in alert has its own, remove it or builtIn",
    ],
    [
      "an unknown built-in alert",
      { ...GOOD, alerts: [{ builtIn: "returnsRate" }] },
      "alerts[0].builtIn",
      "did you mean returnRate?",
    ],
    ["a margin to reach over 100", { ...GOOD, targets: { margin: 120 } }, "targets.margin", "100"],
    ["a day that not every month has", { ...GOOD, pins: { monthly: 29 } }, "pins.monthly", "a day from 1 to 28"],
    ["a day that is no whole number", { ...GOOD, pins: { monthly: 2.5 } }, "pins.monthly", "a day from 1 to 28"],
    ["pins without a day", { ...GOOD, pins: {} }, "pins.monthly: missing", ""],
    ["an unknown target", { ...GOOD, targets: { revenues: 3 } }, "targets.revenues: unknown, did you mean revenue?"],
    ["a margin in both forms", { ...GOOD, margin: { percent: 1, items: {} } }, "margin"],
    ["a margin in neither form", { ...GOOD, margin: {} }, "margin"],
    [
      "an unknown margin item",
      { ...GOOD, margin: { items: { taxes: "orders" } } },
      "margin.items.taxes: unknown, did you mean tax?",
    ],
    ["a margin item that is a word", { ...GOOD, margin: { items: { tax: "order" } } }, "margin.items.tax", '"orders"'],
    [
      "a margin item over 100",
      { ...GOOD, margin: { items: { tax: { percent: 101 } } } },
      "margin.items.tax",
      "percent",
    ],
    [
      "a rule with both id and name",
      { ...GOOD, campaigns: [{ strategy: "brand", id: "1", name: "x" }] },
      "campaigns[0]",
    ],
    ["a rule with neither id nor name", { ...GOOD, campaigns: [{ strategy: "brand" }] }, "campaigns[0]", "id or name"],
    [
      "an unknown strategy",
      { ...GOOD, campaigns: [{ strategy: "branding", id: "1" }] },
      "campaigns[0].strategy",
      "brand",
    ],
    ["a funnel with one stage", { ...GOOD, funnel: { interest: ["view_item"] } }, "funnel", "decision"],
    ["a funnel with an empty stage", { ...GOOD, funnel: { interest: [], decision: ["x"] } }, "funnel.interest"],
    ["a list", [GOOD], "top level"],
    ["null", null, "top level"],
  ] as const) {
    it(`are refused with ${what}, and the place is named`, () => {
      const message = problem(settings);
      expect(message).to.match(new RegExp(`^${ID}\\.json: `));
      for (const part of parts) expect(message).to.contain(part);
    });
  }

  it("are refused with two integrations of one id, whatever their case", () => {
    const id = "2222222a-2222-4222-8222-222222222222";
    const twice = [id, id.toUpperCase()].map((one) => ({ id: one, connector: "storea" }));
    expect(problem({ ...GOOD, integrations: twice })).to.contain("integrations[1].id");
  });

  it("report one fault once: a margin item that fits neither form is one fault", () => {
    expect(problem({ ...GOOD, margin: { items: { tax: 3 } } }).split(";")).to.have.lengthOf(1);
  });

  it("report all faults at once", () => {
    const message = problem({ ...GOOD, name: 1, currency: "x", color: "red" });
    expect(message).to.contain("name").and.contain("currency").and.contain("color");
  });

  it("that are no JSON are refused with the file and the line", () => {
    expect(() => parseOrganization("{", `${ID}.json`, ID)).to.throw(OperatorError, `${ID}.json`);
    const text = '{\n  "name": "Loja",\n  "currency" "BRL"\n}';
    expect(() => parseOrganization(text, `${ID}.json`, ID)).to.throw(OperatorError, `${ID}.json: line 3: `);
  });
});

describe("The text of settings", () => {
  it("may start with a byte order mark", () => {
    expect(parseOrganization(`\uFEFF${JSON.stringify(GOOD)}`, `${ID}.json`, ID)).to.deep.equal(GOOD);
  });
});

describe("The organizations of a data folder", () => {
  let dataDir: string;
  const problems: string[] = [];

  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), "lucra-organizations-"));
    await mkdir(path.join(dataDir, "organizations"));
    problems.length = 0;
  });

  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  const file = (name = `${ID}.json`): string => path.join(dataDir, "organizations", name);
  const write = (settings: unknown, name?: string): Promise<void> => writeFile(file(name), JSON.stringify(settings));
  const open = (remembered?: string): Organizations =>
    new Organizations(dataDir, {
      onProblem: (problem) => problems.push(problem),
      ...(remembered === undefined ? {} : { remembered: async () => remembered }),
    });
  const nameOf = async (organizations: Organizations): Promise<string | undefined> =>
    (await organizations.get(ID))?.settings.name;

  it("are those whose file's name is a UUID", async () => {
    await write(GOOD);
    await write(GOOD, "notes.json");
    await write(GOOD, `.${STORE}.json`);
    await write(GOOD, `${STORE}.json~`);
    const organizations = open();
    expect(await organizations.ids()).to.deep.equal([ID]);
    expect(await organizations.ids()).to.deep.equal([ID]);
    expect(problems, "a file that looks like settings is reported once").to.deep.equal([
      "organizations/notes.json: not read, settings are named <organizationId>.json",
    ]);
  });

  it("are an empty list if there is no folder", async () => {
    await rm(path.join(dataDir, "organizations"), { recursive: true });
    expect(await open().ids()).to.deep.equal([]);
    expect(await open().get(ID)).to.equal(undefined);
  });

  it("are found only by id", async () => {
    await write(GOOD);
    await writeFile(path.join(dataDir, "outside.json"), JSON.stringify(GOOD));
    const organizations = open();
    expect(await organizations.get(ID)).to.deep.equal({ settings: GOOD });
    for (const id of [STORE, "../outside", `../organizations/${ID}`, `${ID}\0`, "", ".", "__proto__"]) {
      expect(await organizations.get(id), id).to.equal(undefined);
    }
  });

  it("are read again when the file has changed, and removed when it is removed", async () => {
    await write(GOOD);
    const organizations = open();
    expect(await nameOf(organizations)).to.equal("Loja Exemplo");
    await write({ ...GOOD, name: "Loja Novíssima" });
    await until(async () => (await nameOf(organizations)) === "Loja Novíssima");
    await rm(file());
    await until(async () => (await organizations.get(ID)) === undefined);
    expect(problems).to.deep.equal([]);
  });

  it("keep the last good settings when the file becomes bad, and report it once", async () => {
    await write(GOOD);
    const organizations = open();
    await organizations.get(ID);
    await write({ ...GOOD, color: "red" });
    await until(async () => (await organizations.get(ID))?.problem !== undefined);
    expect(await nameOf(organizations)).to.equal("Loja Exemplo");
    expect(problems).to.have.lengthOf(1);
    expect(problems[0]).to.contain(`organizations/${ID}.json`).and.contain("color");
    await write({ ...GOOD, name: "Repaired" });
    await until(async () => (await nameOf(organizations)) === "Repaired");
    expect((await organizations.get(ID))?.problem).to.equal(undefined);
  });

  it("start on a bad file with the settings remembered elsewhere", async () => {
    await write({ ...GOOD, color: "red" });
    const found = await open(JSON.stringify(GOOD)).get(ID);
    expect(found?.settings).to.deep.equal(GOOD);
    expect(found?.problem).to.contain("color");
  });

  it("are unknown when the file is bad and no good settings are remembered", async () => {
    await write({ ...GOOD, color: "red" });
    expect(await open().get(ID)).to.equal(undefined);
    expect(await open("{").get(ID)).to.equal(undefined);
    expect(problems).to.have.lengthOf(2);
  });

  it("report a problem once, however many ask at the start", async () => {
    await write({ ...GOOD, color: "red" });
    const organizations = open();
    await Promise.all([1, 2, 3].map(() => organizations.get(ID)));
    expect(problems).to.have.lengthOf(1);
  });

  it("keep the last good settings when the file cannot be read", async () => {
    await write(GOOD);
    const organizations = open();
    await organizations.get(ID);
    await rm(file());
    await mkdir(file());
    await until(async () => {
      expect(await nameOf(organizations)).to.equal("Loja Exemplo");
      return problems.length > 0;
    });
    expect(problems).to.have.lengthOf(1);
    expect(problems[0]).to.contain(`organizations/${ID}.json`).and.contain("EISDIR");
  });

  it("are seen whole when the file is replaced by renaming", async () => {
    await write(GOOD);
    const organizations = open();
    await organizations.get(ID);
    await write({ ...GOOD, name: "Renamed here" }, "new.tmp");
    await rename(file("new.tmp"), file());
    await until(async () => (await nameOf(organizations)) === "Renamed here");
    expect(problems).to.deep.equal([]);
  });
});
