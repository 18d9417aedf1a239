import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { ROOT } from "../support/data.ts";

interface Locked {
  readonly license?: string;
  readonly dev?: true;
  readonly hasInstallScript?: true;
  readonly integrity?: string;
}

const LICENCES = ["(MIT OR CC0-1.0)", "0BSD", "Apache-2.0", "BSD-3-Clause", "BlueOak-1.0.0", "ISC", "MIT", "MIT-0"];

describe("The production dependencies", () => {
  const read = (name: string): Promise<string> => readFile(path.join(ROOT, name), "utf8");
  let direct: Record<string, string>;
  let production: [name: string, locked: Locked][];
  let scarf: unknown;

  before(async () => {
    const declared = JSON.parse(await read("package.json"));
    direct = declared.dependencies;
    scarf = declared.scarfSettings;
    const { packages } = JSON.parse(await read("package-lock.json")) as { packages: Record<string, Locked> };
    production = Object.entries(packages)
      .filter(([folder, { dev }]) => folder !== "" && !dev)
      .map(([folder, locked]) => [folder.replace(/^.*node_modules\//, ""), locked]);
  });

  it("are on their page, each with its purpose and its licence", async () => {
    const rows = [...(await read("docs/dependencies.md")).matchAll(/^\| `(.+)` \| .+ \| (.+) \|$/gm)];
    const actual = rows.map(([, name, licence]) => [name, licence]);
    const licences = new Map(production.map(([name, { license }]) => [name, license]));
    expect(actual).to.deep.equal(Object.keys(direct).map((name) => [name, licences.get(name)]));
  });

  it("match the lock file, under licences that require only attribution", () => {
    expect(production.filter(([, { integrity }]) => !integrity)).to.deep.equal([]);
    expect([...new Set(production.map(([, { license }]) => license))].sort()).to.deep.equal(LICENCES);
  });

  it("run two install scripts, of which the one that reports is off", () => {
    const scripts = production.filter(([, { hasInstallScript }]) => hasInstallScript).map(([name]) => name);
    expect(scripts.sort()).to.deep.equal(["@scarf/scarf", "esbuild"]);
    expect(scarf).to.deep.equal({ enabled: false });
  });
});
