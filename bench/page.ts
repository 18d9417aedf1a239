import { readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import type { Results, SizeResults } from "./results.ts";

const whole = (number: number): string => Math.round(number).toLocaleString("en-US");
const times = (number: number): string => (Number.isFinite(number) ? number.toFixed(number < 10 ? 2 : 0) : "–");
const ms = ({ median, p95 }: { median: number; p95: number }): string => `${whole(median)} (${whole(p95)})`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, n) => (n === 0 ? "---" : "--:")), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

const versionOf = (name: string): string =>
  JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), "utf8")).version;

/** `docs/benchmarks.md`: the measurements, each figure next to its reference. */
export function pageOf(results: Results, now: Date): string {
  const compared = results.sizes.find(({ versions }) => Object.keys(versions).length > 0);
  const engines = Object.entries(compared?.versions ?? {}).map(([name, version]) => `${name} ${version}`);
  const processor = cpus()[0]?.model ?? "unknown processor";
  return `# Benchmarks

\`npm run bench\` generates the shops, lands them through the connectors, serves them over HTTP, measures, and writes this page.
Last run: ${now.toISOString().slice(0, 10)}; Node ${process.versions.node}, @duckdb/node-api ${versionOf("@duckdb/node-api")}, ${engines.join(", ") || "no other engine"}; ${cpus().length} cores (${processor}), ${whole(totalmem() / 2 ** 30)} GiB.

Times are milliseconds: the median, and in brackets the 95th percentile, of runs that alternate with the reference's. Ratios
are of medians. One client reads uncached answers over the loopback, unless stated otherwise. The shops are synthetic
and seeded: orders of 2.5 lines over three years in two stores, 5,000 products, returns, two ad accounts.

The other engines have tables of their own, filled from the derived files, typed, ordered and indexed for these questions,
and SQL of their own; their answer is compared with the service's, and a time is shown only if all its figures are equal.
The table shows where they compute fewer figures than the service.

${results.sizes.map((size) => sizeSection(size)).join("\n\n")}

## Growth

${growth(results)}

## Cached answers, a year's cards

Requests per second; the reference is an Express route that only sends the same bytes.

${table(
  ["clients", "from the cache", "304", "bare Express", "cached / bare"],
  results.cached.map((c) => [
    String(c.clients),
    whole(c.service),
    whole(c.unchanged),
    whole(c.express),
    times(c.service / c.express),
  ]),
)}

## Many tenants

Cards of one organization, next to others with 10,000 orders each. (One of these lands through its connectors, the others are
copies of its derived files under other ids.)

${table(
  ["other organizations", "cards", "until the service is ready"],
  results.tenants.map((t) => [whole(t.others), `${whole(t.cards)} ms`, `${whole(t.ready)} ms`]),
)}
${tight(results)}`;
}

function sizeSection({ orders, analyses, landing, rows, load, peak, versions }: SizeResults): string {
  const engines = Object.keys(versions);
  const head = ["", "HTTP", "same SQL on memory tables", "HTTP / memory", "bare scan", "HTTP / scan", "KB"];
  const lines = analyses.map((line) => [
    line.question,
    ms(line.http),
    ms(line.memory),
    times(line.http.median / line.memory.median),
    line.scan.median.toFixed(1),
    times(line.http.median / line.scan.median),
    whole(line.bytes / 1000),
    ...engines.map((name) => {
      const other = line.others[name];
      if (!other) return "differs";
      return `${ms(other)} = ${times(other.median / line.http.median)} × HTTP, ${other.figures} of ${line.figures} figures`;
    }),
  ]);
  return `## ${whole(orders)} orders

${table([...head, ...engines], lines)}

- Landing: ${whole(landing.landed)} orders per second; the engine's own \`copy (from read_json(…)) to\` Parquet of the same files ${whole(landing.bare)}: ${times(landing.landed / landing.bare)}. Landing and derivation together: ${whole(landing.all.seconds)} s, at most ${whole(landing.all.peak)} MiB. One day's export of ${whole(landing.dayOrders)} orders, until it is visible: ${landing.day.seconds.toFixed(1)} s, ${times(landing.day.seconds / landing.all.seconds)} of the whole, at most ${whole(landing.day.peak)} MiB.
- Rows: a page of 5,000 orders at ${whole(rows.page)} rows per second; the engine's own \`copy … to\` JSON ${whole(rows.copy)}: ${times(rows.page / rows.copy)}. Page 1,000 of 500 compared with page 1: ${times(rows.thousandth / rows.first)}; sorted by value: ${times(rows.thousandthSorted / rows.firstSorted)}.
- A light request (the summary of a month) takes ${ms(load.unloaded)}; while 8 heavy ones run continuously ${ms(load.loaded)}: p95 ${times(load.loaded.p95 / load.unloaded.p95)} ×.
- The server used at most ${whole(peak)} MiB.`;
}

function growth({ sizes }: Results): string {
  const [small, large] = sizes.slice(-2);
  if (!small || !large) return "Needs two sizes.";
  return table(
    [
      "",
      `${whole(small.orders)} orders`,
      `${whole(large.orders)} orders`,
      `ratio (orders: ${times(large.orders / small.orders)})`,
    ],
    large.analyses.flatMap((line) => {
      const before = small.analyses.find(({ question }) => question === line.question);
      if (!before) return [];
      const ratio = times(line.http.median / before.http.median);
      return [[line.question, ms(before.http), ms(line.http), ratio]];
    }),
  );
}

function tight({ tight }: Results): string {
  if (!tight) return "";
  const answers = Object.entries(tight.answers).map(([status, count]) => `${count} answered ${status}`);
  return `
## Little memory

All questions twice by 16 clients over ${whole(tight.orders)} orders with \`LUCRA_MEMORY_LIMIT=${tight.limit}\`: ${answers.join(", ")}; the
server used at most ${whole(tight.peak)} MiB, including Node and the answers.
`;
}
