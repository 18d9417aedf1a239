import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { Organization } from "../../src/core/contract/settings.ts";
import { changeDelivery, readDeliveries, removeDeliveries } from "../../src/core/coordination/deliveries.ts";
import { useCoordination } from "../../src/core/coordination/registry.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { openPostgres } from "../../src/features/cluster/postgres/open.ts";
import type { AlertLine } from "../../src/features/letters/alerts.ts";
import type { LetterRun } from "../../src/features/letters/run.ts";
import { keepSlackAddress } from "../../src/features/letters/secrets.ts";
import { type LetterState, nameOf } from "../../src/features/letters/state.ts";
import { keepSecret, newSecret } from "../../src/features/webhooks/secret.ts";
import { AURORA, ended, ROOT } from "../support/data.ts";
import { type Postgres, postgresPrograms, startPostgres } from "../support/postgres.ts";
import { simpleParser } from "./mailParser.ts";
import { type Hooks, hookServer, type Mails, mailServer } from "./receivers.ts";
import { type SenderParts, senderOf } from "./sender.ts";

const RECEIVERS = {
  mail: { channel: "mail", to: "ana@example.com", on: "alert" },
  slack: { channel: "slack", to: "#vendas", on: "alert" },
  webhook: { channel: "webhook", on: "alert" },
} as const;
type Channel = keyof typeof RECEIVERS;

const lineOf = (about: string, since: string, others: Partial<AlertLine> = {}): AlertLine => ({
  text: `${about}: <b>1</b> since ${since}`,
  address: `/${AURORA}/overview`,
  name: about,
  about,
  builtIn: null,
  subject: null,
  since,
  to: since,
  isOver: false,
  atOnce: true,
  ...others,
});

describe("Alerts at once [D96]", function () {
  this.timeout(300_000);
  let folder: string;
  let parts: SenderParts;
  let mails: Mails;
  let hooks: Hooks;
  const running: LetterRun[] = [];
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "lucra-at-once-"));
    mails = await mailServer();
    hooks = await hookServer();
    const at = (name: string): string => path.join(folder, `${name}.json`);
    parts = { dataDir: folder, settings: at("settings"), lines: at("lines"), smtpPort: mails.port };
    const folders = foldersOf(folder, AURORA);
    await keepSlackAddress(folders, "#vendas", `${hooks.url}/slack`);
    await keepSecret(folders, { secret: newSecret(), setAt: new Date().toISOString() });
    await letters("mail", "slack", "webhook");
    await say();
  });

  afterEach(async () => {
    await Promise.all(running.splice(0).map((run) => run.stop()));
    for (const child of children.splice(0)) child.kill("SIGKILL");
    useCoordination(folder, undefined);
    await mails.close();
    await hooks.close();
    await rm(folder, { recursive: true });
  });

  /** Who gets letters: nothing of these is due. */
  const letters = (...channels: readonly Channel[]): Promise<void> => {
    const settings: Organization = {
      organizationId: AURORA,
      name: "Casa Aurora",
      webhook: { url: `${hooks.url}/hook` },
      alerts: [{ builtIn: "orders", atOnce: true }],
      letters: channels.flatMap((channel) => {
        const { on: _, ...of } = RECEIVERS[channel];
        return (["monthly", "weekly"] as const).map((on) => ({ ...of, on, at: "23:59" }));
      }),
    };
    return writeFile(parts.settings, JSON.stringify(settings));
  };
  const say = (...lines: readonly AlertLine[]): Promise<void> => writeFile(parts.lines, JSON.stringify(lines));
  const states = async () => ((await readDeliveries(folder, AURORA)) ?? {}) as Record<string, LetterState>;
  const stateOf = async (channel: Channel): Promise<LetterState | undefined> =>
    (await states())[nameOf(RECEIVERS[channel])];
  const until = async (is: () => boolean | Promise<boolean>, what: string): Promise<void> => {
    for (let n = 0; n < 1_200; n++) {
      if (await is()) return;
      await sleep(50);
    }
    const open = Object.values(await states()).filter(({ spoken }) => spoken);
    throw new Error(`${what}: ${JSON.stringify(open)}`);
  };
  const stageIs = (channel: Channel, stage: string) =>
    until(async () => (await stateOf(channel))?.stage === stage, `${channel} is not ${stage}`);
  const start = (): LetterRun => {
    const run = senderOf(parts);
    running.push(run);
    run.start();
    return run;
  };
  /** All receivers have seen what holds now. */
  const begun = (...channels: readonly Channel[]) =>
    until(async () => {
      const all = await Promise.all(channels.map(stateOf));
      return all.every((state) => state?.spoken !== undefined);
    }, "not begun");
  const hurry = (channel: Channel) =>
    changeDelivery<LetterState, void>(folder, AURORA, nameOf(RECEIVERS[channel]), (state) => ({
      entry: state && { ...state, nextAt: new Date(0).toISOString() },
      result: undefined,
    }));
  const ids = () => ({
    mail: mails.got.map((raw) => /^Message-ID: (.*)$/im.exec(raw)?.[1] ?? ""),
    slack: hooks.got.filter((one) => one.path === "/slack").map(({ body }) => body),
    webhook: hooks.got.filter((one) => one.path === "/hook").map(({ id }) => id),
  });
  const counts = (): number[] => Object.values(ids()).map((all) => all.length);

  it("go out when a cause begins, once to each receiver, whatever else changes", async () => {
    await say(lineOf("orders", "2026-01-01"));
    const first = start();
    await begun("mail", "slack", "webhook");
    await sleep(300);
    expect(counts(), "what held before began before").to.deep.equal([0, 0, 0]);
    await say(
      lineOf("orders", "2026-01-01", { to: "2026-01-05" }),
      lineOf("revenue", "2026-01-05"),
      lineOf("CAC", "2026-01-05", { atOnce: false }),
    );
    await until(() => counts().every((count) => count === 1), "not sent");
    expect(mails.got[0]).to.include("revenue").and.not.include("CAC");
    expect(simpleParser(mails.got[0] ?? "").headers["list-unsubscribe-post"]).to.equal("List-Unsubscribe=One-Click");
    expect(ids().mail[0]).to.match(/^<alert\.[0-9a-f]{32}@lucra\.example\.com>$/);
    const event = JSON.parse(hooks.got.find((one) => one.path === "/hook")?.body ?? "{}");
    expect([event.type, event.data.blocks[0].lines[0].text]).to.deep.equal([
      "alert",
      "revenue: <b>1</b> since 2026-01-05",
    ]);
    expect(ids().slack[0]).to.include("&lt;b&gt;");
    // The first day moves, it holds, it is over; another process looks.
    await say(lineOf("revenue", "2026-01-03", { to: "2026-01-07" }), lineOf("orders", "2026-01-04"));
    await sleep(300);
    await first.stop();
    start();
    await sleep(300);
    await say(lineOf("revenue", "2026-01-03", { to: "2026-01-07", isOver: true }));
    await sleep(300);
    expect(counts()).to.deep.equal([1, 1, 1]);
    // It begins again: another cause.
    await say(lineOf("revenue", "2026-01-20"));
    await until(() => counts().every((count) => count === 2), "not sent again");
    expect(new Set(ids().mail).size).to.equal(2);
  });

  it("go to whoever still has the role, up to the last moment", async () => {
    await letters("mail");
    let hasRole = true;
    const run = senderOf(parts, {
      personOf: async () => (hasRole ? {} : undefined),
      end: async () => {
        await letters();
      },
    });
    running.push(run);
    run.start();
    await begun("mail");
    mails.mood = "refuses";
    await say(lineOf("orders", "2026-01-01"));
    await until(async () => (await stateOf("mail"))?.attempts === 1, "not tried");
    mails.mood = "takes";
    hasRole = false;
    await hurry("mail");
    await sleep(500);
    expect(mails.got).to.have.length(0);
  });

  it("by Slack: again where it is refused, not where it may have arrived, slowly, or was ended", async () => {
    await letters("slack");
    start();
    await begun("slack");
    hooks.mood = "refuses";
    await say(lineOf("a", "2026-01-01"));
    await until(async () => (await stateOf("slack"))?.reason === "answered 503", "not refused");
    hooks.mood = "takes";
    await hurry("slack");
    await stageIs("slack", "sent");
    expect(ids().slack).to.have.length(2);
    hooks.mood = "dies";
    await say(lineOf("b", "2026-01-02"));
    await stageIs("slack", "unknown");
    await sleep(300);
    expect(ids().slack).to.have.length(3);
    hooks.mood = "waits";
    await say(lineOf("c", "2026-01-03"));
    await until(async () => (await stateOf("slack"))?.stage === "sent", "not taken slowly");
    expect(ids().slack).to.have.length(4);
    hooks.mood = "rejects";
    await say(lineOf("d", "2026-01-04"));
    await stageIs("slack", "failed");
    await sleep(300);
    expect(ids().slack).to.have.length(5);
  });

  it("by the webhook: with the same id until it is answered, and not after 410", async () => {
    await letters("webhook");
    start();
    await begun("webhook");
    for (const mood of ["refuses", "dies"] as const) {
      hooks.got.length = 0;
      hooks.mood = mood;
      await say(lineOf(mood, "2026-01-01"));
      await until(() => hooks.got.length === 1, "not sent");
      await until(async () => (await stateOf("webhook"))?.nextAt !== undefined, "not noted");
      hooks.mood = "takes";
      await hurry("webhook");
      await stageIs("webhook", "sent");
      expect(ids().webhook, mood).to.have.length(2);
      expect(new Set(ids().webhook).size).to.equal(1);
      expect(new Set(hooks.got.map(({ body }) => body)).size, "the same text").to.equal(1);
    }
    hooks.mood = "rejects";
    await say(lineOf("gone", "2026-01-03"));
    await stageIs("webhook", "failed");
  });

  it("are sent by two senders over one database, of which some are killed: none is lost, and none comes twice with another id", async function () {
    if (postgresPrograms() === undefined) return this.skip();
    const postgres: Postgres = await startPostgres();
    try {
      const databaseUrl = await postgres.database();
      useCoordination(folder, openPostgres(databaseUrl, path.resolve(folder)));
      const sender = (): ChildProcess => {
        const file = path.join("test", "letters", "sender.ts");
        const args = ["--import", "./bin/typescript.mjs", file, JSON.stringify({ ...parts, databaseUrl })];
        const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
        children.push(child);
        return child;
      };
      let [one, other] = [sender(), sender()];
      await begun("mail", "slack", "webhook");
      const lines: AlertLine[] = [];
      const CAUSES = 12;
      for (let n = 1; n <= CAUSES; n++) {
        mails.mood = hooks.mood = n % 3 === 0 ? "waits" : "takes";
        lines.push(lineOf(`alert ${n};`, "2026-01-01"));
        const before = counts();
        await say(...lines);
        if (n % 3 === 0) {
          // Whoever sends is killed while something is on its way.
          await until(() => counts().some((count, no) => count > (before[no] ?? 0)), "nothing on its way");
          const dead = Promise.all([one, other].map(ended));
          one.kill("SIGKILL");
          other.kill("SIGKILL");
          await dead;
          [one, other] = [sender(), sender()];
        }
        const settled = async (): Promise<boolean> => {
          const all = await Promise.all((["mail", "slack", "webhook"] as const).map(stateOf));
          return all.every(
            (state) => (state?.stage === "sent" || state?.stage === "unknown") && state.spoken?.[`alert ${n};`],
          );
        };
        for (const channel of ["mail", "slack", "webhook"] as const)
          if ((await stateOf(channel))?.nextAt) await hurry(channel);
        await until(async () => {
          for (const channel of ["mail", "slack", "webhook"] as const)
            if ((await stateOf(channel))?.nextAt) await hurry(channel);
          return settled();
        }, `alert ${n}`);
      }
      const times = (all: readonly string[], n: number): string[] => all.filter((text) => text.includes(`alert ${n};`));
      const twice = { mail: 0, slack: 0, webhook: 0 };
      for (let n = 1; n <= CAUSES; n++) {
        const got = {
          mail: times(mails.got, n),
          slack: times(ids().slack, n),
          webhook: times(
            hooks.got.filter((each) => each.path === "/hook").map(({ body }) => body),
            n,
          ),
        };
        for (const channel of ["mail", "slack", "webhook"] as const) {
          expect(got[channel].length, `${channel}: alert ${n}`).to.be.within(
            1,
            channel === "slack" || n % 3 > 0 ? 1 : 2,
          );
          if (got[channel].length > 1) twice[channel]++;
        }
      }
      expect(new Set(ids().mail).size, "Message-IDs").to.equal(CAUSES);
      expect(new Set(ids().webhook).size, "webhook-ids").to.equal(CAUSES);
      await removeDeliveries(folder, AURORA);
      expect(await readDeliveries(folder, AURORA)).to.deep.equal({});
      console.log(`      ${CAUSES} causes, 4 kills: lost 0; twice with the same id: ${JSON.stringify(twice)}`);
    } finally {
      useCoordination(folder, undefined);
      for (const child of children.splice(0)) child.kill("SIGKILL");
      await postgres.remove();
    }
  });
});
