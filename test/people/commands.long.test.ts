import { spawnSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { Audit } from "../../src/core/audit/audit.ts";
import { LOG } from "../../src/core/coordination/fileLogs.ts";
import { paths } from "../../src/core/files/paths.ts";
import { command } from "../support/command.ts";
import { AURORA, type DataFolder, ROOT } from "../support/data.ts";
import { landedFixtures } from "../support/shared.ts";

interface Line {
  readonly what?: string;
  readonly outcome?: string;
  readonly reason?: string;
  readonly person?: string;
  readonly user?: string;
}

describe("Commands write the log [D91]", () => {
  let data: DataFolder;

  const linesOf = async (name = AURORA): Promise<Line[]> =>
    (await readFile(path.join(paths.audit(data.path), `${name}${LOG}`), "utf8").catch(() => ""))
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const done = async (name = AURORA): Promise<string[]> => {
    const entries = await new Audit(data.path).entries(name);
    return entries.map(({ what, outcome }) => `${what} ${outcome}`);
  };
  const run = async (...args: string[]) => {
    const said = await command(data, ...args);
    expect(said.status || 0, said.stderr).to.equal(0);
    return said;
  };

  describe("of what they change", () => {
    const secrets: string[] = [];

    before(async () => {
      data = await landedFixtures();
    });
    after(() => data?.remove());

    it("credentials, by the organizations that they are bound to", async () => {
      const made = JSON.parse((await run("keys", "create", "--organization", AURORA, "--name", "BI", "--json")).stdout);
      const again = JSON.parse((await run("keys", "rotate", made.client_id, "--json")).stdout);
      await run("keys", "revoke", made.client_id);
      secrets.push(made.client_secret, again.client_secret);
      expect(await done()).to.deep.equal([
        "credentials.create done",
        "credentials.regenerate done",
        "credentials.end done",
      ]);
      const [first] = await linesOf();
      expect(first).to.include({ person: "command" });
      expect(first?.user).to.be.a("string").and.not.equal("");
    });

    it("share links, pins, webhooks, settings, vendors' keys and people", async () => {
      const before = (await done()).length;
      const link = JSON.parse(
        (
          await run(
            "links",
            "create",
            "--organization",
            AURORA,
            "--endpoint",
            "/v1/profitability/cards",
            "--days",
            "7",
            "--json",
          )
        ).stdout,
      );
      await run("links", "revoke", link.id);
      await run("pins", "create", "--organization", AURORA, "--name", "closed");
      await run("pins", "remove", "--organization", AURORA, "closed");
      const hook = await run(
        "webhooks",
        "set",
        "--organization",
        AURORA,
        "https://hooks.example.com/path-that-is-a-secret",
      );
      await run("webhooks", "remove", "--organization", AURORA);
      await run("organizations", "rename", AURORA, "Aurora II");
      await run("integrations", "add", "--organization", AURORA, "meta:More");
      await run("integrations", "rename", "--organization", AURORA, "More", "Less");
      await run("people", "add", "ana@example.com", "--organization", AURORA, "--role", "admin");
      const printed = await run("people", "link", "ana@example.com");
      await run("people", "remove", "ana@example.com", "--organization", AURORA);
      const given = { accessToken: "EAAB-a-secret-of-the-vendor" };
      const set = spawnSync(
        process.execPath,
        [path.join(ROOT, "bin", "lucra.cjs"), "secrets", "set", "--organization", AURORA, "--integration", "Less"],
        { input: JSON.stringify(given), env: { PATH: process.env.PATH, LUCRA_DATA_DIR: data.path }, encoding: "utf8" },
      );
      const isKept = set.status === 0;
      if (isKept) await run("secrets", "remove", "--organization", AURORA, "--integration", "Less");
      await run("integrations", "remove", "--organization", AURORA, "Less", "--yes");
      const [, hookSecret = ""] = /secret: (\S+)/.exec(hook.stdout) ?? [];
      const [, token = ""] = /signin=(\S+)/.exec(printed.stdout) ?? [];
      secrets.push(link.url.split("/").pop(), hookSecret, token, given.accessToken, "path-that-is-a-secret");
      expect(isKept, set.stderr).to.equal(true);
      expect((await done()).slice(before)).to.deep.equal(
        [
          "links.create",
          "links.revoke",
          "pins.create",
          "pins.remove",
          "settings.change",
          "settings.change",
          "organizations.rename",
          "connections.add",
          "connections.change",
          "people.add",
          "people.link",
          "people.remove",
          "secrets.set",
          "secrets.remove",
          "connections.remove",
        ].map((what) => `${what} done`),
      );
    });

    it("landings, and organizations that begin and end, which the platform's log has too", async () => {
      const before = (await done()).length;
      const [landing] = JSON.parse((await run("landings", "list", "--organization", AURORA, "--json")).stdout);
      const one = ["--organization", AURORA, "--integration", landing.integration, "--record", landing.record];
      await run("landings", "revoke", String(landing.landing), ...one);
      await run("landings", "restore", String(landing.landing), ...one);
      const id = "0aaaaaaa-0000-4000-8000-00000000000a";
      await run("organizations", "add", "--name", "Brisa", "--id", id);
      await run("organizations", "remove", id, "--yes");
      expect((await done()).slice(before)).to.deep.equal(["landings.revoke done", "landings.restore done"]);
      const both = ["organizations.add done", "organizations.remove done"];
      expect(await done(id)).to.deep.equal(both);
      expect(await done("platform")).to.deep.equal(both);
    });

    it("without any secret, and without the path of an address", async () => {
      expect(secrets.filter((secret) => secret && secret.length > 15)).to.have.lengthOf(secrets.length);
      const folder = paths.audit(data.path);
      for (const name of await readdir(folder)) {
        const text = await readFile(path.join(folder, name), "utf8");
        for (const secret of secrets) expect(text, name).to.not.include(secret);
      }
    });
  });
});
