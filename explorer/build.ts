// Builds the Explorer into explorer/dist, which the service serves. A build that fails or is too large fails the installation.

import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import type { Plugin } from "esbuild";
import { textKey } from "./src/textKey.ts";

/** Limit of the total size of the files that a browser loads, gzipped. */
export const MAX_BYTES = 150_000;

const HOME = import.meta.dirname;
const BUILT = path.join(HOME, "dist");

/** Empties the folder and builds the Explorer into it. */
export async function build(folder: string = BUILT): Promise<void> {
  const esbuild = await import("esbuild");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { metafile } = await esbuild.build({
    entryPoints: [path.join(HOME, "src", "main.tsx")],
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
  await writeFile(path.join(folder, "index.html"), withNames(page, Object.keys(metafile.outputs)));
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

/** The page with the names that its files got. */
function withNames(page: string, outputs: readonly string[]): string {
  const names = outputs.map((output) => path.basename(output));
  return page.replaceAll(/\/explorer\/main\.(js|css)/g, (_, ending: string) => {
    const name = names.find((one) => one.startsWith("main-") && one.endsWith(`.${ending}`));
    if (name === undefined) throw new Error(`the build has no main.${ending}`);
    return `/explorer/${name}`;
  });
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

/** The total size in bytes of the files that a browser loads, each gzipped. */
export async function gzippedSize(folder: string = BUILT): Promise<number> {
  const files = (await readdir(folder)).filter((name) => /\.(js|css|html|svg)$/.test(name));
  const contents = await Promise.all(files.map((name) => readFile(path.join(folder, name))));
  return contents.reduce((sum, content) => sum + gzipSync(content).length, 0);
}

async function main(): Promise<void> {
  await build();
  const bytes = await gzippedSize();
  console.log(`explorer/dist: ${(bytes / 1000).toFixed(1)} kB gzipped`);
  if (bytes > MAX_BYTES) throw new Error(`the Explorer is ${bytes} bytes gzipped; at most ${MAX_BYTES} are allowed`);
}

if (process.argv[1] === import.meta.filename) await main();
