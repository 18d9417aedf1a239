import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

process.env.TZ = "UTC";

/** The folder of what the tests of a run share (`shared.ts`); the processes that run them are told by the environment. */
export function mochaGlobalSetup(): void {
  process.env.LUCRA_TESTS_SHARED = mkdtempSync(path.join(tmpdir(), "lucra-shared-"));
}

export function mochaGlobalTeardown(): void {
  rmSync(process.env.LUCRA_TESTS_SHARED ?? "", { recursive: true, force: true });
}
