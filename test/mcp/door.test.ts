import { request as httpRequest } from "node:http";
import { connect as connectSocket } from "node:net";
import { expect } from "chai";
import { LINES } from "../../src/core/endpoints/profit.ts";
import { SlidingLog } from "../../src/core/http/rateLimit.ts";
import { FakeAnswers, makeApp, OURS, SECRET, THEIRS, until } from "../support/app.ts";
import { connect, GENERATIONS, opened } from "../support/mcp.ts";

const GOOD = { "x-client-id": "good", "x-client-secret": SECRET };
const JSON_RPC = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const CARDS = {
  period: { startDate: "2025-02-01", endDate: "2025-02-28" },
  asOf: null,
  marginPercent: 50,
  marginConfigured: true,
  marginCompleteness: "complete",
  revenue: 1,
  marginBasis: "no_basis",
  previousPeriod: null,
  changes: null,
};

const { period, asOf, previousPeriod, changes } = CARDS;
const LINE = { amount: 1, share: null, source: null, coverage: null };
const STATEMENT = {
  ...{ period, asOf, previousPeriod, changes, missing: [] },
  statement: Object.fromEntries(Object.keys(LINES).map((line) => [line, LINE])),
};

const message = (method: string, params: object = {}, id: number | undefined = 1): object => ({
  jsonrpc: "2.0",
  ...(id === undefined ? {} : { id }),
  method,
  params,
});
const callOf = (name: string, args: object = {}): object => message("tools/call", { name, arguments: args });
const CALL = callOf("profit_of_a_period", { period: "2025-02", why: false });

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** `fetch` sets a host of its own. */
function send(address: string, body: string, headers: Record<string, string> = {}, method = "POST"): Promise<Answer> {
  return new Promise((done, fail) => {
    const asked = httpRequest(address, { method, headers: { ...JSON_RPC, ...GOOD, ...headers } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => done({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    asked.on("error", fail);
    asked.end(body);
  });
}

const post = (address: string, body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  send(address, JSON.stringify(body), headers);

/** The results in an answer, which is JSON or a stream of events. */
const results = ({ text }: Answer): Record<string, unknown>[] =>
  (text.startsWith("{") ? [text] : [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => data)).map((one) =>
    JSON.parse(one),
  );

describe("/mcp", () => {
  let answers: FakeAnswers;
  let made: ReturnType<typeof makeApp>;
  let address: string;
  let close: () => void;
  const open = async (more: Parameters<typeof makeApp>[1] = {}): Promise<void> => {
    answers = new FakeAnswers(async ({ path }) => JSON.stringify(path.includes("/profit/") ? STATEMENT : CARDS));
    made = makeApp(answers, { tools: { views: [] }, ...more });
    ({ address, close } = await opened(made.app));
  };
  beforeEach(() => open());
  afterEach(() => close());

  for (const generation of GENERATIONS) {
    it(`lists and calls tools for clients of the protocol of ${generation}`, async () => {
      const agent = await connect(address, GOOD, generation);
      expect((await agent.list()).map(({ name }) => name)).to.include.members(["list_organizations", "sql"]);
      const { structured, isError } = await agent.call("profit_of_a_period", { period: "2025-02", why: false });
      expect(isError).to.equal(false);
      expect(structured).to.deep.include({
        period: { from: "2025-02-01", to: "2025-02-28", how: "2025-02: calendar days; today is 2025-04-01 (UTC)" },
      });
      expect(structured.statement).to.deep.include(STATEMENT);
      expect(structured.cards).to.deep.include(CARDS);
      expect((await agent.call("profit_of_a_period", { organization: "nobody" })).isError).to.equal(true);
      expect(await agent.resource("lucra://views")).to.match(/^A row of each view is/);
      await agent.close();
    });
  }

  it("answers 401 with an error of the protocol without good credentials", async () => {
    const { status, text, headers } = await post(address, CALL, { "x-client-secret": "wrong" });
    expect([status, JSON.parse(text)]).to.deep.equal([
      401,
      { jsonrpc: "2.0", error: { code: -32000, message: "Unauthorized" }, id: null },
    ]);
    expect(headers["content-type"]).to.equal("application/json; charset=utf-8");
    expect(answers.asked).to.deep.equal([]);
  });

  it("refuses many arguments, and answers briefly whatever the names and values of arguments are", async () => {
    const many = (count: number): object =>
      Object.fromEntries(Array.from({ length: count }, (_, no) => [`k${no}`, "1"]));
    const long = "k".repeat(400_000);
    for (const args of [
      many(30_000),
      many(49),
      { [long]: "1" },
      { [long]: {} },
      { query: long },
      { organization: long },
    ]) {
      const answered = await post(address, callOf("sql", args));
      expect(answered.status).to.equal(200);
      expect(answered.text.length).to.be.below(10_000);
      expect(results(answered)[0]?.result).to.deep.include({ isError: true });
    }
    const [batched] = results(await post(address, [callOf("sql", many(30_000))]));
    expect(JSON.stringify(batched)).to.contain("more than 50 members");
    const both = [callOf("sql", many(30_000)), { ...message("prompts/list"), id: "other" }];
    const spaced = await send(address, `${" ".repeat(200)}${JSON.stringify(both)}`);
    expect(results(spaced)).to.have.lengthOf(2);
    expect(answers.asked).to.deep.equal([]);
  });

  it("repeats no long text of a message: of an id, a method, a name or an address", async () => {
    const long = "k".repeat(300_000);
    const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
    const generation = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };
    for (const [body, headers] of [
      [{ ...CALL, id: long }],
      [{ ...CALL, id: { long } }],
      [message(long)],
      [message("resources/read", { uri: `lucra://${long}` })],
      [message("prompts/get", { name: long })],
      [callOf(long)],
      [message(long, { _meta: meta }), generation],
      [{ ...message("tools/list", { _meta: meta }), id: long }, generation],
      [message("tools/list", { _meta: { ...meta, "io.modelcontextprotocol/protocolVersion": long } }), generation],
      [Array.from({ length: 20 }, (_, n) => ({ ...message("prompts/list"), id: `${long.slice(0, 20_000)}${n}` }))],
    ] as [object, Record<string, string>?][]) {
      const { text } = await post(address, body, headers);
      expect(text.length, JSON.stringify(body).slice(0, 80)).to.be.below(10_000);
    }
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    for (const body of [{ ...CALL, id: "deep" }, message("tools/list", { cursor: "deep" })]) {
      expect((await send(address, JSON.stringify(body).replace('"deep"', deep))).status).to.equal(400);
    }
    const around = { ...message("tools/list"), id: "i".repeat(200) };
    expect(results(await post(address, around))[0]).to.have.property("id", around.id);
  });

  it("takes the credentials as Basic and Bearer", async () => {
    const { "x-client-id": id, "x-client-secret": secret } = GOOD;
    const sent = (headers: Record<string, string>): Promise<Answer> =>
      send(address, JSON.stringify(CALL), { "x-client-id": "", "x-client-secret": "", ...headers });
    const answered = [
      await sent({ authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` }),
      await sent({ authorization: `Bearer ${id}.${secret}` }),
    ];
    expect(answered.map(({ status }) => status)).to.deep.equal([200, 200]);
  });

  it("counts a request, and each further message of a batch, in the limit of the credentials", async () => {
    close();
    await open({ limit: new SlidingLog(5) });
    const first = await post(address, [CALL, { ...CALL, id: 2 }, { ...CALL, id: 3 }]);
    expect([first.status, first.headers["x-ratelimit-remaining"]]).to.deep.equal([200, "2"]);
    expect(results(first)).to.have.length(3);
    const second = await post(address, [CALL, { ...CALL, id: 2 }, { ...CALL, id: 3 }]);
    expect([second.status, JSON.parse(second.text).error.message]).to.deep.equal([
      429,
      "The limit of 100 requests per minute is exceeded. Wait for 60 seconds.",
    ]);
    expect(second.headers["retry-after"]).to.equal("60");
  });

  it("refuses a batch of more than 20 messages", async () => {
    const { status, text } = await post(
      address,
      Array.from({ length: 21 }, (_, id) => ({ ...message("tools/list"), id })),
    );
    expect([status, JSON.parse(text).error.message]).to.deep.equal([400, "A batch has at most 20 messages."]);
  });

  it("takes POST only", async () => {
    for (const method of ["GET", "DELETE", "PUT", "OPTIONS"]) {
      const { status, headers, text } = await send(address, "", {}, method);
      expect([status, headers.allow], method).to.deep.equal([405, "POST"]);
      expect(JSON.parse(text), method).to.have.property("jsonrpc", "2.0");
    }
  });

  it("refuses what web pages of other sites send, and other hosts than this machine", async () => {
    const { host } = new URL(address);
    for (const headers of [{ host: "evil.example" }, { origin: "http://evil.example" }, { origin: "null" }]) {
      const { status, text } = await post(address, CALL, headers as Record<string, string>);
      expect(status, JSON.stringify(headers)).to.equal(403);
      expect(JSON.parse(text), JSON.stringify(headers)).to.have.nested.property("error.code", -32000);
    }
    for (const headers of [
      { origin: `http://${host}` },
      { origin: "http://localhost:6274" },
      { host: "lucra.example", "x-forwarded-for": "192.0.2.1" },
      { host: "lucra.example", origin: "https://lucra.example", via: "1.1 proxy" },
    ]) {
      expect((await post(address, CALL, headers as Record<string, string>)).status, JSON.stringify(headers)).to.equal(
        200,
      );
    }
  });

  it("refuses bodies that are too large, encoded, of another type, or not JSON", async () => {
    const large = JSON.stringify(callOf("trend", { about: "x".repeat(1_000_000) }));
    const statuses = await Promise.all([
      send(address, large).catch((error: NodeJS.ErrnoException) => ({
        status: error.code === "EPIPE" || error.code === "ECONNRESET" ? 413 : 0,
      })),
      post(address, CALL, { "content-encoding": "gzip" }),
      post(address, CALL, { "content-type": "text/plain" }),
      send(address, "{"),
      send(address, ""),
      send(address, "[]"),
      send(address, "null"),
      post(address, CALL, { "mcp-protocol-version": "1999-01-01" }),
      post(address, CALL, { accept: "text/html" }),
    ]);
    expect(statuses.map(({ status }) => status)).to.deep.equal([413, 415, 415, 400, 400, 400, 400, 400, 406]);
    expect(answers.asked).to.deep.equal([]);
  });

  it("knows only the organizations of the credentials, by id and by name, with the same error for all others", async () => {
    const errors = new Set<string>();
    for (const organization of [THEIRS, THEIRS.toUpperCase(), "another shop", "0aaaaaaa-0000-4000-8000-000000000009"]) {
      for (const [tool, args] of [
        ["profit_of_a_period", { organization }],
        ["sql", { organization, query: "select 1" }],
        ["explain", { address: `/v1/profitability/cards?organizationId=${organization}`, figure: "cac" }],
        ["explain", { organization, address: "/v1/profitability/cards", figure: "cac" }],
        ["describe_views", { organization, view: "orders" }],
      ] as const) {
        const [{ result } = {}] = results(await post(address, callOf(tool, args))) as {
          result?: { isError?: boolean; content: { text: string }[] };
        }[];
        if (tool === "describe_views") {
          expect(result?.isError).to.equal(true);
          continue;
        }
        expect(result?.isError, `${tool} ${organization}`).to.equal(true);
        errors.add(String(result?.content[0]?.text).replaceAll(organization, "…"));
      }
    }
    expect([...errors]).to.deep.equal([`\`organization\`: there is no organization … among yours: shop (${OURS}).`]);
    const both = callOf("explain", {
      organization: "shop",
      address: `/v1/profitability/cards?organizationId=${THEIRS}`,
      figure: "cac",
    });
    expect(JSON.stringify(results(await post(address, both)))).to.include("different organizations");
    expect(
      answers.asked.filter(({ path, organization }) => [path, organization].join() !== `/v1/organizations,${OURS}`),
    ).to.deep.equal([]);
  });

  it("logs the tools of a request, without arguments, and counts their calls", async () => {
    await post(address, callOf("profit_of_a_period", { period: "2025-02", organization: "a-person@example.com" }));
    await post(address, CALL);
    await until(() => made.log.length >= 2);
    const lines = made.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "request completed");
    expect(lines.map(({ tools, req, clientId }) => [tools, req.path, clientId])).to.deep.equal([
      [["profit_of_a_period"], "/mcp", "good"],
      [["profit_of_a_period"], "/mcp", "good"],
    ]);
    expect(made.log.join("")).to.not.include("a-person").and.not.include("2025-02");
  });

  it("stops the queries of a client that hangs up", async () => {
    answers.reply = () => new Promise(() => {});
    const { port } = new URL(address);
    const body = JSON.stringify(CALL);
    const socket = connectSocket(Number(port), "127.0.0.1");
    const headers = Object.entries({
      host: `127.0.0.1:${port}`,
      ...JSON_RPC,
      ...GOOD,
      "content-length": String(body.length),
    });
    socket.write(
      `POST /mcp HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`,
    );
    await until(() => answers.asked.length === 1);
    socket.destroy();
    await until(() => answers.asked[0]?.signal.aborted === true);
  });

  it("ends a subscription at once, because nothing that it names ever changes", async () => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const body = message("subscriptions/listen", { notifications: { toolsListChanged: true }, _meta: meta });
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" };
    expect((await post(address, body, headers)).status).to.equal(200);
  });

  it("is not there if the operator has turned it off", async () => {
    close();
    await open({ tools: undefined });
    expect((await post(address, CALL)).status).to.be.oneOf([404, 405]);
  });
});
