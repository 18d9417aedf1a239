import { rm } from "node:fs/promises";
import path from "node:path";
import { run } from "../lab/process.ts";
import { accountsOf, exportsFolder, generate, type Shop } from "../shop/shop.ts";

/** An organization with one order and nothing else: CPU seconds of its derivation, and of its process without it. */
export interface Tiny {
  readonly derivation: number;
  readonly process: number;
}

const SHOP: Shop = { organizationId: "be9c0002-0000-4000-8000-000000000000", orders: 1, products: 1, seed: 7 };
const RUNS = 5;

export async function measureTiny(dataDir: string): Promise<Tiny> {
  await generate(dataDir, SHOP);
  for (const { id, exports } of accountsOf(SHOP)) {
    for (const record of Object.keys(exports)) {
      if (record !== "orders") await rm(exportsFolder(dataDir, SHOP, id, record), { recursive: true });
    }
  }
  await run(dataDir, ["sync"]);
  const derived: number[] = [];
  const skipped: number[] = [];
  for (let no = 0; no < RUNS; no++) {
    await rm(path.join(dataDir, "marts"), { recursive: true });
    derived.push((await run(dataDir, ["derive"])).cpuSeconds);
    skipped.push((await run(dataDir, ["derive"])).cpuSeconds);
  }
  return { derivation: middle(derived) - middle(skipped), process: middle(skipped) };
}

const middle = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
