import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SMTPServer } from "smtp-server";
import { build } from "../../explorer/build.ts";
import { EXPLORER } from "../../src/core/files/paths.ts";
import { type DataFolder, freePort } from "../support/data.ts";
import { landedFixtures } from "../support/shared.ts";

/** A mail that the service sent, as the server got it. */
export interface Received {
  readonly to: string;
  readonly text: string;
}

/** A mail server of this machine, which keeps what it gets. */
export interface MailServer {
  readonly url: string;
  /** The next mail to an address that nobody took. Fails after a while without one. */
  next(to: string): Promise<Received>;
  /** The mails that nobody took. */
  readonly waiting: readonly Received[];
  close(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  const waiting: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const text = unfolded(Buffer.concat(chunks).toString("utf8"));
        for (const { address } of session.envelope.rcptTo) waiting.push({ to: address, text });
        done();
      });
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    waiting,
    async next(to) {
      for (let left = 200; left > 0; left--) {
        const found = waiting.findIndex((mail) => mail.to === to);
        if (found >= 0) return waiting.splice(found, 1)[0] as Received;
        await sleep(50);
      }
      throw new Error(`no mail to ${to}`);
    },
    close: () => new Promise((done) => server.close(() => done())),
  };
}

/** Without the line ends of quoted-printable. */
const unfolded = (text: string): string => text.replaceAll("=\r\n", "").replaceAll("=3D", "=");

/** The link of a mail, and the code in it. */
export function linkIn({ text }: Received): { readonly link: string; readonly code: string } {
  const [link = ""] = /http:\/\/\S+#signin=[\w-]+/.exec(text) ?? [];
  const [code = ""] = /\b[A-Z2-9]{4}-[A-Z2-9]{4}\b/.exec(text) ?? [];
  return { link, code };
}

/** `lucra serve` as a process, with the built Explorer and the organization of the fixtures, or other data. */
export interface Process {
  readonly base: string;
  readonly data: DataFolder;
  /** Runs a command on its data, and returns what it printed. */
  lucra(...args: string[]): Promise<string>;
  close(): Promise<void>;
}

export async function serveProcess(
  environment: Readonly<Record<string, string>> = {},
  landed: () => Promise<DataFolder> = landedFixtures,
  options: readonly string[] = [],
): Promise<Process> {
  await buildInPlace();
  const data = await landed();
  const port = await freePort();
  const base = `http://localhost:${port}`;
  const all = { PORT: String(port), LUCRA_PUBLIC_URL: base, ...environment };
  const child: ChildProcess = data.start(["serve", ...options], all);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (said += chunk));
  for (let left = 600; ; left--) {
    const isReady = await fetch(`${base}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) break;
    if (left === 0 || child.exitCode !== null) throw new Error(`the service did not start: ${said}`);
    await sleep(100);
  }
  return {
    base,
    data,
    async lucra(...args) {
      const { status, stdout, stderr } = await data.lucra(args, all);
      if (status !== 0) throw new Error(`lucra ${args.join(" ")}: ${stderr}`);
      return stdout;
    },
    async close() {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
      await data.remove();
    },
  };
}

/** Builds the Explorer where a service serves it: file by file, as another test may be loading it. */
async function buildInPlace(): Promise<void> {
  await mkdir(path.dirname(EXPLORER), { recursive: true });
  const folder = await mkdtemp(path.join(path.dirname(EXPLORER), ".built-"));
  try {
    await build(folder);
    await mkdir(EXPLORER, { recursive: true });
    // The page last: it names the others.
    const names = (await readdir(folder)).sort((a, b) => Number(a === "index.html") - Number(b === "index.html"));
    for (const name of names) await rename(path.join(folder, name), path.join(EXPLORER, name));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
