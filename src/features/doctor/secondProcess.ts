import { lockIfFree } from "../../core/engine/lock.ts";
import { writeWhole } from "../../core/files/durable.ts";

/*
 * The other process of `storage.ts`: tries to take a lock that is held, then replaces a file. Prints whether it got the
 * lock.
 */
const [lock = "", file = "", content = ""] = process.argv.slice(2);
const release = await lockIfFree(lock);
await writeWhole(file, content);
console.log(release ? "taken" : "refused");
await release?.();
