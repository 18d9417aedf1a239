import { expect } from "chai";

Object.assign(globalThis, {
  location: { hash: "" },
  addEventListener: () => {},
  history: { pushState: () => {}, replaceState: () => {} },
  localStorage: { getItem: () => null, setItem: () => {} },
});
Object.defineProperty(globalThis, "navigator", { value: { languages: ["pt-BR"] }, configurable: true });
const { notedIn, noteOn } = await import("../../explorer/src/notes.ts");
const { language } = await import("../../explorer/src/preferences.ts");
const { readAddress, route } = await import("../../explorer/src/route.ts");
const { state } = await import("../../explorer/src/session.ts");
const { lang } = await import("../../explorer/src/words/index.ts");

const NOTES = [
  { from: "2025-02-28", until: "2025-03-05", text: "Carnaval" },
  { from: "2025-03-05", until: null, text: "Site novo" },
];

describe("Notes on days", () => {
  it("are those of the day, by their first and last day", () => {
    const on = (day: string) => noteOn(day, day, NOTES);
    expect(["2025-02-27", "2025-02-28", "2025-03-04", "2025-03-05", "2025-03-06"].map(on)).to.deep.equal([
      undefined,
      "Carnaval",
      "Carnaval",
      "Carnaval; Site novo",
      undefined,
    ]);
  });

  it("say which days they mean where a point is of more than one", () => {
    expect(noteOn("2025-03-01", "2025-03-31", NOTES)).to.match(/^Carnaval \(28 .*5 .*2025\); Site novo \(5 .* 2025\)$/);
    expect(noteOn("2025-03-06", "2025-03-31", NOTES)).to.equal(undefined);
  });

  it("are one place for points in a row that have the same", () => {
    const points = ["a", "a", undefined, "a", "b", undefined].map((note) => ({ note }));
    expect(notedIn(points)).to.deep.equal([
      { text: "a", first: 0, last: 1 },
      { text: "a", first: 3, last: 3 },
      { text: "b", first: 4, last: 4 },
    ]);
  });
});

describe("The language of the page", () => {
  const enter = (locale: "pt-BR" | "en"): void => {
    const organization = { id: "one", name: "One", locale } as never;
    state.value = { is: "in", organizations: [organization] };
  };
  beforeEach(() => {
    language.value = undefined;
  });
  afterEach(() => {
    state.value = { is: "checking" };
    language.value = undefined;
    route.value = readAddress("");
  });

  it("is the browser's before an organization is known, then that of its settings, unless somebody has chosen one", () => {
    expect(lang.value).to.equal("pt");
    enter("en");
    expect(lang.value).to.equal("en");
    language.value = "pt";
    expect(lang.value).to.equal("pt");
    enter("pt-BR");
    route.value = readAddress("#/overview?lang=en");
    expect(lang.value, "a link").to.equal("en");
  });
});
