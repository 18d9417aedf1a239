import { expect } from "chai";
import request from "supertest";
import { ApiError } from "../../src/core/contract/error.ts";
import type { Organization } from "../../src/core/contract/settings.ts";
import { FakeAnswers, fakeApp, SECRET } from "./fake.ts";

const idOf = (n: number): string => `11111111-1111-4111-8111-${String(n).padStart(12, "0")}`;
const ADDRESS = "/v1/organizations";

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly firstDay: string | null;
  readonly connectors: readonly unknown[];
}

const READ = {
  currency: "BRL",
  timezones: [],
  firstDay: "2025-01-01",
  lastDay: "2025-02-01",
  asOf: null,
  connectors: [],
};

/** A service whose client is bound to these organizations. */
function listing(
  bound: readonly string[],
  known: readonly Organization[],
  answers = new FakeAnswers(async () => JSON.stringify(READ)),
) {
  const app = fakeApp(answers, {
    credentials: {
      verify: async (clientId, secret) => (secret === SECRET ? { clientId, organizations: bound } : undefined),
    },
    organizations: {
      has: async (id) => known.some(({ organizationId }) => organizationId === id),
      settings: async (id) => known.find(({ organizationId }) => organizationId === id),
    },
  });
  const get = (query = "") =>
    request(app)
      .get(ADDRESS + query)
      .set("authorization", `Bearer client.${SECRET}`);
  return { app, answers, get, list: async (): Promise<Listed[]> => (await get()).body.data };
}

const shop = (n: number, name: string): Organization => ({ organizationId: idOf(n), name });

describe("/v1/organizations [D58]", () => {
  it("lists what the credentials are bound to and still exists, by name and then id, and nothing of others", async () => {
    const known = [shop(1, "b"), shop(2, "a"), shop(3, "a"), shop(4, "other")];
    const { list, answers } = listing([idOf(3), idOf(1), idOf(2), idOf(9), idOf(1)], known);
    expect((await list()).map(({ id, name, state }) => [id, name, state])).to.deep.equal([
      [idOf(2), "a", "ready"],
      [idOf(3), "a", "ready"],
      [idOf(1), "b", "ready"],
    ]);
    expect(answers.asked.map(({ organizationId }) => organizationId)).to.have.members([idOf(1), idOf(2), idOf(3)]);
  });

  it("is empty for credentials of organizations that are all removed", async () => {
    expect(await listing([idOf(1)], []).list()).to.deep.equal([]);
    expect(await listing([], [shop(1, "a")]).list()).to.deep.equal([]);
  });

  it("needs credentials, takes no organizationId, and is read-only", async () => {
    const { app, get } = listing([idOf(1)], [shop(1, "a")]);
    expect((await request(app).get(ADDRESS)).status).to.equal(401);
    const { status, body } = await get(`?organizationId=${idOf(1)}`);
    expect([status, body.details[0].parameter]).to.deep.equal([400, "organizationId"]);
    expect((await get("?format=json")).status).to.equal(200);
    expect((await get("?format=csv")).status).to.equal(406);
    const posted = await request(app).post(ADDRESS).set("authorization", `Bearer client.${SECRET}`);
    expect(posted.status).to.equal(405);
  });

  it("has nulls for an organization that cannot be read, and does not keep the others waiting", async () => {
    const known = [1, 2, 3, 4].map((n) => shop(n, `shop ${n}`));
    const integrations = [{ id: "x", connector: "storea" as const, timezone: "America/Recife" }];
    known[0] = { ...shop(1, "shop 1"), currency: "USD", integrations };
    const answers = new FakeAnswers(async (id) => {
      if (id === idOf(2)) throw new ApiError("damaged");
      if (id === idOf(3)) throw new Error("unforeseen");
      return JSON.stringify(READ);
    });
    const dataState = answers.dataState.bind(answers);
    // One is being derived: its state is not known soon.
    answers.dataState = async (id?: string) => (id === idOf(1) ? new Promise(() => {}) : dataState());
    const { list } = listing(
      known.map(({ organizationId }) => organizationId),
      known,
      answers,
    );
    const all = await list();
    expect(all.map(({ state }) => state)).to.deep.equal(["preparing", "preparing", "preparing", "ready"]);
    expect(all[0]).to.deep.equal({
      id: idOf(1),
      name: "shop 1",
      state: "preparing",
      currency: "USD",
      timezones: ["America/Recife"],
      firstDay: null,
      lastDay: null,
      asOf: null,
      targets: { cac: null, ltvCacRatio: null, margin: null, revenue: null, contribution3: null, profit: null },
      locale: "pt-BR",
      notes: [],
      connectors: [
        {
          integrationId: "x",
          connector: "storea",
          name: null,
          timezone: "America/Recife",
          newestDay: null,
          lastLandedAt: null,
        },
      ],
    });
  });

  it("of two hundred organizations reads each once, until its data change", async () => {
    const known = Array.from({ length: 200 }, (_, n) => shop(n, `shop ${n}`));
    const { get, answers } = listing(
      known.map(({ organizationId }) => organizationId),
      known,
    );
    const first = await get();
    expect([first.status, first.body.data.length, answers.asked.length]).to.deep.equal([200, 200, 200]);
    const again = await get().set("if-none-match", String(first.headers.etag));
    expect([again.status, answers.asked.length]).to.deep.equal([304, 200]);
    answers.state = "2";
    expect((await get()).headers.etag).to.equal(first.headers.etag);
    expect(answers.asked.length).to.equal(400);
  });
});
