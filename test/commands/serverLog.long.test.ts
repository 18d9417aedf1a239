import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { expect } from "chai";
import { DataFolder, oneStore, ROOT, said } from "../support/data.ts";

/** Everything that a process writes until it ends. */
function written(child: ChildProcess): Promise<string> {
  const parts: Buffer[] = [];
  child.stdout?.on("data", (part: Buffer) => parts.push(part));
  return new Promise((done) => child.once("close", () => done(Buffer.concat(parts).toString())));
}

const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

const SERVER_LOG = path.join(ROOT, "src", "core", "terminal", "serverLog.ts");

/** A process with the log of the service, which runs the statements. */
function logging(statements: string): ChildProcess {
  const script = `import { flushed, serverLog } from ${JSON.stringify(SERVER_LOG)};
    const log = await serverLog("info");
    ${statements}`;
  const options = ["--import", path.join(ROOT, "bin", "typescript.mjs"), "--input-type=module", "-e", script];
  return spawn(process.execPath, options, { stdio: ["ignore", "pipe", "ignore"] });
}

const MANY = "for (let n = 0; n < 5000; n++) log.info({ n }, 'line');";

describe("The log of the service", function () {
  this.timeout(60_000);

  for (const [end, statements] of [
    ["ends by itself", MANY],
    ["exits", `${MANY} process.exit(0);`],
    ["has handed them over and exits", `${MANY} await flushed(log); log.info({ n: 5000 }, 'line'); process.exit(0);`],
    ["fails", `setTimeout(() => { ${MANY} throw new Error("unforeseen"); });`],
    ["rejects a promise", `setTimeout(async () => { ${MANY} throw new Error("unforeseen"); });`],
  ] as const)
    it(`has every line of a process that ${end}`, async () => {
      const numbers = linesOf(await written(logging(statements))).map(({ n }) => Number(n));
      expect(numbers).to.have.length.within(5000, 5001);
      expect(numbers.sort((a, b) => a - b).every((number, n) => number === n)).to.equal(true);
    });

  it("is not written line by line, but without a further line within a moment", async () => {
    const child = logging("log.info('one'); log.info('two'); setInterval(() => {}, 1000);");
    const first = new Promise<string>((done) => child.stdout?.once("data", (part) => done(String(part))));
    expect(linesOf(await first).map(({ msg }) => msg)).to.deep.equal(["one", "two"]);
    child.kill("SIGKILL");
  });

  it("has a line for each request to a service that is stopped", async () => {
    const data = await DataFolder.empty();
    await data.settings(oneStore());
    const child = data.start(["serve"], { PORT: "0", LUCRA_METRICS_PORT: "0" });
    try {
      const everything = written(child);
      const port = /"port":(\d+)/.exec(await said(child, /"msg":"ready".*\n/))?.[1];
      const ask = () => fetch(`http://127.0.0.1:${port}/healthz`).then((answer) => answer.text());
      for (let n = 0; n < 20; n++) await Promise.all(Array.from({ length: 10 }, ask));
      child.kill("SIGTERM");
      const messages = linesOf(await everything).map(({ msg }) => msg);
      expect(messages.filter((message) => message === "request completed")).to.have.length(200);
      expect(messages).to.include("stopping");
    } finally {
      child.kill("SIGKILL");
      await data.remove();
    }
  });
});

describe("lucra serve on a terminal", () => {
  it("shows where it is and a log for people, and on no terminal a log of JSON with the addresses", async () => {
    const data = await DataFolder.empty();
    await data.settings(oneStore());
    const environment = { PORT: "0", LUCRA_METRICS_PORT: "0" };
    const program = `${process.execPath} ${path.join(ROOT, "bin", "lucra.cjs")} serve`;
    const terminal = spawn("script", ["-qec", program, "/dev/null"], {
      env: { PATH: process.env.PATH, LUCRA_DATA_DIR: data.path, ...environment },
      stdio: ["pipe", "pipe", "pipe"],
    });
    const piped = data.start(["serve"], environment);
    try {
      const shown = (await said(terminal, /ready/)).replaceAll("\r\n", "\n");
      const [, port] = /^Explorer: {2}http:\/\/127\.0\.0\.1:(\d+)\/explorer#signin=[\w-]{43} /m.exec(shown) ?? [];
      expect(shown).to.include(`Documents: http://127.0.0.1:${port}/docs\nAPI:       http://127.0.0.1:${port}/v1\n`);
      expect(shown.indexOf("Explorer:")).to.be.lessThan(shown.indexOf("listening"));
      expect(shown).to.match(/^\[\d\d:\d\d:\d\d\] INFO: listening/m);
      const listening = linesOf(await said(piped, /"ready".*\n/)).find(({ msg }) => msg === "listening");
      expect(listening?.explorer).to.equal(`http://127.0.0.1:${listening?.port}/explorer`);
    } finally {
      for (const child of [terminal, piped]) child.kill("SIGTERM");
      await written(piped);
      await data.remove();
    }
  }).timeout(60_000);
});
