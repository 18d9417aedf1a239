import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { Credentials } from "../../src/core/access/credentials.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { AURORA, DataFolder, exportsOf, STOREA, storeaOrder } from "../support/data.ts";
import { TestStorage } from "../support/objects.ts";
import { occurrences } from "../support/occurrences.ts";
import { type Serving, startServing } from "../support/serving.ts";
import { SHOP } from "../support/syncs.ts";

const WHO = "maria.souza@example.com";

describe("An erasure with replicas over a storage", function () {
  this.timeout(300_000);

  it("leaves the storage, and a replica that nobody asks, only what lacks the customer [D98]", async () => {
    const storage = await TestStorage.start();
    const writer = await DataFolder.empty();
    const copy = await DataFolder.empty();
    let replica: Serving | undefined;
    try {
      await writer.settings(SHOP);
      const order = (id: string, email: string): object => ({
        ...storeaOrder({ id, value: 10, email }),
        followUpEmail: email,
      });
      await writer.write(
        `${exportsOf(STOREA, "orders")}/a.json`,
        JSON.stringify([order("a", WHO), order("b", "x@example.com")]),
      );
      const key = await new Credentials(writer.path).create({ organizations: [AURORA], name: "test" });
      const lucra = async (...args: string[]): Promise<void> => {
        const { status, stderr } = await writer.lucra(args, storage.environment);
        expect(status, stderr).to.equal(0);
      };
      await lucra("sync");
      replica = await startServing(copy, ["--read-only"], undefined, storage.environment);
      const rows = async (more = ""): Promise<string> => {
        const response = await fetch(
          `http://127.0.0.1:${replica?.port}/v1/storea/orders?organizationId=${AURORA}${more}`,
          {
            headers: { "x-client-id": key.client_id, "x-client-secret": key.client_secret },
          },
        );
        return response.text();
      };
      expect(await rows()).to.include(WHO);
      // An earlier state, which is kept for a pin, is in the copy too.
      await lucra("pins", "create", "--organization", AURORA, "--name", "antes");
      expect(await rows("&knownAt=antes")).to.include(WHO);
      const home = foldersOf(copy.path, AURORA).mart;
      expect(await occurrences(home, WHO)).to.not.deep.equal({});
      expect(await occurrences(storage.folder, WHO)).to.not.deep.equal({});
      await lucra("customers", "erase", "--organization", AURORA, "--email", WHO, "--yes");
      expect(await occurrences(storage.folder, WHO)).to.deep.equal({});
      const generations = async (): Promise<string[]> =>
        (await readdir(home)).filter((name) => /gen=|state=/.test(name));
      for (let n = 0; n < 50 && (await generations()).join() !== "gen=000002"; n++) await sleep(200);
      expect(await occurrences(home, WHO)).to.deep.equal({});
      expect(await generations()).to.deep.equal(["gen=000002"]);
      const after = await rows();
      expect(after).to.include("x@example.com").and.not.include(WHO);
    } finally {
      await replica?.stop();
      await storage.stop();
      await Promise.all([writer.remove(), copy.remove()]);
    }
  });
});
