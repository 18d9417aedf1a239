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

/** Orders a day, from which on a shop is of a class. */
const SIZES = [5, 20, 50, 100, 500];
const CLASSES = [[5, 500], ...SIZES.slice(0, -1).map((least, no) => [least, SIZES[no + 1] ?? 500])];
const ofClass = <T extends { readonly size: number }>(
  all: readonly T[],
  [least = 0, most = 0]: readonly number[],
): T[] => all.filter(({ size }) => size >= least && size < most);
const shown = ([least, most]: readonly number[]): string => `${least}-${most}`.padEnd(8);

const calm = Array.from({ length: worlds }, (_, seed) => falseIn(seed));
console.log(`Without an event, alerts a month over ${worlds} worlds: mean, 95th percentile`);
for (const name of Object.keys(calm[0]?.times ?? {})) {
  const times = calm.map((one) => one.times[name] ?? 0);
  console.log(`  ${name.padEnd(18)} ${mean(times).toFixed(2)}  ${at(times, 0.95).toFixed(2)}`);
}
for (const size of CLASSES) {
  const together = ofClass(calm, size).map(({ times }) => Object.values(times).reduce((sum, one) => sum + one, 0));
  console.log(`  together ${shown(size)}  ${mean(together).toFixed(2)}  ${at(together, 0.95).toFixed(2)}`);
}

const percent = (part: readonly unknown[], all: readonly unknown[]): string =>
  `${Math.round((100 * part.length) / all.length)} %`.padStart(5);
console.log(
  `With an event, ${planted} worlds of each kind: on in; found by the 1st, 2nd, 3rd, 7th day where on; by the 3rd, and missed in 14, in all; others beside, per world`,
);
for (const kind of EVENTS) {
  const all = Array.from({ length: planted }, (_, no) => foundIn(100_000 + no, kind));
  for (const size of CLASSES) {
    const some = ofClass(all, size);
    const on = some.filter(({ isOn }) => isOn);
    const by = (worldsOf: typeof some, last: number): string =>
      percent(
        worldsOf.filter(({ day }) => day !== undefined && day <= last),
        worldsOf,
      );
    const missed = some.filter(({ day }) => day === undefined);
    const beside = mean(some.map((one) => one.beside)).toFixed(2);
    console.log(
      `  ${kind.padEnd(14)} ${shown(size)} n=${String(some.length).padEnd(4)} on ${percent(on, some)}  found ${[1, 2, 3, 7].map((day) => by(on, day)).join(" ")}  of all ${by(some, 3)} missed ${percent(missed, some)}  beside ${beside}`,
    );
  }
}
