import { expect } from "chai";
import fc from "fast-check";
import type { Endpoint } from "../../src/core/contract/endpoint.ts";
import { ApiError, type Detail } from "../../src/core/contract/error.ts";
import {
  type Accepted,
  COMPARISONS,
  organizationId,
  type Params,
  type PeriodRule,
} from "../../src/core/contract/param.ts";
import { type Sent, validate } from "../../src/core/params/validate.ts";
import { STRICT } from "../http/fake.ts";

const NOW = new Date("2025-03-10T23:30:00Z");
const ID = { organizationId: "acme" };

function endpoint(params: Params, more: Partial<Endpoint> = {}): Endpoint {
  return { ...STRICT, params: { organizationId, ...params }, periods: [], ...more } as Endpoint;
}

const accepted = (on: Endpoint, sent: Sent): Accepted => validate(on, { ...ID, ...sent }, NOW);

function refused(on: Endpoint, sent: Sent): readonly Detail[] {
  try {
    accepted(on, sent);
  } catch (error) {
    if (error instanceof ApiError && error.kind === "invalid") return error.details;
    throw error;
  }
  throw new Error(`accepted: ${JSON.stringify(sent)}`);
}

const names = (details: readonly Detail[]): string[] => details.map(({ parameter }) => parameter).sort();

describe("Parameters", () => {
  describe("from the clock", () => {
    const on = endpoint(
      { today: { kind: "today", description: "" }, now: { kind: "now", description: "" } },
      { unknown: "refused" },
    );

    it("are the day and the instant, which is not among the values that identify an answer", () => {
      const values = accepted(on, {});
      expect([values.today, values.now]).to.deep.equal(["2025-03-10", NOW.toISOString()]);
      expect(Object.keys(values)).to.deep.equal(["organizationId", "today"]);
    });

    it("cannot be sent, and are not suggested for an unknown parameter", () => {
      const [detail] = refused(on, { todays: "2025-03-10" });
      expect(detail?.parameter).to.equal("todays");
      expect(detail?.message).to.not.contain("quis dizer");
    });
  });

  describe("that are unknown", () => {
    const on = endpoint({ page: { kind: "text", description: "" } }, { unknown: "refused" });
    const sent = (count: number): Sent => Object.fromEntries(Array.from({ length: count }, (_, no) => [`k${no}`, "1"]));

    it("are named up to the twentieth, which says how many more there are", () => {
      expect(refused(on, sent(20))).to.have.length(20);
      const details = refused(on, { page: ["1", "2"], ...sent(22) });
      expect(details).to.have.length(21);
      expect(details[0]?.parameter).to.equal("page");
      expect(details.at(-1)).to.deep.equal({
        parameter: "k19",
        message: "Parâmetro desconhecido. Há mais 2 parâmetros desconhecidos.",
      });
    });

    it("cost no more each when there are many, or when they are long", function () {
      this.timeout(20_000);
      expect(refused(on, sent(200_000))).to.have.length(20);
      const [detail] = refused(on, { ["k".repeat(1_000_000)]: "1" });
      expect(detail?.parameter).to.equal(`${"k".repeat(99)}…`);
    });
  });

  describe("page and limit never fail:", () => {
    const on = endpoint(
      {
        page: { kind: "paging", least: 1, most: Number.MAX_SAFE_INTEGER, fallback: 1, description: "" },
        limit: { kind: "paging", least: 1, most: 5000, fallback: 500, description: "" },
      },
      { unknown: "refused" },
    );

    for (const [sent, page, limit] of [
      [undefined, 1, 500],
      ["", 1, 500],
      ["abc", 1, 500],
      ["0", 1, 1],
      ["-1", 1, 1],
      ["-Infinity", 1, 1],
      ["2.7", 2, 2],
      ["0.9", 1, 1],
      ["1e3", 1000, 1000],
      ["6000", 6000, 5000],
      ["Infinity", Number.MAX_SAFE_INTEGER, 5000],
      ["NaN", 1, 500],
      ["1e999", Number.MAX_SAFE_INTEGER, 5000],
      ["\0", 1, 500],
    ] as const) {
      it(`${JSON.stringify(sent)} becomes page ${page}, limit ${limit}`, () => {
        const values = accepted(on, { page: sent, limit: sent });
        expect([values.page, values.limit]).to.deep.equal([page, limit]);
      });
    }

    it("any text becomes a whole number within the bounds", () => {
      const anything = fc.oneof(fc.string(), fc.double().map(String), fc.bigInt().map(String), fc.constant(undefined));
      fc.assert(
        fc.property(anything, (sent) => {
          const limit = Number(accepted(on, { limit: sent }).limit);
          return Number.isInteger(limit) && limit >= 1 && limit <= 5000;
        }),
      );
    });

    it("a whole number within the bounds stays unchanged", () => {
      fc.assert(fc.property(fc.integer({ min: 1, max: 5000 }), (n) => accepted(on, { limit: String(n) }).limit === n));
    });
  });

  describe("of each kind:", () => {
    it("an empty value counts as not sent", () => {
      const on = endpoint({
        userId: { kind: "text", description: "" },
        integrationId: { kind: "uuid", description: "" },
        date: { kind: "day", description: "" },
        createdStart: { kind: "from", description: "" },
        createdEnd: { kind: "to", description: "" },
        view: { kind: "choice", of: ["a", "b"], fallback: "b", description: "" },
        breakBy: { kind: "choice", of: ["a"], description: "" },
      });
      const nothing = Object.fromEntries(Object.keys(on.params).map((name) => [name, ""]));
      const empty = { userId: null, integrationId: null, date: null, createdStart: null, createdEnd: null };
      const expected = { ...ID, ...empty, view: "b", breakBy: null };
      expect(accepted(on, { ...nothing, ...ID })).to.deep.equal(expected);
      expect(accepted(on, {})).to.deep.equal(expected);
    });

    it("an empty value is refused where the parameter says so", () => {
      const on = endpoint({
        compare: { kind: "choice", of: COMPARISONS, fallback: "previous", refusesEmpty: true, description: "" },
      });
      expect(accepted(on, {}).compare).to.equal("previous");
      expect(names(refused(on, { compare: "" }))).to.deep.equal(["compare"]);
    });

    it("a repeated single value is refused, even if both are the same", () => {
      for (const kind of ["text", "uuid", "day", "from", "to"] as const) {
        const on = endpoint({ x: { kind, description: "" } });
        expect(names(refused(on, { x: ["2025-01-01", "2025-01-01"] })), kind).to.deep.equal(["x"]);
      }
      const on = endpoint({ x: { kind: "choice", of: ["a"], description: "" } });
      expect(refused(on, { x: ["a", "a"] })).to.have.lengthOf(1);
    });

    it("a text has at most its declared length, and no NUL", () => {
      const on = endpoint({ search: { kind: "text", maxLength: 3, description: "" } });
      expect(accepted(on, { search: "açã" }).search).to.equal("açã");
      expect(refused(on, { search: "abcd" })[0]?.message).to.contain("3 caracteres");
      expect(names(refused(on, { search: "a\0" }))).to.deep.equal(["search"]);
    });

    it("a UUID is a UUID, without urn:", () => {
      const on = endpoint({ x: { kind: "uuid", description: "" } });
      const id = "11111111-1111-4111-8111-11111111111A";
      expect(accepted(on, { x: id }).x, "capitals are the same").to.equal(id.toLowerCase());
      for (const x of [`urn:uuid:${id}`, `{${id}}`, ` ${id}`, id.slice(1), "x"]) {
        expect(names(refused(on, { x })), x).to.deep.equal(["x"]);
      }
    });

    it("a choice is one of its words, ignoring case only if declared", () => {
      const on = endpoint({
        view: { kind: "choice", of: ["revenue", "logo"], description: "" },
        orderDirection: { kind: "choice", of: ["ASC", "DESC"], anyCase: true, fallback: "ASC", description: "" },
      });
      expect(accepted(on, { view: "logo", orderDirection: "dEsC" })).to.include({
        view: "logo",
        orderDirection: "DESC",
      });
      const details = refused(on, { view: "LOGO", orderDirection: "up" });
      expect(names(details)).to.deep.equal(["orderDirection", "view"]);
      expect(JSON.stringify(details)).to.contain("revenue, logo").and.contain("ASC, DESC");
    });

    it("a list has one value or several", () => {
      const on = endpoint({ columns: { kind: "list", of: ["netSales", "cogs"], description: "" } });
      expect(accepted(on, { columns: "cogs" }).columns).to.equal("cogs");
      expect(accepted(on, { columns: "cogs,netSales" }).columns).to.equal("cogs,netSales");
      expect(accepted(on, {}).columns).to.equal(null);
      expect(names(refused(on, { columns: "cogs,orders" }))).to.deep.equal(["columns"]);
    });

    it("a day is an existing day, without a time", () => {
      const on = endpoint({ x: { kind: "day", description: "" } });
      for (const x of ["2024-02-29", "0001-01-01", "9999-12-31"]) expect(accepted(on, { x }).x).to.equal(x);
      for (const x of [
        "2024-02-30",
        "2023-02-29",
        "2024-13-01",
        "2024-00-10",
        "0000-01-01",
        "2024-1-1",
        "2024-01-01T00:00:00Z",
        "2024-01-01 ",
        "20240101",
        "+002024-01-01",
        "yesterday",
      ]) {
        expect(names(refused(on, { x })), x).to.deep.equal(["x"]);
      }
    });
  });

  describe("that bound a time:", () => {
    const on = endpoint({ start: { kind: "from", description: "" }, end: { kind: "to", description: "" } });
    const bounds = (sent: string): unknown[] => [accepted(on, { start: sent }).start, accepted(on, { end: sent }).end];

    for (const [sent, start, end] of [
      ["2024-02-28", "2024-02-28T00:00:00.000000Z", "2024-02-29T00:00:00.000000Z"],
      ["2024-12-31", "2024-12-31T00:00:00.000000Z", "2025-01-01T00:00:00.000000Z"],
      ["2024-01-01T10:20:30Z", "2024-01-01T10:20:30.000000Z", "2024-01-01T10:20:30.000001Z"],
      ["2024-01-01T10:20", "2024-01-01T10:20:00.000000Z", "2024-01-01T10:20:00.000001Z"],
      ["2024-01-01 10:20:30", "2024-01-01T10:20:30.000000Z", "2024-01-01T10:20:30.000001Z"],
      ["2024-01-01t10:20:30.5z", "2024-01-01T10:20:30.500000Z", "2024-01-01T10:20:30.500001Z"],
      ["2024-01-01T10:20:30.123456Z", "2024-01-01T10:20:30.123456Z", "2024-01-01T10:20:30.123457Z"],
      ["2024-01-01T10:20:30.999999Z", "2024-01-01T10:20:30.999999Z", "2024-01-01T10:20:31.000000Z"],
      ["2024-01-01T01:00:00-03:00", "2024-01-01T04:00:00.000000Z", "2024-01-01T04:00:00.000001Z"],
      ["2024-01-01T01:00:00+0530", "2023-12-31T19:30:00.000000Z", "2023-12-31T19:30:00.000001Z"],
      ["1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z", "1970-01-01T00:00:00.000000Z"],
      ["9999-12-31", "9999-12-31T00:00:00.000000Z", "9999-12-31T23:59:59.999999Z"],
      ["0001-01-01T00:00:00+12:00", "0001-01-01T00:00:00.000000Z", "0001-01-01T00:00:00.000000Z"],
    ] as const) {
      it(`${sent} includes ${start}, excludes ${end}`, () => {
        expect(bounds(sent)).to.deep.equal([start, end]);
      });
    }

    it("a day, time or offset that does not exist is refused", () => {
      for (const sent of [
        "2024-02-30",
        "2024-02-30T10:00:00Z",
        "2024-01-01T25:00:00Z",
        "2024-01-01T24:00:00Z",
        "2024-01-01T10:60:00Z",
        "2024-01-01T10:00:60Z",
        "2024-01-01T10:00:00+24:00",
        "2024-01-01T10:00:00+02:60",
        "2024-01-01T10",
        "2024-01-01T",
        "2024-01-01T10:00:00 03:00",
        "1704103200",
      ]) {
        expect(names(refused(on, { start: sent })), sent).to.deep.equal(["start"]);
        expect(names(refused(on, { end: sent })), sent).to.deep.equal(["end"]);
      }
    });

    it("an instant's end is one microsecond after its start, whatever the instant", () => {
      const date = fc.date({ min: new Date("0001-01-02"), max: new Date("9999-12-30"), noInvalidDate: true });
      fc.assert(
        fc.property(date, fc.integer({ min: 0, max: 999 }), (at, micros) => {
          const sent = at.toISOString().replace("Z", `${String(micros).padStart(3, "0")}Z`);
          const [start, end] = bounds(sent) as [string, string];
          const exact = (text: string): bigint => BigInt(Date.parse(text)) * 1000n + BigInt(text.slice(23, 26));
          return start === sent && exact(end) - exact(start) === 1n;
        }),
      );
    });
  });

  describe("that bound a period:", () => {
    const days = (rule: Partial<PeriodRule> = {}): Endpoint =>
      endpoint(
        { startDate: { kind: "day", description: "" }, endDate: { kind: "day", description: "" } },
        { periods: [{ start: "startDate", end: "endDate", ...rule }] },
      );
    const bounds = endpoint(
      { createdStart: { kind: "from", description: "" }, createdEnd: { kind: "to", description: "" } },
      { periods: [{ start: "createdStart", end: "createdEnd" }] },
    );

    it("a start after its end is refused, both named", () => {
      const sent = { startDate: "2025-01-02", endDate: "2025-01-01" };
      expect(names(refused(days(), sent))).to.deep.equal(["endDate", "startDate"]);
      for (const [createdStart, createdEnd] of [
        ["2025-01-02", "2025-01-01"],
        ["2025-01-02T00:00:00Z", "2025-01-01"],
        ["2025-01-01T10:00:00.000001Z", "2025-01-01T10:00:00Z"],
        ["2025-01-01T10:00:00-03:00", "2025-01-01T12:00:00Z"],
      ] as const) {
        expect(names(refused(bounds, { createdStart, createdEnd })), createdStart).to.deep.equal([
          "createdEnd",
          "createdStart",
        ]);
      }
    });

    it("one day and one instant are periods", () => {
      expect(accepted(days(), { startDate: "2025-01-01", endDate: "2025-01-01" }).endDate).to.equal("2025-01-01");
      for (const at of ["2025-01-01", "2025-01-01T10:00:00Z"]) {
        expect(accepted(bounds, { createdStart: at, createdEnd: at }).createdEnd).to.be.a("string");
      }
    });

    it("a minimum above its maximum is refused, both named; equal ones are a range", () => {
      const on = endpoint(
        {
          minSales: { kind: "number", description: "" },
          maxSales: { kind: "number", description: "" },
          view: { kind: "choice", of: ["logo"], description: "" },
        },
        { ranges: [{ least: "minSales", most: "maxSales" }] },
      );
      expect(names(refused(on, { minSales: "2", maxSales: "1.5" }))).to.deep.equal(["maxSales", "minSales"]);
      // Together with other faults; if a bound itself is wrong there is no range.
      expect(names(refused(on, { minSales: "2", maxSales: "1", view: "x" }))).to.have.members([
        "maxSales",
        "minSales",
        "view",
      ]);
      expect(names(refused(on, { minSales: "2", maxSales: "x" }))).to.deep.equal(["maxSales"]);
      expect(accepted(on, { minSales: "1.5", maxSales: "1.50" })).to.include({ minSales: "1.5", maxSales: "1.5" });
    });

    it("a single bound is valid on its own", () => {
      expect(accepted(bounds, { createdStart: "2025-01-01" })).to.include({ createdEnd: null });
      expect(accepted(bounds, { createdStart: "2025-01-01" }).createdStart).to.be.a("string");
    });

    it("a single date is ignored if both or neither are needed, a malformed one is refused", () => {
      const on = days({ bothOrNone: "ignored" });
      expect(accepted(on, { startDate: "2025-01-01" })).to.include({ startDate: null, endDate: null });
      expect(accepted(on, { endDate: "2025-01-01" })).to.include({ startDate: null, endDate: null });
      expect(names(refused(on, { endDate: "2025-02-30" }))).to.deep.equal(["endDate"]);
    });

    it("a single date is refused if both are required, and the missing one is named", () => {
      const on = days({ bothOrNone: "refused" });
      expect(names(refused(on, { startDate: "2025-01-01" }))).to.deep.equal(["endDate"]);
      expect(names(refused(on, { endDate: "2025-01-01" }))).to.deep.equal(["startDate"]);
      expect(accepted(on, {})).to.include({ startDate: null, endDate: null });
    });

    it("a future date is refused by the UTC day, today is not", () => {
      const on = days({ notFuture: true });
      expect(accepted(on, { startDate: "2025-03-10", endDate: "2025-03-10" }).endDate).to.equal("2025-03-10");
      expect(names(refused(on, { startDate: "2025-03-10", endDate: "2025-03-11" }))).to.deep.equal(["endDate"]);
      expect(names(refused(on, { startDate: "2025-03-11", endDate: "2025-03-11" }))).to.deep.equal([
        "endDate",
        "startDate",
      ]);
    });

    it("365 days between the dates are accepted, 366 are not", () => {
      const on = days({ mostDays: 365 });
      expect(accepted(on, { startDate: "2023-03-01", endDate: "2024-02-29" }).startDate).to.equal("2023-03-01");
      expect(names(refused(on, { startDate: "2023-03-01", endDate: "2024-03-01" }))).to.deep.equal([
        "endDate",
        "startDate",
      ]);
    });

    it("a period of an analysis leaves as many days of the calendar before it", () => {
      const on = days({ compared: true });
      expect(accepted(on, { startDate: "0001-01-03", endDate: "0001-01-04" }).startDate).to.equal("0001-01-03");
      for (const startDate of ["0001-01-01", "0001-01-02"]) {
        expect(names(refused(on, { startDate, endDate: "0001-01-04" }))).to.deep.equal(["endDate", "startDate"]);
      }
    });

    it("a period leaves the days of the calendar that it is compared with [D50]", () => {
      const { params } = days({});
      const compare = { kind: "choice", of: COMPARISONS, fallback: "previous", description: "" } as const;
      const on = endpoint(
        { ...params, compare },
        { periods: [{ start: "startDate", end: "endDate", compared: { by: "compare" } }] },
      );
      const sent = (compare: string, startDate: string) => ({ compare, startDate, endDate: "0002-06-01" });
      for (const [compare, earliest, tooEarly] of [
        ["year", "0002-01-01", "0001-12-31"],
        ["weekdays", "0001-12-31", "0001-12-30"],
        ["none", "0001-01-01", undefined],
      ] as const) {
        expect(accepted(on, sent(compare, earliest)).startDate).to.equal(earliest);
        if (tooEarly) expect(names(refused(on, sent(compare, tooEarly)))).to.deep.equal(["endDate", "startDate"]);
      }
      expect(names(refused(on, { startDate: "0001-05-01", endDate: "0002-06-01" }))).to.deep.equal([
        "endDate",
        "startDate",
      ]);
    });

    it("a preset names N days ending today, and dates have precedence over it", () => {
      const on = endpoint(
        {
          period: { kind: "choice", of: ["7d", "30d"], fallback: "30d", description: "" },
          startDate: { kind: "day", description: "" },
          endDate: { kind: "day", description: "" },
        },
        {
          periods: [
            {
              start: "startDate",
              end: "endDate",
              bothOrNone: "refused",
              preset: { parameter: "period", days: { "7d": 7, "30d": 30 } },
            },
          ],
        },
      );
      expect(accepted(on, { period: "7d" })).to.include({ startDate: "2025-03-04", endDate: "2025-03-10" });
      expect(accepted(on, {})).to.include({ startDate: "2025-02-09", endDate: "2025-03-10" });
      const dates = { startDate: "2025-01-01", endDate: "2025-01-02" };
      expect(accepted(on, { period: "7d", ...dates })).to.include(dates);
      expect(names(refused(on, { period: "7d", startDate: "2025-01-01" }))).to.deep.equal(["endDate"]);
    });
  });

  describe("that are not declared", () => {
    const param = { createdStart: { kind: "from", description: "" } } as const;

    it("are refused one by one, with the name that was meant", () => {
      const details = refused(endpoint(param), { createdstart: "2025-01-01", zzzzzzzz: ["1", "2"] });
      expect(names(details)).to.deep.equal(["createdstart", "zzzzzzzz"]);
      expect(details.find((d) => d.parameter === "createdstart")?.message).to.contain("createdStart");
      expect(details.find((d) => d.parameter === "zzzzzzzz")?.message).to.not.contain("quis dizer");
    });

    it("are ignored if the endpoint ignores them", () => {
      const on = endpoint(param, { unknown: "ignored" });
      expect(accepted(on, { nonsense: ["1", "2"] })).to.deep.equal({ ...ID, createdStart: null });
    });

    it("do no harm whatever their names", () => {
      const lenient = endpoint(param, { unknown: "ignored" });
      for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"]) {
        const sent = Object.fromEntries([[name, "x"]]) as Sent;
        expect(names(refused(endpoint(param), sent)), name).to.deep.equal([name]);
        expect(accepted(lenient, sent)).to.deep.equal({ ...ID, createdStart: null });
      }
      expect(({} as Record<string, unknown>).x).to.equal(undefined);
    });
  });

  it("that are required and not sent are named", () => {
    const on = endpoint({ x: { kind: "uuid", required: true, description: "" } });
    expect(refused(on, {})).to.deep.equal([{ parameter: "x", message: "O parâmetro x é obrigatório." }]);
  });

  it("that are wrong are named all at once, each once", () => {
    const on = endpoint(
      {
        day: { kind: "day", description: "" },
        view: { kind: "choice", of: ["a"], description: "" },
        start: { kind: "from", description: "" },
        end: { kind: "to", description: "" },
      },
      { periods: [{ start: "start", end: "end" }] },
    );
    const sent = { day: "x", view: ["a", "b"], other: "1", start: "2025-01-02", end: "2025-01-01" };
    expect(names(refused(on, sent))).to.deep.equal(["day", "end", "other", "start", "view"]);
  });
});
