import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Command } from "commander";
import { pino } from "pino";
import { commandLine } from "../../src/cli.ts";
import { readConfig, SETTINGS } from "../../src/core/config.ts";
import { FORMATS } from "../../src/core/contract/format.ts";
import { FINDING_KINDS } from "../../src/core/contract/quality.ts";
import { allEndpoints } from "../../src/core/endpoints/index.ts";
import { Metrics } from "../../src/core/http/metrics.ts";
import { SCHEMA } from "../../src/core/organizations/settings.ts";
import { sync } from "../../src/core/sync/sync.ts";
import { readCases } from "../../src/documents/cases.ts";
import { DataFolder, ROOT } from "../support/data.ts";

const page = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");

/** The cells of the table whose header row begins with these headings, without their code marks. */
function tableOf(file: string, ...headings: readonly string[]): string[][] {
  const lines = page(file).split("\n");
  const head = lines.findIndex((line) => cellsOf(line).slice(0, headings.length).join("|") === headings.join("|"));
  expect(head, `${file}: no table ${headings.join(", ")}`).to.be.at.least(0);
  const end = lines.findIndex((line, n) => n > head && !line.startsWith("|"));
  return lines.slice(head + 2, end < 0 ? undefined : end).map(cellsOf);
}

const cellsOf = (line: string): string[] =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

const codesIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);

/** The keys of the settings, in the notation of the page: `integrations[].id`. */
function keysOf(schema: Readonly<Record<string, unknown>>, prefix = ""): string[] {
  return Object.entries((schema.properties ?? {}) as Record<string, Record<string, unknown>>).flatMap(([name, own]) => {
    const items = own.items as Record<string, unknown> | undefined;
    return items?.properties ? [`${prefix}${name}[]`, ...keysOf(items, `${prefix}${name}[].`)] : [`${prefix}${name}`];
  });
}

const pages = ["README.md", ...readdirSync(path.join(ROOT, "docs")).map((name) => `docs/${name}`)].filter(
  (file) => file.endsWith(".md") && file !== "docs/decisions.md",
);

/** The result of a calculation in a cell: `3000/17 = 176.47`, `4: Alice, Clara, Diego, Bruno`, `… against it: -33.16`. */
function resultOf(cell: string): unknown {
  const [, result = ""] = /: (-?[\d.]+)$/.exec(cell) ?? /^([-\w.]+)/.exec(cell.split(" = ").at(-1) ?? "") ?? [];
  return /^(null|-?\d.*)$/.test(result) ? JSON.parse(result) : result;
}

/** The results of the table's rows, by indicator; a row of several indicators has several results in a cell. */
function resultsOf(rows: readonly string[][], column: number): Record<string, unknown> {
  const results = rows.flatMap((row) => {
    const names = codesIn(row[0] ?? "");
    const cell = row[column] ?? "";
    const cells = names.length === 1 ? [cell] : cell.split(", ");
    return names.map((name, no): [string, unknown] => [name, resultOf(cells[no] ?? "")]);
  });
  return Object.fromEntries(results.filter(([, result]) => result !== ""));
}

describe("The cards by hand (fixtures/README.md)", () => {
  const rows = tableOf("fixtures/README.md", "indicator", "whole history", "February");
  const bodyOf = (name: string): Record<string, unknown> =>
    Object.fromEntries(readCases())[`profitability/cards/${name}.json`]?.body as Record<string, unknown>;
  const february = bodyOf("february-beside-january");
  const previous = february.previousPeriod as Record<string, unknown>;
  const columns: readonly (readonly [string, Record<string, unknown>])[] = [
    ["whole history", bodyOf("whole-history")],
    ["February", february],
    ["the previous period", previous],
    ["changes", february.changes as Record<string, unknown>],
  ];

  it("are all indicators", () => {
    const { period: _, hasAcquisitionClassification: __, ...indicators } = previous;
    expect(rows.flatMap(([names = ""]) => codesIn(names))).to.have.members(Object.keys(indicators));
  });

  for (const [no, [name, answer]] of columns.entries()) {
    it(`have the values of the cases: ${name}`, () => {
      const results = resultsOf(rows, no + 1);
      expect(Object.keys(results)).to.have.lengthOf.at.least(40);
      expect(answer).to.deep.include(results);
    });
  }
});

describe("The tables of the pages", () => {
  it("list every endpoint (README)", () => {
    const listed = tableOf("README.md", "Path", "Answer").flatMap(([paths = ""]) => {
      const [first = "", ...others] = codesIn(paths);
      const absolute = others.map((other) =>
        other.startsWith("/v1/")
          ? other
          : other.startsWith("/")
            ? first + other
            : `${first.slice(0, first.lastIndexOf("/"))}/${other}`,
      );
      return [first, ...absolute];
    });
    expect(listed.map((one) => one.replaceAll(/\{(\w+)\}/g, ":$1"))).to.have.members(
      allEndpoints.map((one) => one.path),
    );
  });

  it("list every output format and its media type", () => {
    const listed = tableOf("docs/formats.md", "`format`", "`Accept`");
    expect(listed.map(([name = "", type = ""]) => [...codesIn(name), ...codesIn(type)])).to.deep.equal(
      Object.entries(FORMATS).map(([name, type]) => [name, type.split(";")[0]]),
    );
  });

  it("list every key of the settings", () => {
    const listed = tableOf("docs/settings.md", "Key").flatMap(([cell = ""]) => {
      const [first = "", ...others] = codesIn(cell);
      return [first, ...others.map((other) => first.slice(0, first.lastIndexOf(".")) + other)];
    });
    expect(listed).to.have.members(
      keysOf(SCHEMA).filter((key) => !/^(margin|funnel|(campaigns|costs|letters|payments)\[\])\./.test(key)),
    );
  });

  it("list every kind of finding", () => {
    expect(tableOf("docs/doctor.md", "`kind`").flatMap(([kind = ""]) => codesIn(kind))).to.deep.equal([
      ...FINDING_KINDS,
    ]);
  });

  it("list every metric and its labels", async () => {
    const metrics = new Metrics();
    metrics.watchQueue({ running: 0, waiting: 0 }, 1);
    metrics.watchLandings(async () => [], pino({ level: "silent" }));
    metrics.countLimitFallbacks();
    const known = metrics.registry
      .getMetricsAsArray()
      .map((metric) => [metric.name, (metric as unknown as { labelNames: string[] }).labelNames.join(", ")]);
    const listed = tableOf("docs/metrics.md", "Metric").flatMap(([names = "", labels = ""]) => {
      const [first = "", ...others] = codesIn(names);
      const all = [first, ...others.map((other) => first.slice(0, first.lastIndexOf("_")) + other)];
      return all.filter((name) => name.startsWith("lucra_")).map((name) => [name, labels]);
    });
    expect(listed).to.have.deep.members(known);
  });

  it("list every key of a sync's report", async () => {
    const data = await DataFolder.empty();
    try {
      const report = await sync({ ...readConfig({}), dataDir: data.path }, { organizations: [] });
      const listed = tableOf("docs/operating.md", "Key", "What").flatMap(([key = ""]) => codesIn(key));
      expect(listed.map((key) => key.replace("[]", ""))).to.have.members(Object.keys(report));
    } finally {
      await data.remove();
    }
  });
});

describe("The pages", () => {
  it("name only environment variables that exist", () => {
    const known = SETTINGS.map(({ name }) => name);
    const named = pages.flatMap((file) =>
      [...page(file).matchAll(/\bLUCRA_[A-Z_]+\b/g)].map(([name]) => ({ file, name })),
    );
    expect(named.length).to.be.above(10);
    expect(named.filter(({ name }) => !known.includes(name))).to.deep.equal([]);
  });

  it("show only commands and options that exist", async () => {
    const program = await commandLine();
    const shown = pages.flatMap((file) =>
      [...page(file).matchAll(/(?:npx |npm run -s |bin\/)?\blucra(?:\.cjs)? ((?:[a-z]+ ?)(?:[^\n`|;&#→]*))/g)]
        .filter(([whole]) => /^lucra|lucra\.cjs/.test(whole))
        .map(([, words = ""]) => ({ file, words: words.trim().split(/\s+/) })),
    );
    const known = new Set(program.commands.map((command) => command.name()));
    const calls = shown.filter(({ words: [first = ""] }) => known.has(first));
    expect(calls.length).to.be.above(10);
    expect(
      calls.flatMap(({ file, words }) => unknownOptions(program, words).map((word) => `${file}: ${word}`)),
    ).to.deep.equal([]);
  });
});

/** The options of a command line that its command does not have; those of `sql` are the parameters of the query. */
function unknownOptions(program: Command, words: readonly string[]): string[] {
  let command = program;
  for (const word of words) command = command.commands.find((one) => one.name() === word) ?? command;
  if (command.name() === "sql") return [];
  const own = [...command.options, ...program.options].flatMap(({ long, short }) => [long, short]);
  return words
    .filter((word) => /^-{1,2}[a-z]/.test(word))
    .map((word) => word.replace(/[=,.)].*$/, ""))
    .filter((word) => word !== "--help" && !own.includes(word))
    .map((word) => `${command.name()} ${word}`);
}
