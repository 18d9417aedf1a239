import "../src/features/index.ts";
import { readFile, writeFile } from "node:fs/promises";
import { Command, InvalidArgumentError, Option } from "commander";
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
  .description("attack the promises of docs/reliability.md, all or some of them, and print the figures")
  .argument("[part...]", names.join(", "))
  .option("--seed <number>", "what the random attacks are made of", wholeNumber, Math.floor(Date.now() / 1000))
  .addOption(new Option("--scale <scale>", "how long").choices(["short", "long"]).default("long"))
  .option(
    "--minutes <number>",
    "how long a part may go on that could for ever: kills, damages, requests, changes, the soak",
    aboveZero,
  )
  .option("--changes <texts>", "only code changes whose description contains one of these: orders.sql:76,sum(")
  .option("--write", "write the figures into docs/reliability.md")
  .action(run)
  .parseAsync();

function wholeNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError("A whole number is expected.");
  return Number(text);
}

/** The text itself, to be shown in the table. */
function aboveZero(text: string): string {
  if (!/^\d{1,6}(?:\.\d{1,6})?$/.test(text) || Number(text) === 0)
    throw new InvalidArgumentError("A number above 0 is expected.");
  return text;
}

/** Quoted so that a shell takes any text as one word. */
function quoted(text: string): string {
  return /^[\w.,:/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
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
  const restricted = [minutes && `--minutes ${minutes}`, changes && `--changes ${quoted(changes)}`].filter(Boolean);
  const length = [scale, ...restricted].join(", ");
  for (const [n, name] of names.entries()) {
    const part = parts[n] as Part;
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    const began = performance.now();
    const ended = (figures: Line["figures"]): void => {
      const seconds = Math.round((performance.now() - began) / 1000);
      const date = new Date().toISOString().slice(0, 10);
      lines.push({ name: part.name, figures, run: `${date}, ${length}, seed ${seed}, ${seconds} s` });
    };
    try {
      console.error(`${part.name} …`);
      ended(await part.run(scale, seed));
    } catch (error) {
      // A part that fails now does not keep the figures of an earlier run.
      ended("failed");
      failed.push(name);
      const again = [name, `--scale ${scale}`, `--seed ${seed}`, ...restricted].join(" ");
      console.error(`FAILED: ${part.name}. Again with: npm run torture -- ${again}`);
      console.error(error);
    }
  }
  const ran = parts.filter(({ name }) => lines.some((line) => line.name === name));
  console.log(figuresOf(ran, lines, ""));
  if (write) await writeFile(PAGE, pageOf(await readFile(PAGE, "utf8"), parts, lines));
  if (failed.length > 0) console.error(`failed with seed ${seed}: ${failed.join(", ")}`);
  // Work that a failed part left running must not delay the end.
  process.exit(failed.length > 0 ? 1 : 0);
}
