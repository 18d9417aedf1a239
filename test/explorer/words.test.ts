import { readdirSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { expect } from "chai";
import { DICTIONARIES, en as english, pt as portuguese } from "../../explorer/src/words/dictionaries.ts";
import { sql } from "../../explorer/src/words/later/sql.ts";
import { connectorsOf } from "../../src/core/contract/record.ts";
import { analysisViews } from "../../src/core/marts/views.ts";
import { exported } from "../../src/core/records/index.ts";

/** The dictionaries of parts that are loaded when they are opened. */
const LATER = new URL("../../explorer/src/words/later/", import.meta.url);
const later: Record<string, (typeof DICTIONARIES)[keyof typeof DICTIONARIES]> = {};
for (const file of readdirSync(LATER)) Object.assign(later, await import(new URL(file, LATER).href));
const ALL = { ...DICTIONARIES, ...later };

type Texts = { readonly [name: string]: unknown };

/** All texts by their path; the arguments of those that take some are shown as `…`. */
function flat(texts: Texts, path = ""): Map<string, string> {
  const all = new Map<string, string>();
  for (const [name, text] of Object.entries(texts)) {
    const place = path ? `${path}.${name}` : name;
    if (typeof text === "string") all.set(place, text);
    else if (typeof text === "function") all.set(place, String(text(...Array(text.length).fill("…"))));
    else for (const [below, it] of flat(text as Texts, place)) all.set(below, it);
  }
  return all;
}

/** Texts that are the same in both languages: names, abbreviations, signs. */
const SAME =
  /^(N\/[AD]|Lucra Explorer|(App|Client|Developer|Refresh) (ID|key|secret|token)|Google .*|HubSpot|Slack|Webhook|CAC|CRM|LTV.*|ROI.*|SQL|SKU|Menu|Lift|Total|Payback|Status|E-mail|T….…|Web analytics|%|Logo|Cookies?|Explorer|Pix|Boleto)$/i;

/** Words of the code and of the first edition that no user needs to know. */
const INTERNAL = /\b(userId|integrationName|dateStart|figura|figuras|undefined|null|NaN|\[object)\b/;

/** Sections whose names come from the service. */
const BY_NAME = [
  "tables",
  "columns",
  "exampleNames",
  "stages",
  "metric",
  "metricAt",
  "channels",
  "reason",
  "customerKind",
  "failure",
  "names",
  "leads",
  "groups",
  "sections",
  "sentences",
  "fields",
  "means",
  "errors",
  "uncountedWhy",
  "about",
  "payments",
  "columnNames",
  "columnHints",
  "vendors",
  "namedBy",
  "foundIn",
  "erasingSteps",
  "buyers",
  "paymentGroups",
  "buyer",
];

/** Texts whose names other files choose: why a session ended, what is missing. */
const CHOSEN = ["signIn.ended", "signIn.usedLink"];

describe("The words of the Explorer", () => {
  it("are complete in both languages, and none is left in the other one", () => {
    for (const [name, { pt, en }] of Object.entries(ALL)) {
      const [inPortuguese, inEnglish] = [flat(pt as Texts), flat(en as Texts)];
      expect([...inEnglish.keys()].sort(), name).to.deep.equal([...inPortuguese.keys()].sort());
      for (const [place, text] of inPortuguese) {
        const other = inEnglish.get(place) ?? "";
        // The labels of figures have tests of their own.
        if (place.startsWith("metric.")) continue;
        // An option without a name.
        if (text === "" && other === "") continue;
        expect(text.trim(), `${name}.${place}`).to.not.equal("");
        expect(other.trim(), `${name}.${place}, English`).to.not.equal("");
        const isShort = text.replaceAll("…", "").replaceAll(/[^\p{L}]/gu, "").length < 3;
        if (!isShort && !SAME.test(text)) expect(other, `${name}.${place}`).to.not.equal(text);
        expect(other, `${name}.${place}, English`).to.not.match(/[ãõçáéíóúâêô]/i);
      }
    }
  });

  it("are all used", async () => {
    const home = new URL("../../explorer/src/", import.meta.url);
    const names = (await readdir(home, { recursive: true })).filter(
      (file) => /\.tsx?$/.test(file) && !/^words\b|^answerTypes/.test(file),
    );
    // Letters say the same sentences of what needs action.
    const shared = "../../src/features/actions/sentence.ts";
    const sources = [...names, shared].map((file) => readFileSync(new URL(file, home), "utf8"));
    const has = (name: string) => (source: string) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(source);
    const unused: string[] = [];
    for (const { pt } of Object.values(ALL)) {
      for (const [section, texts] of Object.entries(pt as Texts)) {
        const using = sources.filter(has(section));
        if (using.length === 0) unused.push(section);
        // Records of texts are read by names that the service sends.
        const isRecord = BY_NAME.includes(section);
        if (typeof texts !== "object" || isRecord) continue;
        for (const name of Object.keys(texts as object)) {
          if (!using.some(has(name)) && !CHOSEN.includes(`${section}.${name}`)) unused.push(`${section}.${name}`);
        }
      }
    }
    expect(unused).to.deep.equal([]);
  });

  it("name nothing internal", () => {
    for (const { pt, en } of Object.values(ALL)) {
      for (const [place, text] of [...flat(pt as Texts), ...flat(en as Texts)]) {
        expect(text, place).to.not.match(INTERNAL);
      }
    }
  });

  it("have different names in each dictionary, because the page reads all of them as one", () => {
    const names = Object.values(DICTIONARIES).flatMap(({ pt }) => Object.keys(pt));
    expect(names).to.have.length(new Set(names).size);
  });

  it("have no names but their own: data and addresses may name a channel `constructor`", () => {
    for (const texts of [portuguese, english]) {
      for (const looked of [texts.channels, texts.metric, texts.metricAt, texts.reason, texts.data.records]) {
        for (const name of ["constructor", "__proto__", "toString"]) expect(looked[name], name).to.equal(undefined);
      }
    }
    for (const { tables, columns } of [sql.pt, sql.en])
      for (const looked of [tables, columns]) expect(Object.getPrototypeOf(looked)).to.equal(null);
  });

  it("are in the dictionaries only: no component has a text of its own", async () => {
    const home = new URL("../../explorer/src/", import.meta.url);
    const files = (await readdir(home, { recursive: true })).filter((file) => file.endsWith(".tsx"));
    expect(files).to.have.length.above(20);
    for (const file of files) {
      const source = readFileSync(new URL(file, home), "utf8");
      // Text between tags, and attributes that people read.
      const texts = [
        ...source.matchAll(/(?<!=)>\s*(\p{L}[\p{L} ,.:]{2,})\s*</gu),
        ...source.matchAll(/(?:title|aria-label)="([^"]+)"/g),
      ]
        .map(([, text = ""]) => text.trim())
        .filter(
          (text) => !/^(Lucra|English|Português|[a-z]+[A-Z]\w*)$/.test(text) && !/[;=]|=>|return|const/.test(text),
        );
      expect(texts, file).to.deep.equal([]);
    }
  });
});

describe("The Explorer's names of records and relations", () => {
  it("are there in both languages", () => {
    for (const { data } of [portuguese, english])
      for (const { name } of exported) expect(data.records, "records").to.have.property(name);
    for (const { tables } of [sql.pt, sql.en])
      for (const { name } of analysisViews()) expect(tables, "tables").to.have.property(name);
  });
});

describe("The Explorer's log of changes", () => {
  it("has a sentence for every change that the service logs", async () => {
    const home = new URL("../../src/", import.meta.url);
    const files = (await readdir(home, { recursive: true })).filter((file) => file.endsWith(".ts"));
    const logged = files.flatMap((file) => {
      const source = readFileSync(new URL(file, home), "utf8");
      return [...source.matchAll(/what: "([a-z]+\.[A-Za-z.]+)",(?!\s+isLogged: false)/g)].map(([, name = ""]) => name);
    });
    expect(logged).to.include("people.add");
    // What is a person's own is in the log of the platform, which the page does not show.
    const shown = [...new Set(logged)].filter((name) => !name.startsWith("me."));
    const { sentences } = (later.log as unknown as { readonly pt: { readonly sentences: object } }).pt;
    expect(
      shown.filter((name) => !(name in sentences)),
      "missing in explorer/src/words/later/log.ts",
    ).to.deep.equal([]);
  });
});

describe("The Explorer's lists of connectors", () => {
  it("are those of the kinds", () => {
    const session = readFileSync(new URL("../../explorer/src/session.ts", import.meta.url), "utf8");
    for (const [name, kind] of [
      ["STORES", "store"],
      ["ADS", "ads"],
    ] as const)
      expect(session).to.include(
        `export const ${name} = [${connectorsOf(kind)
          .map((one) => JSON.stringify(one))
          .join(", ")}];`,
      );
  });
});
