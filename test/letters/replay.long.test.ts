import { mkdirSync, writeFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import type { LetterSetting } from "../../src/core/contract/settings.ts";
import type { EndpointHandler } from "../../src/core/http/handler.ts";
import type { OrganizationListParts } from "../../src/core/http/organizations.ts";
import { addDays } from "../../src/core/time/days.ts";
import { allAlertLines } from "../../src/features/alerts/pinned.ts";
import { makeDemo } from "../../src/features/demo/command.ts";
import { askOf } from "../../src/features/letters/ask.ts";
import { spansOf } from "../../src/features/letters/due.ts";
import { formatsOf } from "../../src/features/letters/formats.ts";
import { type Letter, type Linked, letterOf } from "../../src/features/letters/letter.ts";
import { htmlOf, textOf } from "../../src/features/letters/render.ts";
import { AURORA, DataFolder } from "../support/data.ts";
import { openService, type Service } from "../support/service.ts";

/** Every how many days of the year; 1 is all of them. */
const EVERY = Number(process.env.LETTERS_EVERY ?? 30);
/** A folder for the letters that somebody wants to look at. */
const { LETTERS_FOLDER } = process.env;
/** Another data folder, with exports, and its organization: the letters of real data. */
const { LETTERS_DATA, LETTERS_ORGANIZATION: ORGANIZATION = AURORA } = process.env;
const FIRST = process.env.LETTERS_FIRST ?? "2025-02-01";
const DAYS = Number(process.env.LETTERS_DAYS ?? 365);
const TARGETS = { revenue: 120_000, contribution3: 20_000, profit: 5_000 };
const LANGUAGE = process.env.LETTERS_LANGUAGE === "en" ? "en" : "pt-BR";

/** The letters of a day: the weekly one on Mondays, the monthly one on the 1st. */
const kindsOn = (day: string): LetterSetting["on"][] => [
  "daily",
  ...(new Date(day).getUTCDay() === 1 ? (["weekly"] as const) : []),
  ...(day.endsWith("-01") ? (["monthly"] as const) : []),
];

/** Without spend, or new customers, there is none, where the answer's rules have 0. */
const cacOf = ({ investment = 0, newCustomers = 0, cac }: Record<string, number>): number | null =>
  investment > 0 && newCustomers > 0 ? (cac ?? null) : null;

describe("A year of letters, over the demo or other data [D95]", function () {
  this.timeout(0);
  let data: DataFolder;
  let service: Service;
  let handler: EndpointHandler | undefined;
  let parts: OrganizationListParts;
  let today = FIRST;

  before(async () => {
    data = await DataFolder.empty({ LUCRA_NOW: `${addDays(FIRST, DAYS + 1)}T12:00:00.000Z` });
    if (LETTERS_DATA) {
      await cp(LETTERS_DATA, data.path, { recursive: true, preserveTimestamps: true });
      await data.sync();
    } else await makeDemo(data.config);
    const file = `organizations/${ORGANIZATION}.json`;
    const written = JSON.parse(await data.text(file));
    const settings = { ...written, targets: { ...written.targets, ...TARGETS } };
    await data.write(file, JSON.stringify(settings));
    const now = (): Date => new Date(`${today}T12:00:00.000Z`);
    service = await openService(data.config, ORGANIZATION, {
      now,
      platform: { mail: false, features: [{ begin: (http) => (handler = http.handler) }] },
    });
    parts = {
      answers: { dataState: async () => ({ version: "1" }) },
      organizations: { settings: async () => settings },
      now,
      log: undefined as never,
    };
  });

  after(async () => {
    service?.close();
    await data?.remove();
  });

  const get = async (address: string): Promise<Record<string, never>> => {
    const { status, body } = await service.get(address);
    expect(status, address).to.equal(200);
    return body as Record<string, never>;
  };

  const statementOf = async (from: string, to: string) =>
    (await get(`/v1/profit/statement?startDate=${from}&endDate=${to}`)) as never as {
      statement: Record<string, { amount: number | null }>;
      coverage: { stores: unknown[]; accounts: unknown[] };
    };

  /** The value that the explanation behind a link has. */
  async function explainedIn({ address = "" }: Linked): Promise<number | null> {
    const args = new URLSearchParams(address.split("?")[1]);
    const [endpoint = "", query = ""] = (args.get("explain") ?? "").split("?");
    const asked = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(query)), endpoint });
    return (await get(`/v1/explain?${asked}`)).value as unknown as number | null;
  }

  it("says what the API answers, every day, and each number leads to an explanation with its value", async () => {
    const settings = JSON.parse(await data.text(`organizations/${ORGANIZATION}.json`));
    const formats = formatsOf(LANGUAGE, settings.currency);
    const { data: listed } = (await get("/v1/organizations")) as never as { data: { firstDay: string }[] };
    const firstDay = listed[0]?.firstDay ?? "";
    let [letters, figures, links] = [0, 0, 0];
    for (let n = 0; n < DAYS; n += EVERY) {
      const day = addDays(FIRST, n);
      today = day;
      for (const on of kindsOn(day)) {
        const ask = askOf(handler as EndpointHandler, parts, ORGANIZATION, new AbortController().signal);
        const alerts = allAlertLines(data.config.dataDir);
        const letter: Letter = await letterOf({ settings, on, day, language: LANGUAGE, ask, alerts });
        const { from, to, beforeFrom, beforeTo } = spansOf(on, day);
        const cards = await get(`/v1/profitability/cards?startDate=${from}&endDate=${to}`);
        const before = await get(`/v1/profitability/cards?startDate=${beforeFrom}&endDate=${beforeTo}`);
        const statement = await statementOf(from, to);
        const profits = [
          statement.statement.contribution3?.amount,
          (await statementOf(beforeFrom, beforeTo)).statement.contribution3?.amount,
        ];
        // Without data of these days nothing is 0.
        const lacks = statement.coverage.stores.length + statement.coverage.accounts.length > 0;
        for (const { name, value, before: earlier, shown } of letter.figures) {
          const ofCards = name === "cac" ? [cacOf(cards), cacOf(before)] : [cards[name], before[name]];
          const [now, then] = name === "contribution3" ? profits : ofCards;
          if (!lacks || value !== null) expect(value, `${on} ${day} ${name}`).to.equal(now);
          if (beforeTo < firstDay) expect(earlier, `${on} ${day} ${name}`).to.equal(null);
          else if (!lacks || earlier !== null) expect(earlier, `${on} ${day} ${name}`).to.equal(then);
          const unit = name === "orders" || name === "newCustomers" ? "count" : "currency";
          expect(shown.text).to.equal(value === null ? (LANGUAGE === "en" ? "N/A" : "N/D") : formats[unit](value));
          figures += 2;
        }
        const { data: pace, period } = (await get("/v1/profit/pace")) as never as {
          period: { startDate: string; endDate: string };
          data: { expected: number | null; toDate: number | null }[];
        };
        const lines = letter.blocks.find(({ name }) => name === "pace")?.lines ?? [];
        expect(lines).to.have.length(3);
        pace.forEach(({ expected, toDate }, no) => {
          const said = expected ?? (period.endDate < period.startDate ? null : toDate);
          const isUnknown = lacks && /not known yet|ainda não se sabe/.test(lines[no]?.text ?? "");
          if (said !== null && !isUnknown) expect(lines[no]?.text).to.include(formats.currency(said));
          figures++;
        });
        letters++;
        if (n % 30 !== 0 && on === "daily") continue;
        for (const { value, before: earlier, shown, shownBefore } of letter.figures) {
          if (value !== null) expect(await explainedIn(shown)).to.equal(value);
          if (earlier !== null) expect(await explainedIn(shownBefore)).to.equal(earlier);
          links += 2;
        }
        for (const line of letter.blocks.find(({ name }) => name === "changed")?.lines ?? []) {
          expect(line.text).to.include(formats.difference((await explainedIn(line)) ?? 0));
          links++;
        }
        for (const line of letter.blocks.find(({ name }) => name === "alerts")?.lines ?? []) {
          if (!line.address?.includes("explain=")) continue;
          expect(await explainedIn(line), line.text).to.be.a("number");
          links++;
        }
        const places = { explorer: "https://lucra.example.com/explorer", end: "https://lucra.example.com/letters/x/y" };
        if (LETTERS_FOLDER) {
          mkdirSync(LETTERS_FOLDER, { recursive: true });
          writeFileSync(path.join(LETTERS_FOLDER, `${day}-${on}.html`), htmlOf(letter, places));
          writeFileSync(path.join(LETTERS_FOLDER, `${day}-${on}.txt`), textOf(letter, places));
        }
      }
    }
    console.log(`      ${letters} letters, ${figures} figures equal to the API's, ${links} explanations`);
  });
});
