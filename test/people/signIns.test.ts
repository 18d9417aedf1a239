import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { newSecret } from "../../src/core/access/secret.ts";
import { LINK_MS, SignIns } from "../../src/features/people/signIns.ts";

const ANA = "ana@example.com";
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const WRONG = "AAAA-AAAA";

describe("One-time links [D90]", () => {
  let dataDir: string;
  let now: number;
  let links: SignIns;

  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), "lucra-sign-ins-"));
    now = Date.now();
    links = new SignIns(dataDir, () => now);
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  const offered = async (options: Partial<Parameters<SignIns["offer"]>[1]> = {}) => {
    const made = await links.offer(ANA, { kind: "link", ...options });
    if (!made) throw new Error("no link was made");
    return made;
  };

  it("sign in once, also for requests at the same time and of several processes", async () => {
    const asked = newSecret();
    const { token } = await offered({ asked });
    const others = new SignIns(dataDir, () => now);
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, n) => (n % 2 ? links : others).redeem({ token, asked })),
    );
    expect(all.filter(({ is }) => is === "signedIn")).to.have.lengthOf(1);
    expect(all.filter(({ is }) => is === "unknown")).to.have.lengthOf(7);
    expect(await links.look({ token, asked })).to.equal(undefined);
  });

  it("need no code in the browser that asked, and the code in another one", async () => {
    const asked = newSecret();
    const { token, code } = await offered({ asked });
    expect(await links.look({ token, asked })).to.include({ person: ANA, needsCode: false });
    expect(await links.look({ token, asked: newSecret() })).to.include({ needsCode: true });
    expect(await links.redeem({ token })).to.deep.equal({ is: "code", left: 5 });
    expect(await links.redeem({ token, asked: newSecret(), code: WRONG })).to.deep.equal({ is: "code", left: 4 });
    const typed = ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4).toLowerCase()} `;
    expect(await links.redeem({ token, code: typed })).to.deep.equal({ is: "signedIn", person: ANA });
  });

  it("are opened by the code alone only in the browser that asked", async () => {
    const asked = newSecret();
    const { code } = await offered({ asked });
    expect(await links.redeem({ code })).to.deep.equal({ is: "unknown" });
    expect(await links.redeem({ code, asked: newSecret() })).to.deep.equal({ is: "unknown" });
    expect(await links.redeem({ code, asked })).to.deep.equal({ is: "signedIn", person: ANA });
    expect(await links.redeem({ code, asked }), "once").to.deep.equal({ is: "unknown" });
  });

  it("take another person's code for nothing, although one browser asked for both", async () => {
    const asked = newSecret();
    const { token } = await offered({ asked });
    const bia = await links.offer("bia@example.com", { kind: "link", asked });
    expect(await links.redeem({ token, code: bia?.code ?? "" })).to.include({ is: "code" });
    expect(await links.redeem({ code: bia?.code ?? "", asked })).to.deep.equal({
      is: "signedIn",
      person: "bia@example.com",
    });
  });

  it("are worth nothing after five wrong codes, whatever the sixth is", async () => {
    const asked = newSecret();
    const { token, code } = await offered({ asked });
    for (let left = 4; left >= 0; left--)
      expect(await links.redeem({ token, code: WRONG }), String(left)).to.deep.equal({ is: "code", left });
    expect(await links.redeem({ token, code })).to.deep.equal({ is: "unknown" });
    expect(await links.redeem({ token, asked })).to.deep.equal({ is: "unknown" });
  });

  it("count guesses of simultaneous requests", async () => {
    const asked = newSecret();
    await offered({ asked });
    const all = await Promise.all(Array.from({ length: 12 }, () => links.redeem({ asked, code: WRONG })));
    expect(all.filter(({ is }) => is === "code")).to.have.lengthOf(5);
  });

  it("still work for their person after somebody who asked for them has guessed codes", async () => {
    const stranger = newSecret();
    const { token, code } = await offered({ asked: stranger });
    for (let n = 0; n < 6; n++) await links.redeem({ asked: stranger, code: WRONG });
    expect(await links.redeem({ asked: stranger, code }), "the stranger's five are used").to.include({ is: "unknown" });
    expect(await links.redeem({ token, code })).to.deep.equal({ is: "signedIn", person: ANA });
  });

  it("last 15 minutes, and invitations 7 days", async () => {
    const [link, invitation] = [await offered(), await offered({ kind: "invitation" })];
    expect(LINK_MS).to.equal(15 * MINUTE_MS);
    now += LINK_MS - 1;
    expect(await links.look(link)).to.include({ kind: "link" });
    now += 1;
    expect(await links.redeem(link)).to.deep.equal({ is: "unknown" });
    now += 7 * DAY_MS - LINK_MS - 1;
    expect(await links.look(invitation)).to.include({ kind: "invitation", needsCode: true });
    now += 1;
    expect(await links.redeem(invitation)).to.deep.equal({ is: "unknown" });
  });

  it("do not last longer because a clock was wrong", async () => {
    now += 20 * DAY_MS;
    const future = await offered();
    now -= 20 * DAY_MS;
    expect(await links.redeem(future)).to.deep.equal({ is: "unknown" });
    now += 4 * MINUTE_MS;
    const near = await offered();
    now -= 4 * MINUTE_MS;
    expect(await links.redeem(near), "clocks of machines differ").to.include({ is: "signedIn" });
  });

  it("are sent five times an hour to an address; those that were sent keep working", async () => {
    const made = [];
    for (let n = 0; n < 5; n++) made.push(await offered());
    expect(await links.offer(ANA, { kind: "link" })).to.equal(undefined);
    expect(await links.offer(ANA, { kind: "invitation" })).to.equal(undefined);
    expect(await links.offer("bia@example.com", { kind: "link" })).to.not.equal(undefined);
    expect(await links.offer(ANA, { kind: "link", isPrinted: true }), "a command is not limited").to.have.property(
      "token",
    );
    const [first] = made;
    expect(await links.redeem(first ?? {})).to.include({ is: "signedIn" });
    expect(await links.offer(ANA, { kind: "link" }), "a used one counts").to.equal(undefined);
    await links.end(ANA);
    expect(await links.offer(ANA, { kind: "link" }), "one that ended counts").to.equal(undefined);
    now += 60 * MINUTE_MS;
    expect(await links.offer(ANA, { kind: "link" })).to.have.property("token");
  });

  it("end with their person", async () => {
    const [link, printed] = [await offered(), await offered({ isPrinted: true })];
    const bia = await links.offer("bia@example.com", { kind: "link" });
    await links.end(ANA);
    for (const one of [link, printed]) expect(await links.redeem(one)).to.deep.equal({ is: "unknown" });
    expect(await links.redeem(bia ?? {})).to.include({ is: "signedIn" });
  });

  it("need no code if a command printed them, and say to which organization they lead if a page showed them", async () => {
    const { token } = await offered({ isPrinted: true });
    expect(await links.look({ token })).to.include({ needsCode: false });
    expect(await links.redeem({ token })).to.deep.equal({ is: "signedIn", person: ANA });
    const shown = await offered({ kind: "invitation", only: "some" });
    expect(await links.redeem(shown)).to.deep.equal({ is: "signedIn", person: ANA, only: "some" });
  });

  it("are kept as hashes, in a file of Lucra's own user", async () => {
    const asked = newSecret();
    const { token, code } = await offered({ asked });
    const file = path.join(dataDir, "sign-ins.json");
    const text = await readFile(file, "utf8");
    for (const secret of [token, code, asked]) expect(text).to.not.include(secret);
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
  });
});
