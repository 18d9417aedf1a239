import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { OURS, THEIRS } from "../support/app.ts";
import { Platform } from "../support/people.ts";

const OWN = "/platform/me/views";
const SHARED = `/platform/organizations/${OURS}/views`;
const ANA = "ana@example.com";
const VERA = "vera@example.com";
const PAGE = "overview?period=lastMonth";

describe("Saved views [D92]", () => {
  let platform: Platform;
  let admin: string;
  let viewer: string;
  let nth = 0;

  before(async () => {
    platform = await Platform.open();
    admin = await platform.signedIn(ANA, { [OURS]: "admin" });
    viewer = await platform.signedIn(VERA, { [OURS]: "viewer", [THEIRS]: "viewer" });
  });
  after(() => platform.remove());

  const adding = (place: string, cookie: string, body: object) =>
    platform.page("post", place, cookie).set("idempotency-key", `key-of-test-${++nth}`).send(body);
  const namesAt = async (place: string, cookie: string): Promise<string[]> =>
    (await platform.page("get", place, cookie)).body.data.map(({ name }: { name: string }) => name);

  it("are a person's own, in organizations that the person sees", async () => {
    const own = await adding(OWN, viewer, { organization: OURS.toUpperCase(), name: " Mês ", page: PAGE });
    expect(own.status, own.text).to.equal(200);
    expect(own.body).to.deep.include({ organization: OURS, name: "Mês", page: PAGE });
    await adding(OWN, viewer, { organization: THEIRS, name: "Outra", page: "products" });
    expect(await namesAt(`${OWN}?organization=${OURS}`, viewer)).to.deep.equal(["Mês"]);
    expect(await namesAt(OWN, viewer)).to.deep.equal(["Mês", "Outra"]);
    expect(await namesAt(OWN, admin)).to.deep.equal([]);
    expect((await platform.page("get", `${OWN}/${own.body.id}`, admin)).status).to.equal(404);
    expect((await platform.replaced("delete", `${OWN}/${own.body.id}`, admin)).status).to.equal(404);
    expect((await adding(OWN, admin, { organization: THEIRS, name: "x", page: PAGE })).status).to.equal(404);
    expect(await namesAt(SHARED, admin), "no one else's").to.deep.equal([]);
    const renamed = await platform.replaced("put", `${OWN}/${own.body.id}`, viewer, { name: "Mês passado" });
    expect(renamed.status).to.equal(200);
    expect((await platform.replaced("delete", `${OWN}/${own.body.id}`, viewer)).status).to.equal(200);
    expect(await namesAt(OWN, viewer)).to.deep.equal(["Outra"]);
  });

  it("are the organization's where an admin saved them", async () => {
    expect((await adding(SHARED, viewer, { name: "Nossa", page: PAGE })).status).to.equal(403);
    const { status, body } = await adding(SHARED, admin, { name: "Nossa", page: PAGE });
    expect(status).to.equal(200);
    expect(await namesAt(SHARED, viewer)).to.deep.equal(["Nossa"]);
    const place = `${SHARED}/${body.id}`;
    for (const method of ["put", "delete"] as const)
      expect((await platform.replaced(method, place, viewer, { name: "x" })).status, method).to.equal(403);
    expect(
      (await platform.replaced("put", `/platform/organizations/${THEIRS}/views/${body.id}`, viewer, { name: "x" }))
        .status,
    ).to.equal(403);
    const log = (await platform.page("get", `/platform/organizations/${OURS}/log`, admin)).body.data[0];
    expect(log).to.deep.include({ what: "views.add", person: ANA, after: { name: "Nossa" } });
    expect((await platform.replaced("delete", place, admin)).status).to.equal(200);
    expect(await namesAt(SHARED, viewer)).to.deep.equal([]);
  });

  it("lead nowhere but into the Explorer, and keep no e-mail address", async () => {
    for (const page of [
      "//evil.example.com",
      "javascript:alert(1)",
      "https://evil.example.com",
      "overview#share=x",
      "Overview",
      "overview?a=1 2",
      `sql?query=${"x".repeat(2_000)}`,
      "sql?query=select+1+where+email='a@b.c'",
      "sql?query=a%2540b.c",
    ])
      expect((await adding(OWN, viewer, { organization: OURS, name: "x", page })).status, page).to.equal(400);
    for (const name of ["", "  ", "y".repeat(101), "maria@example.com"])
      expect((await adding(OWN, viewer, { organization: OURS, name, page: PAGE })).status, name).to.equal(400);
  });

  it("are kept with the people, and go with the role", async () => {
    const eva = await platform.signedIn("eva@example.com", { [OURS]: "admin", [THEIRS]: "viewer" });
    await adding(OWN, eva, { organization: OURS, name: "A", page: PAGE });
    await adding(OWN, eva, { organization: THEIRS, name: "B", page: PAGE });
    await adding(SHARED, eva, { name: "Da loja", page: PAGE });
    await platform.people.add("new@example.com", { organizations: [OURS], role: "viewer" });
    expect(await namesAt(OWN, eva), "after another change of the people").to.deep.equal(["A", "B"]);
    await platform.people.remove("eva@example.com", OURS);
    await platform.people.add("eva@example.com", { organizations: [OURS], role: "viewer" });
    expect(await namesAt(OWN, eva)).to.deep.equal(["B"]);
    expect(await namesAt(SHARED, admin), "what she made for all stays").to.deep.equal(["Da loja"]);
  });

  it("are at most 100, also of the operator at the machine", async () => {
    const local = await platform.sessionOf("local");
    const file = path.join(platform.dataDir, "people.json");
    const content = JSON.parse(await readFile(file, "utf8"));
    const views = Array.from({ length: 100 }, (_, n) => ({ id: `${n}`, organization: OURS, name: `${n}`, page: PAGE }));
    const own = views.map((view) => ({ ...view, person: "local" }));
    await writeFile(file, JSON.stringify({ ...content, views: [...content.views, ...own] }));
    expect((await adding(OWN, local, { organization: OURS, name: "x", page: PAGE })).status).to.equal(409);
  });
});
