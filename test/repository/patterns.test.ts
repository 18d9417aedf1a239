import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { ROOT } from "../support/data.ts";
import { type Found, patterns, reasonFor, worstTextsOf } from "../support/patterns.ts";

const LENGTH = 40_000;
/** Of the processor, by all threads. A pattern that tries again at each place takes many times as long; others, a fraction of it. */
const MOST_MS = 60;

/** The least time of several tries: a busy machine adds to it. */
function millisecondsOf(work: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < 4 && least > MOST_MS; n++) {
    const { user, system } = process.cpuUsage();
    work();
    const after = process.cpuUsage();
    least = Math.min(least, (after.user + after.system - user - system) / 1000);
  }
  return least;
}

describe("The regular expressions of the source", function () {
  this.timeout(300_000);
  let all: readonly Found[] = [];

  before(() => {
    all = patterns();
  });

  it("are all found", () => {
    const texts = readdirSync(path.join(ROOT, "src"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => readFileSync(path.join(ROOT, "src", file), "utf8"));
    const built = texts.flatMap((text) => text.match(/new RegExp\(/g) ?? []).length;
    expect(all.length).to.be.above(300);
    expect(built, "patterns that are put together: look at each").to.be.at.most(10);
  });

  it("do not try again at each place of a long text, unless they only meet short ones", () => {
    for (const one of all.filter((found) => reasonFor(found) === undefined)) {
      const { file, pattern } = one;
      for (const text of worstTextsOf(pattern)) {
        const long = text.repeat(LENGTH / text.length);
        const taken = millisecondsOf(() => long.replace(pattern, ""));
        expect(taken, `${file} ${pattern} of ${JSON.stringify(text)} (ms)`).to.be.at.most(MOST_MS);
      }
    }
  });
});
