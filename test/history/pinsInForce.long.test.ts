import { expect } from "chai";
import request from "supertest";
import { Links } from "../../src/features/links/links.ts";
import { oneLine } from "../support/commandLine.ts";
import { AURORA } from "../support/data.ts";
import { serviceAt } from "../support/histories.ts";
import { END, PinnedShop } from "../support/pinned.ts";
import { SHOP } from "../support/syncs.ts";

const OTHER = "11111111-1111-4111-8111-111111111111";

describe("Pins [D83]", function () {
  this.timeout(120_000);
  const shop = new PinnedShop();
  const { lucraAt, pins, create, revenues, revenue } = shop;

  it("name what was known at an instant, a day, another pin or now", async () => {
    const made = JSON.parse((await create("abril-fechado", "--at", "2025-03-04", "--json")).stdout);
    expect(made).to.include({
      name: "abril-fechado",
      knownAt: "2025-03-04T23:59:59.999Z",
      createdAt: END,
      createdBy: "command",
    });
    expect((await create("2", "--at", "abril-fechado")).stdout).to.include("2025-03-04T23:59:59.999Z");
    expect((await create("now")).stdout).to.match(/^pinned: now, what was known at 2025-03-10T10:00:00\.000Z: /);
    expect(await revenues("abril-fechado", "2", "now", "none")).to.deep.equal([100, 100, 150, 400]);
    const listed = JSON.parse((await pins("list", "--json")).stdout);
    expect(listed.map(({ name }: { name: string }) => name)).to.deep.equal(["2", "abril-fechado", "now"]);
    const service = await serviceAt(shop.data, END);
    const { body, status } = await service.get("/v1/pins");
    expect([status, body.data]).to.deep.equal([200, listed]);
    const known = await service.get("/v1/profitability/cards?knownAt=abril-fechado");
    expect(known.body.knownState).to.equal(made.knownState);
    expect((await service.get("/v1/pins?knownAt=now")).status).to.equal(400);
    await service.close();
  });

  it("keep checksums and figures, and are of one organization", async () => {
    await shop.data.settings({ ...SHOP, organizationId: OTHER, name: "Other" });
    await create("mine");
    const kept = JSON.parse(
      (await shop.data.text(`lake/pins/organization_id=${AURORA}/mine.json`)).split("\n")[0] ?? "",
    ).kept;
    expect(kept.figures).to.have.lengthOf(1);
    expect(kept.figures[0].month).to.equal("2025-02-01");
    expect(kept.figures[0].figures).to.include({ revenue: 150, orders: 2, investment: 0, newCustomers: 2, refunds: 0 });
    expect(kept.figures[0].figures).to.not.have.any.keys("media");
    expect(kept.relations.orders.rows).to.equal(2);
    const service = await serviceAt(shop.data, END);
    expect((await service.get("/v1/pins", OTHER)).body).to.deep.equal({ data: [] });
    const [unknown, others] = [
      await service.get("/v1/profitability/cards?knownAt=none"),
      await service.get("/v1/profitability/cards?knownAt=mine", OTHER),
    ];
    expect([others.status, others.body]).to.deep.equal([400, unknown.body]);
    await service.close();
    expect((await pins("list")).status, "two organizations").to.equal(1);
    const elsewhere = await pins("verify", "mine", "--organization", OTHER);
    expect([elsewhere.status, elsewhere.stderr]).to.deep.equal([1, "lucra: no pin mine: lucra pins list\n"]);
  });

  it("refuse other names and times, and names that were ever taken", async () => {
    await create("once");
    const wrong: [string[], number, RegExp][] = [
      [["A"], 2, /small letters/],
      [["-a"], 2, /small letters/],
      [["2025-03-04-x"], 2, /like a date/],
      [["a".repeat(41)], 2, /at most 40/],
      [["a", "--at", "tomorrow-x"], 2, /no such pin/],
      [["a", "--at", "2025-03-11"], 2, /depois de agora/],
      [["a", "--at", "2025-03-01"], 2, /primeiros dados chegaram em 2025-03-02/],
      [["a", "--at", "x y"], 2, /knownAt|ISO 8601/],
      [["once"], 1, /there is a pin once, of what was known at 2025-03-10/],
    ];
    for (const [[name = "", ...more], expected, fault] of wrong) {
      const { status, stderr } = await create(name, ...more);
      expect([status, oneLine({ stderr })], name).to.satisfy(
        ([is, text]: [number, string]) => is === expected && fault.test(text),
      );
    }
    expect((await pins("remove", "once")).stdout).to.equal("removed: once\n");
    expect(await revenue("once")).to.equal(400);
    expect(oneLine(await create("once"))).to.include("was the name of a pin that was removed 2025-03-10");
    expect(oneLine(await pins("remove", "once"))).to.include("was removed");
    expect(oneLine(await pins("remove", "never"))).to.include("no pin never");
    expect((await pins("list")).stdout).to.equal("no pins yet: lucra pins create\n");
  });

  it("are not removed while a share link uses them, but with --force, and the link answers 404 then", async () => {
    await create("linked", "--at", "2025-03-04");
    const address = "/v1/profitability/cards?knownAt=linked";
    const made = await lucraAt(END, "links", "create", "--organization", "shop", "--endpoint", address, "--json");
    const { id, url } = JSON.parse(made.stdout);
    const gone = await lucraAt(END, "links", "create", "--organization", "shop", "--endpoint", `${address}s`);
    expect([gone.status, oneLine(gone)]).to.satisfy(
      ([is, text]: [number, string]) => is === 2 && /knownAt: .* nome de um marco/.test(text),
    );
    const followed = async (address: string = url): Promise<{ status: number; body: Record<string, unknown> }> => {
      const links = new Links(shop.data.path);
      const service = await serviceAt(shop.data, END, {}, { links });
      const { status, body } = await request(service.app).get(new URL(address).pathname);
      await service.close();
      return { status, body };
    };
    const weekly = ["--days", "7", "--endpoint", "/v1/profitability/cards?knownAt=2025-03-04", "--json"];
    const week = JSON.parse((await lucraAt(END, "links", "create", "--organization", "shop", ...weekly)).stdout);
    expect((await followed(week.url)).body.period, "days are counted back from the instant").to.deep.equal({
      startDate: "2025-02-25",
      endDate: "2025-03-03",
    });
    const before = await followed();
    expect([before.status, before.body.revenue, before.body.knownAt]).to.deep.equal([
      200,
      100,
      "2025-03-04T23:59:59.999Z",
    ]);
    const refused = await pins("remove", "linked");
    expect([refused.status, oneLine(refused)]).to.satisfy(
      ([is, text]: [number, string]) => is === 1 && text.includes(`used by 1 share link: ${id}; revoke`),
    );
    expect((await pins("remove", "linked", "--force")).stdout).to.include(`answer 404 now: ${id}`);
    expect((await followed()).status).to.equal(404);
  });
});
