import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { expect } from "chai";
import { SETTINGS } from "../../src/core/config.ts";
import { ROOT } from "../support/data.ts";

const { load, YAML11_SCHEMA } = createRequire(import.meta.url)("js-yaml") as {
  load: (text: string, options: { schema: unknown }) => unknown;
  /** The one with `<<`, which Compose knows. */
  YAML11_SCHEMA: unknown;
};
const HOME = path.join(ROOT, "deploy");
const text = (name: string): string => readFileSync(path.join(HOME, name), "utf8");
const named = (ending: RegExp): string[] => readdirSync(HOME).filter((name) => ending.test(name));
const addresses = {
  ...Object.fromEntries(["1", "2", "3"].map((n) => [`LUCRA_REPLICA_${n}`, `127.0.0.1:300${n}`])),
  LUCRA_WRITER: "127.0.0.1:3000",
};

describe("The files of deploy/", function () {
  this.timeout(30_000);

  it("name settings that exist", () => {
    const others = ["LUCRA_BIND", ...Object.keys(addresses)];
    const known = new Set([...SETTINGS.map(({ name }) => name), ...others]);
    const used = named(/./).flatMap((name) => text(name).match(/\bLUCRA_[A-Z0-9_]+\b/g) ?? []);
    expect(used).to.not.be.empty;
    expect([...new Set(used)].filter((name) => !known.has(name))).to.deep.equal([]);
  });

  it("have a compose file of three replicas, one service that writes, two workers, a database, a cache of limits and a balancer", () => {
    const { services } = load(text("compose.yaml"), { schema: YAML11_SCHEMA }) as {
      services: Record<string, { image: string; command?: string; environment?: Record<string, string> }>;
    };
    const replicas = Object.values(services).filter(({ command }) => command?.endsWith("serve --read-only"));
    expect(replicas.length).to.equal(3);
    expect(replicas.map(({ environment }) => environment?.LUCRA_DATA_DIR)).to.deep.equal(Array(3).fill("/tmp/replica"));
    const workers = Object.values(services).filter(({ command }) => command?.endsWith("bin/lucra.cjs work"));
    expect(workers.map(({ environment }) => environment?.LUCRA_DATA_DIR)).to.deep.equal(
      Array(2).fill("/var/lib/lucra/data"),
    );
    const writers = Object.values(services).filter(({ command }) => command?.endsWith("bin/lucra.cjs serve"));
    expect(writers.map(({ environment }) => environment?.LUCRA_DATA_DIR)).to.deep.equal(["/var/lib/lucra/data"]);
    for (const { environment } of [...replicas, ...workers, ...writers]) {
      expect(environment).to.include.keys("LUCRA_STORAGE_URL", "LUCRA_DATABASE_URL", "LUCRA_REDIS_URL");
    }
    expect(services).to.include.keys("postgres", "valkey", "haproxy");
  });

  it("lead people to the service that writes, also as the proxy of docs/operating.md does", () => {
    const operating = readFileSync(path.join(ROOT, "docs", "operating.md"), "utf8");
    const [, pattern = ""] = /location ~ (\S+) \{/.exec(operating) ?? [];
    const forwarded = new RegExp(pattern);
    for (const address of [
      "/platform/me",
      "/letters/a/b",
      "/shared",
      "/shared/answer",
      "/oauth/token",
      "/.well-known/x",
      "/v1/pins",
    ])
      expect(forwarded.test(address), address).to.equal(true);
    for (const address of ["/readyz", "/metrics", "/platformx"])
      expect(forwarded.test(address), address).to.equal(false);
    expect(text("haproxy.cfg")).to.match(
      /acl is_platform path_beg \/platform\/ \/letters\/ \/oauth\/ \/\.well-known\/ \/shared\n/,
    );
    expect(text("haproxy.cfg")).to.include("use_backend writer if is_platform");
  });

  it("have units that systemd accepts", function () {
    if (spawnSync("systemd-analyze", ["--version"]).status !== 0) return this.skip();
    const units = named(/\.service$/);
    expect(units).to.have.lengthOf(3);
    const { stderr } = spawnSync("systemd-analyze", ["verify", ...units.map((name) => path.join(HOME, name))], {
      encoding: "utf8",
    });
    // Where Node is installed elsewhere, the command is not found: that is not the form of the unit.
    const found = stderr.split("\n").filter((line) => /deploy|lucra/.test(line) && !/is not executable/.test(line));
    expect(found).to.deep.equal([]);
  });

  it("have a configuration that HAProxy accepts", function () {
    if (spawnSync("haproxy", ["-v"]).status !== 0) return this.skip();
    const env = { PATH: process.env.PATH, LUCRA_BIND: "127.0.0.1:8080", ...addresses };
    const { status, stderr } = spawnSync("haproxy", ["-c", "-f", path.join(HOME, "haproxy.cfg")], {
      env,
      encoding: "utf8",
    });
    expect(status, stderr).to.equal(0);
  });
});
