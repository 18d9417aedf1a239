import { expect } from "chai";
import fc from "fast-check";
import type { Endpoint } from "../../src/core/contract/endpoint.ts";
import { ApiError, type Detail } from "../../src/core/contract/error.ts";
import { type Accepted, isSent, type Param } from "../../src/core/contract/param.ts";
import { endpoints } from "../../src/core/endpoints/index.ts";
import { SlidingLog } from "../../src/core/http/rateLimit.ts";
import { type Sent, validate } from "../../src/core/params/validate.ts";
import { ask, CARDS, CONTACTS, FakeAnswers, makeApp, NOW, named, OURS, SUMMARY, THING } from "../support/app.ts";

const EVENTS = "/v1/webanalytics/events";

function endpointAt(path: string): Endpoint {
  const found = endpoints.find((endpoint) => endpoint.path === path);
  if (!found) throw new Error(`no endpoint ${path}`);
  return found;
}

function accepted(endpoint: Endpoint, sent: Sent, now = NOW): Accepted {
  return validate(endpoint, { organizationId: OURS, ...sent }, now);
}

function refused(endpoint: Endpoint, sent: Sent, now = NOW): readonly Detail[] {
  try {
    accepted(endpoint, sent, now);
  } catch (error) {
    if (error instanceof ApiError && error.kind === "invalid") return error.details;
    throw error;
  }
  throw new Error(`${JSON.stringify(sent)} was accepted`);
}

const parameters = (details: readonly Detail[]): string[] => details.map(({ parameter }) => parameter).sort();

/** Values that a parameter of a kind must refuse. */
function wrongOf(param: Param): string[] {
  const noDays = [
    "2025-02-30",
    "2025-13-01",
    "2025-00-10",
    "2025-2-1",
    "20250201",
    "01/02/2025",
    "hoje",
    "0000-01-01",
    " ",
  ];
  switch (param.kind) {
    case "text":
      return ["a\0b", ...(param.maxLength ? ["x".repeat(param.maxLength + 1)] : [])];
    case "known":
      return [""];
    case "crossing":
      return [
        "x",
        `${param.of[0]},${param.of[0]}`,
        `${param.of[0]}, ${param.of[1]}`,
        `${param.of[0]},`,
        param.of.join(","),
      ];
    case "uuid":
      return ["x", `${OURS}0`, `urn:uuid:${OURS}`, ` ${OURS}`];
    case "day":
      return [...noDays, "2025-02-01T00:00:00Z", "2025-02-01 ", "2025-02-01\n"];
    case "from":
    case "to":
      return [
        ...noDays,
        "2025-02-30T10:00:00Z",
        "2025-02-01T24:00:00Z",
        "2025-02-01T10:60:00Z",
        "2025-02-01T10:00:60Z",
        "2025-02-01T10",
        "2025-02-01T10:00:00+99:00",
        "2025-02-01T10:00:00 03:00",
        "2025-02-01T10:00:00[UTC]",
        "2025-02-01T10:00:00.Z",
        "1738404000",
      ];
    case "choice":
      return [
        "nothing-of-the-kind",
        `${param.of[0]} `,
        `${param.of[0]},${param.of[0]}`,
        ...(param.anyCase
          ? []
          : [
              String(param.of[0]).replace(/^./, (c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())),
            ].filter((v) => !param.of.includes(v))),
        "__proto__",
        "constructor",
      ];
    case "integer":
      return ["", "x", "1.5", "-1", "1e1", " 1", String(param.least - 1), String(param.most + 1)];
    case "number":
      return ["x", "1,5", "0x10", "NaN", "Infinity", "1e999", "1 2", "--1"];
    case "flag":
      return ["yes", "1", "TRUE", "true "];
    case "list":
      return [
        ...(param.of ? ["nothing-of-the-kind", `${param.of[0]},nothing-of-the-kind`, "constructor"] : ["a\0b"]),
        ...(param.maxLength ? ["x".repeat(param.maxLength + 1)] : []),
        ...(param.most && !param.of ? [Array.from({ length: param.most + 1 }, (_, n) => `c${n}`).join(",")] : []),
      ];
    case "today":
    case "now":
    case "settings":
    case "paging":
      return [];
  }
}

/** Texts that are not free. */
const TEXTS: Readonly<Record<string, string>> = { organizationId: OURS, endpoint: "/v1/profitability/cards" };

/** A valid value for each parameter that an endpoint requires. */
function needed(endpoint: Endpoint): Sent {
  return Object.fromEntries(
    Object.entries(endpoint.params)
      .filter(([, { required }]) => required)
      .map(([name, { kind, ...param }]) => {
        if (kind === "day") return [name, "2025-02-01"];
        if (kind === "crossing" && "of" in param) return [name, param.of?.[0]];
        return [name, TEXTS[name] ?? (kind === "text" ? "a" : OURS)];
      }),
  );
}

describe("Parameters, read from every endpoint's declaration:", () => {
  for (const endpoint of [...endpoints, THING]) {
    const others = needed(endpoint);
    const declared = Object.entries(endpoint.params).filter(([, param]) => isSent(param));

    it(`${endpoint.path} refuses every wrong value and names its parameter`, () => {
      for (const [name, param] of declared) {
        for (const value of wrongOf(param)) {
          const details = refused(endpoint, { ...others, [name]: value });
          expect(parameters(details), `${name}=${value}`).to.deep.equal([name]);
          expect(details[0]?.message).to.be.a("string").that.is.not.empty;
        }
      }
    });

    it(`${endpoint.path} refuses a repeated parameter, except for lists`, () => {
      for (const [name, param] of declared) {
        const sent = { ...others, [name]: ["2025-02-01", "2025-02-01"] };
        if (param.kind === "list") continue;
        // Of a table that has to be by something it is also said how two are sent.
        const isOfTwo = param.kind === "crossing" && param.required === true;
        expect(parameters(refused(endpoint, sent)), name).to.deep.equal(isOfTwo ? [name, name] : [name]);
      }
    });

    it(`${endpoint.path} treats a blank value as not sent, or refuses it`, () => {
      const isNeeded = ([, { required, refusesEmpty }]: [string, Param]): boolean => Boolean(required || refusesEmpty);
      const optional = declared.filter((one) => !isNeeded(one) && !one[1].keepsEmpty);
      const blank = Object.fromEntries(optional.map(([name]) => [name, ""]));
      expect(accepted(endpoint, { ...others, ...blank })).to.deep.equal(accepted(endpoint, others));
      for (const [name] of declared.filter(isNeeded)) {
        expect(parameters(refused(endpoint, { ...others, [name]: "" }))).to.deep.equal([name]);
      }
    });

    it(`${endpoint.path} has ${endpoint.unknown} undeclared parameters, whatever their names`, () => {
      for (const name of [
        "colour",
        "__proto__",
        "constructor",
        "toString",
        "hasOwnProperty",
        "organizationid",
        "a/b~c",
        "",
      ]) {
        // As a query string is parsed: an own property, without a prototype.
        const sent: Record<string, string | string[]> = Object.assign(Object.create(null), others);
        for (const value of ["x", ["x", "y"]]) {
          Object.defineProperty(sent, name, { value, enumerable: true, configurable: true });
          if (endpoint.unknown === "ignored")
            expect(accepted(endpoint, sent)).to.deep.equal(accepted(endpoint, others));
          else expect(parameters(refused(endpoint, sent)), name).to.deep.equal([name]);
        }
      }
    });

    for (const { start, end } of endpoint.periods ?? []) {
      if (endpoint.params[start]?.kind === "settings") continue;
      it(`${endpoint.path} refuses a ${start} after its ${end}, and accepts equal ones`, () => {
        const details = refused(endpoint, { ...others, [start]: "2025-02-02", [end]: "2025-02-01" });
        expect(parameters(details)).to.deep.equal([end, start].sort());
        expect(() => accepted(endpoint, { ...others, [start]: "2025-02-01", [end]: "2025-02-01" })).to.not.throw();
      });
    }
  }

  it("every wrong value of every parameter is named over the wire too", async () => {
    const { app } = makeApp();
    for (const endpoint of endpoints) {
      const wrong = Object.entries(endpoint.params)
        .filter(([name]) => name !== "organizationId" && !endpoint.path.includes(`:${name}`))
        .filter(([, param]) => wrongOf(param).length > 0)
        .map(([name, param]): [string, string] => [name, String(wrongOf(param)[0])]);
      const { status, body } = await ask(app, `${endpoint.path.replace(/:\w+/, "a")}?${new URLSearchParams(wrong)}`);
      expect(status, endpoint.path).to.equal(wrong.length > 0 ? 400 : 200);
      expect(named(body)).to.deep.equal(wrong.map(([name]) => name).sort());
    }
  });

  it("names of JavaScript's object properties are unknown parameters, not a failure", async () => {
    const { app } = makeApp();
    for (const name of ["__proto__", "constructor", "toString", "__proto__[x]", "a%00b"]) {
      expect((await ask(app, `${CARDS}?${name}=1`)).status, name).to.equal(400);
      expect((await ask(app, `${CONTACTS}?${name}=1`)).status, name).to.equal(200);
    }
  });

  it("an unknown parameter's answer suggests the name that was meant", () => {
    expect(refused(endpointAt(CARDS), { startdate: "2025-01-01" })[0]?.message).to.include("startDate");
    expect(refused(endpointAt(CARDS), { xyzzyplugh: "1" })[0]?.message).to.equal("Parâmetro desconhecido.");
  });
});

describe("Dates of the analyses:", () => {
  const summary = endpointAt(SUMMARY);

  it("a single date is ignored on profitability", () => {
    const cards = endpointAt(CARDS);
    const neither = accepted(cards, {});
    expect(accepted(cards, { startDate: "2025-02-01" })).to.deep.equal(neither);
    expect(accepted(cards, { endDate: "2025-02-01", startDate: "" })).to.deep.equal(neither);
    expect(neither).to.include({ startDate: null, endDate: null });
  });

  it("a single date is refused on acquisition, naming the other", () => {
    expect(parameters(refused(summary, { startDate: "2025-02-01" }))).to.deep.equal(["endDate"]);
    expect(parameters(refused(summary, { endDate: "2025-02-01", startDate: "" }))).to.deep.equal(["startDate"]);
    expect(parameters(refused(summary, { endDate: "2025-02-01", period: "7d" }))).to.deep.equal(["startDate"]);
  });

  it("the future is refused on acquisition and accepted on profitability", () => {
    expect(accepted(summary, { startDate: "2025-04-01", endDate: "2025-04-01" })).to.include({ endDate: "2025-04-01" });
    expect(parameters(refused(summary, { startDate: "2025-04-01", endDate: "2025-04-02" }))).to.deep.equal(["endDate"]);
    expect(parameters(refused(summary, { startDate: "2025-04-02", endDate: "2025-04-02" }))).to.deep.equal([
      "endDate",
      "startDate",
    ]);
    expect(() => accepted(endpointAt(CARDS), { startDate: "2025-04-02", endDate: "2099-12-31" })).to.not.throw();
  });

  it("at most 365 days are accepted on acquisition", () => {
    expect(() => accepted(summary, { startDate: "2024-04-01", endDate: "2025-04-01" })).to.not.throw();
    expect(parameters(refused(summary, { startDate: "2024-03-31", endDate: "2025-04-01" }))).to.have.length(2);
  });

  const presets: [string, string][] = [
    ["7d", "2025-03-26"],
    ["30d", "2025-03-03"],
    ["90d", "2025-01-02"],
    ["1y", "2024-04-02"],
  ];
  for (const [period, startDate] of presets) {
    it(`period ${period} ends today, which is one of its days`, () => {
      expect(accepted(summary, { period })).to.include({ startDate, endDate: "2025-04-01" });
    });
  }

  it("the default period is 30d, and dates have precedence over it", () => {
    expect(accepted(summary, {})).to.deep.equal(accepted(summary, { period: "30d" }));
    expect(accepted(summary, { period: "" })).to.deep.equal(accepted(summary, { period: "30d" }));
    const dates = { startDate: "2025-01-01", endDate: "2025-01-31" };
    expect(accepted(summary, { ...dates, period: "7d" })).to.include(dates);
    expect(parameters(refused(summary, { ...dates, period: "8d" }))).to.deep.equal(["period"]);
  });

  it("a period always ends today, whatever the instant, and has as many days as it says", () => {
    const instants = fc.date({ min: new Date("2001-01-01"), max: new Date("2100-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(instants, fc.constantFrom("7d", "30d", "90d", "1y"), (now, period) => {
        const { startDate, endDate } = accepted(summary, { period }, now);
        expect(endDate).to.equal(now.toISOString().slice(0, 10));
        const days = (Date.parse(String(endDate)) - Date.parse(String(startDate))) / 86_400_000 + 1;
        expect(days).to.equal(period === "1y" ? 365 : Number.parseInt(period, 10));
      }),
    );
  });

  it("Deprecation is on answers to requests that sent period, and on no others", async () => {
    const { app } = makeApp();
    expect((await ask(app, `${SUMMARY}?period=7d`)).headers.deprecation).to.match(/^@\d+$/);
    for (const query of ["", "?period=", "?startDate=2025-01-01&endDate=2025-01-31"]) {
      expect((await ask(app, SUMMARY + query)).headers, query).to.not.have.property("deprecation");
    }
  });
});

describe("Bounds that are a day or an instant:", () => {
  const events = endpointAt(EVENTS);
  const from = (createdStart: string) => accepted(events, { createdStart }).createdStart;
  const to = (createdEnd: string) => accepted(events, { createdEnd }).createdEnd;

  const starts: [string, string][] = [
    ["2025-02-01", "2025-02-01T00:00:00.000000Z"],
    ["2025-02-01T10:20", "2025-02-01T10:20:00.000000Z"],
    ["2025-02-01T10:20:30", "2025-02-01T10:20:30.000000Z"],
    ["2025-02-01 10:20:30", "2025-02-01T10:20:30.000000Z"],
    ["2025-02-01T10:20:30.123456Z", "2025-02-01T10:20:30.123456Z"],
    ["2025-02-01T10:20:30-03:00", "2025-02-01T13:20:30.000000Z"],
    ["2025-02-01T00:20:30+0530", "2025-01-31T18:50:30.000000Z"],
    ["1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000000Z"],
    ["0001-01-01T00:00:00+14:00", "0001-01-01T00:00:00.000000Z"],
  ];
  for (const [sent, first] of starts) it(`a start of ${sent} is ${first}`, () => expect(from(sent)).to.equal(first));

  const ends: [string, string][] = [
    ["2025-02-28", "2025-03-01T00:00:00.000000Z"],
    ["2025-02-28T10:00:00Z", "2025-02-28T10:00:00.000001Z"],
    ["2025-02-28T10:00:00.999999Z", "2025-02-28T10:00:01.000000Z"],
    ["2025-02-28T23:59:59.999-03:00", "2025-03-01T02:59:59.999001Z"],
    ["9999-12-31", "9999-12-31T23:59:59.999999Z"],
    ["9999-12-31T23:59:59-05:00", "9999-12-31T23:59:59.999999Z"],
  ];
  for (const [sent, out] of ends) it(`an end of ${sent} excludes ${out}`, () => expect(to(sent)).to.equal(out));

  it("they are compared as instants, each in its own zone", () => {
    const within = { createdStart: "2025-02-01T00:00:00+03:00", createdEnd: "2025-01-31T21:00:00Z" };
    expect(() => accepted(events, within)).to.not.throw();
    expect(refused(events, { ...within, createdEnd: "2025-01-31T20:59:59.999999Z" })).to.have.length(2);
    expect(() => accepted(events, { createdStart: "2025-02-01T23:00:00Z", createdEnd: "2025-02-01" })).to.not.throw();
  });

  it("they may be in the future, and one of them is enough", () => {
    expect(accepted(events, { createdEnd: "2999-01-01" })).to.include({ createdStart: null });
  });

  it("any instant as an end includes itself and nothing after it", () => {
    const instants = fc.date({ min: new Date("1600-01-01"), max: new Date("2999-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(instants, fc.nat(999), (instant, rest) => {
        const text = instant.toISOString().replace("Z", `${String(rest).padStart(3, "0")}Z`);
        expect(from(text)).to.equal(text);
        const out = String(to(text));
        const micro = (iso: string): bigint =>
          BigInt(Date.parse(`${iso.slice(0, 23)}Z`)) * 1000n + BigInt(iso.slice(23, 26));
        expect(micro(out) - micro(text)).to.equal(1n);
      }),
    );
  });
});

describe("Paging", () => {
  const contacts = endpointAt(CONTACTS);
  const page = (value: string) => accepted(contacts, { page: value }).page;
  const limit = (value: string) => accepted(contacts, { limit: value }).limit;

  it("is adjusted as documented [D19]", () => {
    expect([limit("0"), page("0"), limit("6000"), limit("abc"), page("2.7")]).to.deep.equal([1, 1, 5000, 500, 2]);
    expect(accepted(contacts, {})).to.include({ page: 1, limit: 500 });
    expect([limit("-3"), limit("5000"), limit(" 7 "), limit(" "), limit("Infinity"), page("NaN")]).to.deep.equal([
      1, 5000, 7, 500, 5000, 1,
    ]);
  });

  it("is never an error and never out of bounds, whatever is sent", () => {
    const sent = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.double().map(String),
      fc.bigInt().map(String),
      fc.constantFrom("1e999", "-1e999", "0x1F", "1_000", "١", "9007199254740993", "--1"),
    );
    fc.assert(
      fc.property(sent, sent, (a, b) => {
        const got = accepted(contacts, { page: a, limit: b });
        expect(Number.isSafeInteger(got.page) && Number(got.page) >= 1).to.equal(true);
        expect(Number.isSafeInteger(got.limit) && Number(got.limit) >= 1 && Number(got.limit) <= 5000).to.equal(true);
      }),
    );
  });

  it("never fails over the wire either", async () => {
    const limit = new SlidingLog(1_000_000);
    const { app } = makeApp(new FakeAnswers(), { limit });
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme" }), async (value) => {
        const { status } = await ask(app, `${CONTACTS}?page=${encodeURIComponent(value)}`);
        expect(status).to.equal(200);
      }),
      { numRuns: 50 },
    );
  });
});
