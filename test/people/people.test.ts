import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { PeopleAccess } from "../../src/features/people/access.ts";
import { emailIn, LastAdmin, LOCAL, People } from "../../src/features/people/people.ts";
import { OURS, THEIRS } from "../support/app.ts";

describe("People [D90]", () => {
  let dataDir: string;
  let people: People;
  const failure = (work: Promise<unknown>): Promise<Error> =>
    work.then(
      () => new Error("nothing failed"),
      (error: Error) => error,
    );

  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), "lucra-people-"));
    people = new People(dataDir);
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it("are known by one spelling of an address: trimmed, in small letters, composed", () => {
    expect(emailIn("  Ana.Souza@Example.COM ")).to.equal("ana.souza@example.com");
    expect(emailIn("jose\u0301@example.com")).to.equal("jos\u00e9@example.com");
    expect(emailIn("ana+lucra@example.com.br")).to.equal("ana+lucra@example.com.br");
  });

  it("have an address that no header and no list of addresses can be made of", () => {
    const wrong = [
      "",
      "ana",
      "ana@localhost",
      "ana@@example.com",
      "a@b@example.com",
      "ana@example.com\r\nBcc: eve@example.com",
      "ana@example.com\u0000",
      "ana@example.com,eve@example.com",
      "ana@example.com;eve@example.com",
      "Ana <ana@example.com>",
      '"ana@x"@example.com',
      "ana @example.com",
      "ana@exa\u202emple.com",
      "ana@[127.0.0.1]",
      `${"a".repeat(65)}@example.com`,
      `ana@${"a".repeat(190)}.com`,
      LOCAL,
      null,
      { toString: () => "ana@example.com" },
    ];
    for (const text of wrong) expect(emailIn(text), JSON.stringify(text)).to.equal(undefined);
  });

  it("have one role in an organization, the last that was given", async () => {
    await people.add("ana@example.com", { organizations: [OURS, THEIRS], role: "viewer" });
    await people.add("ana@example.com", { organizations: [OURS], role: "admin" });
    expect((await people.find("ana@example.com"))?.roles).to.deep.equal({ [OURS]: "admin", [THEIRS]: "viewer" });
    expect(await people.of(THEIRS)).to.have.lengthOf(1);
    expect(await people.of("__proto__")).to.have.lengthOf(0);
    expect(await people.of("constructor")).to.have.lengthOf(0);
  });

  it("are gone with their last role, but an operator", async () => {
    await people.add("ana@example.com", { organizations: [OURS, THEIRS], role: "viewer" });
    await people.remove("ana@example.com", OURS);
    expect((await people.find("ana@example.com"))?.roles).to.deep.equal({ [THEIRS]: "viewer" });
    await people.remove("ana@example.com", THEIRS);
    expect(await people.find("ana@example.com")).to.equal(undefined);
    await people.add("op@example.com", { organizations: [OURS], role: "viewer", operator: true });
    await people.remove("op@example.com", OURS);
    expect((await people.find("op@example.com"))?.operator).to.equal(true);
    for (const [email, id] of [["ana@example.com"], ["op@example.com", THEIRS], ["op@example.com", "constructor"]])
      expect((await failure(people.remove(email as string, id))).message).to.include("no such person");
  });

  it("keep their last admin, also when two take each other's role at once", async () => {
    await people.add("ana@example.com", { organizations: [OURS], role: "admin" });
    await people.add("bia@example.com", { organizations: [OURS], role: "admin" });
    const other = new People(dataDir);
    const given = { organizations: [OURS], role: "viewer" } as const;
    const both = await Promise.allSettled([
      people.add("bia@example.com", given, true),
      other.remove("ana@example.com", OURS, true),
    ]);
    const refused = both.filter((one) => one.status === "rejected");
    expect(refused).to.have.lengthOf(1);
    expect(refused[0]?.reason).to.be.instanceOf(LastAdmin);
    expect((await people.of(OURS)).filter(({ roles }) => roles[OURS] === "admin")).to.have.lengthOf(1);
    const left = await people.of(OURS);
    const last = left.find(({ roles }) => roles[OURS] === "admin");
    await people.remove(last?.email ?? "", OURS);
    expect(await people.of(OURS), "a command may").to.have.lengthOf(left.length - 1);
  });

  it("are in a file of Lucra's own user; a change meanwhile loses nothing", async () => {
    const names = Array.from({ length: 12 }, (_, n) => `p${n}@example.com`);
    await Promise.all(
      names.map((email, n) =>
        (n % 2 ? people : new People(dataDir)).add(email, { organizations: [OURS], role: "viewer" }),
      ),
    );
    expect((await people.of(OURS)).map(({ email }) => email).sort()).to.deep.equal([...names].sort());
    expect((await stat(path.join(dataDir, "people.json"))).mode & 0o777).to.equal(0o600);
  });

  it("stay in force when the file becomes invalid, which is said once", async () => {
    const problems: string[] = [];
    const following = new People(dataDir, (problem) => problems.push(problem));
    await people.add("ana@example.com", { organizations: [OURS], role: "admin" });
    expect(await following.find("ana@example.com")).to.include({ email: "ana@example.com" });
    await writeFile(
      path.join(dataDir, "people.json"),
      '{"people":[{"email":"eve@example.com","roles":{"x":"owner"}}]}',
    );
    await new Promise((done) => setTimeout(done, 600));
    expect(await following.find("ana@example.com")).to.include({ email: "ana@example.com" });
    expect(await following.find("eve@example.com")).to.equal(undefined);
    await following.find("ana@example.com");
    expect(problems).to.have.lengthOf(1);
    const changed = await failure(people.add("bia@example.com", { organizations: [OURS], role: "admin" }));
    expect(changed.message).to.include("people.json");
    expect(await readFile(path.join(dataDir, "people.json"), "utf8"), "not written").to.include("owner");
  });

  it("read what their roles say; an operator all, and who has no role nothing", async () => {
    const access = new PeopleAccess({ people, organizations: { ids: async () => [OURS, THEIRS] } });
    await people.add("ana@example.com", { organizations: [OURS], role: "admin" });
    await people.add("op@example.com", { organizations: [], role: "viewer", operator: true });
    expect((await access.verified("ana@example.com"))?.organizations).to.deep.equal([OURS]);
    for (const email of ["op@example.com", LOCAL])
      expect(await access.verified(email), email).to.deep.include({ organizations: [OURS, THEIRS] });
    expect(await access.verified("eve@example.com")).to.equal(undefined);
    expect((await access.verified("op@example.com", OURS)) ?? "no role", "a session of one organization").to.equal(
      "no role",
    );
    expect(await access.verified(LOCAL, OURS)).to.equal(undefined);
  });
});
