import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import "../../src/features/index.ts";

process.env.TZ = "UTC";

/** The folder that the tests of a run share (`shared.ts`); the environment names it to the processes that run them. */
export function mochaGlobalSetup(): void {
  process.env.LUCRA_TESTS_SHARED = mkdtempSync(path.join(tmpdir(), "lucra-shared-"));
}

export function mochaGlobalTeardown(): void {
  rmSync(process.env.LUCRA_TESTS_SHARED ?? "", { recursive: true, force: true });
}
