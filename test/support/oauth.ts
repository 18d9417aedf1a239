import { createHash, randomBytes } from "node:crypto";
import request, { type Response, type Test } from "supertest";
import { OURS } from "./app.ts";
import { PAGE, type Platform } from "./people.ts";

export const REDIRECT = "http://127.0.0.1:5000/callback";
export const RESOURCE = `${PAGE}/mcp`;
export const VERIFIER = randomBytes(32).toString("base64url");

export const challengeOf = (verifier: string): string => createHash("sha256").update(verifier).digest("base64url");

export type Values = Readonly<Record<string, string | undefined>>;

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** A client of a test's service, and the person that it asks. */
export class OauthFlow {
  readonly platform: Platform;
  readonly cookie: string;
  clientId = "";

  constructor(platform: Platform, cookie: string) {
    this.platform = platform;
    this.cookie = cookie;
  }

  static async open(platform: Platform, email = "ana@example.com"): Promise<OauthFlow> {
    const flow = new OauthFlow(platform, await platform.signedIn(email, { [OURS]: "viewer" }));
    flow.clientId = await flow.registered();
    return flow;
  }

  register(metadata: object = { client_name: "Agent", redirect_uris: [REDIRECT] }): Test {
    return request(this.platform.made.app).post("/oauth/register").send(metadata);
  }

  async registered(metadata?: object): Promise<string> {
    return (await this.register(metadata)).body.client_id;
  }

  /** What a client sends to `/oauth/authorize`. */
  asked(changed: Values = {}): Record<string, string> {
    const values: Values = {
      client_id: this.clientId,
      redirect_uri: REDIRECT,
      response_type: "code",
      code_challenge: challengeOf(VERIFIER),
      code_challenge_method: "S256",
      resource: RESOURCE,
      scope: "read",
      state: "s-1",
      ...changed,
    };
    return Object.fromEntries(Object.entries(values).filter((one): one is [string, string] => one[1] !== undefined));
  }

  look(changed: Values = {}): Test {
    return this.platform.page(
      "get",
      `/platform/me/agent-request?${new URLSearchParams(this.asked(changed))}`,
      this.cookie,
    );
  }

  consent(changed: Values = {}, organization = OURS): Test {
    return this.platform
      .page("post", `/platform/organizations/${organization}/agents`, this.cookie)
      .set("idempotency-key", randomBytes(9).toString("hex"))
      .send(this.asked(changed));
  }

  async code(changed: Values = {}, organization = OURS): Promise<string> {
    const { body } = await this.consent(changed, organization);
    return new URL(body.location).searchParams.get("code") ?? "";
  }

  form(path: string, values: Values): Test {
    const sent = Object.entries(values).filter((one): one is [string, string] => one[1] !== undefined);
    return request(this.platform.made.app).post(path).type("form").send(new URLSearchParams(sent).toString());
  }

  redeem(code: string, changed: Values = {}): Test {
    return this.form("/oauth/token", {
      grant_type: "authorization_code",
      client_id: this.clientId,
      redirect_uri: REDIRECT,
      resource: RESOURCE,
      code_verifier: VERIFIER,
      code,
      ...changed,
    });
  }

  async tokens(changed: Values = {}, organization = OURS): Promise<Tokens> {
    return (await this.redeem(await this.code(changed, organization))).body;
  }

  refresh(token: string, changed: Values = {}): Test {
    return this.form("/oauth/token", {
      grant_type: "refresh_token",
      client_id: this.clientId,
      refresh_token: token,
      resource: RESOURCE,
      ...changed,
    });
  }

  /** A request of the agent for its tools, or for organizations by one of them. */
  mcp(token: string | undefined, tool?: string): Test {
    const message = tool
      ? { method: "tools/call", params: { name: tool, arguments: {} } }
      : { method: "tools/list", params: {} };
    const test = request(this.platform.made.app)
      .post("/mcp")
      .set({ host: "lucra.example.com", via: "1.1 proxy", accept: "application/json, text/event-stream" });
    if (token !== undefined) test.set("authorization", `Bearer ${token}`);
    return test.send({ jsonrpc: "2.0", id: 1, ...message });
  }

  async works(token: string): Promise<boolean> {
    const { status }: Response = await this.mcp(token);
    return status === 200;
  }
}
