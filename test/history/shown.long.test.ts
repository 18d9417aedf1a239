import { rm } from "node:fs/promises";
import { expect } from "chai";
import request from "supertest";
import type { Organization } from "../../src/core/contract/settings.ts";
import { Links } from "../../src/features/links/links.ts";
import { commandIn, type Said } from "../support/command.ts";
import { oneLine } from "../support/commandLine.ts";
import { AURORA, type DataFolder, NOW } from "../support/data.ts";
import { LATER, landedTwice, pinFile } from "../support/histories.ts";
import { openService } from "../support/service.ts";

const CARDS = "/v1/profitability/cards";
const MARCH = "startDate=2025-03-01&endDate=2025-03-31";

describe("Where what was known is asked for [D85]", () => {
  let data: DataFolder;
  const lucra = (...args: string[]): Promise<Said> => commandIn(data, { LUCRA_NOW: LATER }, args);

  before(async () => {
    data = await landedTwice();
  });
  after(() => data?.remove());

  describe("Share links", () => {
    const create = async (endpoint: string, ...more: string[]): Promise<string> => {
      const all = ["links", "create", "--organization", AURORA, "--endpoint", endpoint, "--json", ...more];
      const { stdout, stderr, status } = await lucra(...all);
      expect(status, stderr).to.equal(0);
      return String(JSON.parse(stdout).url).replace(/^.*(?=\/links\/)/, "");
    };

    it("fix an instant or a pin, and count days back from it; without its pin a link is 404", async () => {
      const settings = JSON.parse(await data.text(`organizations/${AURORA}.json`)) as Organization;
      const service = await openService(data.config, AURORA, { links: new Links(data.path) });
      const get = async (address: string) => request(service.app).get(address);
      try {
        const then = (await service.get(`${CARDS}?${MARCH}&knownAt=${NOW}`)).text;
        expect((await service.get(`${CARDS}?${MARCH}`)).text).to.not.equal(then);
        const byPin = await create(`${CARDS}?${MARCH}`, "--known-at", "closed");
        const inAddress = await create(`${CARDS}?${MARCH}&knownAt=${NOW}`);
        const days = await create(CARDS, "--days", "7", "--known-at", NOW);
        for (const link of [byPin, inAddress]) expect((await get(link)).text).to.equal(then);
        // 31 March in São Paulo is the last day that was over at that time; the store is in Tokyo by now.
        const last = (await service.get(`${CARDS}?startDate=2025-03-25&endDate=2025-03-31&knownAt=${NOW}`)).text;
        expect((await get(days)).text).to.equal(last);
        const [one, ...others] = settings.integrations ?? [];
        await data.settings({
          ...settings,
          integrations: [{ ...one, timezone: "Etc/GMT+12" } as typeof one & object, ...others],
        });
        expect((await get(days)).text).to.equal(last);
        await data.settings(settings);
        expect((await get(`${byPin}?knownAt=${LATER}`)).status).to.equal(400);
        const { stdout } = await lucra("links", "list");
        expect(stdout).to.contain("(known at closed)").and.contain(`(last 7 days) (known at ${NOW})`);
        await rm(pinFile(data));
        expect((await get(byPin)).status).to.equal(404);
        expect((await get(inAddress)).status).to.equal(200);
      } finally {
        await service.close();
      }
    });

    it("are refused for what a request would be refused for", async () => {
      for (const [endpoint, ...more] of [
        [CARDS, "--known-at", "no-such-pin"],
        [CARDS, "--known-at", "2999-01-01"],
        [CARDS, "--known-at", "2020-01-01"],
        [`${CARDS}?knownAt=${NOW}`, "--known-at", NOW],
        ["/v1/data-quality", "--known-at", NOW],
        ["/v1/organizations", "--known-at", NOW],
      ] as const) {
        const { status, stderr } = await lucra(
          "links",
          "create",
          "--organization",
          AURORA,
          "--endpoint",
          endpoint,
          ...more,
        );
        expect([status, stderr.includes("knownAt: ")], stderr).to.deep.equal([2, true]);
        oneLine({ stderr });
      }
    });
  });

  describe("lucra sql --known-at", () => {
    const sql = (...args: string[]): Promise<Said> => lucra("sql", "--organization", AURORA, ...args);

    it("derives what was known and reads it, by the clock of then", async () => {
      const query = ["--query", "select count(*) as n from orders"];
      const [now, then] = [await sql(...query), await sql(...query, "--known-at", NOW)];
      expect([then.status, then.stderr]).to.deep.equal([0, ""]);
      expect(Number(then.stdout.split("\r\n")[1]))
        .to.be.above(0)
        .and.below(Number(now.stdout.split("\r\n")[1]));
      const file = ["acquisition/new-customers", "--period", "30d"];
      const service = await openService(data.config, AURORA);
      try {
        const { body } = await service.get(`/v1/acquisition/new-customers?period=30d&knownAt=${NOW}`);
        const { stdout } = await sql(...file, "--known-at", NOW, "--format", "json");
        const [first] = stdout.split("\n");
        expect(JSON.parse(String(first)).date).to.equal((body.data as { date: string }[])[0]?.date);
      } finally {
        await service.close();
      }
    });

    it("says what is wrong in one line", async () => {
      for (const known of ["no-such-pin", "2999-01-01", "2020-01-01", ""]) {
        const { status, stderr } = await sql("--query", "select 1 as one", "--known-at", known);
        expect([status, stderr.startsWith(`lucra: --known-at ${known}: `)], stderr).to.deep.equal([2, true]);
        oneLine({ stderr });
      }
    });
  });
});
