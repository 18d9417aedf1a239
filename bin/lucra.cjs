#!/usr/bin/env node
// Every running query holds a worker of libuv's pool, which is sized when it is first used: so before anything else.
process.env.UV_THREADPOOL_SIZE ??= "16";
// Instants are UTC everywhere; the engine's JSON form would otherwise follow the machine's zone.
process.env.TZ = "UTC";
// What is landed and derived is customers' data: nobody else on the machine may read it.
process.umask(0o077);

async function main() {
  const { register } = await import("tsx/esm/api");
  register();
  const cli = await import("../src/cli.ts");
  await cli.main(process.argv);
}

main();
