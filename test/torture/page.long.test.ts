import { readFileSync } from "node:fs";
import { expect } from "chai";
import { blockOf, figuresOf, PAGE, pageOf, promisesOf } from "../../torture/page.ts";
import type { Part } from "../../torture/part.ts";
import { PARTS } from "../../torture/parts/index.ts";

describe("docs/reliability.md", () => {
  const page = readFileSync(PAGE, "utf8");
  let parts: Part[];

  before(async () => {
    parts = await Promise.all(Object.values(PARTS).map((load) => load()));
  });

  it("has every part's promise and method, in the parts' own words", () => {
    expect(blockOf(page, "promises")).to.equal(promisesOf(parts));
  });

  it("has the figures of every part", () => {
    const rows = blockOf(page, "figures").split("\n").slice(2);
    expect(rows.map((row) => row.split(" | ")[0]?.replace("| ", ""))).to.deep.equal(parts.map(({ name }) => name));
  });

  it("keeps the figures of the parts that were not run", () => {
    const [first, second] = [{ name: "a" }, { name: "b" }] as Part[];
    const both = [first, second] as Part[];
    const line = (name: string, value: string) => ({ name, figures: [{ what: "tries", value }], run: "today" });
    const before = figuresOf(both, [line("a", "1"), line("b", "2")], "");
    const after = figuresOf(both, [line("b", "3")], before);
    expect(after.split("\n").slice(2)).to.deep.equal(["| a | tries: 1 | today |", "| b | tries: 3 | today |"]);
  });

  it("has no figures of a part that failed", () => {
    const [first, second] = [{ name: "a" }, { name: "b" }] as Part[];
    const both = [first, second] as Part[];
    const line = (name: string) => ({ name, figures: [{ what: "tries", value: "1" }], run: "yesterday" });
    const before = figuresOf(both, [line("a"), line("b")], "");
    const after = figuresOf(both, [{ name: "a", figures: "failed", run: "today, seed 7" }], before);
    expect(after.split("\n").slice(2)).to.deep.equal([
      "| a | **failed** | today, seed 7 |",
      "| b | tries: 1 | yesterday |",
    ]);
  });

  it("equals what the runner would write", () => {
    expect(pageOf(page, parts)).to.equal(page);
  });
});
