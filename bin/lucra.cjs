#!/usr/bin/env node
const { readFileSync } = require("node:fs");
const path = require("node:path");
const { sources } = require("./sources.cjs");

// Every running query holds a worker of libuv's pool. The size is read at the first use, so it is set before all else.
process.env.UV_THREADPOOL_SIZE ??= "16";
// Instants are UTC everywhere; without this the engine would write JSON in the machine's time zone.
process.env.TZ = "UTC";
// Landed and derived files hold customers' data: no other user of the machine may read them.
process.umask(0o077);

const COMPILED = path.join(__dirname, "..", "dist", "sources.json");

/** Whether the sources have not changed since they were compiled, as `npm ci` does. */
function isCompiled() {
  try {
    return readFileSync(COMPILED, "utf8") === sources();
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return false;
  }
}

async function start() {
  // A change always takes effect.
  if (!isCompiled()) await (await import("./compile.mjs")).compile();
  const { main } = await import("../dist/cli.js");
  await main(process.argv);
}

start();
