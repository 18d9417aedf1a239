import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { anchorOf, citedIn } from "../../src/documents/rules.ts";
import { ROOT } from "../support/data.ts";

const RULES = "docs/rules.md";
const text = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");

/** The text files below some of the project's folders, and some files at its root. */
function filesIn(places: readonly string[]): string[] {
  return places
    .flatMap((place) =>
      statSync(path.join(ROOT, place)).isDirectory()
        ? readdirSync(path.join(ROOT, place), { recursive: true, encoding: "utf8" }).map((name) =>
            path.join(place, name),
          )
        : [place],
    )
    .filter((file) => /\.(ts|tsx|mjs|sql|md|html|css)$/.test(file) && !/(^|\/)(node_modules|dist)\//.test(file));
}

const pages = filesIn(["docs", "fixtures", "README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]).filter(
  (file) => file.endsWith(".md"),
);
const implementing = filesIn(["src", "sql", "test"]);
const everywhere = [...implementing, ...filesIn(["torture", "bench", "explorer"]), ...pages];

const headings = [...text(RULES).matchAll(/^(#+) ([DV]\d+(?:\.\d+)?) · \S.*$/gm)].map(([, , rule = ""]) => rule);
const anchors = [...text(RULES).matchAll(/^<a id="([^"]+)"><\/a>\n#+ ([DV][\d.]+) ·/gm)];

describe("The rules", () => {
  it("exist for every citation", () => {
    const unknown = everywhere.flatMap((file) =>
      citedIn(text(file))
        .filter((rule) => !headings.includes(rule))
        .map((rule) => `${file}: ${rule}`),
    );
    expect(unknown).to.deep.equal([]);
  });

  it("are each cited in the sources, the SQL or the tests", () => {
    const cited = new Set(implementing.flatMap((file) => citedIn(text(file))));
    expect(headings.filter((rule) => !cited.has(rule))).to.deep.equal([]);
  });

  it("exist once each, with the anchor that links name", () => {
    expect(headings).to.not.be.empty;
    expect(new Set(headings).size).to.equal(headings.length);
    expect(anchors.map(([, anchor, rule]) => [rule, anchor])).to.deep.equal(
      headings.map((rule) => [rule, anchorOf(rule)]),
    );
  });

  it("are cited one by one: a list or a range in one pair of brackets links to nothing", () => {
    const joined = /\[[DV]\d[\d.]*\s*[,–-]|\][–-]\[[DV]\d|\[formats \d/;
    expect(everywhere.filter((file) => joined.test(text(file)))).to.deep.equal([]);
  });

  it("are linked from every page that cites them", () => {
    const ofDocs = pages.filter((file) => citedIn(text(file)).length > 0);
    expect(ofDocs).to.include.members([RULES, "docs/reference.md"]);
    for (const file of ofDocs) {
      const page = file === RULES ? "" : path.relative(path.dirname(file), RULES);
      const missing = citedIn(text(file)).filter(
        (rule) => !text(file).includes(`\n[${rule}]: ${page}#${anchorOf(rule)}\n`),
      );
      expect(missing, file).to.deep.equal([]);
    }
  });
});

describe("The pages", () => {
  /** The anchors of a page: explicit ones, and those made from the text of headings. */
  function anchorsOf(page: string): Set<string> {
    const named = [...page.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id);
    const titled = [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    );
    return new Set([...named, ...titled]);
  }

  it("name existing files", () => {
    const missing = pages
      .filter((file) => !/CHANGELOG|decisions|benchmarks/.test(file))
      .flatMap((file) =>
        [...text(file).matchAll(/`((?:src|sql|test|docs|explorer|torture|bench)\/[\w./-]+)`/g)]
          .map(([, place = ""]) => place)
          .filter((place) => !statSync(path.join(ROOT, place), { throwIfNoEntry: false }))
          .filter((place) => !place.startsWith("explorer/dist"))
          .map((place) => `${file}: ${place}`),
      );
    expect(missing).to.deep.equal([]);
  });

  it("link to existing files and headings", () => {
    const broken = pages.flatMap((file) =>
      [...text(file).matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm)]
        .map(([, inline, defined]) => inline ?? defined ?? "")
        .filter((link) => !/^(https?|mailto):/.test(link))
        .filter((link) => {
          const [place = "", anchor] = link.split("#");
          const target = place === "" ? file : path.join(path.dirname(file), place);
          if (!statSync(path.join(ROOT, target), { throwIfNoEntry: false })) return true;
          return anchor !== undefined && !anchorsOf(text(target)).has(anchor);
        })
        .map((link) => `${file}: ${link}`),
    );
    expect(broken).to.deep.equal([]);
  });
});
