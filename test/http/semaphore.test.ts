import { Readable } from "node:stream";
import { expect } from "chai";
import type { TableFile } from "../../src/core/contract/endpoint.ts";
import type { ApiError } from "../../src/core/contract/error.ts";
import { Semaphore } from "../../src/core/http/semaphore.ts";
import {
  CONTACTS,
  FakeAnswers,
  makeApp,
  onPort,
  SECRET,
  until,
  WITHOUT_SETTINGS,
  withOrganization,
} from "../support/app.ts";

const kindOf = (work: () => unknown): string => {
  try {
    work();
    return "taken";
  } catch (error) {
    return (error as ApiError).kind;
  }
};

describe("Semaphore", () => {
  it("are limited in total and for each party, and are returned once", () => {
    const places = new Semaphore(3, 2);
    const leave = places.take(["a", "x"]);
    places.take(["a", "y"]);
    expect(kindOf(() => places.take(["a", "z"]))).to.equal("busy");
    places.take(["b", "x"]);
    expect(kindOf(() => places.take(["c", "z"]))).to.equal("busy");
    leave();
    leave();
    expect(kindOf(() => places.take(["c", "x"]))).to.equal("taken");
    expect(kindOf(() => places.take(["d", "d"]))).to.equal("busy");
  });
});

describe("An organization whose clients read their exports slowly", () => {
  it("has four open at a time, and leaves the others their places", async () => {
    let open = 0;
    const bytes = 30_000_000;
    const table = async (): Promise<TableFile> => {
      open++;
      const content = Readable.from(Array.from({ length: 30 }, () => Buffer.alloc(bytes / 30)));
      return { rows: 1, bytes, content, close: async () => void open-- };
    };
    const { app } = makeApp(new FakeAnswers(), {
      tables: { table },
      organizations: { has: async () => true, settings: async () => undefined },
    });
    await onPort(app, async (address) => {
      const stop = new AbortController();
      // An export without references is closed.
      const unread: Response[] = [];
      const ask = async (client: string, organization = ""): Promise<number> => {
        const query = `${CONTACTS}?all=true&format=csv${organization}`;
        const headers = { "x-client-id": client, "x-client-secret": SECRET };
        const response = await fetch(`${address}${withOrganization(query)}`, { headers, signal: stop.signal });
        unread.push(response);
        return response.status;
      };
      const statuses = [];
      for (let n = 0; n < 6; n++) statuses.push(await ask("good"));
      expect(statuses).to.deep.equal([200, 200, 200, 200, 503, 503]);
      expect(open).to.equal(4);
      expect(await ask("good-too", `&organizationId=${WITHOUT_SETTINGS}`), "another organization").to.equal(200);
      stop.abort();
      await until(() => open === 0);
    });
  });
});
