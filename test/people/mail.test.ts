import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { pino } from "pino";
import { readConfig } from "../../src/core/config.ts";
import type { Mail } from "../../src/features/mail/mail.ts";
import { SmtpMailer } from "../../src/features/mail/mailer.ts";
import { signInMail } from "../../src/features/people/signInMail.ts";
import { until } from "../support/app.ts";
import { type Smtp, smtpServer } from "../support/smtp.ts";

const mailTo = (to: string, subject = "Olá"): Mail => ({ to, subject, text: "text", html: "<p>text</p>" });
const reply = (code: number): Error => Object.assign(new Error("refused"), { responseCode: code });

describe("Mail [D90]", () => {
  const open: { close?: () => Promise<void>; stop?: () => Promise<void> }[] = [];
  const log: string[] = [];
  const mailerFor = (port: number, host = "127.0.0.1", clock?: () => number): SmtpMailer => {
    const mailer = new SmtpMailer({
      settings: { url: `smtp://${host}:${port}`, from: "Lucra <lucra@example.com>" },
      log: pino({}, { write: (line: string) => void log.push(line) }),
      delaysMs: [30, 30],
      ...(clock ? { clock } : {}),
    });
    open.push(mailer);
    return mailer;
  };
  const serve = async (...options: Parameters<typeof smtpServer>): Promise<Smtp> => {
    const smtp = await smtpServer(...options);
    open.push(smtp);
    return smtp;
  };

  beforeEach(() => {
    log.length = 0;
  });
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await (one.stop?.() ?? one.close?.());
  });

  it("is one mail to one person, whatever names an organization and an address have", async () => {
    const smtp = await serve();
    const mailer = mailerFor(smtp.port);
    const where = "Loja\r\nBcc: eve@evil.example\r\n\r\n<script>\u0000\u2028X";
    const mail = signInMail({
      to: "josé+a'b@example.com",
      kind: "invitation",
      link: "https://lucra.example.com/explorer#signin=x",
      code: "ABCDEFGH",
      language: "pt-BR",
      where,
    });
    mailer.send(mail);
    mailer.send({ ...mailTo("ana@example.com", "Assunto\r\nBcc: eve@evil.example") });
    await until(() => smtp.received.length === 2);
    for (const { to, raw } of smtp.received) {
      const [headers = ""] = raw.split("\r\n\r\n");
      const names = headers.split(/\r\n(?![ \t])/).map((line) => line.split(":")[0]?.toLowerCase());
      expect(to).to.have.lengthOf(1);
      expect(names.filter((name) => name === "to" || name === "subject" || name === "from")).to.have.lengthOf(3);
      for (const name of ["bcc", "cc", "reply-to"]) expect(names).to.not.include(name);
    }
  });

  it("of a server that does not take one yet is tried again, and keeps no other one waiting", async () => {
    let tries = 0;
    const smtp = await serve({
      disabledCommands: ["STARTTLS"],
      onRcptTo: ({ address }, _session, done) =>
        address.startsWith("grey") && ++tries < 3 ? done(reply(450)) : done(),
    });
    const mailer = mailerFor(smtp.port);
    mailer.send(mailTo("grey@example.com"));
    for (let n = 0; n < 3; n++) mailer.send(mailTo(`p${n}@example.com`));
    await until(() => smtp.received.length === 4);
    expect(smtp.received.map(({ to }) => to[0])).to.deep.equal([
      "p0@example.com",
      "p1@example.com",
      "p2@example.com",
      "grey@example.com",
    ]);
    expect(tries).to.equal(3);
    expect(log.join("")).to.include('"responseCode":450').and.not.include("example.com");
  });

  it("that is refused is not tried again, and one that fails always is given up", async () => {
    const tries = new Map<string, number>();
    const smtp = await serve({
      disabledCommands: ["STARTTLS"],
      onRcptTo: ({ address }, _session, done) => {
        tries.set(address, (tries.get(address) ?? 0) + 1);
        done(reply(address.startsWith("no") ? 550 : 451));
      },
    });
    const mailer = mailerFor(smtp.port);
    mailer.send(mailTo("no@example.com"));
    mailer.send(mailTo("later@example.com"));
    await until(() => tries.get("later@example.com") === 3);
    await sleep(100);
    expect(Object.fromEntries(tries)).to.deep.equal({ "no@example.com": 1, "later@example.com": 3 });
    expect(log.filter((line) => line.includes('"isLast":true'))).to.have.lengthOf(2);
  });

  it("is at most 300 an hour in all, and 1,000 that wait", async () => {
    const smtp = await serve();
    let now = 0;
    const mailer = mailerFor(smtp.port, "127.0.0.1", () => now);
    const taken = (count: number): number =>
      Array.from({ length: count }, (_, n) => mailer.send(mailTo(`p${n}@example.com`))).filter(Boolean).length;
    expect(taken(302)).to.equal(300);
    expect(log.join("")).to.include("too many");
    now += 3_600_001;
    expect(taken(1)).to.equal(1);
    await mailer.stop();
  });

  it("needs TLS, but to this machine", async () => {
    const plain = await serve();
    const own = await serve({});
    for (const smtp of [plain, own]) {
      mailerFor(smtp.port, "0.0.0.0").send(mailTo("ana@example.com"));
      mailerFor(smtp.port).send(mailTo("bia@example.com"));
    }
    await until(() => plain.received.length + own.received.length >= 2);
    await until(() => log.filter((line) => line.includes('"isLast":true')).length >= 2);
    for (const smtp of [plain, own]) expect(smtp.received.map(({ to }) => to[0])).to.deep.equal(["bia@example.com"]);
  });

  it("is set up with a sender and an address of the service, or not at all", () => {
    const all = {
      LUCRA_SMTP_URL: "smtps://u:p4ssw0rd@mail.example.com",
      LUCRA_MAIL_FROM: "Lucra <lucra@example.com>",
      LUCRA_PUBLIC_URL: "https://lucra.example.com",
    };
    expect(readConfig(all).smtp).to.deep.include({ from: all.LUCRA_MAIL_FROM });
    for (const name of ["LUCRA_MAIL_FROM", "LUCRA_PUBLIC_URL"])
      expect(() => readConfig({ ...all, [name]: "" }))
        .to.throw(name)
        .and.to.have.property("message")
        .that.does.not.include("p4ssw0rd");
    for (const url of ["http://mail.example.com", "mail.example.com", "smtp//x"])
      expect(() => readConfig({ ...all, LUCRA_SMTP_URL: url }), url).to.throw("LUCRA_SMTP_URL");
    for (const from of ["Lucra", "a@b\r\nBcc: c@d.example"])
      expect(() => readConfig({ ...all, LUCRA_MAIL_FROM: from }), from).to.throw("LUCRA_MAIL_FROM");
  });
});
