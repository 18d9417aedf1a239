// Builds the Explorer into explorer/dist, which the service serves. As `npm ci` calls it, it is left unbuilt where the
// development dependencies were left out; a build that fails, or is too large, fails the installation.

import { copyFile, mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";

/** What a browser may have to load, gzipped, all in all. */
export const MOST_BYTES = 500_000;

const HOME = import.meta.dirname;
export const BUILT = path.join(HOME, "dist");

async function build(): Promise<void> {
  const esbuild = await import("esbuild");
  await rm(BUILT, { recursive: true, force: true });
  await mkdir(BUILT, { recursive: true });
  await esbuild.build({
    entryPoints: [path.join(HOME, "src", "main.tsx")],
    outdir: BUILT,
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    minify: true,
    chunkNames: "[name]-[hash]",
    legalComments: "linked",
    jsx: "automatic",
    jsxImportSource: "preact",
    logLevel: "warning",
  });
  for (const file of ["index.html", "icon.svg"]) await copyFile(path.join(HOME, file), path.join(BUILT, file));
}

/** Bytes of what a browser loads, each file gzipped. */
export async function gzippedSize(): Promise<number> {
  const files = (await readdir(BUILT)).filter((name) => /\.(js|css|html|svg)$/.test(name));
  const contents = await Promise.all(files.map((name) => readFile(path.join(BUILT, name))));
  return contents.reduce((sum, content) => sum + gzipSync(content).length, 0);
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}

async function main(): Promise<void> {
  const missing = ["esbuild", "preact", "@preact/signals", "echarts/core"].filter((name) => !isInstalled(name));
  if (missing.length > 0 && process.argv.includes("--if-possible")) {
    console.log(`The Explorer was not built: ${missing.join(", ")} not installed.`);
    return;
  }
  await build();
  const bytes = await gzippedSize();
  console.log(`explorer/dist: ${(bytes / 1000).toFixed(1)} kB gzipped`);
  if (bytes > MOST_BYTES) throw new Error(`the Explorer is ${bytes} bytes gzipped; at most ${MOST_BYTES} are allowed`);
}

if (process.argv[1] === import.meta.filename) await main();
