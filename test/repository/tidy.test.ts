import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { endpoints } from "../../src/core/endpoints/index.ts";
import { REQUEST_MEMBER } from "../../src/core/engine/kept.ts";
import { CORE } from "../../src/core/marts/relations.ts";
import { records } from "../../src/core/records/index.ts";
import { ROOT } from "../support/data.ts";

/** The texts below some of the project's folders or files, by path. */
function texts(places: readonly string[], ending: RegExp): [string, string][] {
  return places
    .map((place) => path.join(ROOT, place))
    .flatMap((place) =>
      statSync(place).isDirectory()
        ? readdirSync(place, { recursive: true, encoding: "utf8" }).map((name) => path.join(place, name))
        : [place],
    )
    .filter((file) => ending.test(file) && statSync(file).isFile())
    .map((file) => [path.relative(ROOT, file), readFileSync(file, "utf8")]);
}

const sources = texts(["src"], /\.ts$/);
const tests = texts(["test"], /\.ts$/);
const sql = texts(["sql"], /\.sql$/);

/** The modules a source names in its imports. */
const importsOf = (text: string): string[] =>
  [...text.matchAll(/^(?:import|export)\b[^;]*?from "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gms)].map(
    ([, from, bare, called]) => from ?? bare ?? called ?? "",
  );

/** The SQL that the engine reads of a file: without comments, texts and quoted names. */
const bare = (text: string): string =>
  text.replaceAll(/--.*$|'(?:[^']|'')*'|"(?:[^"]|"")*"/gm, (gone) => gone.replaceAll(/[^\n]/g, " "));

/** `src/core/http/app.ts` is of `core/http`, `src/features/pull/client.ts` of `features/pull`, `src/cli.ts` of `cli`. */
function roomOf(file: string): string {
  const [, first = "", second = ""] = file.replace(/\.ts$/, "").split(path.sep);
  return first === "core" || first === "features" ? `${first}/${second}` : first;
}

/** The rooms that each room imports. */
function importsOfRooms(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [file, text] of sources) {
    const own = roomOf(file);
    const others = importsOf(text)
      .filter((name) => name.startsWith("."))
      .map((name) => roomOf(path.join(path.dirname(file), name)));
    found.set(own, new Set([...(found.get(own) ?? []), ...others.filter((other) => other !== own)]));
  }
  return found;
}

/** The rows of the table of docs/architecture.md about `src/<kind>`: room → what it imports, in the order of the rows. */
function listed(kind: "core" | "features"): [string, string[]][] {
  const rows = readFileSync(path.join(ROOT, "docs/architecture.md"), "utf8").matchAll(
    new RegExp(`^\\| \`src/${kind}/([\\w.]+)\` \\|.*\\| ([^|]*) \\|$`, "gm"),
  );
  return [...rows].map(([, room = "", imports = ""]) => [
    room.replace(/\.ts$/, ""),
    imports === "-" ? [] : imports.split(", "),
  ]);
}

/** What a room of a kind imports of that kind, or of another. */
const importedOf = (imports: ReadonlySet<string>, kind: string): string[] =>
  [...imports].filter((name) => name.startsWith(`${kind}/`)).map((name) => name.slice(kind.length + 1));

/** The files that break a rule. */
const breaking = (files: readonly [string, string][], broken: (text: string, file: string) => boolean): string[] =>
  files.filter(([file, text]) => broken(text, file)).map(([file]) => file);

describe("The sources", () => {
  it("import the engine only in src/core/engine and in the process of clients' queries", () => {
    const users = breaking(sources, (text) => importsOf(text).some((name) => name.startsWith("@duckdb/")));
    expect(users).to.not.be.empty;
    expect(users.filter((file) => !/^src\/(core\/engine|features\/adhoc\/own)\//.test(file))).to.deep.equal([]);
  });

  it("import Express and its companions only in src/core/http and in routes of features", () => {
    const web = ["express", "express-rate-limit", "helmet", "compression", "negotiator", "prom-client"];
    const users = breaking(sources, (text) => importsOf(text).some((name) => web.includes(name)));
    expect(users).to.not.be.empty;
    expect(users.filter((file) => !/^src\/(core\/http\/|features\/\w+\/\w*routes\.ts$)/i.test(file))).to.deep.equal([]);
  });

  it("of the contract import only each other and Node", () => {
    const contract = sources.filter(([file]) => file.startsWith("src/core/contract/"));
    expect(contract).to.not.be.empty;
    expect(
      breaking(contract, (text) => importsOf(text).some((name) => !/^(\.\/\w+\.ts|node:[\w/]+)$/.test(name))),
    ).to.deep.equal([]);
  });

  it("of the core import what the table in docs/architecture.md lists, and each folder only those above it", () => {
    const core = listed("core");
    const found = [...importsOfRooms()].filter(([room]) => room.startsWith("core/"));
    const sorted = found.map(([room, imports]) => [room.slice(5), importedOf(imports, "core").sort()]);
    expect(Object.fromEntries(core)).to.deep.equal(Object.fromEntries(sorted));
    const order = core.map(([room]) => room);
    for (const [room, imports] of core) {
      expect(order.slice(0, order.indexOf(room)), room).to.include.members(imports);
    }
  });

  it("of the core import no feature, and nothing of the commands", () => {
    for (const [room, imports] of importsOfRooms()) {
      if (!room.startsWith("core/")) continue;
      expect(importedOf(imports, "features"), room).to.deep.equal([]);
      expect(
        [...imports].filter((name) => !/^(core|features)\//.test(name)),
        room,
      ).to.deep.equal([]);
    }
  });

  it("of landing's steps import only the steps before them, as docs/architecture.md lists", () => {
    const steps = [
      ...readFileSync(path.join(ROOT, "docs/architecture.md"), "utf8").matchAll(/^\| `(\w+)` \|.*\| ([^|]*) \|$/gm),
    ].map(([, step = "", imports = ""]): [string, string[]] => [step, imports === "-" ? [] : imports.split(", ")]);
    const order = steps.map(([step]) => step);
    const stepOf = (file: string): string => /^src\/core\/landing\/(\w+)\//.exec(file)?.[1] ?? "";
    for (const [step, imports] of steps) {
      const own = sources.filter(([file]) => stepOf(file) === step);
      const found = own.flatMap(([file, text]) =>
        importsOf(text).map((name) => stepOf(path.join(path.dirname(file), name))),
      );
      const others = [...new Set(found)].filter((other) => other !== "" && other !== step);
      expect(others.sort(), step).to.deep.equal(imports);
      expect(order.slice(0, order.indexOf(step)), step).to.include.members(imports);
    }
    const all = new Set(sources.map(([file]) => stepOf(file)).filter(Boolean));
    expect(order).to.have.members([...all]);
  });

  it("of features import no other feature but those that docs/architecture.md lists, and nothing of the commands", () => {
    const found = [...importsOfRooms()].filter(([room]) => /^features\/(?!index$)/.test(room));
    const sorted = found.map(([room, imports]) => [room.slice(9), importedOf(imports, "features").sort()]);
    expect(Object.fromEntries(listed("features"))).to.deep.equal(Object.fromEntries(sorted));
    for (const [room, imports] of found) {
      expect(
        [...imports].filter((name) => !/^(core|features)\//.test(name)),
        room,
      ).to.deep.equal([]);
    }
  });

  it("of the core export each name once, so that a name has one meaning", () => {
    const places = new Map<string, Set<string>>();
    for (const [file, text] of sources.filter(([name]) => name.startsWith("src/core/"))) {
      for (const [, name = ""] of text.matchAll(
        /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm,
      )) {
        places.set(name, new Set([...(places.get(name) ?? []), file]));
      }
    }
    expect([...places].filter(([, files]) => files.size > 1).map(([name, files]) => [name, ...files])).to.deep.equal(
      [],
    );
  });

  it("export nothing that has no reader", () => {
    const readers = texts(["bench", "cluster", "explorer", "src", "test", "torture"], /(?<!\.d)\.tsx?$/).filter(
      ([file]) => !/node_modules|dist/.test(file),
    );
    const files = new Map<string, Set<string>>();
    for (const [file, text] of readers) {
      for (const [word] of text.matchAll(/[A-Za-z_]\w*/g)) files.set(word, (files.get(word) ?? new Set()).add(file));
    }
    const exported = /^export (?:async )?(?:const|function\*?|class|abstract class|interface|type) (\w+)/gm;
    const unread = sources.flatMap(([file, text]) =>
      [...text.matchAll(exported)].flatMap(([, name = ""]) =>
        (files.get(name)?.size ?? 0) > 1 ? [] : [`${file} ${name}`],
      ),
    );
    expect(unread).to.deep.equal([]);
  });

  it("have no default exports", () => {
    expect(breaking([...sources, ...tests], (text) => /^export default\b/m.test(text))).to.deep.equal([]);
  });

  it("read the environment only in src/core/config.ts", () => {
    // A derivation in a separate process gets the whole environment.
    const readers = breaking(sources, (text) => /process\.env\b(?!,)/.test(text));
    expect(readers).to.deep.equal(["src/core/config.ts"]);
  });
});

describe("The tests", () => {
  it("are all run", () => {
    expect(
      breaking(tests, (text) => /^\s*(?:x(?:it|describe)|(?:it|describe|context)\.(?:only|skip))\(/m.test(text)),
    ).to.deep.equal([]);
  });
});

describe("Every text", () => {
  it("is free of personal folders", () => {
    const folders = new RegExp(
      ["/home", "/Users", "/root", "C:\\\\Users", "/work"].map((name) => `${name}[/\\\\]\\w`).join("|"),
    );
    const all = texts(
      ["bin", "docs", "fixtures", "sql", "src", "test", "README.md", "CHANGELOG.md", "package.json"],
      /\.(ts|cjs|md|sql|json)$/,
    );
    expect(breaking(all, (text) => folders.test(text))).to.deep.equal([]);
  });

  it("shows commands whose output has no banner of npm", () => {
    const shown = texts(["docs", "src", "README.md"], /\.(ts|md)$/);
    expect(breaking(shown, (text) => text.includes("npm run lucra"))).to.deep.equal([]);
  });
});

describe("The SQL files", () => {
  it("begin with a comment that names the grain of their rows", () => {
    expect(breaking(sql, (text) => !/^-- \S/.test(text))).to.deep.equal([]);
  });

  it("are written in lower case, without tabs, in at most 140 columns", () => {
    expect(
      breaking(sql, (text) => /\b[A-Z]{2,}\b/.test(bare(text))),
      "capitals",
    ).to.deep.equal([]);
    expect(
      breaking(sql, (text) => /\t|\r/.test(text)),
      "tabs",
    ).to.deep.equal([]);
    expect(
      breaking(sql, (text) => text.split("\n").some((line) => line.length > 140)),
      "columns",
    ).to.deep.equal([]);
    expect(
      breaking(sql, (text) => /[ ]+$/m.test(text) || !text.endsWith("\n")),
      "ends",
    ).to.deep.equal([]);
  });

  it("read no clock and no random value [D2]", () => {
    const moving =
      /\b(now|today|random|uuid|gen_random_uuid|get_current_(time|timestamp))\s*\(|\bcurrent_(date|time|timestamp)\b|\blocaltime/;
    expect(breaking(sql, (text) => moving.test(bare(text)))).to.deep.equal([]);
  });

  it("read the request's parameters by the macros of sql/setup/request.sql", () => {
    const others = breaking(sql, (text, file) => file !== "sql/setup/request.sql" && text.includes("getvariable('p')"));
    expect(others).to.deep.equal([]);
  });

  it("write the request's parameters as kept plans look for them", () => {
    const others = sql.flatMap(([file, text]) =>
      text
        .replaceAll(/--.*$/gm, "")
        .replaceAll(REQUEST_MEMBER, "")
        .split("\n")
        .filter((line) => /\boptional_parameter\b|\bgetvariable\s*\(\s*'p'/.test(line))
        .map((line) => `${file}: ${line}`),
    );
    // All but the last are called with a name; no plan has several lengths of points.
    expect(others).to.deep.equal([
      "sql/setup/orders.sql: create macro passes_folded(name, value) as coalesce(value = upper(folded(optional_parameter(name))), optional_parameter(name) is null);",
      "sql/setup/request.sql: create macro optional_parameter(name) as to_json(getvariable('p')) ->> name;",
      "sql/setup/request.sql: create macro passes(name, value) as coalesce(value = optional_parameter(name), optional_parameter(name) is null);",
      "sql/setup/request.sql: create macro point_length() as coalesce(to_json(getvariable('p')) ->> '$.granularity', 'day');",
    ]);
  });

  it("are all in use", () => {
    const code = sources.map(([, text]) => text).join("\n");
    const declared = JSON.stringify(endpoints);
    const known = new Set([
      ...records.filter(({ envelopes }) => envelopes).map(({ connector, name }) => `staging/${connector}/${name}`),
      ...CORE.map(({ name }) => `core/${name}`),
      ...["core/macros", "staging/macros"],
      ...[...readFileSync(path.join(ROOT, "sql", "setup.sql"), "utf8").matchAll(/^\.read sql\/(\S+)\.sql$/gm)].map(
        ([, name]) => name ?? "",
      ),
      ...records.map(({ connector }) => `staging/${connector}/macros`),
    ]);
    const unused = sql
      .map(([file]) => file.slice("sql/".length, -".sql".length))
      // Every query of the folder is run.
      .filter((name) => !name.startsWith("integrity/"))
      .filter((name) => !known.has(name) && !declared.includes(`"${name}"`) && !code.includes(`"${name}"`));
    expect(unused).to.deep.equal([]);
  });
});
