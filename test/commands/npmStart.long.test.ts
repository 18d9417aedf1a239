import { spawn } from "node:child_process";
import { expect } from "chai";
import { DataFolder, ended, NOW, ROOT, said } from "../support/data.ts";

describe("npm start", () => {
  it("hands a signal on to the service, which ends", async () => {
    const data = await DataFolder.empty();
    const child = spawn("npm", ["start"], {
      cwd: ROOT,
      detached: true,
      env: { PATH: process.env.PATH, LUCRA_DATA_DIR: data.path, LUCRA_NOW: NOW, PORT: "0", LUCRA_METRICS_PORT: "0" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    try {
      // The output is open until the service, too, has ended.
      const end = ended(child);
      await said(child, /"ready"/);
      child.kill("SIGTERM");
      expect((await end).stdout).to.include('"stopping"');
    } finally {
      try {
        process.kill(-Number(child.pid), "SIGKILL");
      } catch {
        // It has ended.
      }
      await data.remove();
    }
  }).timeout(60_000);
});
