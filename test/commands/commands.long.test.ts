import { type ChildProcess, spawnSync } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { command, type Said } from "../support/command.ts";
import { oneLine, run } from "../support/commandLine.ts";
import {
  AURORA,
  DataFolder,
  ended,
  exportsOf,
  freePort,
  NOW,
  ROOT,
  SOCIALADS,
  STOREA,
  said,
  storeaOrder,
} from "../support/data.ts";

/** Runs a line that begins with `curl -s`, with curl if it is installed. */
async function curl(line: string): Promise<string> {
  const words = [...line.matchAll(/'([^']*)'|\S+/g)].map(([whole, quoted]) => quoted ?? whole).slice(1);
  if (spawnSync("curl", ["--version"]).status === 0) return (await run("curl", words)).stdout;
  const headers = words.flatMap((word, n) => (words[n - 1] === "-H" ? [word.split(": ") as [string, string]] : []));
  return (await fetch(words.at(-1) ?? "", { headers })).text();
}

describe("The command line", () => {
  let data: DataFolder;
  const serving: ChildProcess[] = [];
  const lucra = (...args: string[]): Promise<Said> => command(data, ...args);

  beforeEach(async () => {
    data = await DataFolder.empty();
  });

  afterEach(async () => {
    for (const child of serving.splice(0)) child.kill("SIGKILL");
    await data.remove();
  });

  it("names the place that was meant for exports in the wrong one, and fails", async () => {
    await data.settings({
      organizationId: AURORA,
      name: "Shop",
      integrations: [{ id: STOREA, connector: "storea", name: "Loja" }],
    });
    const export_ = JSON.stringify([storeaOrder({ id: "a", value: 1 })]);
    await data.write(`exports/${AURORA}/loja/orders/x.json`, export_);
    await data.write(`exports/${AURORA}/x.json`, export_);
    await data.write("exports/Shop/orders/x.json", export_);
    await data.write("exports/y.json", export_);
    const { status, stderr } = await lucra("sync");
    expect(status).to.equal(1);
    expect(stderr.trimEnd().split("\n").sort()).to.deep.equal([
      `not read: exports/${AURORA}/loja: the folder of Loja is exports/${AURORA}/${STOREA}`,
      `not read: exports/${AURORA}/x.json: no integration's folder is above it: exports belong into exports/<organizationId>/<integrationId>/<record>`,
      `not read: exports/Shop: the folder of Shop is exports/${AURORA}`,
      "not read: exports/y.json: no settings name it: exports belong into exports/<organizationId>/<integrationId>/<record>",
    ]);
    const doctor = await lucra("doctor", "--json");
    expect(doctor.status).to.equal(1);
    expect(doctor.stdout).to.include(`the folder of Loja is exports/${AURORA}/${STOREA}`);
  });

  it("leaves out the exports of an integration that was removed, without failing", async () => {
    const integrations = [{ id: STOREA, connector: "storea" as const, name: "Loja" }];
    await data.settings({ organizationId: AURORA, name: "Shop", integrations });
    await data.write(`${exportsOf(STOREA, "orders")}/a.json`, JSON.stringify([storeaOrder({ id: "a", value: 1 })]));
    await data.sync();
    await data.settings({ organizationId: AURORA, name: "Shop", integrations: [] });
    const { status, stderr } = await lucra("sync");
    expect([status, stderr]).to.deep.equal([
      0,
      `left out: exports/${AURORA}/${STOREA} is no longer named by the settings\n`,
    ]);
  });

  it("shows credentials of the demo, and requests that work, on a terminal", async function () {
    // `script` gives the program a terminal; where it is another program, this cannot be tested.
    if (spawnSync("script", ["--version"]).status !== 0) this.skip();
    const port = await freePort();
    const environment = { PATH: process.env.PATH, LUCRA_DATA_DIR: data.path, LUCRA_NOW: NOW, PORT: String(port) };
    const program = `${process.execPath} ${path.join(ROOT, "bin", "lucra.cjs")} demo`;
    const { stdout } = await run("script", ["-qec", program, "/dev/null"], { env: environment });
    const shown = stdout.replaceAll("\r", "");
    expect(shown).to.match(/^client_id: +\S+\nclient_secret: \S+/m);
    const yesterday = new Date(Date.parse(NOW) - 86_400_000).toISOString().slice(0, 10);
    expect(shown).to.include(`Its days end on ${yesterday}.`);
    const child = data.start(["serve", "--no-demo"], { PORT: String(port) });
    serving.push(child);
    await said(child, /"msg":"ready"/);
    const lines = shown.split("\n").filter((line) => line.startsWith("curl "));
    expect(lines).to.have.lengthOf(3);
    const [cards, orders, campaigns] = await Promise.all(lines.map(async (line) => JSON.parse(await curl(line))));
    expect(cards.revenue).to.be.above(50_000);
    expect(orders.data).to.have.lengthOf(2);
    const spend = campaigns.data.map((one: { spend: number }) => one.spend);
    expect(spend)
      .to.have.lengthOf(3)
      .and.to.deep.equal([...spend].sort((a, b) => b - a));
  });

  it("serves a demo from an empty folder until it is asked to stop, and logs no credentials", async () => {
    const port = await freePort();
    const child = data.start(["serve"], { PORT: String(port) });
    serving.push(child);
    const end = ended(child);
    const log = await said(child, /"msg":"ready"/);
    expect(log).to.not.match(/client_secret|[\w-]{43}/);
    const [, keys = ""] = /^Credentials for it: npm run -s lucra -- (.*)$/m.exec(log) ?? [];
    const { client_id, client_secret } = JSON.parse((await lucra(...keys.split(" "), "--json")).stdout);
    const address = `http://127.0.0.1:${port}/v1/storea/orders?organizationId=${AURORA}`;
    const headers = { "x-client-id": client_id, "x-client-secret": client_secret };
    let status = 0;
    while (status !== 200) status = (await fetch(address, { headers })).status;
    expect(await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()).to.include({ ready: true });
    const [busy, demo, doctor] = await Promise.all([
      data.lucra(["serve"], { PORT: String(port), LUCRA_LOG_LEVEL: "silent" }),
      lucra("demo"),
      lucra("doctor"),
    ]);
    expect(busy.status, "the port is taken").to.equal(1);
    expect(oneLine(busy)).to.match(/^lucra: cannot listen on 127\.0\.0\.1:\d+\b.*$/);
    expect(demo.status).to.equal(1);
    expect(oneLine(demo)).to.match(/^lucra: .* holds organizations already/);
    expect(doctor.status, doctor.stderr).to.equal(0);
    expect(doctor.stdout)
      .to.match(/Casa Aurora/)
      .and.match(/orders count, BRL/);
    child.kill("SIGTERM");
    const ending = await end;
    expect([ending.status, ending.signal]).to.deep.equal([0, null]);
    const open: string[] = [];
    for (const entry of await readdir(data.path, { recursive: true, withFileTypes: true })) {
      const name = path.join(entry.parentPath, entry.name);
      if (((await stat(name)).mode & 0o077) !== 0) open.push(path.relative(data.path, name));
    }
    expect(open, "readable by others").to.deep.equal([]);
  });

  it("shows a vendor's texts on a terminal without moving the cursor or forging a line", async function () {
    if (spawnSync("script", ["--version"]).status !== 0) this.skip();
    await data.settings({
      organizationId: AURORA,
      name: "Shop",
      integrations: [{ id: SOCIALADS, connector: "socialads" }],
    });
    const hostile = "\u001b]0;PWNED\u0007\u001b[2J\u009b2J\rall is well\u202e";
    const row = { campaign_id: "1", campaign_name: hostile, spend: "1.5", date_start: "2025-02-01" };
    await data.write(
      `${exportsOf(SOCIALADS, "campaigns")}/a.json`,
      JSON.stringify([{ ...row, date_stop: "2025-02-01" }]),
    );
    expect((await lucra("sync")).status).to.equal(0);
    const env = { PATH: process.env.PATH, LUCRA_DATA_DIR: data.path, LUCRA_NOW: NOW };
    const program = `${process.execPath} ${path.join(ROOT, "bin", "lucra.cjs")} sql acquisition/campaigns`;
    const shown = async (format: string): Promise<string> => {
      const command = `${program} --start-date 2025-02-01 --end-date 2025-02-28 --format ${format}`;
      const { stdout } = await run("script", ["-qc", command, "/dev/null"], { env });
      return stdout.replaceAll("\r\n", "\n");
    };
    for (const format of ["table", "csv", "json"]) {
      expect(await shown(format), format)
        .to.match(/PWNED/)
        .and.not.match(/(?!\n)\p{C}/u);
    }
    expect(await shown("parquet")).to.match(/^lucra: --format parquet: redirect the output into a file/);
    const piped = await lucra("sql", "acquisition/campaigns", "--start-date", "2025-02-01", "--end-date", "2025-02-28");
    expect(piped.stdout, "not on a terminal").to.include(hostile);
  });

  it("rotates a secret while the service runs: both work during the overlap, then only the new one, then neither", async () => {
    await data.settings({ organizationId: AURORA, name: "Shop" });
    await data.sync();
    const port = await freePort();
    const child = data.start(["serve"], { PORT: String(port), LUCRA_LOG_LEVEL: "info" });
    serving.push(child);
    await said(child, /"msg":"ready"/);
    const json = async (...args: string[]): Promise<Record<string, string>> =>
      JSON.parse((await lucra("keys", ...args, "--json")).stdout);
    const status = async ({ client_id = "", client_secret = "" }: Record<string, string>): Promise<number> => {
      const headers = { "x-client-id": client_id, "x-client-secret": client_secret };
      const address = `http://127.0.0.1:${port}/v1/profitability/cards?organizationId=${AURORA}`;
      return (await fetch(address, { headers })).status;
    };
    const becomes = async (client: Record<string, string>, wanted: number): Promise<void> => {
      while ((await status(client)) !== wanted) await sleep(200);
    };
    const old = await json("create", "--organization", AURORA);
    await becomes(old, 200);
    const fresh = await json("rotate", String(old.client_id), "--overlap", "3600");
    await becomes(fresh, 200);
    expect(await status(old)).to.equal(200);
    const listed = await lucra("keys", "list");
    expect(listed.stdout).to.include(fresh.old_secret_until);
    // The hour passes: the file now has the times of an overlap that began an hour ago.
    const kept = await data.text("credentials.json");
    await data.write("credentials.json", kept.replace(String(fresh.old_secret_until), "2025-01-01T00:00:00.000Z"));
    await becomes(old, 401);
    expect(await status(fresh)).to.equal(200);
    const last = await json("rotate", String(old.client_id), "--overlap", "3600");
    await becomes(last, 200);
    expect((await lucra("keys", "revoke", String(old.client_id))).status).to.equal(0);
    await becomes(last, 401);
    expect(await status(fresh)).to.equal(401);
  });
});
