import type { Coordination, Document, DocumentOptions } from "../../src/core/coordination/coordination.ts";
import { coordinationOf, useCoordination } from "../../src/core/coordination/registry.ts";
import { OURS } from "./app.ts";
import { Platform } from "./people.ts";

/*
 * A process that adds a person by the page, and is killed at one of its writes: `node killedChange.ts <folder> <write> <cookie>`.
 * Write n is killed before it is made (2n) or after it (2n + 1).
 */

const [, , dataDir = "", at = "", cookie = ""] = process.argv;
const files = coordinationOf(dataDir);
let written = 0;

/** The write itself, with death before or after it. */
async function deadly<T>(write: () => Promise<T>): Promise<T> {
  const place = 2 * written++;
  if (Number(at) === place) process.kill(process.pid, "SIGKILL");
  const result = await write();
  if (Number(at) === place + 1) process.kill(process.pid, "SIGKILL");
  return result;
}

const counting = <T extends object>(document: Document<T>): Document<T> => ({
  current: () => document.current(),
  latest: () => document.latest(),
  read: () => document.read(),
  change: (change) => deadly(() => document.change(change)),
  remove: () => deadly(() => document.remove()),
});

const coordination: Coordination = {
  ...files,
  downSince: () => undefined,
  close: async () => {},
  documents: {
    isShared: false,
    open: <T extends object>(options: DocumentOptions<T>) => counting(files.documents.open(options)),
  },
  logs: {
    append: (name, line) => deadly(() => files.logs.append(name, line)),
    read: (name, after) => files.logs.read(name, after),
  },
};
useCoordination(dataDir, coordination);

const platform = await Platform.open({ hasMail: false }, dataDir);
const { status } = await platform
  .page("post", `/platform/organizations/${OURS}/people`, cookie)
  .set("idempotency-key", "key-of-the-killed")
  .send({ email: "bia@example.com", role: "viewer" });
process.stdout.write(JSON.stringify({ status, written }));
process.exit(0);
