import type { Figures } from "../questions.ts";

/** How a reference's rows compare with the service's. */
export interface Agreement {
  /** The differences, by row and figure; empty if they agree. */
  readonly differences: readonly string[];
  /** The figures that the reference computes, and those of the service's that it does not. */
  readonly figures: readonly string[];
  readonly missing: readonly string[];
  /** How many values were compared. */
  readonly values: number;
  /**
   * Figures that differ by one in the last decimal shown: an exact half, or a quotient next to it, rounded differently.
   */
  readonly ties: number;
}

/** Further differences are not reported: a query that is wrong is wrong everywhere. */
const MOST_REPORTED = 10;

/** The columns that identify a row in a report, if it has them. */
const KEYS = ["cohortMonth", "month", "block", "breakKey", "productId", "categoryId", "step", "index"];

/**
 * Compares row by row, in order: a reference sorts as the service does. Each figure of the reference must equal the
 * service's; it may have fewer figures, but not fewer or more rows.
 */
export function agreement(service: readonly Figures[], reference: readonly Figures[]): Agreement {
  const differences: string[] = [];
  const figures = new Set<string>();
  let ties = 0;
  let values = 0;
  if (service.length !== reference.length) {
    differences.push(`the service has ${service.length} rows, the reference ${reference.length}`);
  }
  for (const [no, row] of reference.entries()) {
    const expected = service[no];
    if (!expected) break;
    for (const [name, figure] of Object.entries(row)) {
      figures.add(name);
      values += 1;
      const wanted = expected[name];
      if (wanted !== undefined && same(wanted, figure)) continue;
      if (isTie(wanted, figure)) {
        ties += 1;
        continue;
      }
      differences.push(`row ${no} (${keyOf(expected)}): ${name} is ${shown(figure)}, the service's ${shown(wanted)}`);
    }
    if (differences.length > MOST_REPORTED) break;
  }
  if (service.length > 0 && figures.size === 0) differences.push("the reference has none of the service's figures");
  const missing = new Set(service.flatMap((row) => Object.keys(row)).filter((name) => !figures.has(name)));
  return { differences, figures: [...figures], missing: [...missing], values, ties };
}

const shown = (figure: Figures[string] | undefined): string =>
  figure === undefined ? "not there" : JSON.stringify(figure);

/** Two numbers are the same if they are shown the same: no figure has more than six decimals. */
function same(wanted: Figures[string], figure: Figures[string]): boolean {
  if (typeof wanted === "number" && typeof figure === "number") return wanted.toFixed(6) === figure.toFixed(6);
  return wanted === figure;
}

const decimalsOf = (figure: number): number => (String(figure).split(".")[1] ?? "").length;

/** Amounts are shown with two decimals, ratios with four; a whole number on both sides is a count, which is exact. */
function isTie(wanted: Figures[string] | undefined, figure: Figures[string]): boolean {
  if (typeof wanted !== "number" || typeof figure !== "number") return false;
  const decimals = Math.max(decimalsOf(wanted), decimalsOf(figure));
  if (decimals === 0) return false;
  return Math.abs(wanted - figure) < (decimals > 2 ? 0.0001 : 0.01) * 1.01;
}

function keyOf(row: Figures): string {
  const keys = KEYS.filter((key) => row[key] !== undefined).map((key) => `${key} ${row[key]}`);
  return keys.join(", ") || "the only one";
}
