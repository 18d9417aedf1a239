import { expect } from "chai";
import fc from "fast-check";
import { NO_TARGETS } from "../../src/features/actions/advice.ts";

Object.assign(globalThis, { location: { hash: "" }, addEventListener: () => {}, history: {} });
const { anything, ignoredArgs, readAddress, route, writeAddress, VIEWS } = await import("../../explorer/src/route.ts");
const { named, shortOf } = await import("../../explorer/src/session.ts");
const { comparedWith, granularityOf } = await import("../../explorer/src/period.ts");

const one = (id: string, name = id) => ({
  id,
  name,
  targets: NO_TARGETS,
  locale: "pt-BR" as const,
  notes: [],
  currency: null,
  timezones: [],
  firstDay: null,
  lastDay: null,
  asOf: null,
  connectors: [],
});

describe("The addresses of the Explorer", () => {
  it("are read as they were written", () => {
    const words = fc.string({ minLength: 1 });
    fc.assert(
      fc.property(
        words,
        fc.constantFrom(...VIEWS),
        words,
        fc.dictionary(words, words),
        (organization, view, section, args) => {
          const written = { organization, view, section: view === "settings" ? section : "", args: { ...args } };
          expect(readAddress(writeAddress(written))).to.deep.equal(written);
        },
      ),
    );
  });

  it("of the first edition lead to the view that has its content now", () => {
    expect(readAddress("#/cohorts?group=quarter")).to.deep.equal({
      organization: "",
      view: "customers",
      section: "",
      args: { group: "quarter" },
    });
  });

  it("of the settings name the section, with or without the organization", () => {
    expect(readAddress("#/acme/settings/people")).to.include({
      organization: "acme",
      view: "settings",
      section: "people",
    });
    expect(readAddress("#/settings/people")).to.include({ organization: "", view: "settings", section: "people" });
    expect(readAddress("#/acme/data/people")).to.include({ organization: "acme", view: "data", section: "" });
  });

  it("that name no view show the overview, and are reported", () => {
    expect(readAddress("")).to.deep.equal({ organization: "", view: "overview", section: "", args: {} });
    expect(readAddress("#/acme/nonsense")).to.include({
      organization: "acme",
      view: "overview",
      unknownView: "nonsense",
    });
    expect(readAddress("#/%E0%A4%A/data").view).to.equal("data");
  });

  it("may have the names that every object has, which are no view, no argument and no text", () => {
    const inherited = ["__proto__", "constructor", "toString", "valueOf", "hasOwnProperty"];
    for (const name of inherited) {
      expect(readAddress(`#/${name}/${name}`), name).to.include({ view: "overview", unknownView: name });
      route.value = readAddress(`#/${name}?${inherited.map((one) => `${one}=1`).join("&")}`);
      expect(ignoredArgs({ period: anything }).value, name).to.have.members(inherited.map((one) => `${one}=1`));
    }
    expect(readAddress("#/__proto__")).to.include({ organization: "__proto__", view: "overview" });
  });

  it("name an organization by the beginning of its id, unless another one begins so", () => {
    const [a, b, c] = [
      one("5f0c2b1e-8a4d-4c37-9e21-7b6d0a9c4e10"),
      one("5f0c2b1e-0000-4c37-9e21-7b6d0a9c4e10"),
      one("0a11ce00-0000-4000-8000-000000000001"),
    ];
    expect(shortOf(c.id, [a, c])).to.equal("0a11ce00");
    expect(shortOf(a.id, [a, b, c])).to.equal(a.id);
    expect(named("0a11ce00", [a, b, c])).to.equal(c);
    expect(named("5f0c2b1e", [a, b, c])).to.equal(undefined);
    expect(named("0a", [c]), "too short to be meant").to.equal(undefined);
    expect(shortOf("acme", [one("acme")])).to.equal("acme");
  });
});

describe("The period compared with", () => {
  const period = { from: "2024-12-01", to: "2024-12-30" };
  const under = (hash: string, first: string | null) => {
    route.value = readAddress(hash);
    return comparedWith(period, first);
  };

  it("is the days before without a choice, and the same weekdays a year earlier by choice", () => {
    expect(under("", "2023-01-01")).to.include({ kind: "previous", from: "2024-11-01", to: "2024-11-30" });
    expect(under("", "2024-06-01")).to.include({ kind: "previous", from: "2024-11-01", to: "2024-11-30" });
    expect(under("#/overview?compare=weekdays", "2023-01-01")).to.include({
      kind: "weekdays",
      from: "2023-12-03",
      to: "2024-01-01",
      isComplete: true,
    });
    route.value = readAddress("");
    expect(new Date("2023-12-03").getUTCDay()).to.equal(new Date("2024-12-01").getUTCDay());
  });

  it("of a whole month is the month before, however long", () => {
    location.hash = "#/overview?compare=previous";
    expect(comparedWith({ from: "2024-03-01", to: "2024-03-31" }, null)).to.include({
      kind: "own",
      from: "2024-02-01",
      to: "2024-02-29",
      of: 29,
    });
    expect(comparedWith({ from: "2024-08-01", to: "2024-08-31" }, null)).to.include({
      kind: "previous",
      from: "2024-07-01",
      to: "2024-07-31",
    });
    expect(comparedWith({ from: "2024-03-02", to: "2024-03-31" }, null)).to.include({
      from: "2024-02-01",
      to: "2024-03-01",
    });
    location.hash = "";
  });

  it("is incomplete if the data begin later", () => {
    expect(under("", "2024-11-22")).to.include({ known: 9, of: 30, isComplete: false });
    expect(under("", "2024-12-05")).to.include({ known: 0, of: 30, isComplete: false });
  });

  it("does not exist for the whole history", () => {
    expect(comparedWith({}, "2023-01-01")).to.equal(undefined);
  });
});

describe("The granularity of charts", () => {
  it("gives a readable number of points, among those that a view offers", () => {
    expect(granularityOf({ from: "2024-12-01", to: "2024-12-30" })).to.equal("day");
    expect(granularityOf({ from: "2024-09-01", to: "2024-12-30" })).to.equal("week");
    expect(granularityOf({})).to.equal("month");
    expect(granularityOf({ from: "2024-12-01", to: "2024-12-30" }, ["week", "month"])).to.equal("month");
  });
});
