import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import request from "supertest";
import { AURORA, type DataFolder, ROOT } from "../support/data.ts";
import { openPlatformService, type Page, type PlatformService } from "../support/platform.ts";
import { landedFixtures } from "../support/shared.ts";

const OTHER = "0aaaaaaa-0000-4000-8000-000000000009";
const ROW = /^\| `\/platform(\/organizations\/:organization\/[^`]*)` \| (\w+) \| ([^|]*) \|/;

/** Everything of an organization, with who may use it, as SECURITY.md lists it; a test holds that against the routes. */
async function listed(): Promise<{ place: string; who: string; method: string; by: string }[]> {
  const text = await readFile(path.join(ROOT, "SECURITY.md"), "utf8");
  return text.split("\n").flatMap((line) => {
    const [, place = "", who = "", methods = ""] = ROW.exec(line) ?? [];
    return methods.split(", ").flatMap((one) => {
      const [, method = "", by = who] = /^(\w+)(?: \((\w+)\))?$/.exec(one.trim()) ?? [];
      const filled = place.replace(":organization", AURORA).replaceAll(/:\w+/g, "1");
      return method ? [{ place: filled, who, method, by }] : [];
    });
  });
}

describe("Everything of an organization [D91]", function () {
  this.timeout(300_000);
  let data: DataFolder;
  let platform: PlatformService;

  before(async () => {
    data = await landedFixtures({ LUCRA_SHARE_LINKS: "on", LUCRA_PUBLIC_URL: "http://localhost:3000" });
    platform = await openPlatformService(data);
  });
  after(async () => {
    await platform.close();
    await data.remove();
  });

  const sent = async (page: Page, method: string, place: string): Promise<number> => {
    if (method === "GET") return (await page.get(place)).status;
    if (method === "POST") return (await page.post(place, {})).status;
    return (await (method === "PUT" ? page.put(place, {}, '"x"') : page.remove(place, '"x"'))).status;
  };

  it("is refused to another organization's admin, to viewers where it is an admin's, and without a session", async () => {
    const all = await listed();
    expect(all.length).to.be.greaterThan(50);
    const before = await data.text(`organizations/${AURORA}.json`);
    const [other, viewer] = [await platform.as("admin", OTHER), await platform.as("viewer")];
    let tried = 0;
    for (const { place, method, by } of all) {
      // Bytes are asked for before anything else.
      const expected = place.includes("/pieces/") ? 415 : 403;
      const attackers: [string, Page][] = [["another organization's admin", other]];
      if (by !== "viewer") attackers.push(["a viewer", viewer]);
      for (const [who, page] of attackers) {
        expect(await sent(page, method, place), `${who}: ${method} ${place}`).to.equal(expected);
        tried++;
      }
      const bare = await request(platform.service.app)
        .get(`/platform${place}`)
        .set({ host: "localhost:3000", "x-lucra-page": "1" });
      // Guesses are counted for their address.
      expect(bare.status, `nobody: ${place}`).to.be.oneOf([401, 405, 429]);
      tried++;
    }
    console.log(`      ${tried} attempts on ${all.length} methods, none let through`);
    expect(await data.text(`organizations/${AURORA}.json`)).to.equal(before);
    expect(await platform.last()).to.equal(undefined);
  });
});
