import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import type { Change, Resource } from "../../src/features/platform/resource.ts";
import { ROOT } from "../support/data.ts";

// biome-ignore lint/suspicious/noExplicitAny: in the place of whatever a feature asks for; it is only declared here.
const anything: any = new Proxy(() => anything, { get: () => anything });

/** The resources that all features declare. */
async function declared(): Promise<Resource[]> {
  const features = path.join(ROOT, "src", "features");
  const files = (await readdir(features, { recursive: true })).filter((file) => /(^|\/)resources\.ts$/.test(file));
  const found: Resource[] = [];
  for (const file of files.sort()) {
    const exported: Record<string, unknown> = await import(path.join(features, file));
    for (const [name, make] of Object.entries(exported))
      if (name.endsWith("Resources") && typeof make === "function") found.push(...make(anything));
  }
  return found;
}

function rowOf({ path: address, who, read, add, replace, remove }: Resource): string {
  const changes: readonly [string, Change | undefined][] = [
    ["POST", add],
    ["PUT", replace],
    ["DELETE", remove],
  ];
  const made = changes.filter(([, change]) => change);
  const recent = made.filter(([, change]) => change?.isRecent).map(([method]) => method);
  const of = (change: Change | undefined): string => (change?.who ? ` (${change.who})` : "");
  const methods = [...(read ? ["GET"] : []), ...made.map(([method, change]) => method + of(change))];
  return `| \`${address}\` | ${who} | ${methods.join(", ")} | ${recent.join(", ")} |`.replaceAll("|  |", "| |");
}

describe("SECURITY.md", () => {
  it("says who may do what as the resources declare it", async () => {
    const rows = (await declared()).map(rowOf).sort();
    expect(rows.length).to.be.above(8);
    const text = await readFile(path.join(ROOT, "SECURITY.md"), "utf8");
    const written = text.split("\n").filter((line) => line.startsWith("| `/platform/"));
    expect(written, `expected:\n${rows.join("\n")}\n`).to.deep.equal(rows);
  });
});
