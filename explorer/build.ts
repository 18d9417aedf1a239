// Builds the Explorer into explorer/dist, which the service serves. A build that fails or is too large fails the installation.

import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import type { Metafile, Plugin } from "esbuild";
import { textKey } from "./src/textKey.ts";

/** Limits of the sizes of what a browser loads at once, and of what the settings and the report add when they are opened, gzipped. */
export const MAX_BYTES = 150_000;
export const MAX_OPENED_BYTES = 60_000;

const HOME = import.meta.dirname;
const BUILT = path.join(HOME, "dist");

/** Empties the folder and builds the Explorer into it. */
export async function build(folder: string = BUILT): Promise<void> {
  const esbuild = await import("esbuild");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { metafile } = await esbuild.build({
    entryPoints: ["main.tsx", "settings.css", "report.css"].map((file) => path.join(HOME, "src", file)),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    minify: true,
    // A name for each content, which browsers keep for ever.
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    legalComments: "none",
    metafile: true,
    jsx: "automatic",
    jsxImportSource: "preact",
    logLevel: "warning",
    plugins: [SHORT_KEYS],
  });
  await writeFile(path.join(folder, "licences.txt"), await licencesOf(Object.keys(metafile.inputs)));
  await copyFile(path.join(HOME, "icon.svg"), path.join(folder, "icon.svg"));
  const page = await readFile(path.join(HOME, "index.html"), "utf8");
  await writeFile(path.join(folder, "index.html"), withNames(page, metafile));
}

/** Translations are found by a short key of the text: the texts themselves are in the API document. */
const SHORT_KEYS: Plugin = {
  name: "short-keys",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](?:figures|portuguese)\.json$/ }, async ({ path: file }) => {
      const texts: Readonly<Record<string, string>> = JSON.parse(await readFile(file, "utf8"));
      const short = Object.fromEntries(
        Object.entries(texts).map(([text, translation]) => [textKey(text), translation]),
      );
      if (Object.keys(short).length < Object.keys(texts).length) throw new Error(`${file}: two texts have one key`);
      return { contents: JSON.stringify(short), loader: "json" };
    });
  },
};

/** The page with the names that its files got, and with the scripts that `main` needs, which browsers then ask for at once. */
function withNames(page: string, { outputs }: Metafile): string {
  const nameOf = (part: string, ending: string): string => {
    const found = Object.keys(outputs).find((name) => new RegExp(`/${part}-[A-Z0-9]+\\.${ending}$`).test(name));
    if (found === undefined) throw new Error(`the build has no ${part}.${ending}`);
    return found;
  };
  const main = nameOf("main", "js");
  const needed = new Set([main]);
  for (const name of needed)
    for (const { kind, path } of outputs[name]?.imports ?? []) if (kind === "import-statement") needed.add(path);
  needed.delete(main);
  const preloaded = [...needed].map((name) => `<link rel="modulepreload" href="/explorer/${path.basename(name)}" />`);
  return page
    .replace("<!-- preloaded -->", preloaded.join("\n    "))
    .replaceAll(
      /\/explorer\/(main|settings|report)\.(js|css)/g,
      (_, part: string, ending: string) => `/explorer/${path.basename(nameOf(part, ending))}`,
    );
}

/** The licences and notices of the packages that contain these files. */
async function licencesOf(inputs: readonly string[]): Promise<string> {
  const packages = new Set(inputs.flatMap((file) => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []));
  const parts = [...packages].sort().map(async (home) => {
    const names = (await readdir(home))
      .filter((name) => /^(licen[sc]e|notice)/i.test(name))
      .filter((name) => /^[^.]+(\.txt|\.md)?$/.test(name));
    const texts = await Promise.all(
      names.sort().map((name) => readFile(path.join(home, name), "utf8").catch(() => "")),
    );
    return [
      path.basename(path.dirname(home)).startsWith("@") ? home.split("/").slice(-2).join("/") : path.basename(home),
      ...texts,
    ].join("\n\n");
  });
  return `${(await Promise.all(parts)).join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

/** The sizes in bytes of what a browser loads, each file gzipped. */
export interface Sizes {
  /** The page itself. */
  readonly first: number;
  /** What the settings add, with all their sections and texts, but for those that are counted by themselves. */
  readonly settings: number;
  readonly report: number;
  /** What brings data: files, connections, and what leads an organization without any. */
  readonly firstRun: number;
  readonly personalData: number;
  readonly alerts: number;
  readonly payments: number;
  /** The page for a period by what its orders carry. */
  readonly breakdown: number;
}

export async function gzippedSizes(folder: string = BUILT): Promise<Sizes> {
  const files = (await readdir(folder)).filter((name) => /\.(js|css|html|svg)$/.test(name));
  const contents = new Map(
    await Promise.all(files.map(async (name) => [name, await readFile(path.join(folder, name))] as const)),
  );
  const scriptsOf = (name: string, pattern: RegExp): string[] =>
    [...(contents.get(name)?.toString() ?? "").matchAll(pattern)].flatMap(([, found]) => found ?? []);
  const reached = (starts: readonly string[], pattern: RegExp, isLeftOut = (_: string) => false): Set<string> => {
    const found = new Set(starts);
    for (const name of found) for (const next of scriptsOf(name, pattern)) if (!isLeftOut(next)) found.add(next);
    return found;
  };
  const sizeOf = (names: Iterable<string>): number =>
    [...names].reduce((sum, name) => sum + gzipSync(contents.get(name) ?? "").length, 0);
  const isOf = (part: RegExp) => (name: string) => part.test(name);
  const first = reached(files.filter(isOf(/^(main-.*|index\.html|icon\.svg)$/)), IMPORTED);
  // What the page itself loads later, such as its explanations, is of none of them.
  const added = (part: RegExp, not = /^$/): number => {
    const isLeftOut = (name: string): boolean => first.has(name) || not.test(name);
    return sizeOf(reached(files.filter(isOf(part)), IMPORTED_OR_LOADED, isLeftOut));
  };
  return {
    first: sizeOf(first),
    settings: added(/^[Ss]ettings-/, OF_THEMSELVES),
    report: added(/^[Rr]eport-/),
    firstRun: added(OF_FIRST_RUN),
    personalData: added(OF_PERSONAL_DATA),
    alerts: added(OF_ALERTS),
    payments: added(OF_PAYMENTS),
    breakdown: added(/^Breakdown-/),
  };
}

const OF_FIRST_RUN = /^(Files|Connections|FirstRun)-/;
const OF_PERSONAL_DATA = /^PersonalData-/;
const OF_ALERTS = /^Alerts-/;
const OF_PAYMENTS = /^Payments-/;
/** Sections that are large, or seldom opened: they have a limit each. */
const OF_THEMSELVES = new RegExp(
  [OF_FIRST_RUN, OF_PERSONAL_DATA, OF_ALERTS, OF_PAYMENTS].map(({ source }) => source).join("|"),
);
/** A script that another one cannot run without. */
const IMPORTED = /(?:\bfrom|\bimport)"\.\/([\w-]+\.js)"/g;
const IMPORTED_OR_LOADED = /(?:\bfrom|\bimport\(?)"\.\/([\w-]+\.js)"/g;

async function main(): Promise<void> {
  await build();
  const { first, ...opened } = await gzippedSizes();
  const shown = (bytes: number): string => (bytes / 1000).toFixed(1);
  const parts = Object.entries(opened).map(([name, bytes]) => `${shown(bytes)} kB for the ${name}`);
  console.log(`explorer/dist: ${shown(first)} kB gzipped, and ${parts.join(", ")}`);
  if (first > MAX_BYTES) throw new Error(`the Explorer is ${first} bytes gzipped; at most ${MAX_BYTES} are allowed`);
  for (const [name, bytes] of Object.entries(opened))
    if (bytes > MAX_OPENED_BYTES)
      throw new Error(`the ${name} is ${bytes} bytes gzipped; at most ${MAX_OPENED_BYTES} are allowed`);
}

if (process.argv[1] === import.meta.filename) await main();
