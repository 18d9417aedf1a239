import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { Credentials } from "../../src/core/access/credentials.ts";
import { Audit, type AuditEntry } from "../../src/core/audit/audit.ts";
import { readOrganization } from "../../src/core/organizations/settings.ts";
import { People } from "../../src/features/people/people.ts";
import { Sessions } from "../../src/features/people/sessions.ts";
import { AURORA, type DataFolder } from "../support/data.ts";
import { type Serving, startServing } from "../support/serving.ts";
import { landedFixtures } from "../support/shared.ts";

const SECTION = `/platform/organizations/${AURORA}/settings/`;

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each resource answers something of its own.
  readonly body: any;
  readonly tag: string;
}

describe("Settings of a running service [D91] [D92]", function () {
  this.timeout(600_000);
  let data: DataFolder;
  let file: string;
  let token: string;
  let service: Serving;

  before(async () => {
    data = await landedFixtures();
    file = path.join(data.path, "organizations", `${AURORA}.json`);
    await new People(data.path).add("ana@example.com", { organizations: [AURORA], role: "admin" });
    const sessions = new Sessions({ dataDir: data.path, credentials: new Credentials(data.path) });
    ({ token } = await sessions.startOf({ person: "ana@example.com" }, "test"));
    service = await startServing(data);
    await service.until("/v1/profitability/cards", () => true);
  });
  after(async () => {
    await service.stop();
    await data.remove();
  });

  async function ask(method: string, address: string, body?: object, tag = ""): Promise<Answer> {
    const base = `http://127.0.0.1:${service.port}`;
    const headers = {
      cookie: `lucra_session=${token}`,
      "x-lucra-page": "1",
      ...(method === "GET"
        ? {}
        : { origin: base, "content-type": "application/json", "if-match": tag, "idempotency-key": randomUUID() }),
    };
    const response = await fetch(base + address, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    return { status: response.status, body: await response.json(), tag: response.headers.get("etag") ?? "" };
  }
  const get = (section: string): Promise<Answer> => ask("GET", SECTION + section);
  const put = async (section: string, value: unknown, tag?: string): Promise<Answer> =>
    ask("PUT", SECTION + section, { value }, tag ?? (await get(section)).tag);
  const lines = (): Promise<readonly AuditEntry[]> => new Audit(data.path).entries(AURORA);

  async function untilLogged(holds: (line: AuditEntry) => boolean): Promise<AuditEntry> {
    for (let tries = 0; tries < 100; tries++) {
      const found = (await lines()).findLast(holds);
      if (found) return found;
      await sleep(100);
    }
    throw new Error("nothing was logged");
  }

  it("of two admins who save one section at once one is answered 412, and both sections of others are saved", async () => {
    const { tag } = await get("targets");
    const both = await Promise.all([put("targets", { cac: 1 }, tag), put("targets", { cac: 2 }, tag)]);
    expect(both.map(({ status }) => status).sort()).to.deep.equal([200, 412]);
    const saved = both.find(({ status }) => status === 200)?.body.value;
    expect((await get("targets")).body.value).to.deep.equal(saved);
    const others = await Promise.all([put("pins", { monthly: 4 }), put("targets", { cac: 3 }), put("notes", [])]);
    expect(others.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    const { settings } = readOrganization(await readFile(file, "utf8"), AURORA);
    expect(settings).to.deep.include({ pins: { monthly: 4 }, targets: { cac: 3 }, notes: [] });
  });

  it("edited by hand are a line of the log, also what was edited while no service ran", async () => {
    await put("targets", { cac: 10 });
    const before = await lines();
    await writeFile(file, (await readFile(file, "utf8")).replace('"cac": 10', '"cac": 11'));
    const line = await untilLogged(({ person }) => person === "file");
    expect(line).to.deep.include({ before: { targets: { cac: 10 } }, after: { targets: { cac: 11 } } });
    await service.stop();
    await writeFile(file, (await readFile(file, "utf8")).replace('"cac": 11', '"cac": 12'));
    service = await startServing(data);
    const later = await untilLogged(({ person, id }) => person === "file" && id !== line.id);
    expect(later.after).to.deep.equal({ targets: { cac: 12 } });
    expect((await lines()).length).to.equal(before.length + 2);
  });

  it("by a command are a line with the command, and none by hand", async () => {
    const before = (await lines()).length;
    await data.lucra(["organizations", "rename", AURORA, "Aurora S.A."]);
    await sleep(1_500);
    const added = (await lines()).slice(before);
    expect(added.map(({ person, what, outcome }) => [person, what, outcome])).to.deep.equal([
      ["command", "organizations.rename", "done"],
    ]);
  });

  it("have an effect that is computed beside the service", async () => {
    const { body } = await get("costs");
    const costs = [...body.value, { item: "other", perOrder: 7 }];
    let answer = await ask("POST", `${SECTION}costs/effect`, { value: costs });
    const began = performance.now();
    while (answer.body.isComputing && performance.now() - began < 120_000)
      answer = await ask("GET", `/platform/organizations/${AURORA}/effects/${answer.body.id}`);
    expect(answer.status).to.equal(200);
    expect(answer.body.figures.statement.other.change).to.be.below(0);
    expect(answer.body.figures.statement.revenue.change).to.equal(0);
    expect(await data.files("marts")).to.satisfy((files: string[]) => files.every((one) => !one.includes(".new")));
    expect((await ask("POST", `${SECTION}costs/effect`, { value: [{ item: "x" }] })).status).to.equal(400);
  });

  it("have pins, which are made beside the service and whose names are used once", async () => {
    const pins = `/platform/organizations/${AURORA}/pins`;
    const made = await ask("POST", pins, { name: "fechamento" });
    expect([made.status, made.body.createdBy]).to.deep.equal([200, "page"]);
    const { data: listed } = (await service.get("/v1/pins")).body as { data: { name: string }[] };
    expect(listed.map(({ name }) => name)).to.include("fechamento");
    const { tag } = await ask("GET", `${pins}/fechamento`);
    expect((await ask("DELETE", `${pins}/fechamento`, {}, tag)).status).to.equal(200);
    const again = await ask("POST", pins, { name: "fechamento" });
    expect([again.status, again.body.details[0].parameter]).to.deep.equal([409, "name"]);
    expect((await ask("POST", pins, { name: "outra", at: "2019-02-30" })).status).to.equal(400);
  });

  it("are whole after a kill at any moment, and the log says what was interrupted", async () => {
    for (let round = 0; round < 8; round++) {
      const value = { cac: 100 + round };
      const before = (await get("targets")).body.value;
      const asked = put("targets", value, (await get("targets")).tag).catch(() => undefined);
      await sleep(round * 10);
      service.child.kill("SIGKILL");
      const answered = await asked;
      const { settings, faults } = readOrganization(await readFile(file, "utf8"), AURORA);
      expect(faults).to.deep.equal([]);
      expect([before, value]).to.deep.include(settings?.targets);
      const line = (await lines()).findLast(({ what }) => what === "settings.change");
      const after = { section: "targets", value };
      const isLogged = JSON.stringify(line?.after) === JSON.stringify(after);
      // The line is there before the change, the outcome after it.
      if (JSON.stringify(settings?.targets) === JSON.stringify(value))
        expect(isLogged, `round ${round}`).to.equal(true);
      if (isLogged && line?.outcome === "done") expect(settings?.targets).to.deep.equal(value);
      if (answered?.status === 200) expect(line?.outcome).to.equal("done");
      service = await startServing(data);
      expect((await get("targets")).body.value).to.deep.equal(settings?.targets);
    }
  });
});
