import type { ChildProcess } from "node:child_process";
import { rm, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { Credentials } from "../../src/core/access/credentials.ts";
import { OperatorError } from "../../src/core/contract/error.ts";
import { idsOf, keysOn, makeClients, suspended } from "../../torture/support/keys.ts";
import { AURORA, DataFolder, ended } from "../support/data.ts";

const WANTED = { organizations: [AURORA], name: "loja" };

describe("The credentials of several processes", () => {
  let data: DataFolder;
  const running: ChildProcess[] = [];
  const started = (child: ChildProcess): ChildProcess => {
    running.push(child);
    return child;
  };
  const listed = async (): Promise<string[]> =>
    (await new Credentials(data.path).list()).map(({ client_id }) => client_id).sort();

  beforeEach(async () => {
    data = await DataFolder.empty();
    await data.settings({ organizationId: AURORA, name: "Shop" });
  });

  afterEach(async () => {
    for (const child of running.splice(0)) child.kill("SIGKILL");
    await data.remove();
  });

  it("are all kept, though the processes' clocks are a minute apart", async () => {
    const ends = await Promise.all(
      [0, 60].map((secondsAhead) => ended(started(makeClients(data, 60, { secondsAhead })))),
    );
    const made = ends.flatMap((end) => idsOf(end));
    expect(made).to.have.lengthOf(120);
    expect(await listed()).to.deep.equal(made.sort());
  });

  it("stay revoked when a process was suspended for long during a change: the revocation waits for it", async () => {
    const { client_id, client_secret } = await new Credentials(data.path).create(WANTED);
    const create = started(keysOn(data, ["create", "--organization", AURORA], { suspendedIn: "rename" }));
    const created = ended(create);
    await suspended(create);
    const revoked = ended(started(keysOn(data, ["revoke", client_id])));
    // Longer than any process takes that is not suspended.
    await sleep(12_000);
    create.kill("SIGCONT");
    expect([(await created).status, (await revoked).status]).to.deep.equal([0, 0]);
    const clients = new Credentials(data.path);
    expect(await clients.verify(client_id, client_secret)).to.equal(undefined);
    expect((await clients.list()).map(({ revokedAt }) => revokedAt !== undefined)).to.deep.equal([true, false]);
  });

  it("are not changed while a process is suspended, which is reported by name; its death releases the lock", async () => {
    const { client_id } = await new Credentials(data.path).create(WANTED);
    const before = await data.text("credentials.json");
    const create = started(keysOn(data, ["create", "--organization", AURORA], { suspendedIn: "rename" }));
    const created = ended(create);
    await suspended(create);
    const refused = await new Credentials(data.path, undefined, 300).revoke(client_id).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refused).to.be.instanceOf(OperatorError);
    expect((refused as Error).message)
      .to.include(`changed by process ${create.pid}`)
      .and.include("nothing was changed");
    expect(await data.text("credentials.json")).to.equal(before);
    create.kill("SIGKILL");
    await created;
    await new Credentials(data.path, undefined, 300).revoke(client_id);
    expect(await listed()).to.deep.equal([client_id]);
  });

  it("are changed from their current state when another program replaced them meanwhile", async () => {
    const clients = new Credentials(data.path);
    const one = await clients.create(WANTED);
    const [restored, other] = [await data.text("credentials.json"), await clients.create(WANTED)];
    const create = started(keysOn(data, ["create", "--organization", AURORA, "--json"], { suspendedIn: "open" }));
    const created = ended(create);
    await suspended(create);
    await rm(`${data.path}/credentials.json`);
    await data.write("credentials.json", restored);
    create.kill("SIGCONT");
    const { stdout, stderr } = await created;
    expect(stderr).to.equal("");
    const made = JSON.parse(stdout).client_id;
    expect(await listed())
      .to.deep.equal([one.client_id, made].sort())
      .and.not.include(other.client_id);
  });

  it("have a lock that only their owner can use", async () => {
    await new Credentials(data.path).create(WANTED);
    expect((await stat(`${data.path}/.credentials`)).mode & 0o777).to.equal(0o600);
  });
});
