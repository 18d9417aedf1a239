#!/usr/bin/env node
const { readdirSync, statSync } = require("node:fs");
const path = require("node:path");

// Every running query holds a worker of libuv's pool. The size is read at the first use, so it is set before all else.
process.env.UV_THREADPOOL_SIZE ??= "16";
// Instants are UTC everywhere; without this the engine would write JSON in the machine's time zone.
process.env.TZ = "UTC";
// Landed and derived files hold customers' data: no other user of the machine may read them.
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
