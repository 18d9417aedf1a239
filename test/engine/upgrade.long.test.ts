import { spawn } from "node:child_process";
import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { until } from "../support/app.ts";
import { AURORA, type DataFolder, ended, NOW, ROOT } from "../support/data.ts";
import { landedFixtures } from "../support/shared.ts";

describe("An upgrade in place", function () {
  this.timeout(60_000);
  let home: string;
  let data: DataFolder;

  before(async () => {
    data = await landedFixtures();
    home = await mkdtemp(path.join(tmpdir(), "lucra-upgrade-"));
    for (const part of ["bin", "docs", "src", "sql", "package.json"])
      await cp(path.join(ROOT, part), path.join(home, part), { recursive: true });
    await symlink(path.join(ROOT, "node_modules"), path.join(home, "node_modules"));
  });

  after(async () => {
    await data?.remove();
    await rm(home, { recursive: true, force: true });
  });

  it("does not change the SQL of a running service", async () => {
    const { stdout } = await data.lucra(["keys", "create", "--organization", AURORA, "--json"]);
    const { client_id, client_secret } = JSON.parse(stdout);
    const child = spawn(process.execPath, [path.join(home, "bin", "lucra.cjs"), "serve"], {
      env: { PATH: process.env.PATH, LUCRA_DATA_DIR: data.path, LUCRA_NOW: NOW, PORT: "0", LUCRA_METRICS_PORT: "0" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const end = ended(child);
    try {
      let log = "";
      child.stdout.on("data", (part) => {
        log += part;
      });
      await until(() => log.includes('"msg":"ready"') || child.exitCode !== null);
      const port = /"port":(\d+),.*"msg":"listening"/.exec(log)?.[1];
      await writeFile(
        path.join(home, "sql", "profitability", "cards.sql"),
        "select 'of the next version' as revenue\n",
      );
      const period = "startDate=2025-02-01&endDate=2025-02-28";
      const answer = await fetch(`http://127.0.0.1:${port}/v1/profitability/cards?organizationId=${AURORA}&${period}`, {
        headers: { "x-client-id": client_id, "x-client-secret": client_secret },
      });
      expect(await answer.json()).to.include({ revenue: 1350, orders: 9 });
    } finally {
      child.kill("SIGTERM");
      await end;
    }
  });
});
