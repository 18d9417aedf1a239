// Loaded before the program (`node --import`): makes calls of the operating system fail in the data folder, as on a
// faulty machine. FAULT is `fsync` (the disk does not confirm), `readOnly` (nothing can be written, made, renamed or
// removed), `full` (no room for Node's writes; the engine's own writes do not pass here) or `kill` (the process is killed
// before such a change). The first FAULT_AFTER such calls succeed, all later ones fail; at the end their number is reported. FAULT_CLOCK moves the clock by so many days.
// FAULT_STOP suspends the process (SIGSTOP), once, right before it opens a file whose name begins so (`open NAME`), or
// renames a file to such a name (`rename NAME`).
import fs, { constants, promises, readlinkSync, realpathSync, writeSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";

const { FAULT, FAULT_AFTER = "0", FAULT_CLOCK, FAULT_STOP, LUCRA_DATA_DIR = "" } = process.env;

const failure = (code, call) => Object.assign(new Error(`${code}: made to fail, ${call}`), { code, syscall: call });

const folder = FAULT ? `${realpathSync(LUCRA_DATA_DIR)}${path.sep}` : "";
/** Other files that the process writes, such as compiled code, are not affected. */
const isOurs = (file) => path.resolve(String(file)).startsWith(folder);
const isOursOpen = (fd) => {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
  } catch {
    return false;
  }
};

let calls = 0;
const strikes = () => {
  const isStruck = calls++ >= Number(FAULT_AFTER);
  if (isStruck && FAULT === "kill") process.kill(process.pid, "SIGKILL");
  return isStruck;
};
if (FAULT) {
  process.on("exit", () => {
    const struck = calls > Number(FAULT_AFTER);
    writeSync(2, `fault: ${calls} calls, ${struck ? "struck" : "did not strike"}\n`);
  });
}

const handle = await promises.open(process.execPath);
const handles = Object.getPrototypeOf(handle);
await handle.close();

/** Calls on an open file. */
function ofHandles(names, code) {
  for (const name of names) {
    const call = handles[name];
    handles[name] = async function (...given) {
      if (isOursOpen(this.fd) && strikes()) throw failure(code, name);
      return call.apply(this, given);
    };
  }
}

if (FAULT === "fsync") ofHandles(["sync", "datasync"], "EIO");

if (FAULT === "kill") ofHandles(["sync", "datasync", "write", "writeFile", "truncate"], "EIO");

if (FAULT === "full") {
  ofHandles(["write", "writev", "writeFile", "appendFile"], "ENOSPC");
  for (const name of ["writeFile", "appendFile"]) {
    const call = promises[name];
    promises[name] = async (file, ...given) => {
      if (isOurs(file) && strikes()) throw failure("ENOSPC", "write");
      return call(file, ...given);
    };
  }
  // Used by streams.
  for (const name of ["write", "writev"]) {
    const call = fs[name];
    fs[name] = (fd, ...given) => {
      if (isOursOpen(fd) && strikes()) process.nextTick(given.at(-1), failure("ENOSPC", "write"));
      else call(fd, ...given);
    };
  }
}

if (FAULT === "readOnly" || FAULT === "kill") {
  const writes = (flags) =>
    typeof flags === "number" ? flags & (constants.O_WRONLY | constants.O_RDWR) : /[wa+]/.test(flags ?? "r");
  const isThere = (file) =>
    promises.lstat(file).then(
      () => true,
      () => false,
    );
  /** `changes`: a call that has nothing to do is not refused. */
  const refuse = (name, changes) => {
    const call = promises[name];
    promises[name] = async (file, ...given) => {
      if (isOurs(file) && (await changes(file, ...given)) && strikes()) throw failure("EROFS", name);
      return call(file, ...given);
    };
  };
  for (const name of ["rename", "link", "writeFile", "appendFile"]) refuse(name, () => true);
  for (const name of ["unlink", "rm", "rmdir"]) refuse(name, isThere);
  refuse("mkdir", async (file) => !(await isThere(file)));
  refuse("open", (_, flags) => writes(flags));
  const { open } = fs;
  fs.open = (file, flags, ...given) => {
    if (isOurs(file) && writes(flags) && strikes()) process.nextTick(given.at(-1), failure("EROFS", "open"));
    else open(file, flags, ...given);
  };
}

if (FAULT_CLOCK) {
  const { now } = Date;
  const moved = () => now() + Number(FAULT_CLOCK) * 86_400_000;
  globalThis.Date = new Proxy(Date, {
    get: (date, name) => (name === "now" ? moved : Reflect.get(date, name)),
    construct: (date, given) => (given.length > 0 ? new date(...given) : new date(moved())),
    apply: (date) => new date(moved()).toString(),
  });
}

if (FAULT_STOP) {
  const [name, begins] = FAULT_STOP.split(" ");
  const call = promises[name];
  let isStopped = false;
  promises[name] = (...given) => {
    const [from, to] = given;
    if (!isStopped && path.basename(String(name === "rename" ? to : from)).startsWith(begins)) {
      isStopped = true;
      process.kill(process.pid, "SIGSTOP");
    }
    return call(...given);
  };
}

syncBuiltinESMExports();
