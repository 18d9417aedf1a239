import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { OURS } from "../support/app.ts";
import { freePort } from "../support/data.ts";
import { opened } from "../support/mcp.ts";
import { Platform } from "../support/people.ts";

const run = promisify(execFile);

/** The suite needs a later version of Node than Lucra. */
const SUITE = [
  "--yes",
  "-p",
  "node@22.23.3",
  "-p",
  "@modelcontextprotocol/conformance@0.2.0-alpha.12",
  "--",
  "sh",
  "-c",
];
/** What concerns the door and the tools; test/mcp has the rest, with keys. */
const SERVER = [
  "server-stateless",
  "tools-list",
  "resources-list",
  "http-header-validation",
  "dns-rebinding-protection",
];
/** They need a tool of the suite's own server. */
const NOT_TESTABLE = [
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

async function checksIn(folder: string): Promise<Check[]> {
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((name) => path.basename(name) === "checks.json");
  const texts = await Promise.all(files.map((name) => readFile(path.join(folder, name), "utf8")));
  return texts.flatMap((text) => JSON.parse(text) as Check[]);
}

describe("The conformance suite of the protocol, for authorization [D97]", function () {
  this.timeout(600_000);
  let platform: Platform;
  let base: string;
  let cookie: string;
  let close: () => void;

  before(async () => {
    const port = await freePort();
    base = `http://localhost:${port}`;
    platform = await Platform.open({ publicUrl: base });
    cookie = await platform.signedIn("ana@example.com", { [OURS]: "viewer" });
    const server = createServer(platform.made.app).listen(port);
    await once(server, "listening");
    close = () => {
      server.closeAllConnections();
      server.close();
    };
  });
  after(async () => {
    close();
    await platform.remove();
  });

  /** Lets in who asks at this address, as the page does. */
  const consent = async (authorize: string): Promise<string> => {
    const response = await fetch(authorize, { redirect: "manual" });
    const query = new URL(response.headers.get("location") ?? "").hash.split("?", 2)[1] ?? "";
    const headers = { "x-lucra-page": "1", cookie, origin: base, "content-type": "application/json" };
    const answer = await fetch(`${base}/platform/organizations/${OURS}/agents`, {
      method: "POST",
      headers: { ...headers, "idempotency-key": `conformance-${Date.now()}` },
      body: JSON.stringify(Object.fromEntries(new URLSearchParams(query))),
    });
    return ((await answer.json()) as { location: string }).location;
  };

  const registered = async (redirect: string): Promise<string> => {
    const answer = await fetch(`${base}/oauth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ client_name: "Conformance", redirect_uris: [redirect] }),
    });
    return ((await answer.json()) as { client_id: string }).client_id;
  };

  it("finds nothing in the metadata, the code and the tokens of the authorization server", async () => {
    const port = await freePort();
    const client = await registered(`http://127.0.0.1:${port}/callback`);
    const folder = await mkdtemp(path.join(tmpdir(), "lucra-conformance-"));
    const command = `conformance authorization --url ${base} --client-id ${client} --resource ${base}/mcp -p ${port} -o ${folder} --spec-version 2026-07-28`;
    const suite = spawn("npx", [...SUITE, command]);
    let said = "";
    suite.stdout.on("data", async (chunk) => {
      said += chunk;
      const [address] = new RegExp(`${base}/oauth/authorize\\?\\S+(?=\\s)`).exec(said) ?? [];
      if (address === undefined) return;
      said = "";
      await fetch(await consent(address));
    });
    await once(suite, "close");
    const checks = await checksIn(folder);
    expect(checks.filter(({ status }) => status !== "SUCCESS" && status !== "INFO")).deep.equal([]);
    expect(checks.map(({ id }) => id)).include.members([
      "authorization-server-metadata",
      "authorization-server-metadata-cimd",
      "authorization-code-grant",
    ]);
  });

  it("finds nothing in /mcp for an agent that signed in", async () => {
    const redirect = "http://127.0.0.1:5000/callback";
    const verifier = "v".repeat(43);
    const client = await registered(redirect);
    const { createHash } = await import("node:crypto");
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const asked = { client_id: client, redirect_uri: redirect, response_type: "code", code_challenge: challenge };
    const query = new URLSearchParams({ ...asked, code_challenge_method: "S256" });
    const code = new URL(await consent(`${base}/oauth/authorize?${query}`)).searchParams.get("code") ?? "";
    const given = await fetch(`${base}/oauth/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "authorization_code",
        client_id: client,
        redirect_uri: redirect,
        code_verifier: verifier,
        code,
      }),
    });
    const { access_token: token } = (await given.json()) as { access_token: string };
    expect(given.status).equals(200);
    // The suite sends no credentials.
    const withToken: RequestListener = (request, response) => {
      request.headers.authorization = `Bearer ${token}`;
      request.headersDistinct.authorization = [`Bearer ${token}`];
      platform.made.app(request, response);
    };
    const door = await opened(withToken);
    const folder = await mkdtemp(path.join(tmpdir(), "lucra-conformance-"));
    try {
      for (const scenario of SERVER) {
        const command = `conformance server --url ${door.address} --scenario ${scenario} -o ${folder} --spec-version 2026-07-28`;
        // It ends with 1 if a check failed; the results say which.
        await run("npx", [...SUITE, command]).catch(() => {});
      }
    } finally {
      door.close();
    }
    const checks = await checksIn(folder);
    const failed = checks.filter(({ id, status }) => status === "FAILURE" && !NOT_TESTABLE.includes(id));
    expect(failed.map(({ id, errorMessage }) => [id, errorMessage])).deep.equal([]);
    const passed = checks.filter(({ status }) => status === "SUCCESS").length;
    console.log(`      ${passed} checks`);
    expect(passed).at.least(40);
  });
});
