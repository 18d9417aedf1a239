// Compiles src/**/*.ts to dist/**/*.js, file by file, so that the code comes from the installation, never from a cache.
// Other files, such as pages, are copied.
import { cp, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { sources } from "./sources.cjs";

const ROOT = path.resolve(import.meta.dirname, "..");
const SRC = path.join(ROOT, "src");
const DIST = path.join(ROOT, "dist");

/** Keeps every module in a file of its own, and makes its imports name the compiled files. */
const moduleByModule = {
  name: "module-by-module",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ kind, path: imported }) =>
      kind === "entry-point" ? undefined : { path: imported.replace(/\.ts$/, ".js"), external: true },
    );
  },
};

const files = await readdir(SRC, { recursive: true });
const before = sources();
const unfinished = `${DIST}.${process.pid}`;
try {
  await cp(SRC, unfinished, { recursive: true, filter: (file) => !file.endsWith(".ts") });
  await build({
    entryPoints: files.filter((file) => file.endsWith(".ts")).map((file) => path.join(SRC, file)),
    outbase: SRC,
    outdir: unfinished,
    bundle: true,
    packages: "external",
    plugins: [moduleByModule],
    format: "esm",
    platform: "node",
    target: "node20",
    sourcemap: true,
  });
  await writeFile(path.join(unfinished, "sources.json"), before);
  await rm(DIST, { recursive: true, force: true });
  await rename(unfinished, DIST);
} finally {
  await rm(unfinished, { recursive: true, force: true });
}
