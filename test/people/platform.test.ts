import { appendFile, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import type { Test } from "supertest";
import request from "supertest";
import { OURS, THEIRS } from "../support/app.ts";
import { PAGE, Platform, partsOf } from "../support/people.ts";

const PEOPLE = `/platform/organizations/${OURS}/people`;
const LOG = `/platform/organizations/${OURS}/log`;
const ANA = "ana@example.com";
const BIA = "bia@example.com";
const KEY = "idempotency-key";

describe("The platform [D91]", () => {
  let platform: Platform;
  let admin: string;
  let nth = 0;

  beforeEach(async () => {
    platform = await Platform.open();
    admin = await platform.signedIn(ANA, { [OURS]: "admin" });
  });
  afterEach(() => platform.remove());

  const adding = (cookie = admin, email = BIA, role = "viewer", of = platform): Test =>
    of.page("post", PEOPLE, cookie).set(KEY, `key-of-test-${++nth}`).send({ email, role });
  const rolesOf = async (email: string) => (await platform.people.find(email))?.roles;
  const logOf = async (name = OURS): Promise<Record<string, unknown>[]> =>
    (await readFile(path.join(platform.dataDir, "audit", `${name}.ndjson`), "utf8").catch(() => ""))
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));

  describe("answers only", () => {
    it("sessions of people: 401 without one, 403 with that of a key", async () => {
      expect((await platform.page("get", PEOPLE)).status).to.equal(401);
      expect((await adding("")).status).to.equal(401);
      expect((await platform.page("get", PEOPLE, `lucra_session=${"A".repeat(43)}`)).status).to.equal(401);
      const { client_id, client_secret } = await platform.credentials.create({ organizations: [OURS], name: "" });
      const { token } = await platform.sessions.start(client_id, client_secret);
      for (const answer of [
        await platform.page("get", "/platform/me", `lucra_session=${token}`),
        await adding(`lucra_session=${token}`),
      ]) {
        expect(answer.status).to.equal(403);
        expect(answer.body).to.include({ kind: "keyOnlyReads" });
      }
      const withKey = await platform
        .page("get", PEOPLE)
        .set({ "x-client-id": client_id, "x-client-secret": client_secret });
      expect(withKey.status, "a key itself is no session").to.equal(401);
      expect(await logOf()).to.deep.equal([]);
    });

    it("admins of the organization, or operators, and viewers what is their own", async () => {
      const viewer = await platform.signedIn("vera@example.com", { [OURS]: "viewer" });
      const other = await platform.signedIn("otto@example.com", { [THEIRS]: "admin" });
      // A person of both organizations, admin of the other one alone.
      const both = await platform.signedIn("bob@example.com", { [OURS]: "viewer", [THEIRS]: "admin" });
      for (const cookie of [viewer, other, both]) {
        for (const answer of [
          await platform.page("get", PEOPLE, cookie),
          await platform.page("get", LOG, cookie),
          await adding(cookie),
          await platform.replaced("put", `${PEOPLE}/${ANA}`, cookie, { role: "viewer" }),
          await platform.replaced("delete", `${PEOPLE}/${ANA}`, cookie),
        ]) {
          expect(answer.status).to.equal(403);
          expect(answer.body.kind).to.equal("notAllowed");
          expect(answer.body.message).to.include("administradores");
        }
        expect((await platform.page("get", "/platform/me", cookie)).status).to.equal(200);
      }
      const none = await platform.page(
        "get",
        `/platform/organizations/0aaaaaaa-0000-4000-8000-00000000000f/people`,
        admin,
      );
      expect(none.body.kind, "one that does not exist answers the same").to.equal("notAllowed");
      const operator = await platform.signedIn("op@example.com", {}, true);
      expect((await platform.page("get", PEOPLE, operator)).status).to.equal(200);
      expect(await rolesOf(ANA)).to.deep.equal({ [OURS]: "admin" });
      expect(await logOf()).to.deep.equal([]);
    });

    it("the own organization of a person whom two share: the other's role stays unseen and unchanged", async () => {
      await platform.people.add("bob@example.com", { organizations: [OURS, THEIRS], role: "viewer" });
      const listed = await platform.page("get", PEOPLE, admin);
      expect(listed.body.data).to.deep.equal([
        { email: ANA, role: "admin" },
        { email: "bob@example.com", role: "viewer" },
      ]);
      expect(listed.text).to.not.include(THEIRS);
      expect((await platform.replaced("put", `${PEOPLE}/bob@example.com`, admin, { role: "admin" })).status).to.equal(
        200,
      );
      expect(await rolesOf("bob@example.com")).to.deep.equal({ [OURS]: "admin", [THEIRS]: "viewer" });
      const bob = await platform.sessionOf("bob@example.com");
      expect((await platform.replaced("delete", `${PEOPLE}/bob@example.com`, admin)).status).to.equal(200);
      expect(await rolesOf("bob@example.com")).to.deep.equal({ [THEIRS]: "viewer" });
      expect((await platform.page("get", "/platform/me", bob)).body.roles, "at once").to.deep.equal({
        [THEIRS]: "viewer",
      });
    });

    it("a role that holds when the change's turn comes", async () => {
      await platform.people.add(BIA, { organizations: [OURS], role: "admin" });
      const bia = await platform.sessionOf(BIA);
      const answers = await Promise.all([
        platform.replaced("put", `${PEOPLE}/${BIA}`, admin, { role: "viewer" }).then((test) => test),
        platform.replaced("put", `${PEOPLE}/${ANA}`, bia, { role: "viewer" }).then((test) => test),
      ]);
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 403]);
      expect(Object.values({ ...(await rolesOf(ANA)), b: (await rolesOf(BIA))?.[OURS] }).sort()).to.deep.equal([
        "admin",
        "viewer",
      ]);
    });
  });

  describe("takes changes only from its own page", () => {
    const refusedAs = async (test: Test, status: number, kind: string, why = ""): Promise<void> => {
      const answer = await test;
      expect(answer.status, why).to.equal(status);
      expect(answer.body.kind, why).to.equal(kind);
    };

    it("by the page's header and its Origin", async () => {
      await refusedAs(adding().unset("x-lucra-page"), 403, "notFromPage", "no header");
      await refusedAs(adding().unset("x-lucra-page").set("sec-fetch-site", "same-origin"), 403, "notFromPage");
      await refusedAs(adding().unset("origin"), 403, "notFromPage", "no Origin");
      for (const origin of [
        "https://evil.example.com",
        "https://lucra.example.com.evil.com",
        "https://lucra.example.com:8443",
        "http://lucra.example.com",
        "null",
        "",
        `${PAGE}/`,
      ])
        await refusedAs(adding().set("origin", origin), 403, "notFromPage", origin);
      await refusedAs(
        adding().unset("x-lucra-page").set("sec-fetch-site", "cross-site"),
        403,
        "notFromPage",
        "another site",
      );
      expect(await rolesOf(BIA)).to.equal(undefined);
      expect((await adding()).status).to.equal(200);
    });

    it("as JSON: no form and no plain text of another page", async () => {
      for (const type of [
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/plain",
        "text/plain; application/json",
        "application/jsonp",
        "",
      ])
        await refusedAs(
          platform
            .page("post", PEOPLE, admin)
            .set({ [KEY]: "key-of-test", "content-type": type })
            .send(JSON.stringify({ email: BIA, role: "viewer" })),
          415,
          "notJson",
          type,
        );
      const form = await request(platform.made.app)
        .post(PEOPLE)
        .set({ cookie: admin, origin: PAGE, [KEY]: "key-of-test" })
        .type("form")
        .send({ email: BIA, role: "viewer" });
      expect(form.status, "a form has no header of the page").to.equal(403);
      expect(await rolesOf(BIA)).to.equal(undefined);
    });

    it("and reads only for it: without header and Sec-Fetch-Site the cookie means nothing", async () => {
      const plain = (): Test => request(platform.made.app).get(PEOPLE).set("cookie", admin);
      expect((await plain()).status).to.equal(401);
      expect((await plain().set("sec-fetch-site", "same-site")).status).to.equal(401);
      expect((await plain().set("sec-fetch-site", "same-origin")).status).to.equal(200);
    });

    it("sends no permission for other pages", async () => {
      const preflight = await request(platform.made.app)
        .options(PEOPLE)
        .set({ origin: "https://evil.example.com", "access-control-request-method": "POST" });
      expect(preflight.status).to.equal(405);
      for (const name of Object.keys(preflight.headers)) expect(name).to.not.match(/^access-control/);
    });
  });

  it("without LUCRA_PUBLIC_URL answers at names of this machine alone", async () => {
    const local = await Platform.open({ hasPublicUrl: false });
    const cookie = await local.signedIn(ANA, { [OURS]: "admin" });
    try {
      for (const host of ["lucra.example.com", "localhost.evil.com", "127.0.0.1.nip.io", "10.0.0.1:3000"]) {
        for (const answer of [
          await local.page("get", PEOPLE, cookie).set("host", host),
          await local
            .page("post", "/platform/sign-in")
            .set({ host, origin: `http://${host}` })
            .send({ email: ANA }),
          await adding(cookie, BIA, "viewer", local).set({ host, origin: `http://${host}` }),
        ])
          expect(answer.body, host).to.include({ kind: "elsewhere" });
      }
      for (const host of ["localhost:3000", "127.0.0.1:3000", "[::1]:3000"])
        expect((await local.page("get", PEOPLE, cookie).set("host", host)).status, host).to.equal(200);
      const port = await adding(cookie, BIA, "viewer", local).set("origin", "http://localhost:5173");
      expect(port.body.kind, "another program of this machine").to.equal("notFromPage");
      expect((await adding(cookie, BIA, "viewer", local)).status).to.equal(200);
    } finally {
      await local.remove();
    }
  });

  it("with LUCRA_PLATFORM=off does not exist", async () => {
    const off = await Platform.open({ isOff: true });
    try {
      for (const answer of [
        await off.page("get", "/platform/me"),
        await off.page("get", PEOPLE),
        await off.page("get", "/platform"),
      ])
        expect(answer.status).to.equal(404);
      expect((await off.page("get", "/explorer/session")).body.signIn).to.equal(null);
    } finally {
      await off.remove();
    }
  });

  it("of a service that writes nothing answers GET, and says of changes and sign-ins who takes them", async () => {
    const reading = await Platform.open({ readOnly: true }, platform.dataDir);
    expect((await reading.page("get", PEOPLE, admin)).status, "the writer's session").to.equal(200);
    for (const answer of [
      await adding(admin, BIA, "viewer", reading),
      await adding("", BIA, "viewer", reading),
      await reading.page("post", "/platform/sign-in").send({ email: ANA }),
      await reading.page("post", "/platform/sign-in/enter").send({ token: "A".repeat(43) }),
    ]) {
      expect(answer.status).to.equal(403);
      expect(answer.body.kind).to.equal("onlyReading");
      expect(answer.body.message).to.include("grava");
    }
    const { client_id: clientId, client_secret: clientSecret } = await platform.credentials.create({
      organizations: [OURS],
      name: "",
    });
    const before = await platform.written();
    const key = await reading.page("post", "/explorer/session").send({ clientId, clientSecret });
    expect(key.status, "a key signs in, in memory").to.equal(200);
    expect(await platform.written()).to.equal(before);
  });

  it("answers other methods with those that it has", async () => {
    for (const [method, address, allow] of [
      ["put", PEOPLE, "GET, HEAD, POST"],
      ["delete", PEOPLE, "GET, HEAD, POST"],
      ["post", `${PEOPLE}/${ANA}`, "GET, HEAD, PUT, DELETE"],
      ["post", LOG, "GET, HEAD"],
      ["put", "/platform/me", "GET, HEAD"],
    ] as const) {
      const { status, headers, body } = await platform.page(method, address, admin).send({});
      expect([status, headers.allow, body.kind], `${method} ${address}`).to.deep.equal([
        405,
        allow,
        "methodNotAllowed",
      ]);
    }
    const patch = await request(platform.made.app).patch(PEOPLE).set("cookie", admin);
    expect(patch.status).to.equal(405);
    expect((await platform.page("get", "/platform/nothing", admin)).body).to.include({ kind: "notFound" });
    expect((await platform.page("get", "/platform/organizations/%ff/people", admin)).status).to.be.oneOf([400, 404]);
  });

  it("answers HEAD as GET, without the text", async () => {
    const [get, head] = [await platform.page("get", PEOPLE, admin), await platform.page("head", PEOPLE, admin)];
    expect([head.status, head.headers.etag]).to.deep.equal([200, get.headers.etag]);
    expect(head.text ?? "").to.equal("");
    expect(get.headers["cache-control"]).to.equal("no-store");
  });

  it("asks for the tag of what is replaced, and returns what is there if it changed meanwhile", async () => {
    const one = `${PEOPLE}/${ANA}`;
    await platform.people.add(BIA, { organizations: [OURS], role: "admin" });
    const missing = await platform.page("put", one, admin).send({ role: "admin" });
    expect([missing.status, missing.body.kind]).to.deep.equal([428, "tagMissing"]);
    expect((await platform.page("delete", one, admin)).status).to.equal(428);
    const { headers } = await platform.page("get", one, admin);
    await platform.people.add(ANA, { organizations: [OURS], role: "viewer" });
    const bia = await platform.sessionOf(BIA);
    const late = await platform.page("put", one, bia).set("if-match", String(headers.etag)).send({ role: "admin" });
    expect([late.status, late.body.kind]).to.deep.equal([412, "changed"]);
    expect(late.body.present).to.deep.equal({ email: ANA, role: "viewer" });
    const again = await platform
      .page("put", one, bia)
      .set("if-match", String(late.headers.etag))
      .send({ role: "admin" });
    expect(again.status).to.equal(200);
    expect(again.headers.etag).to.equal(headers.etag);
    for (const tag of ["*", `W/${headers.etag}`, '"none"'])
      expect((await platform.page("delete", one, bia).set("if-match", tag)).status, tag).to.equal(412);
  });

  it("does once what is sent twice, and shows no secret again", async () => {
    const bare = await Platform.open({ hasMail: false });
    const cookie = await bare.signedIn(ANA, { [OURS]: "admin" });
    const post = (key: string, email = BIA): Test =>
      bare.page("post", PEOPLE, cookie).set(KEY, key).send({ email, role: "viewer" });
    try {
      const [first, second] = [await post("the-first-key"), await post("the-first-key")];
      expect(first.body).to.have.keys("invited", "link", "code");
      expect(second.body).to.deep.equal({ invited: false, isRepeated: true });
      const lines = (await readFile(path.join(bare.dataDir, "audit", `${OURS}.ndjson`), "utf8")).trim().split("\n");
      expect(lines).to.have.lengthOf(2);
      const eve = await bare.signedIn("eve@example.com", { [OURS]: "admin" });
      const others = await bare.page("post", PEOPLE, eve).set(KEY, "the-first-key").send({ email: BIA, role: "admin" });
      expect(others.body.isRepeated, "a key of somebody else's").to.equal(undefined);
      for (const key of ["", "short", "a b c d e f g h", "x".repeat(65)])
        expect((await post(key)).body.kind, key).to.equal("keyMissing");
      const all = await Promise.all(Array.from({ length: 4 }, () => post("at-the-same-time", "c@example.com")));
      expect(all.filter(({ body }) => body.isRepeated === true)).to.have.lengthOf(3);
    } finally {
      await bare.remove();
    }
  });

  it("says of a repeated request that was interrupted that it was", async () => {
    const sent = adding();
    await sent;
    const file = path.join(platform.dataDir, "audit", `${OURS}.ndjson`);
    const [first = ""] = (await readFile(file, "utf8")).split("\n");
    const begun = { ...JSON.parse(first), id: "another-one" };
    await appendFile(file, `${JSON.stringify(begun)}\n`);
    const again = await platform
      .page("post", PEOPLE, admin)
      .set(KEY, `key-of-test-${nth}`)
      .send({ email: BIA, role: "viewer" });
    expect([again.status, again.body.kind]).to.deep.equal([409, "interrupted"]);
    const { body } = await platform.page("get", LOG, admin);
    expect(body.data[0]).to.include({ id: "another-one", what: "people.add" });
    expect(body.data[0]).to.not.have.property("outcome");
  });

  it("asks for a recent sign-in for people, and goes on after it", async () => {
    platform.now += 12 * 3_600_000 + 1;
    expect((await platform.page("get", "/platform/me", admin)).body.isRecent).to.equal(false);
    const refused = await adding();
    expect([refused.status, refused.body.kind]).to.deep.equal([403, "signInAgain"]);
    expect((await platform.replaced("put", "/platform/me/language", admin, { language: "en" })).status).to.equal(200);
    expect((await adding(await platform.sessionOf(ANA))).status).to.equal(200);
  });

  it("refuses bodies that are too large, no JSON, or not what the change takes", async () => {
    const sent = (body: string): Test =>
      platform.page("post", PEOPLE, admin).set(KEY, `key-of-test-${++nth}`).send(body);
    expect((await sent(JSON.stringify({ email: "x".repeat(70_000), role: "viewer" })).ok(() => true)).status).to.equal(
      413,
    );
    for (const body of [
      "",
      "{",
      "null",
      "[]",
      '{"email":"bia@example.com"}',
      '{"email":"bia@example.com","role":"owner"}',
      '{"email":"bia@example.com","role":"viewer","operator":true}',
      '{"email":"bia@example.com","role":"viewer","__proto__":{"operator":true}}',
      '{"email":["bia@example.com"],"role":"viewer"}',
      '{"email":"local","role":"admin"}',
      '{"email":"bia@example.com\\r\\nbcc: eve@example.com","role":"viewer"}',
    ])
      expect((await sent(body)).status, body).to.equal(400);
    expect(await rolesOf(BIA)).to.equal(undefined);
    expect((await logOf()).filter(({ outcome }) => outcome === "done")).to.deep.equal([]);
  });

  it("speaks the language that is asked for", async () => {
    const messageIn = async (language: string): Promise<string> =>
      (await platform.page("get", PEOPLE).set("accept-language", language)).body.message;
    expect(await messageIn("en-US,en;q=0.9")).to.equal("Sign in to go on.");
    for (const language of ["pt-BR", "de", "", "pt;q=1, en;q=0.5"])
      expect(await messageIn(language), language).to.equal("Entre para continuar.");
  });

  describe("keeps a log", () => {
    it("of every change: a line before it, and its outcome after it", async () => {
      await adding();
      await platform.replaced("put", `${PEOPLE}/${BIA}`, admin, { role: "admin" });
      await platform.replaced("delete", `${PEOPLE}/${BIA}`, admin);
      const lines = await logOf();
      expect(lines.map(({ what, outcome }) => what ?? outcome)).to.deep.equal([
        "people.add",
        "done",
        "people.role",
        "done",
        "people.remove",
        "done",
      ]);
      const [added, , changed, , removed] = lines;
      expect(added).to.deep.include({ person: ANA, after: { email: BIA, role: "viewer" } });
      expect(changed).to.deep.include({
        before: { email: BIA, role: "viewer" },
        after: { email: BIA, role: "admin" },
      });
      expect(removed).to.deep.include({ before: { email: BIA, role: "admin" } });
      for (const line of lines) expect(String(line.at)).to.match(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    });

    it("with why a change failed, and nothing of what was refused before", async () => {
      const refused = await platform.replaced("delete", `${PEOPLE}/${ANA}`, admin);
      expect([refused.status, refused.body.kind]).to.deep.equal([409, "conflict"]);
      expect(refused.body.message).to.include("último administrador");
      const demoted = await platform.replaced("put", `${PEOPLE}/${ANA}`, admin, { role: "viewer" });
      expect(demoted.status).to.equal(409);
      expect((await adding(admin, ANA, "viewer")).status, "nor by adding again").to.equal(409);
      expect((await logOf()).filter(({ outcome }) => outcome).map(({ outcome }) => outcome)).to.deep.equal([
        "failed",
        "failed",
        "failed",
      ]);
      expect((await platform.page("get", LOG, admin)).body.data).to.have.lengthOf(3);
    });

    it("without secrets, in files of Lucra's own user", async () => {
      const bare = await Platform.open({ hasMail: false });
      const cookie = await bare.signedIn(ANA, { [OURS]: "admin" });
      try {
        const { body } = await bare
          .page("post", PEOPLE, cookie)
          .set(KEY, "key-of-test")
          .send({ email: BIA, role: "viewer" });
        const [, token = ""] = /#signin=([\w-]{43})$/.exec(body.link) ?? [];
        expect(token).to.have.lengthOf(43);
        const written = await bare.written();
        for (const secret of [token, body.code, cookie.split("=")[1] ?? "", "key-of-test"])
          expect(written).to.not.include(secret);
        const folder = path.join(bare.dataDir, "audit");
        expect((await stat(folder)).mode & 0o777).to.equal(0o700);
        expect((await stat(path.join(folder, `${OURS}.ndjson`))).mode & 0o777).to.equal(0o600);
      } finally {
        await bare.remove();
      }
    });

    it("of an organization for its admins, newest first, in pages; what a body adds to a removal is not in it", async () => {
      for (let n = 0; n < 5; n++) await adding(admin, `p${n}@example.com`);
      const page = (query: string): Test => platform.page("get", `${LOG}${query}`, admin);
      const first = await page("?limit=2");
      expect(first.body.data.map(({ after }: { after: { email: string } }) => after.email)).to.deep.equal([
        "p4@example.com",
        "p3@example.com",
      ]);
      expect(first.body.hasMore).to.equal(true);
      const next = await page(`?limit=100&before=${first.body.data[1].id}`);
      expect(next.body.data).to.have.lengthOf(3);
      expect(next.body.hasMore).to.equal(false);
      for (const entry of [...first.body.data, ...next.body.data])
        expect(entry).to.have.keys("id", "at", "person", "organization", "what", "after", "outcome");
      await platform.replaced("delete", `${PEOPLE}/p0@example.com`, admin, { password: "hunter2" });
      expect(await platform.written()).to.not.include("hunter2");
    });

    it("whose last line a crash has cut: the next one is whole, and the cut one counts for nothing", async () => {
      await adding();
      await appendFile(path.join(platform.dataDir, "audit", `${OURS}.ndjson`), '{"id":"cut","at":"20');
      await adding(admin, "c@example.com");
      const { body } = await platform.page("get", LOG, admin);
      expect(body.data.map(({ outcome }: { outcome: string }) => outcome)).to.deep.equal(["done", "done"]);
    });
  });

  it("invites by mail without showing the link, and answers the same of addresses that are known", async () => {
    await platform.people.add("known@example.com", { organizations: [THEIRS], role: "admin" });
    await platform.people.update("known@example.com", { hasSignedIn: true });
    const [unknown, known] = [await adding(admin, BIA), await adding(admin, "known@example.com")];
    expect(known.body).to.deep.equal(unknown.body).and.to.deep.equal({ invited: true });
    for (let n = 0; n < 6; n++)
      expect((await adding(admin, BIA)).body, "more mails than five").to.deep.equal({ invited: true });
    expect(platform.mails.filter(({ to }) => to === BIA)).to.have.lengthOf(5);
    expect(platform.mails[0]?.subject).to.equal("Convite para Shop 1 no Lucra");
    expect(partsOf(platform.mails[0] ?? { text: "" }).token).to.have.lengthOf(43);
  });

  it("shows a link only of somebody new, and it signs in to this organization alone, whatever roles follow", async () => {
    const bare = await Platform.open({ hasMail: false });
    const cookie = await bare.signedIn(ANA, { [OURS]: "admin" });
    const post = (email: string): Test =>
      bare.page("post", PEOPLE, cookie).set(KEY, `key-of-test-${++nth}`).send({ email, role: "viewer" });
    try {
      await bare.people.add("elsewhere@example.com", { organizations: [THEIRS], role: "viewer" });
      await bare.people.add("op@example.com", { organizations: [], role: "viewer", operator: true });
      for (const email of ["elsewhere@example.com", "op@example.com"])
        expect((await post(email)).body, email).to.deep.equal({ invited: false });
      // The admin keeps the link of somebody who is given a role elsewhere, and made an operator, afterwards.
      const { body } = await post(BIA);
      await bare.people.add(BIA, { organizations: [THEIRS], role: "admin", operator: true });
      const [, token = ""] = /#signin=([\w-]{43})$/.exec(body.link) ?? [];
      const look = await bare.page("post", "/platform/sign-in/look").send({ token });
      expect(look.body).to.deep.include({ person: BIA, organizations: ["Shop 1"], needsCode: true });
      const entered = await bare.page("post", "/platform/sign-in/enter").send({ token, code: body.code });
      const session = String((entered.headers["set-cookie"] as unknown as string[])[0]).split(";")[0] ?? "";
      const me = await bare.page("get", "/platform/me", session);
      expect(me.body).to.deep.include({ email: BIA, isOperator: false, roles: { [OURS]: "viewer" } });
      expect((await bare.page("get", `/platform/organizations/${THEIRS}/people`, session)).status).to.equal(403);
      expect((await bare.sessions.find(session.split("=")[1] ?? ""))?.organizations).to.deep.equal([OURS]);
      await bare.sessionOf(BIA);
      expect(
        (await bare.page("get", "/platform/me/sessions", session)).body.data,
        "not the person's others",
      ).to.have.lengthOf(1);
      expect((await post(BIA)).body, "who has signed in").to.deep.equal({ invited: false });
    } finally {
      await bare.remove();
    }
  });
});
