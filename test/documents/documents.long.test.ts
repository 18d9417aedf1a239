import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { endpoints } from "../../src/core/endpoints/index.ts";
import { OPENAPI } from "../../src/core/files/paths.ts";
import { LINEAGE } from "../../src/documents/index.ts";
import { lineagePage } from "../../src/documents/lineage/page.ts";
import { ended, ROOT } from "../support/data.ts";

describe("The documents", () => {
  it("have the lineage of the SQL; `npm run documents` writes it", async () => {
    expect(await lineagePage(endpoints)).to.equal(readFileSync(path.join(ROOT, LINEAGE), "utf8"));
  });

  it("pass the linter's recommended rules without a warning", async () => {
    const cli = path.join(ROOT, "node_modules", "@redocly", "cli", "bin", "cli.js");
    const lint = ["lint", "--extends=recommended", "--format=json", OPENAPI];
    // The linter must not send usage data.
    const env = { PATH: process.env.PATH, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    const { status, stdout, stderr } = await ended(spawn(process.execPath, [cli, ...lint], { cwd: ROOT, env }));
    const { totals, problems } = JSON.parse(stdout.slice(stdout.indexOf("{")));
    expect(problems.map(({ message }: { message: string }) => message)).to.deep.equal([]);
    expect(totals).to.include({ errors: 0, warnings: 0 });
    expect(status, stderr).to.equal(0);
  });
});
