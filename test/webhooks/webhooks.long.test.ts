import type { ChildProcess } from "node:child_process";
import { rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { Webhook } from "standardwebhooks";
import { commandIn, type Said } from "../support/command.ts";
import { AURORA, DataFolder, ended, exportsOf, freePort, STOREA, said } from "../support/data.ts";
import { CERTIFICATE, type Received, type Receiver, startReceiver } from "../support/receiver.ts";
import { orders, shop } from "../support/schedules.ts";

const DELIVERIES = `deliveries/${AURORA}.json`;
const ALLOWED = { LUCRA_WEBHOOK_NETWORKS: "127.0.0.0/8" };

describe("The webhook of an organization", () => {
  let data: DataFolder;
  let receiver: Receiver;
  let secret: string;
  /** Everything that commands have written. */
  let output: string;

  const lucra = async (
    args: readonly string[],
    environment: Readonly<Record<string, string>> = ALLOWED,
  ): Promise<Said> => {
    const said = await commandIn(data, environment, args);
    output += said.stdout + said.stderr;
    return said;
  };
  const drop = (name: string, ...ids: string[]): Promise<string> =>
    data.write(`${exportsOf(STOREA, "orders")}/${name}.json`, orders(...ids));
  const state = async () => JSON.parse(await data.text(DELIVERIES)).webhook;
  /** Makes the next attempt due. */
  const hurry = async (): Promise<void> => {
    const { pending, ...others } = await state();
    const webhook = { ...others, pending: { ...pending, nextAt: new Date(0).toISOString() } };
    await data.write(DELIVERIES, JSON.stringify({ webhook }));
  };
  const verified = ({ text, headers }: Received, key = secret): Record<string, unknown> =>
    new Webhook(key).verify(text, headers as Record<string, string>) as Record<string, unknown>;
  const set = async (url: string, ...more: string[]): Promise<Said> => {
    const said = await commandIn(data, ALLOWED, ["webhooks", "set", url, ...more]);
    secret = /whsec_\S+/.exec(said.stdout)?.[0] ?? secret;
    return said;
  };

  beforeEach(async () => {
    output = "";
    secret = "";
    data = await DataFolder.empty();
    await data.settings(shop());
    await drop("first", "a");
    await data.sync();
    receiver = await startReceiver();
  });

  afterEach(async () => {
    if (secret) expect(output).to.not.include(secret).and.not.include("token-of-the-path");
    await receiver.close();
    await data.remove();
  });

  it("gets one signed event for a sync that changed answers, and none for one that did not", async () => {
    expect((await set(receiver.url)).status).to.equal(0);
    expect(secret.length).to.be.at.least(32);
    await lucra(["sync"]);
    expect(receiver.received, "nothing has changed").to.deep.equal([]);
    await drop("second", "b");
    expect((await lucra(["sync"])).status).to.equal(0);
    await lucra(["sync"]);
    expect(receiver.received).to.have.length(1);
    const [one] = receiver.received as [Received];
    const { timestamp, ...event } = verified(one);
    expect(Number.isNaN(Date.parse(String(timestamp)))).to.equal(false);
    expect(event).to.deep.equal({
      id: one.headers["webhook-id"],
      type: "answers.changed",
      data: {
        organizationId: AURORA,
        name: "Shop",
        generation: "000002",
        changed: { records: [{ connector: "storea", record: "orders" }], settings: false, software: false },
      },
    });
    expect(() => verified({ ...one, text: one.text.replace("Shop", "Shob") })).to.throw("No matching signature");
    expect((await lucra(["webhooks", "list"])).stdout).to.match(
      /Shop: http:\/\/127\.0\.0\.1:\d+: delivered\n.*\n.*answered 200/,
    );
  });

  it("gets an event for revoked landings and for settings that change answers, and none for its own address", async () => {
    await set(receiver.url);
    await lucra(["landings", "revoke", "1"]);
    await data.settings({ ...shop(), margin: { percent: 12 }, webhook: { url: receiver.url } });
    await lucra(["sync"]);
    await data.settings({ ...shop(), margin: { percent: 12 }, webhook: { url: `${receiver.url}/other` } });
    await lucra(["sync"]);
    const changes = receiver.received.map((one) => (verified(one).data as Record<string, unknown>).changed);
    expect(changes).to.deep.equal([
      { records: [{ connector: "storea", record: "orders" }], settings: false, software: false },
      { records: [], settings: true, software: false },
    ]);
  });

  it("gets nothing while the address is inside, also by name, until its network is allowed", async () => {
    for (const host of ["127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]"]) {
      await set(`http://${host}:${receiver.port}/`);
      const said = await lucra(["webhooks", "test"], {});
      expect([said.status, said.stdout], host).to.satisfy(
        ([status, text]: [number, string]) => status === 1 && /is not a public address/.test(text),
      );
    }
    expect(receiver.received).to.deep.equal([]);
    const said = await lucra(["webhooks", "test"], { LUCRA_WEBHOOK_NETWORKS: "127.0.0.0/8,::1/128" });
    expect([said.status, said.stdout]).to.deep.equal([0, said.stdout.replace(/answered \d+/, "answered 200")]);
    expect(said.stdout).to.match(/\nthanks\n$/);
    expect(verified(receiver.received[0] as Received).type).to.equal("test");
  });

  it("is tried again with the same id, ten times, then given up until something changes", async () => {
    await set(receiver.url);
    receiver.answer = (response) => void response.writeHead(503).end();
    await drop("second", "b");
    expect((await lucra(["sync"])).stderr).to.include("answered 503");
    await lucra(["sync"]);
    expect(receiver.received, "it is not due yet").to.have.length(1);
    const waits: number[] = [];
    for (let n = 2; n <= 10; n++) {
      const { pending, attempts } = await state();
      waits.push((Date.parse(pending.nextAt) - Date.parse(attempts.at(-1).at)) / 1000);
      await hurry();
      await lucra(["sync"]);
      expect(receiver.received).to.have.length(n);
    }
    const standard = [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400];
    for (const [n, wait] of waits.entries())
      expect(wait).to.be.within(standard[n] as number, 1.2 * (standard[n] as number) + 1);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).to.equal(1);
    expect(new Set(receiver.received.map(({ text }) => text)).size).to.equal(1);
    for (const one of receiver.received) verified(one);
    expect((await state()).pending.nextAt).to.equal(null);
    const doctor = await lucra(["doctor"]);
    expect(doctor.status).to.equal(1);
    expect(doctor.stdout.replaceAll(/\s+/g, " ")).to.include("answered 503: given up after 10 attempts");
    await lucra(["sync"]);
    expect(receiver.received).to.have.length(10);
    receiver.answer = (response) => void response.writeHead(204).end();
    await drop("third", "c");
    await lucra(["sync"]);
    expect(receiver.received).to.have.length(11);
    expect((verified(receiver.received[10] as Received).data as Record<string, unknown>).generation).to.equal("000003");
    expect((await state()).pending).to.equal(null);
  });

  it("is not tried again before its Retry-After, of a day or so at most", async () => {
    await set(receiver.url);
    for (const [header, seconds] of [
      ["3600", 3600],
      ["2999-01-01T00:00:00Z", 1.2 * 86400],
    ] as const) {
      receiver.answer = (response) => void response.writeHead(429, { "Retry-After": header }).end();
      await drop(header.slice(0, 4), header.slice(0, 4));
      await lucra(["sync"]);
      const { pending, attempts } = await state();
      const wait = (Date.parse(pending.nextAt) - Date.parse(attempts.at(-1).at)) / 1000;
      expect(wait).to.be.within(seconds - 1, seconds + 1);
    }
  });

  it("that answers 410 gets nothing more, until it is set again", async () => {
    await set(receiver.url);
    receiver.answer = (response) => void response.writeHead(410).end();
    for (const [name, id] of [
      ["second", "b"],
      ["third", "c"],
    ] as const) {
      await drop(name, id);
      await lucra(["sync"]);
    }
    expect(receiver.received).to.have.length(1);
    expect((await lucra(["doctor"])).stdout.replaceAll(/\s+/g, " ")).to.include("the receiver wants no more events");
    receiver.answer = (response) => void response.end();
    const again = await set(receiver.url);
    expect(again.stdout, "the secret stays").to.not.include("whsec_");
    await lucra(["sync"]);
    expect(receiver.received).to.have.length(2);
    verified(receiver.received[1] as Received);
  });

  it("follows no redirect, and takes it for a failure", async () => {
    const inside = await startReceiver();
    try {
      await set(receiver.url);
      receiver.answer = (response) => void response.writeHead(307, { Location: inside.url }).end();
      await drop("second", "b");
      expect((await lucra(["sync"])).stderr).to.include("answered 307: redirects are not followed");
      expect(inside.received).to.deep.equal([]);
    } finally {
      await inside.close();
    }
  });

  it("may be https, whose certificate is verified", async () => {
    const secure = await startReceiver(true);
    try {
      await set(secure.url);
      const untrusted = await data.lucra(["webhooks", "test"], ALLOWED);
      expect([untrusted.status, untrusted.stdout.includes("certificate")]).to.deep.equal([1, true]);
      expect(secure.received).to.deep.equal([]);
      const trusted = await data.lucra(["webhooks", "test"], { ...ALLOWED, NODE_EXTRA_CA_CERTS: CERTIFICATE });
      expect([trusted.status, trusted.stderr]).to.deep.equal([0, ""]);
      verified(secure.received[0] as Received);
    } finally {
      await secure.close();
    }
  });

  it("gets an event rather than none if it is not known what it has got", async () => {
    await set(receiver.url);
    for (const damage of ["", "{", '{"attempts":3}', '{"webhook":{"attempts":3}}']) {
      await data.write(DELIVERIES, damage);
      await lucra(["sync"]);
    }
    expect(receiver.received.map((one) => (verified(one).data as Record<string, unknown>).changed)).to.deep.equal([
      null,
      null,
      null,
      null,
    ]);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).to.equal(1);
  });

  it("keeps what an earlier version has noted in a file of one machine", async () => {
    await set(receiver.url);
    await drop("second", "b");
    await lucra(["sync"]);
    const former = await state();
    expect(former.delivered.generation).to.equal("000002");
    await data.write(`webhooks/${AURORA}.json`, JSON.stringify(former));
    await rm(path.join(data.path, DELIVERIES));
    await lucra(["sync"]);
    expect(receiver.received, "it knows what was delivered").to.have.length(1);
    await drop("third", "c");
    await lucra(["sync"]);
    expect(receiver.received).to.have.length(2);
    expect((await state()).attempts).to.have.length(2);
    expect(await data.files("webhooks")).to.not.include(`${AURORA}.json`);
  });

  it("needs an address without a password, which no fault repeats", async () => {
    for (const url of [
      "ftp://example.com/token-of-the-path",
      "https://u:token-of-the-path@example.com",
      "token-of-the-path",
    ]) {
      const said = await lucra(["webhooks", "set", url]);
      expect([said.status, said.stderr], url).to.satisfy(
        ([status, text]: [number, string]) => status === 1 && /^lucra: webhook\.url: an (https )?address/.test(text),
      );
    }
    expect(await data.files("deliveries")).to.deep.equal([]);
  });

  it("is removed with its secret, and what another command shows has neither", async () => {
    await set(receiver.url);
    await drop("second", "b");
    for (const args of [
      ["sync"],
      ["organizations", "show"],
      ["organizations", "check"],
      ["webhooks", "list", "--json"],
      ["webhooks", "test"],
      ["doctor", "--json"],
    ])
      await lucra(args);
    expect(output).to.include("webhook: http://127.0.0.1:");
    for (const file of await data.files()) {
      if (!/^(secrets|organizations)\//.test(file)) expect(await data.text(file), file).to.not.include(secret);
      if (!file.startsWith("organizations/")) expect(await data.text(file), file).to.not.include("token-of-the-path");
    }
    await lucra(["webhooks", "remove"]);
    expect((await data.files()).filter((file) => /webhook.*json/.test(file))).to.deep.equal([]);
    expect(JSON.parse(await data.text(DELIVERIES))).to.deep.equal({});
    await drop("third", "c");
    await lucra(["sync"]);
    expect(receiver.received.map((one) => verified(one).type)).to.deep.equal(["answers.changed", "test"]);
  });
});

describe("A service", function () {
  this.timeout(240_000);
  let data: DataFolder;
  let receiver: Receiver;
  let log: string;
  const running: ChildProcess[] = [];

  const start = async (
    environment: Readonly<Record<string, string>> = {},
    ...args: string[]
  ): Promise<ChildProcess> => {
    const child = data.start(["serve", ...args], { PORT: "0", LUCRA_METRICS_PORT: "0", ...ALLOWED, ...environment });
    running.push(child);
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (log += chunk));
    await said(child, /"msg":"ready"/);
    return child;
  };
  const kill = async (child: ChildProcess): Promise<void> => {
    const end = ended(child);
    child.kill("SIGKILL");
    await end;
  };
  /** Lands an order as another process, which delivers nothing. */
  const land = async (id: string): Promise<void> => {
    await data.write(`${exportsOf(STOREA, "orders")}/${id}.json`, orders(id));
    await data.sync();
  };
  const ids = (): unknown[] => receiver.received.map(({ headers }) => headers["webhook-id"]);
  const generations = (): unknown[] => receiver.received.map(({ text }) => JSON.parse(text).data.generation);
  const accepted = async (generation: string): Promise<void> => {
    for (let n = 0; n < 200; n++) {
      const { delivered } = JSON.parse(await data.text(DELIVERIES)).webhook;
      if (delivered?.generation === generation) return;
      await sleep(100);
    }
    throw new Error(`generation ${generation} was not delivered: ${log}`);
  };

  beforeEach(async () => {
    log = "";
    data = await DataFolder.empty();
    await data.settings(shop());
    await land("first");
    receiver = await startReceiver();
    await commandIn(data, ALLOWED, ["webhooks", "set", receiver.url]);
  });

  afterEach(async () => {
    for (const child of running.splice(0)) child.kill("SIGKILL");
    const { secret } = JSON.parse(await data.text(`secrets/${AURORA}/webhook.json`));
    expect(log).to.not.include(secret.slice("whsec_".length)).and.not.include("token-of-the-path");
    await receiver.close();
    await data.remove();
  });

  it("delivers what other processes derive, and what its own schedule lands, once, and counts it", async () => {
    const metrics = String(await freePort());
    await start({ LUCRA_METRICS_PORT: metrics });
    await land("second");
    await receiver.until(1);
    await accepted("000002");
    await data.settings({ ...shop("* * * * * *"), webhook: { url: receiver.url } });
    await data.write(`${exportsOf(STOREA, "orders")}/third.json`, orders("third"));
    await receiver.until(2);
    await sleep(3_000);
    expect(new Set(ids()).size).to.equal(receiver.received.length);
    const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
    expect(text).to.include(
      `lucra_webhook_attempts_total{organization="${AURORA}",outcome="delivered"} ${receiver.received.length}`,
    );
  });

  it("that is killed before the receiver has answered sends the event again, with the same id", async () => {
    receiver.answer = () => {};
    const first = await start();
    await land("second");
    await receiver.until(1);
    await kill(first);
    receiver.answer = (response) => void response.end();
    await start();
    await receiver.until(2);
    await accepted("000002");
    expect(new Set(ids()).size).to.equal(1);
  });

  it("loses nothing if it is killed at any moment around a publication", async () => {
    for (let n = 2; n <= 6; n++) {
      const serving = await start();
      await data.write(`${exportsOf(STOREA, "orders")}/${n}.json`, orders(String(n)));
      const syncing = data.start(["sync"], ALLOWED);
      const synced = ended(syncing);
      await sleep(300 + 350 * (n - 2));
      await Promise.all([kill(serving), syncing.kill("SIGKILL")]);
      await synced;
    }
    await land("last");
    const { generation } = { generation: (await data.text(`marts/organization_id=${AURORA}/current`)).slice(4, 10) };
    await start();
    await accepted(generation);
    expect(generations().at(-1)).to.equal(generation);
  });

  it("delivers next to another one and to a sync by hand exactly once, and takes over from it", async () => {
    const first = await start();
    await start();
    await land("second");
    await accepted("000002");
    await data.write(`${exportsOf(STOREA, "orders")}/third.json`, orders("third"));
    expect((await data.lucra(["sync"], ALLOWED)).status).to.equal(0);
    await accepted("000003");
    await sleep(3_000);
    expect(generations()).to.deep.equal(["000002", "000003"]);
    await kill(first);
    await land("fourth");
    await accepted("000004");
    expect(generations()).to.deep.equal(["000002", "000003", "000004"]);
  });

  it("tries again after five seconds, and ends at once while a receiver is silent", async () => {
    receiver.answer = (response) => void response.writeHead(500).end();
    const serving = await start();
    await land("second");
    await receiver.until(1);
    receiver.answer = () => {};
    await receiver.until(2);
    expect(new Set(ids()).size).to.equal(1);
    const end = ended(serving);
    serving.kill("SIGTERM");
    expect((await end).status).to.equal(0);
  });

  it("with --read-only delivers nothing", async () => {
    await start({}, "--read-only");
    await land("second");
    await sleep(4_000);
    expect(receiver.received).to.deep.equal([]);
    await data.lucra(["sync"], ALLOWED);
    await accepted("000002");
  });
});
