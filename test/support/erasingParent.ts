import { readConfig } from "../../src/core/config.ts";
import { knownOrganizations } from "../../src/core/organizations/open.ts";
import "../../src/features/index.ts";
import { eraseCustomer } from "../../src/features/erasure/erase.ts";

/** A process that erases, and is killed after so many writes. It says how many there were if it came to its end. */
const [dataDir = "", organization = "", email = "", after = ""] = process.argv.slice(2);
const config = readConfig({ ...process.env, LUCRA_DATA_DIR: dataDir, LUCRA_THREADS: "1" });
const [settings] = await knownOrganizations(dataDir, () => {}, [organization]);
let writes = 0;
if (!settings) throw new Error(`no organization ${organization}`);
await eraseCustomer(
  config,
  settings,
  { email, with: true },
  {
    onWrite: () => {
      if (++writes === Number(after)) process.kill(process.pid, "SIGKILL");
    },
  },
);
console.log(String(writes));
