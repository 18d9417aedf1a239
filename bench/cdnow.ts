import { readFileSync } from "node:fs";
import { fitBetaGeometric } from "../src/features/forecast/betaGeometric.ts";
import { fitGammaGamma } from "../src/features/forecast/gammaGamma.ts";

/**
 * The published figures of the models, from the CDNOW sample of 2,357 customers (`CDNOW_sample.txt` by Fader and Hardie, whose
 * data are not part of this project):
 *
 *     node --import ./bin/typescript.mjs bench/cdnow.ts CDNOW_sample.txt
 */
const PUBLISHED = { r: 0.243, alpha: 4.414, a: 0.793, b: 2.426, p: 6.25, q: 3.74, gamma: 15.44 };
/** The first 39 weeks of 1997. */
const LAST = Date.UTC(1997, 8, 30);
const DAY_MS = 86_400_000;

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("the path of CDNOW_sample.txt is missing");

const customers = new Map<string, Map<number, number>>();
for (const line of readFileSync(file, "utf8").trim().split("\n")) {
  const [, id = "", day = "", , amount] = line.trim().split(/\s+/);
  const at = Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6)));
  if (at > LAST) continue;
  const days = customers.get(id) ?? new Map<number, number>();
  customers.set(id, days.set(at / DAY_MS, (days.get(at / DAY_MS) ?? 0) + Number(amount)));
}
const histories = [...customers.values()]
  .map((days) => {
    const [first = 0, ...later] = [...days.keys()].sort((one, other) => one - other);
    const spent = later.reduce((sum, day) => sum + (days.get(day) ?? 0), 0);
    const mean = later.length > 0 ? spent / later.length : 0;
    return { repeats: later.length, recency: (later.at(-1) ?? first) - first, age: LAST / DAY_MS - first, mean };
  })
  .sort((one, other) => one.repeats - other.repeats);
const repeating = histories.filter(({ repeats, mean }) => repeats > 0 && mean > 0);
const integers = (all: typeof histories, name: "repeats" | "recency" | "age") =>
  Int32Array.from(all, (history) => history[name]);

const began = performance.now();
const purchases = fitBetaGeometric({
  repeats: integers(histories, "repeats"),
  recency: integers(histories, "recency"),
  age: integers(histories, "age"),
  customers: new Float64Array(histories.length).fill(1),
});
const between = performance.now();
const revenue = fitGammaGamma({
  repeats: integers(repeating, "repeats"),
  mean: Float64Array.from(repeating, ({ mean }) => mean),
  customers: new Float64Array(repeating.length).fill(1),
});
const ended = performance.now();

const fitted: Record<string, number> = { ...purchases.model, ...revenue.model };
const rows = Object.entries(PUBLISHED).map(([name, published]) => ({ name, published, fitted: fitted[name] }));
console.table(rows);
console.log(`${histories.length} customers, ${repeating.length} with repeat purchases`);
console.log(
  `BG/NBD: ${purchases.value.toFixed(4)}, ${purchases.evaluations} evaluations, ${(between - began).toFixed(0)} ms`,
);
console.log(`Gamma-Gamma: ${revenue.evaluations} evaluations, ${(ended - between).toFixed(0)} ms`);
const digits = (value: number): number => (String(value).split(".")[1] ?? "").length;
const wrong = rows.filter(
  ({ published, fitted = 0 }) => fitted.toFixed(digits(published)) !== published.toFixed(digits(published)),
);
if (wrong.length > 0) throw new Error(`not as published: ${wrong.map(({ name }) => name).join(", ")}`);
