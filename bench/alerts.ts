import { falseIn, foundIn } from "../test/alerts/spoken.ts";
import { EVENTS } from "../test/alerts/worlds.ts";

/*
 * How often the built-in alerts speak in random worlds without an event, and when they find one that is planted:
 *
 *     node --import ./bin/typescript.mjs bench/alerts.ts [worlds] [worlds with an event, of each kind]
 */

const [worlds = 1_000, planted = 300] = process.argv.slice(2).map(Number);

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
const at = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(part * (values.length - 1))] ?? Number.NaN;

const months = Array.from({ length: worlds }, (_, seed) => falseIn(seed));
console.log(`Without an event, alerts a month over ${worlds} worlds: mean, 95th percentile`);
for (const name of Object.keys(months[0] ?? {})) {
  const times = months.map((one) => one[name] ?? 0);
  console.log(`  ${name.padEnd(18)} ${mean(times).toFixed(2)}  ${at(times, 0.95).toFixed(2)}`);
}
const together = months.map((one) => Object.values(one).reduce((sum, times) => sum + times, 0));
console.log(`  ${"together".padEnd(18)} ${mean(together).toFixed(2)}  ${at(together, 0.95).toFixed(2)}`);

/** Orders a day, from which on a shop is of a class. */
const SIZES = [5, 20, 50, 100, 500];
console.log(
  `With an event, ${planted} worlds of each kind: found by the 1st, 2nd, 3rd, 7th day; missed in 14; others beside, per world`,
);
for (const kind of EVENTS) {
  const all = Array.from({ length: planted }, (_, no) => foundIn(100_000 + no, kind));
  const classes = [[5, 500], ...SIZES.slice(0, -1).map((least, no) => [least, SIZES[no + 1] ?? 500])];
  for (const [least = 0, most = 0] of classes) {
    const some = all.filter(({ size }) => size >= least && size < most);
    const by = (day: number): string =>
      `${Math.round((100 * some.filter((one) => one.day !== undefined && one.day <= day).length) / some.length)} %`.padStart(
        5,
      );
    const missed = `${Math.round((100 * some.filter(({ day }) => day === undefined).length) / some.length)} %`.padStart(
      5,
    );
    const beside = mean(some.map((one) => one.beside)).toFixed(2);
    console.log(
      `  ${kind.padEnd(14)} ${`${least}-${most}`.padEnd(8)} n=${String(some.length).padEnd(4)} ${[1, 2, 3, 7].map(by).join(" ")}  missed ${missed}  beside ${beside}`,
    );
  }
}
