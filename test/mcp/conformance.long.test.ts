import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { SlidingLog } from "../../src/core/http/rateLimit.ts";
import { makeApp, SECRET } from "../support/app.ts";
import { opened } from "../support/mcp.ts";

const run = promisify(execFile);

/** The suite needs a later version of Node than Lucra. */
const NODE = "node@22.23.3";

/** The scenarios that concern what Lucra has: tools, a resource, no sessions. Others call tools, prompts and tasks of the suite's own server. */
const SUITES = [
  {
    suite: "@modelcontextprotocol/conformance@0.1.16",
    revision: "2025-11-25",
    scenarios: [
      "server-initialize",
      "ping",
      "tools-list",
      "resources-list",
      "server-sse-multiple-streams",
      "dns-rebinding-protection",
    ],
    checks: 6,
  },
  {
    suite: "@modelcontextprotocol/conformance@0.2.0-alpha.12",
    revision: "2026-07-28",
    scenarios: [
      "server-stateless",
      "tools-list",
      "resources-list",
      "sep-2164-resource-not-found",
      "dns-rebinding-protection",
      "caching",
      "http-header-validation",
      "input-required-result-unsupported-methods",
    ],
    checks: 50,
  },
];

/** Checks within these scenarios that need a tool of the suite's own server, or prompts. */
const NOT_TESTABLE = [
  "sep-2549-prompts-list-caching-hints",
  "sep-2575-http-server-no-independent-requests-on-stream",
  "sep-2575-missing-capability-http-400",
  "sep-2575-server-no-log-without-loglevel",
  "sep-2575-server-rejects-undeclared-capability",
];

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

describe("The conformance suite of the protocol", () => {
  /** The suite sends no credentials. */
  const withCredentials = (app: RequestListener): RequestListener =>
    createServer((request, response) => {
      request.headers["x-client-id"] = "good";
      request.headers["x-client-secret"] = SECRET;
      app(request, response);
    }).listeners("request")[0] as RequestListener;

  for (const { suite, revision, scenarios, checks } of SUITES) {
    it(`finds nothing in /mcp for clients of ${revision}`, async function () {
      this.timeout(600_000);
      const { app } = makeApp(undefined, { tools: { views: [] }, limit: new SlidingLog(1_000_000) });
      const { address, close } = await opened(withCredentials(app));
      const folder = await mkdtemp(path.join(tmpdir(), "lucra-conformance-"));
      const all: Check[] = [];
      try {
        for (const scenario of scenarios) {
          const chosen = suite.includes("alpha") ? ["--spec-version", revision] : [];
          const command = `conformance server --url ${address} --scenario ${scenario} -o ${folder} ${chosen.join(" ")}`;
          // It ends with 1 if a check failed; the results say which.
          await run("npx", ["--yes", "-p", NODE, "-p", suite, "--", "sh", "-c", command]).catch(() => {});
        }
        for (const name of await readdir(folder)) {
          const results = (await readdir(path.join(folder, name))).filter((file) => file === "checks.json");
          for (const file of results) all.push(...JSON.parse(await readFile(path.join(folder, name, file), "utf8")));
        }
      } finally {
        close();
      }
      const failed = all.filter(({ id, status }) => status === "FAILURE" && !NOT_TESTABLE.includes(id));
      expect(failed.map(({ id, errorMessage }) => [id, errorMessage])).to.deep.equal([]);
      expect(all.filter(({ status }) => status === "SUCCESS").length).to.be.at.least(checks);
    });
  }
});
