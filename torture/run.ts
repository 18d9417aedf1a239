import { readFile, writeFile } from "node:fs/promises";
import { Command, Option } from "commander";
import { figuresOf, type Line, PAGE, pageOf } from "./page.ts";
import type { Part, Scale } from "./part.ts";
import { PARTS } from "./parts/index.ts";

interface Options {
  readonly seed: number;
  readonly scale: Scale;
  readonly write?: boolean;
  readonly minutes?: string;
  readonly changes?: string;
}

const names = Object.keys(PARTS);

await new Command("torture")
  .description("attack the promises of docs/reliability.md, all or some of them, and tell the figures")
  .argument("[part...]", names.join(", "))
  .option("--seed <number>", "what the random attacks are made of", wholeNumber, Math.floor(Date.now() / 1000))
  .addOption(new Option("--scale <scale>", "how long").choices(["short", "long"]).default("long"))
  .option(
    "--minutes <number>",
    "how long a part may go on that could for ever: kills, damages, requests, changes, the soak",
  )
  .option("--changes <texts>", "of the changes to the code only those told with one of these: orders.sql:76,sum(")
  .option("--write", "write the figures into docs/reliability.md")
  .action(run)
  .parseAsync();

function wholeNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`--seed ${text}: a whole number is expected`);
  return Number(text);
}

async function run(
  chosen: readonly string[],
  { seed, scale, write = false, minutes, changes }: Options,
): Promise<void> {
  if (minutes !== undefined) process.env.TORTURE_MINUTES = minutes;
  if (changes !== undefined) process.env.TORTURE_CHANGES = changes;
  const unknown = chosen.find((name) => !names.includes(name));
  if (unknown) throw new Error(`no part ${unknown}; there are ${names.join(", ")}`);
  const parts = await Promise.all(Object.values(PARTS).map((load) => load()));
  const lines: Line[] = [];
  const failed: string[] = [];
  for (const [n, name] of names.entries()) {
    const part = parts[n] as Part;
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    const began = performance.now();
    try {
      console.error(`${part.name} …`);
      const figures = await part.run(scale, seed);
      const seconds = Math.round((performance.now() - began) / 1000);
      const date = new Date().toISOString().slice(0, 10);
      const length = minutes === undefined ? scale : `${scale}, --minutes ${minutes}`;
      lines.push({ name: part.name, figures, run: `${date}, ${length}, seed ${seed}, ${seconds} s` });
    } catch (error) {
      failed.push(name);
      console.error(`FAILED: ${part.name}. Again with: npm run torture -- ${name} --scale ${scale} --seed ${seed}`);
      console.error(error);
    }
  }
  const ran = parts.filter(({ name }) => lines.some((line) => line.name === name));
  console.log(figuresOf(ran, lines, ""));
  if (write) await writeFile(PAGE, pageOf(await readFile(PAGE, "utf8"), parts, lines));
  if (failed.length > 0) console.error(`failed with seed ${seed}: ${failed.join(", ")}`);
  // What a failed part left running keeps nobody waiting.
  process.exit(failed.length > 0 ? 1 : 0);
}
