import { readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import type { Times } from "./lab/timing.ts";
import type { Measured } from "./parts/analyses.ts";
import type { Tenants } from "./parts/tenants.ts";
import type { Results, SizeResults, Tight } from "./results.ts";

const whole = (number: number): string => Math.round(number).toLocaleString("en-US");
const times = (number: number): string => (Number.isFinite(number) ? number.toFixed(number < 10 ? 2 : 0) : "–");
/** Few milliseconds have a decimal. */
const short = (milliseconds: number): string => (milliseconds < 10 ? milliseconds.toFixed(1) : whole(milliseconds));
const ms = ({ median, p95 }: Times): string => `${short(median)} (${short(p95)})`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, n) => (n === 0 ? "---" : "--:")), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

const versionOf = (name: string): string =>
  JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), "utf8")).version;

/** The fastest of the engines, and by what factor it is faster than the fastest other one. */
interface Winner {
  readonly name: string;
  readonly factor: number;
}

const LUCRA = "Lucra";

/** By medians; the service's is the hot one, since the other engines are asked again and again too. */
function winnerOf({ hot, others }: Measured): Winner {
  const medians = Object.entries(others).flatMap(([name, { times }]) =>
    times ? [{ name, median: times.median }] : [],
  );
  const [fastest, ...rest] = [{ name: LUCRA, median: hot.median }, ...medians].sort((a, b) => a.median - b.median);
  // The service is compared with the next of the others, another engine with the service.
  const rival = fastest?.name === LUCRA ? rest[0]?.median : hot.median;
  return { name: fastest?.name ?? LUCRA, factor: (rival ?? Number.NaN) / (fastest?.median ?? Number.NaN) };
}

const shownWinner = (measured: Measured): string => {
  const { name, factor } = winnerOf(measured);
  return `${name === LUCRA ? `**${LUCRA}**` : name} ${times(factor)} ×`;
};

/** `docs/benchmarks.md`: first who is fastest, then the measurements. */
export function pageOf(results: Results, now: Date): string {
  return [
    head(results, now),
    winners(results),
    ...results.sizes.map(sizeSection),
    comparison(results),
    own(results),
    growth(results),
    landing(results),
    rows(results),
    load(results),
    cached(results),
    ...(results.tenants ? [tenants(results.tenants)] : []),
    ...(results.tight ? [tight(results.tight)] : []),
  ].join("\n\n");
}

function head({ sizes, minutes }: Results, now: Date): string {
  const engines = Object.entries(sizes[0]?.versions ?? {}).map(([name, version]) => `${name} ${version}`);
  const versions = [`Node ${process.versions.node}`, `@duckdb/node-api ${versionOf("@duckdb/node-api")}`, ...engines];
  return `# Benchmarks

\`npm run bench\` generates shops, lands them through the connectors, asks the service over HTTP and the other engines the same
questions, and writes this page. ${now.toISOString().slice(0, 10)}, ${versions.join(", ")}; ${cpus().length} processors (${cpus()[0]?.model ?? "unknown"}), ${whole(totalmem() / 2 ** 30)} GiB; ${whole(minutes)} minutes.`;
}

function winners({ sizes }: Results): string {
  const questions = sizes[0]?.analyses ?? [];
  const all = sizes.flatMap(({ analyses }) => analyses).map(winnerOf);
  const won = [LUCRA, ...Object.keys(sizes[0]?.versions ?? {})].map(
    (name) => `${name} ${all.filter((winner) => winner.name === name).length}`,
  );
  return `## Who is fastest

Of ${all.length} comparisons by question and number of orders, won: ${won.join(", ")}. The factor is to the fastest other engine, or, if
another engine wins, to Lucra.

${table(
  ["", ...sizes.map(({ orders }) => `${whole(orders)} orders`)],
  questions.map(({ question }) => [
    question,
    ...sizes.map(({ analyses }) => {
      const measured = analyses.find((line) => line.question === question);
      return measured ? shownWinner(measured) : "–";
    }),
  ]),
)}

Milliseconds in the tables below: the median, and in brackets the 95th percentile, of up to 15 rounds in which each engine is
asked in turn, each round for a period that begins a day earlier, so that no answer is in a cache. One client at a time. *Cold*: the
service with \`LUCRA_CACHE_MB=0\` and \`LUCRA_KEPT_PLANS=0\`, where nothing of an organization is kept from one request to the next;
*hot*: with its default settings, the organization being asked again and again, once its tables are in memory. Lucra's times include HTTP, authentication and JSON; the
others' are those of their drivers, without reading the figures.`;
}

function sizeSection({ orders, analyses, versions, peaks }: SizeResults): string {
  const engines = Object.keys(versions);
  const lines = analyses.map((line) => [
    line.question,
    whole(line.bytes / 1000),
    ms(line.cold),
    ms(line.hot),
    ...engines.map((name) => {
      const found = line.others[name]?.times;
      return found ? ms(found) : "differs";
    }),
    shownWinner(line),
  ]);
  return `## ${whole(orders)} orders

${table(["", "KB", "Lucra, cold", "Lucra, hot", ...engines, "fastest"], lines)}

The servers used at most ${whole(peaks.cold)} MiB (cold) and ${whole(peaks.hot)} MiB (hot).`;
}

/** What was compared, and with what. */
function comparison({ sizes }: Results): string {
  const engines = Object.keys(sizes[0]?.versions ?? {});
  const questions = sizes[0]?.analyses ?? [];
  const lines = questions.map(({ question }) => {
    const measured = sizes.flatMap(({ analyses }) => analyses.filter((line) => line.question === question));
    const others = measured.flatMap((line) => Object.values(line.others));
    const compared = Math.min(...others.map((other) => other.compared));
    const missing = Math.max(...others.map((other) => other.missing.length));
    return [
      question,
      `${compared} of ${compared + missing}`,
      whole(others.reduce((sum, { values }) => sum + values, 0)),
      whole(others.reduce((sum, { ties }) => sum + ties, 0)),
    ];
  });
  return `## What is compared

The shops are synthetic and seeded: orders of 2.5 lines over three years in two stores, 5,000 products in one of them, returns, two
ad accounts. ${engines.join(" and ")} have the same derived facts and daily sums as the service, typed, numbered, ordered and
indexed for these questions; their SQL differs where an engine needs its own. An engine's time is shown only if its whole answer is
equal to the service's, figure by figure and in the same order. A tie is a difference of one in the last decimal, where an exact half is
rounded the other way.

${table(["", "figures", "values, all sizes and engines", "ties"], lines)}

Not compared are members that are no figures: the period, \`asOf\`, margin settings and repeated parameters around the lists of
series, cohorts and listing. They are the same for all questions of a shop, and compared in those of cards, summary and detail.`;
}

function own({ sizes }: Results): string {
  const questions = (sizes[0]?.own ?? []).map(({ question }) => question);
  return `## Questions that only Lucra answers

Beside the year's cards, which are measured again here: milliseconds, cold and hot as above, but hot without the cache of answers.

${table(
  ["", ...sizes.flatMap(({ orders }) => ["KB", `${whole(orders)} orders, cold`, "hot"])],
  questions.map((question) => [
    question,
    ...sizes.flatMap((size) => {
      const found = size.own.find((line) => line.question === question);
      return found ? [whole(found.bytes / 1000), ms(found.cold), ms(found.hot)] : ["–", "–", "–"];
    }),
  ]),
)}`;
}

function growth({ sizes }: Results): string {
  const [small, large] = [sizes[0], sizes.at(-1)];
  if (!small || !large || small === large) return "## Growth\n\nNeeds two sizes.";
  const medianAt = (size: SizeResults, question: string): number =>
    size.analyses.find((line) => line.question === question)?.hot.median ?? Number.NaN;
  return `## Growth

Medians of the hot service, in milliseconds.

${table(
  [
    "",
    ...sizes.map(({ orders }) => `${whole(orders)} orders`),
    `growth (orders: ${times(large.orders / small.orders)} ×)`,
  ],
  large.analyses.map(({ question }) => [
    question,
    ...sizes.map((size) => short(medianAt(size, question))),
    `${times(medianAt(large, question) / medianAt(small, question))} ×`,
  ]),
)}`;
}

function landing({ sizes, tiny, small }: Results): string {
  const lines = sizes.map(({ orders, landing: { all, landed, bare, day, dayOrders } }) => [
    whole(orders),
    whole(landed),
    whole(bare),
    times(landed / bare),
    `${all.seconds.toFixed(1)} s (${all.cpuSeconds.toFixed(1)} s CPU, ${whole(all.peak)} MiB)`,
    `${whole(dayOrders)} orders in ${day.seconds.toFixed(1)} s (${day.cpuSeconds.toFixed(1)} s CPU)`,
  ]);
  const least = tiny
    ? `\n\nThe derivation of an organization with one order and nothing else takes ${tiny.derivation.toFixed(2)} s of CPU, in a process that takes ${tiny.process.toFixed(2)} s without it.`
    : "";
  const many = small
    ? `\n\nOne sync of ${whole(small.organizations)} organizations with ${whole(small.orders)} orders each takes ${small.first.toFixed(2)} s of CPU per organization the first time, and ${small.night.toFixed(2)} s when a day has come.`
    : "";
  return `## Landing

Orders of the first store per second, landed and by the engine's own \`copy (from read_json(…)) to\` Parquet of the same files; the first
sync with its derivation; one day's export until it is visible.

${table(["orders", "landed", "copied", "landed / copied", "first sync", "a day's export"], lines)}${least}${many}`;
}

function rows({ sizes }: Results): string {
  return `## Rows

Orders as their store has them, rows per second: pages of 5,000 over HTTP, and the engine's own \`copy … to\` JSON. The thousandth page
of 500 compared with the first, in stored order and sorted by value.

${table(
  ["orders", "served", "copied", "served / copied", "page 1,000 / page 1", "sorted"],
  sizes.map(({ orders, rows: { page, copy, first, thousandth, firstSorted, thousandthSorted } }) => [
    whole(orders),
    whole(page),
    whole(copy),
    times(page / copy),
    `${times(thousandth / first)} ×`,
    `${times(thousandthSorted / firstSorted)} ×`,
  ]),
)}`;
}

function load({ sizes }: Results): string {
  return `## Load

A light request (the summary of a month) alone, and while 8 clients ask heavy ones (cohorts by category, listing with categories) without pause.

${table(
  ["orders", "alone", "beside 8 heavy ones", "p95 ratio"],
  sizes.map(({ orders, load: { unloaded, loaded } }) => [
    whole(orders),
    ms(unloaded),
    ms(loaded),
    `${times(loaded.p95 / unloaded.p95)} ×`,
  ]),
)}`;
}

function cached(results: Results): string {
  return `## Cached answers

A year's cards, requests per second. The references are Express routes that send the same bytes: a bare one, and one behind security
headers, compression, a check of credentials, a limit and a log.

${table(
  [
    "clients",
    "from the cache",
    "304",
    "bare Express",
    "with middleware",
    "cached / bare",
    "cached / with middleware",
    "304 / bare",
  ],
  results.cached.map(({ clients, service, unchanged, express, middleware }) => [
    String(clients),
    whole(service),
    whole(unchanged),
    whole(express),
    whole(middleware),
    times(service / express),
    times(service / middleware),
    times(unchanged / express),
  ]),
)}`;
}

function tenants({ organizations, orders, limit, ready, memory, questions }: Tenants): string {
  return `## Many tenants

${whole(organizations)} organizations of ${whole(orders)} orders each, one landed and the others copies of its derived files, asked at random by one
client, each request for another period, with \`LUCRA_MEMORY_LIMIT=${limit}\`. The server is ready after ${whole(ready)} ms.

${table(
  ["", "first answer of an organization", "further answers", "first / further"],
  questions.map(({ question, first, further }) => [
    question,
    ms(first),
    ms(further),
    `${times(first.median / further.median)} ×`,
  ]),
)}

${table(
  ["requests", "organizations asked", "memory of the server"],
  memory.map(({ requests, seen, held }) => [whole(requests), whole(seen), `${whole(held)} MiB`]),
)}`;
}

function tight({ orders, limit, peak, answers }: Tight): string {
  const counts = Object.entries(answers).map(([status, count]) => `${count} answered ${status}`);
  return `## Little memory

All questions twice by 16 clients over ${whole(orders)} orders with \`LUCRA_MEMORY_LIMIT=${limit}\`: ${counts.join(", ")}; the server used at
most ${whole(peak)} MiB, including Node and the answers.
`;
}
