import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { endToken } from "../../src/features/letters/secrets.ts";
import { messageIdOf, nameOf } from "../../src/features/letters/state.ts";
import { commandIn } from "../support/command.ts";
import { AURORA, DataFolder, ended, exportsOf, freePort, STOREA, said } from "../support/data.ts";
import { orders, shop } from "../support/schedules.ts";
import { simpleParser } from "./mailParser.ts";
import { type Mails, mailServer } from "./receivers.ts";

const ANA = "ana@example.com";
const LETTER = { to: ANA, on: "daily", at: "00:00", channel: "mail" } as const;
const DELIVERIES = `deliveries/${AURORA}.json`;
const DAY_MS = 86_400_000;
const dayAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

describe("Letters [D95]", function () {
  this.timeout(300_000);
  let data: DataFolder;
  let mails: Mails;
  let port: number;
  let log: string;
  const running: ChildProcess[] = [];

  const state = async () => JSON.parse(await data.text(DELIVERIES))[nameOf(LETTER)];
  /** Known since days, and sent last so many days ago. */
  const begin = (sentDaysAgo: number): Promise<unknown> =>
    data.write(
      DELIVERIES,
      JSON.stringify({
        [nameOf(LETTER)]: {
          since: new Date(Date.now() - 9 * DAY_MS).toISOString(),
          day: dayAgo(sentDaysAgo),
          sentDay: dayAgo(sentDaysAgo),
          stage: "sent",
        },
      }),
    );
  const start = async (): Promise<ChildProcess> => {
    const child = data.start(["serve"], {
      PORT: String(port),
      LUCRA_METRICS_PORT: "0",
      LUCRA_NOW: "",
      LUCRA_PUBLIC_URL: `http://127.0.0.1:${port}`,
      LUCRA_SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
      LUCRA_MAIL_FROM: "Lucra <lucra@example.com>",
    });
    running.push(child);
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (log += chunk));
    await said(child, /"msg":"ready"/);
    return child;
  };
  const kill = async (child: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): Promise<void> => {
    const end = ended(child);
    child.kill(signal);
    await end;
  };
  const until = async (is: () => boolean | Promise<boolean>, what: string): Promise<void> => {
    for (let n = 0; n < 600; n++) {
      if (await is()) return;
      await sleep(50);
    }
    throw new Error(`${what}: ${log}`);
  };
  /** Of the letter of today. */
  const stageIs = (stage: string) =>
    until(async () => {
      const known = await state();
      return known.day === dayAgo(0) && known.stage === stage;
    }, `not ${stage}`);
  const hurry = async (): Promise<void> => {
    const all = JSON.parse(await data.text(DELIVERIES));
    all[nameOf(LETTER)].nextAt = new Date(0).toISOString();
    await data.write(DELIVERIES, JSON.stringify(all));
  };
  const idsOf = (): string[] => mails.got.map((raw) => /^Message-ID: (.*)$/im.exec(raw)?.[1] ?? "");
  /** Boundaries and the date of sending are the library's. */
  const saidIn = (raw: string): string => JSON.stringify(simpleParser(raw));

  beforeEach(async () => {
    log = "";
    port = await freePort();
    data = await DataFolder.empty();
    await data.settings({ ...shop(), letters: [LETTER] } as never);
    await data.write(`${exportsOf(STOREA, "orders")}/first.json`, orders("first"));
    await data.sync();
    await commandIn(data, {}, ["people", "add", ANA, "--role", "viewer", "--organization", AURORA]);
    mails = await mailServer();
    await begin(3);
  });

  afterEach(async () => {
    for (const child of running.splice(0)) child.kill("SIGKILL");
    expect(log, "no address of a person").to.not.include(ANA);
    await mails.close();
    await data.remove();
  });

  it("goes out once, names the days without one, and says what is missing first", async () => {
    const child = await start();
    await stageIs("sent");
    const day = dayAgo(0);
    expect(idsOf()).to.deep.equal([`<${messageIdOf(AURORA, LETTER, day)}@127.0.0.1>`]);
    const mail = simpleParser(mails.got[0] ?? "");
    expect(mail.headers["list-unsubscribe-post"]).to.equal("List-Unsubscribe=One-Click");
    expect(mail.headers["list-unsubscribe"]).to.match(/^<http:\/\/127\.0\.0\.1:\d+\/letters\/[\w-]+\/[\w-]{43}>$/);
    expect(mail.headers.to).to.equal(ANA);
    expect(mail.text).to.include("Ainda faltam dados").and.to.include("Não houve carta de");
    expect(mail.html)
      .to.include("<table")
      .and.not.match(/<img|<link|src=|url\(/);
    const known = await state();
    expect([known.day, known.sentDay, known.content]).to.deep.equal([day, day, undefined]);
    await kill(child, "SIGTERM");
    const again = await start();
    await sleep(2_000);
    await kill(again, "SIGTERM");
    expect(mails.got).to.have.length(1);
  });

  it("goes once more, the same, where nobody can know whether it arrived, and then not again", async () => {
    mails.mood = "dies";
    let child = await start();
    await until(() => mails.got.length === 1, "not sent");
    await until(async () => (await state()).unknowns === 1, "not noted");
    await kill(child);
    child = await start();
    await stageIs("unknown");
    await kill(child);
    await kill(await start());
    expect(mails.got).to.have.length(2);
    expect(new Set(idsOf()).size).to.equal(1);
    expect(saidIn(mails.got[0] ?? "")).to.equal(saidIn(mails.got[1] ?? ""));
  });

  it("waits for a server that refuses or is not there, and gives up where it never takes it", async () => {
    mails.mood = "refuses";
    let child = await start();
    await until(async () => (await state()).attempts === 1, "not tried");
    const refused = await state();
    expect([refused.stage, refused.reason, refused.unknowns]).to.deep.equal(["waiting", "answered 450 at RCPT TO", 0]);
    await kill(child);
    await hurry();
    mails.mood = "takes";
    child = await start();
    await stageIs("sent");
    expect(mails.got).to.have.length(1);
    await kill(child);
    mails.mood = "rejects";
    await begin(1);
    child = await start();
    await stageIs("failed");
    await kill(child);
    expect(mails.got).to.have.length(1);
    expect((await state()).sentDay).to.equal(dayAgo(1));
  });

  it("is not lost, and comes twice only with the same Message-ID and content, whenever its process is killed", async () => {
    const moments = [
      { when: "ready", after: 0, most: 1 },
      { when: "ready", after: 700, most: 2 },
      { when: "text", after: 0, most: 2 },
      { when: "text", after: 600, most: 2 },
      { when: "text", after: 1_300, most: 2 },
      { when: "answer", after: 0, most: 2 },
      { when: "answer", after: 30, most: 2 },
    ] as const;
    const counts: number[] = [];
    for (const { when, after, most } of moments) {
      await begin(1);
      mails.got.length = 0;
      mails.answered = 0;
      mails.mood = "waits";
      const child = await start();
      if (when === "text") await until(() => mails.got.length > 0, "no text");
      if (when === "answer") await until(() => mails.answered > 0, "no answer");
      await sleep(after);
      await kill(child);
      const last = await start();
      await stageIs("sent");
      await kill(last, "SIGTERM");
      counts.push(mails.got.length);
      expect(mails.answered, "lost").to.be.at.least(1);
      expect(mails.got.length, `killed ${after} ms after ${when}`).to.be.within(1, most);
      expect(new Set(idsOf()).size).to.equal(1);
      expect(new Set(mails.got.map(saidIn)).size).to.equal(1);
    }
    expect(Math.max(...counts), "some of the kills are between text and answer").to.equal(2);
    console.log(`      killed at ${moments.length} moments: sent ${counts.join(", ")} times`);
  });

  it("ends by a POST of the mail program, not by opening its address", async () => {
    const child = await start();
    await stageIs("sent");
    const [, address = ""] = /^<(.*)>$/.exec(simpleParser(mails.got[0] ?? "").headers["list-unsubscribe"] ?? "") ?? [];
    const opened = await fetch(address);
    expect(opened.status).to.equal(200);
    const page = await opened.text();
    expect(page).to.include('<form method="post"').and.not.include(ANA);
    expect(opened.headers.get("content-security-policy")).to.include("default-src 'none'");
    const settings = async () => JSON.parse(await data.text(`organizations/${AURORA}.json`));
    expect((await settings()).letters, "a scanner changes nothing").to.have.length(1);
    for (const wrong of [address.replace(/.{5}$/, "xxxxx"), address.replace(AURORA, STOREA)]) {
      expect(await (await fetch(wrong, { method: "POST" })).text()).to.not.include("<form");
      expect((await settings()).letters).to.have.length(1);
    }
    const ending = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: "List-Unsubscribe=One-Click",
    });
    expect(ending.status).to.equal(200);
    expect((await settings()).letters).to.equal(undefined);
    expect((await fetch(address, { method: "POST" })).status).to.equal(200);
    expect(await data.text(`audit/${AURORA}.ndjson`)).to.include('"letters.end"');
    await kill(child);
  });

  it("ends nothing by other methods, by what scanners send, or by addresses of others", async () => {
    const other = "5f0c2b1e-8a4d-4c37-9e21-000000000002";
    const letters = [LETTER, { ...LETTER, on: "weekly" }, { ...LETTER, to: "bia@example.com" }];
    await data.settings({ ...shop(), letters } as never);
    await data.settings({ ...shop(), organizationId: other, letters } as never);
    for (const organization of [AURORA, other])
      for (const person of [ANA, "bia@example.com"])
        await commandIn(data, {}, ["people", "add", person, "--role", "viewer", "--organization", organization]);
    const child = await start();
    const lettersOf = async (organization: string) =>
      JSON.parse(await data.text(`organizations/${organization}.json`)).letters;
    const tokenOf = (organization: string, on: "daily" | "weekly" | "alert"): Promise<string> =>
      endToken(foldersOf(data.config.dataDir, organization), { to: ANA, on });
    const at = (organization: string, token: string): string =>
      `http://127.0.0.1:${port}/letters/${organization}/${token}`;
    const [own, alert, foreign] = [
      await tokenOf(AURORA, "daily"),
      await tokenOf(AURORA, "alert"),
      await tokenOf(other, "daily"),
    ];
    const oneClick = "List-Unsubscribe=One-Click";
    for (const method of ["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH"])
      for (const token of [own, alert]) await fetch(`${at(AURORA, token)}?${oneClick}`, { method });
    const wrong = [
      at(AURORA, foreign),
      at(other, own),
      at(other, alert),
      at(AURORA, own.slice(0, -1)),
      at(AURORA, `${own}x`),
      at(AURORA, own.toLowerCase()),
      at(AURORA, "%00".repeat(43)),
      at(AURORA, "A".repeat(43)),
      at(AURORA, `..%2f${other}%2f${foreign}`),
      at("..%2fsecrets", own),
      `${at(AURORA, own)}/`,
    ];
    for (const address of wrong) {
      const { status } = await fetch(address, { method: "POST", body: new URLSearchParams(oneClick) });
      expect(status, address).to.be.oneOf([200, 400, 401, 404, 405]);
    }
    for (const organization of [AURORA, other]) expect(await lettersOf(organization)).to.deep.equal(letters);
    await fetch(at(AURORA, own), { method: "POST" });
    expect(await lettersOf(AURORA), "the others stay").to.deep.equal(letters.slice(1));
    await fetch(at(AURORA, own), { method: "POST" });
    expect(await lettersOf(AURORA), "ended before").to.deep.equal(letters.slice(1));
    await fetch(at(AURORA.toUpperCase(), alert), { method: "POST" });
    expect(await lettersOf(AURORA)).to.deep.equal(letters.slice(2));
    expect(await (await fetch(at(AURORA, alert), { method: "POST" })).text(), "nothing is left").to.not.include(
      "<form",
    );
    expect(await lettersOf(other)).to.deep.equal(letters);
    await kill(child);
  });

  it("ends all letters of a person, and of nobody else, by the address of an alert", async () => {
    const letters = [
      { channel: "mail", to: ANA, on: "daily", at: "08:00" },
      { channel: "mail", to: ANA, on: "weekly", at: "08:00" },
      { channel: "slack", to: "#sales", on: "weekly", at: "08:00" },
    ];
    const file = `organizations/${AURORA}.json`;
    await data.write(file, JSON.stringify({ ...JSON.parse(await data.text(file)), letters }));
    const child = await start();
    const folders = foldersOf(data.config.dataDir, AURORA);
    const address = `http://127.0.0.1:${port}/letters/${AURORA}/${await endToken(folders, { to: ANA, on: "alert" })}`;
    const opened = await (await fetch(address)).text();
    expect(opened).to.include("todas as cartas e avisos").and.not.include(ANA);
    expect((await fetch(address, { method: "POST" })).status).to.equal(200);
    expect(JSON.parse(await data.text(file)).letters).to.deep.equal([letters[2]]);
    await kill(child);
  });
});
