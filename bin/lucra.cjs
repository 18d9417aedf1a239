#!/usr/bin/env node
// Every running query holds a worker of libuv's pool, which is sized when it is first used: so before anything else.
process.env.UV_THREADPOOL_SIZE ??= "16";
// Instants are UTC everywhere; the engine's JSON form would otherwise follow the machine's zone.
process.env.TZ = "UTC";
require("tsx/esm/api").register();
import("../src/cli.ts").then((cli) => cli.main(process.argv));
