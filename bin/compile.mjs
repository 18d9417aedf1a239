// Compiles src and the packages that it uses to dist, in parts that are loaded when they are needed: Node opens and resolves
// hundreds of files slowly.
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { sources } from "./sources.cjs";

const ROOT = path.resolve(import.meta.dirname, "..");
const SRC = path.join(ROOT, "src");
const DIST = path.join(ROOT, "dist");

/** What cannot be bundled: native code, and packages that read files of their own. */
const SEPARATE = ["@duckdb/node-bindings*", "esbuild", "pg-native", "swagger-ui-dist"];

/**
 * A package that is loaded on demand stays as it is: bundled, one of the older module kind would lack the names of its
 * exports.
 */
const loadedOnDemand = {
  name: "loaded-on-demand",
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ kind, path: name }) =>
      kind === "dynamic-import" ? { path: name, external: true } : undefined,
    );
  },
};

/**
 * Packages that say that their modules do nothing but export, although one adds what only Node has to the classes of others:
 * without this it would be left out.
 */
const completed = {
  name: "completed",
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^apache-arrow$/ }, async ({ path: name, pluginData, ...from }) => {
      if (pluginData?.isResolved) return undefined;
      const found = await resolve(name, { ...from, pluginData: { isResolved: true } });
      return { ...found, sideEffects: true };
    });
  },
};

/** The command line, and the modules that threads and processes run. */
async function entries() {
  const files = (await readdir(SRC, { recursive: true })).filter((file) => file.endsWith(".ts"));
  const texts = await Promise.all(files.map((file) => readFile(path.join(SRC, file), "utf8")));
  const named = texts.flatMap((text) => [...text.matchAll(/\bentryOf\("([^"]+)"\)/g)].map(([, name]) => name));
  return ["cli", ...named].map((name) => path.join(SRC, `${name}.ts`));
}

/**
 * Compiles. The files of an earlier compilation stay, as processes that run may still load them. Several processes may
 * compile at once.
 */
export async function compile() {
  const before = sources();
  const unfinished = `${DIST}.${process.pid}`;
  try {
    await build({
      entryPoints: await entries(),
      outbase: SRC,
      outdir: unfinished,
      bundle: true,
      splitting: true,
      chunkNames: "parts/[name]-[hash]",
      external: SEPARATE,
      plugins: [loadedOnDemand, completed],
      // Its main file loads its parts by names that only exist at run time.
      alias: { "jsonc-parser": path.join(ROOT, "node_modules/jsonc-parser/lib/esm/main.js") },
      // Packages of the older kind load modules of Node by `require`.
      banner: {
        js: 'import { createRequire as toRequire } from "node:module";\nconst require = toRequire(import.meta.url);',
      },
      format: "esm",
      platform: "node",
      target: "node20",
      logLevel: "error",
    });
    await writeFile(path.join(unfinished, "sources.json"), before);
    const made = (await readdir(unfinished, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
    // `sources.json` says that the others are there.
    for (const { parentPath, name } of made.sort((a, b) => (a.name === "sources.json") - (b.name === "sources.json"))) {
      const into = path.join(DIST, path.relative(unfinished, parentPath));
      await mkdir(into, { recursive: true });
      await rename(path.join(parentPath, name), path.join(into, name));
    }
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  await rm(DIST, { recursive: true, force: true });
  await compile();
}
