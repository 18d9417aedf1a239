import { expect } from "chai";
import type { Test } from "supertest";
import request from "supertest";
import { HourlyRequests, networkAddressOf } from "../../src/core/http/networkAddress.ts";
import { escaped, unlinked } from "../../src/features/mail/mail.ts";
import { signInMail } from "../../src/features/people/signInMail.ts";
import { CARDS, from, OURS, THEIRS, until } from "../support/app.ts";
import { PAGE, Platform, partsOf } from "../support/people.ts";

const ANA = "ana@example.com";

describe("Signing in [D90]", () => {
  let platform: Platform;

  beforeEach(async () => {
    platform = await Platform.open();
    await platform.people.add(ANA, { organizations: [OURS], role: "viewer" });
  });
  afterEach(() => platform.remove());

  const cookiesOf = ({ headers }: { headers: Record<string, unknown> }): string[] =>
    ((headers["set-cookie"] ?? []) as string[]).map((one) => one.split(";")[0] ?? "");
  const ask = (email: string, cookie = ""): Test => platform.page("post", "/platform/sign-in", cookie).send({ email });
  const look = (sent: object, cookie = ""): Test => platform.page("post", "/platform/sign-in/look", cookie).send(sent);
  const enter = (sent: object, cookie = ""): Test =>
    platform.page("post", "/platform/sign-in/enter", cookie).send(sent);
  /** Asks for a link, and waits for its mail. */
  const mailed = async (email = ANA) => {
    const sent = platform.mails.length;
    const answer = await ask(email);
    expect(answer.body).to.deep.equal({ sent: true });
    await until(() => platform.mails.length > sent);
    const mail = platform.mails[sent];
    if (!mail) throw new Error("no mail");
    return { mail, ...partsOf(mail), asked: cookiesOf(answer)[0] ?? "" };
  };

  it("is a mail with a link after #, and a button of the page in the browser that asked", async () => {
    const { mail, token, asked } = await mailed();
    expect(mail.to).to.equal(ANA);
    expect(mail.text).to.include(`${PAGE}/explorer#signin=${token}`);
    const shown = await look({ token }, asked);
    expect(shown.body).to.deep.include({ person: ANA, needsCode: false, organizations: ["Shop 1"] });
    const entered = await enter({ token }, asked);
    expect(entered.body).to.include({ signedIn: true, person: ANA });
    const [session = "", forgotten] = cookiesOf(entered);
    expect(forgotten).to.equal("lucra_asked=");
    expect((await platform.page("get", "/platform/me", session)).body).to.deep.include({
      email: ANA,
      roles: { [OURS]: "viewer" },
      isRecent: true,
    });
    expect((await platform.page("get", "/explorer/session", session)).body).to.deep.include({ person: ANA });
    expect((await platform.page("get", `${CARDS}?organizationId=${OURS}`, session)).status).to.equal(200);
    expect((await platform.page("get", `${CARDS}?organizationId=${THEIRS}`, session)).status).to.equal(403);
    expect((await enter({ token }, asked)).status, "once").to.equal(404);
  });

  it("is changed by no request that a mail program or a scanner makes", async () => {
    const { token, asked } = await mailed();
    const before = await platform.written();
    const { app } = platform.made;
    await request(app).get("/explorer");
    for (const path of ["/platform/sign-in", "/platform/sign-in/enter", "/platform/sign-in/look"]) {
      expect((await platform.page("get", `${path}?token=${token}`)).status, path).to.equal(404);
      expect((await request(app).post(path).send({ token })).status, path).to.equal(403);
      expect((await request(app).post(path).type("form").send({ token })).status, path).to.equal(403);
    }
    for (let n = 0; n < 3; n++) expect((await look({ token })).body).to.include({ needsCode: true });
    expect(await platform.written()).to.equal(before);
    expect((await enter({ token }, asked)).body).to.include({ signedIn: true });
  });

  it("asks another browser for the code, and counts its tries", async () => {
    const { token, code } = await mailed();
    expect((await enter({ token })).body).to.deep.equal({ signedIn: false, triesLeft: 5 });
    expect((await enter({ token, code: "AAAA-AAAA" })).body).to.deep.equal({ signedIn: false, triesLeft: 4 });
    expect((await enter({ token, code })).body).to.include({ signedIn: true });
  });

  it("takes the code alone in the browser that asked, and from no other one", async () => {
    const { code, asked } = await mailed();
    expect((await enter({ code })).status).to.equal(404);
    expect((await enter({ code }, asked)).body).to.include({ signedIn: true, person: ANA });
  });

  it("answers who is known and who is not the same, and sends nothing to the latter", async () => {
    const [known, unknown] = [await ask(ANA), await ask("eve@example.com")];
    expect(unknown.body).to.deep.equal(known.body);
    const shape = ({ headers }: typeof known): string[] => Object.keys(headers).sort();
    expect(shape(unknown)).to.deep.equal(shape(known));
    await until(() => platform.mails.length > 0);
    await new Promise((done) => setTimeout(done, 50));
    expect(platform.mails.map(({ to }) => to)).to.deep.equal([ANA]);
    expect((await ask("no address")).status).to.equal(400);
  });

  it("has no mails without a server for them: the page's request is not found", async () => {
    const bare = await Platform.open({ hasMail: false });
    try {
      expect((await bare.page("post", "/platform/sign-in").send({ email: ANA })).status).to.equal(404);
      expect((await bare.page("get", "/explorer/session")).body.signIn).to.deep.equal({ mail: false });
    } finally {
      await bare.remove();
    }
  });

  it("addresses of mails never come from the request", async () => {
    await ask(ANA).set({ host: "evil.example.com", "x-forwarded-host": "evil.example.com" });
    await until(() => platform.mails.length > 0);
    const [{ text, html } = { text: "", html: "" }] = platform.mails;
    expect(text + html)
      .to.include(PAGE)
      .and.not.include("evil");
  });

  it("is refused to a person who was removed meanwhile, whose sessions end at once", async () => {
    const { token, asked } = await mailed();
    const session = await platform.sessionOf(ANA);
    const admin = await platform.signedIn("admin@example.com", { [OURS]: "admin" });
    const removed = await platform.replaced("delete", `/platform/organizations/${OURS}/people/${ANA}`, admin);
    expect(removed.status).to.equal(200);
    expect((await look({ token }, asked)).status).to.equal(404);
    expect((await enter({ token }, asked)).status).to.equal(404);
    expect((await platform.page("get", "/platform/me", session)).status).to.equal(401);
    await platform.people.add(ANA, { organizations: [OURS], role: "viewer" });
    expect((await enter({ token }, asked)).status, "also when added again").to.equal(404);
    expect((await platform.page("get", "/platform/me", session)).status).to.equal(401);
  });

  it("ends what an interrupted removal has left when the person is added again", async () => {
    const session = await platform.sessionOf(ANA);
    await platform.people.remove(ANA);
    const admin = await platform.signedIn("admin@example.com", { [OURS]: "admin" });
    await platform
      .page("post", `/platform/organizations/${OURS}/people`, admin)
      .set("idempotency-key", "key-of-test")
      .send({ email: ANA, role: "viewer" });
    expect((await platform.page("get", "/platform/me", session)).status).to.equal(401);
  });

  it("follows another role within a second, also in another process", async () => {
    const session = await platform.sessionOf(ANA);
    const other = await Platform.open({}, platform.dataDir);
    const people = `/platform/organizations/${OURS}/people`;
    expect((await other.page("get", people, session)).status).to.equal(403);
    await platform.people.add(ANA, { organizations: [OURS], role: "admin" });
    await new Promise((done) => setTimeout(done, 600));
    expect((await other.page("get", people, session)).status).to.equal(200);
    await platform.people.remove(ANA);
    await new Promise((done) => setTimeout(done, 600));
    expect((await other.page("get", people, session)).status).to.equal(401);
  });

  it("lists a person's own sessions, which it ends, and nobody else's", async () => {
    const [one, two] = [await platform.sessionOf(ANA), await platform.sessionOf(ANA)];
    const eve = await platform.signedIn("eve@example.com", { [OURS]: "admin" });
    const { body } = await platform.page("get", "/platform/me/sessions", one);
    expect(body.data.map(({ isThis }: { isThis: boolean }) => isThis)).to.deep.equal([false, true]);
    const address = `/platform/me/sessions/${body.data[0].id}`;
    expect((await platform.page("get", address, eve)).status).to.equal(404);
    expect((await platform.replaced("delete", address, eve)).status).to.equal(404);
    expect((await platform.replaced("delete", address, one)).status).to.equal(200);
    expect((await platform.page("get", "/platform/me", two)).status).to.equal(401);
    expect((await platform.page("get", "/platform/me", one)).status).to.equal(200);
  });

  it("counts wrong tokens for their address, and lets good ones through", async () => {
    const { token, asked } = await mailed();
    const tokens = Array.from({ length: 34 }, (_, n) => String(n).padStart(43, "A"));
    const statuses = [];
    for (const guess of tokens) statuses.push((await look({ token: guess })).status);
    expect(statuses.filter((status) => status === 429)).to.have.lengthOf(4);
    expect((await enter({ token }, asked)).body).to.include({ signedIn: true });
  });

  it("leaves no token, code or cookie in the service's log", async () => {
    const { token, code, asked } = await mailed();
    await enter({ token, code: "AAAA-AAAA" });
    const [session = ""] = cookiesOf(await enter({ token, code }));
    const log = platform.made.log.join("\n");
    for (const secret of [token, code, code.replace("-", ""), asked.split("=")[1], session.split("=")[1]])
      expect(log).to.not.include(secret);
  });

  describe("of a network address", () => {
    const asking = async (
      count: number,
      address: (n: number) => string,
      headers: (n: number) => Record<string, string> = () => ({}),
    ): Promise<number> => {
      let taken = 0;
      for (let n = 0; n < count; n++) {
        const test = request(from(address(n), platform.made.app))
          .post("/platform/sign-in")
          .set({ "x-lucra-page": "1", origin: PAGE, ...headers(n) });
        if ((await test.send({ email: "eve@example.com" })).status === 200) taken++;
      }
      return taken;
    };

    it("is asked 20 times an hour, an IPv6 network as one", async () => {
      expect(await asking(22, () => "203.0.113.7")).to.equal(20);
      expect(await asking(3, (n) => `203.0.113.${n + 8}`)).to.equal(3);
      expect(await asking(22, (n) => `2001:db8:1:2:${n}::1`)).to.equal(20);
      expect(await asking(2, (n) => `2001:db8:1:${n + 3}::1`)).to.equal(2);
      expect(await asking(2, (n) => `::ffff:203.0.113.${n + 20}`), "two IPv4 addresses").to.equal(2);
      platform.now += 3_600_000;
      expect(await asking(1, () => "203.0.113.7")).to.equal(1);
    });

    it("does not believe a client that names others, nor counts this machine", async () => {
      const forged = (n: number) => ({ "x-forwarded-for": `198.51.100.${n}` });
      expect(await asking(22, () => "203.0.113.7", forged)).to.equal(20);
      expect(await asking(22, () => "127.0.0.1", forged), "a proxy that is not named").to.equal(22);
    });

    it("is what a proxy says that LUCRA_TRUSTED_PROXIES names", () => {
      const said = (remoteAddress: string, forwarded: string): string | undefined =>
        networkAddressOf(
          {
            socket: { remoteAddress },
            connection: { remoteAddress },
            headers: { "x-forwarded-for": forwarded },
          } as never,
          ["127.0.0.1", "10.1.0.0/16"],
        );
      expect(said("127.0.0.1", "203.0.113.7")).to.equal("203.0.113.7");
      expect(said("10.1.2.3", "6.6.6.6, 203.0.113.7"), "the client's own word does not count").to.equal("203.0.113.7");
      expect(said("127.0.0.1", "203.0.113.7, 10.1.9.9")).to.equal("203.0.113.7");
      expect(said("203.0.113.9", "198.51.100.1"), "no proxy").to.equal("203.0.113.9");
      expect(said("127.0.0.1", "203.0.113.7:51234"), "with a port").to.equal("203.0.113.7");
      expect(said("127.0.0.1", "[2001:db8:1:2::5]:443")).to.equal(said("127.0.0.1", "2001:db8:1:2::6"));
      expect(said("127.0.0.1", "127.0.0.1")).to.equal(undefined);
    });

    it("is forgotten when there are too many, those first that asked first", () => {
      const requests = new HourlyRequests(() => 0);
      for (let n = 0; n < 20; n++) requests.admits("first");
      expect(requests.admits("first")).to.equal(false);
      for (let n = 0; n < 100_000; n++) requests.admits(`a${n}`);
      expect(requests.admits("first")).to.equal(true);
    });
  });

  it("has mails whose names make no links, no HTML and no further headers", () => {
    const where =
      'Ganhe <a href="x">já</a> em http://evil.example/x, www.evil.example ou eve@evil.example\r\nBcc: eve@evil.example';
    const mail = signInMail({
      to: ANA,
      kind: "invitation",
      link: `${PAGE}/explorer#signin=x`,
      code: "ABCDEFGH",
      language: "pt-BR",
      where,
    });
    expect(mail.subject).to.not.match(/[\r\n]/);
    expect(mail.html).to.not.include('<a href="x">');
    for (const text of [mail.text, mail.html]) expect(text).to.not.match(/evil\.example|https?:\/\/(?!lucra\.example)/);
    expect(unlinked("Loja. Ltda: a/c Ana")).to.equal("Loja. Ltda: a/\u200bc Ana");
    expect(escaped(`<&>"'`)).to.equal("&lt;&amp;&gt;&quot;&#39;");
  });
});
