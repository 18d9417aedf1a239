// Loaded before the program (`node --import`): makes calls of the operating system fail as a bad machine would.
// FAULT is `fsync` (the disk does not confirm) or `readOnly` (nothing can be written, made, renamed or removed).
import { constants, promises } from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const failure = (code, call) => Object.assign(new Error(`${code}: made to fail, ${call}`), { code, syscall: call });

if (process.env.FAULT === "fsync") {
  const handle = await promises.open(process.execPath);
  Object.getPrototypeOf(handle).sync = async () => {
    throw failure("EIO", "fsync");
  };
  await handle.close();
}

if (process.env.FAULT === "readOnly") {
  const refuse = (call) => async () => {
    throw failure("EROFS", call);
  };
  for (const call of ["rename", "link", "unlink", "writeFile"]) promises[call] = refuse(call);
  const { mkdir, open } = promises;
  // What is there already need not be made.
  promises.mkdir = async (folder, options) => {
    const there = await promises.stat(folder).catch(() => undefined);
    if (!there) throw failure("EROFS", "mkdir");
    return mkdir(folder, options);
  };
  promises.open = async (file, flags, mode) => {
    const writes =
      typeof flags === "number" ? flags & (constants.O_WRONLY | constants.O_RDWR) : /[wa+]/.test(flags ?? "r");
    if (writes) throw failure("EROFS", "open");
    return open(file, flags, mode);
  };
}

syncBuiltinESMExports();
