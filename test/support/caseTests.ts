import { writeFileSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect } from "chai";
import { readCases } from "../../src/documents/cases.ts";
import { byParameter, filled, UPDATES_CASES, withoutHashes } from "./cases.ts";
import type { DataFolder } from "./data.ts";
import { openService, type Service } from "./service.ts";

/** Whether a case is about what changed: its data have a history. */
export const isOfHistory = (name: string): boolean => name.startsWith("restatements/");

/** A test for each of the cases of a folder, about one organization. */
export function holdsTo(
  folder: string,
  land: () => Promise<DataFolder>,
  organization: string,
  isOne: (name: string) => boolean = () => true,
): void {
  let data: DataFolder;
  let service: Service;

  before(async () => {
    data = await land();
    service = await openService(data.config, organization);
  });

  after(async () => {
    service?.close();
    await data?.remove();
  });

  for (const [name, expected] of readCases(folder).filter(([name]) => isOne(name))) {
    it(name.replace(/\.json$/, ""), async () => {
      expect(expected.why, "why").to.be.a("string").and.not.equal("");
      const { status, body } = await service.get(expected.request);
      const actual = filled(body, expected.body);
      const same = status === expected.status && isDeepStrictEqual(byParameter(actual), byParameter(expected.body));
      if (UPDATES_CASES && !same) {
        const written = { ...expected, status, body: withoutHashes(actual) };
        writeFileSync(path.join(folder, name), `${JSON.stringify(written, null, 2)}\n`);
        return;
      }
      expect(expected, "a case without a body proves nothing: `npm run cases` writes one, to be read").to.have.property(
        "body",
      );
      expect(status).to.equal(expected.status);
      expect(byParameter(actual)).to.deep.equal(byParameter(expected.body));
    });
  }
}
