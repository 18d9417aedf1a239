#!/usr/bin/env node
const { readdirSync, statSync } = require("node:fs");
const path = require("node:path");

// Every running query holds a worker of libuv's pool, which is sized when it is first used: so before anything else.
process.env.UV_THREADPOOL_SIZE ??= "16";
// Instants are UTC everywhere; the engine's JSON form would otherwise follow the machine's zone.
process.env.TZ = "UTC";
// What is landed and derived is customers' data: nobody else on the machine may read it.
process.umask(0o077);

const SRC = path.join(__dirname, "..", "src");
const DIST = path.join(__dirname, "..", "dist");

/** Whether nothing has changed since `npm run build`, which `npm ci` runs too. */
function isCompiled() {
  const compiled = statSync(DIST, { throwIfNoEntry: false });
  if (!compiled) return false;
  return readdirSync(SRC, { recursive: true }).every(
    (file) => statSync(path.join(SRC, file)).mtimeMs <= compiled.mtimeMs,
  );
}

async function fromSource() {
  await import("./typescript.mjs");
  return import("../src/cli.ts");
}

async function start() {
  const { main } = await (isCompiled() ? import("../dist/cli.js") : fromSource());
  await main(process.argv);
}

start();
