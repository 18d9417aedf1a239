import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import request from "supertest";
import { agentPlaceOf } from "../../src/features/oauth/place.ts";
import { isRegistered, redirectIn } from "../../src/features/oauth/redirects.ts";
import { OURS, THEIRS } from "../support/app.ts";
import { challengeOf, OauthFlow, REDIRECT, RESOURCE, VERIFIER } from "../support/oauth.ts";
import { PAGE, Platform } from "../support/people.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describe("agents sign in [D97]", () => {
  let platform: Platform;
  let flow: OauthFlow;

  beforeEach(async () => {
    platform = await Platform.open();
    flow = await OauthFlow.open(platform);
  });
  afterEach(() => platform.remove());

  describe("metadata", () => {
    it("is named by the 401 of /mcp, and is at its well-known places", async () => {
      const { status, headers } = await flow.mcp(undefined);
      expect(status).equals(401);
      const [, at = ""] =
        /^Bearer .*resource_metadata="([^"]+)", scope="read"/.exec(headers["www-authenticate"] ?? "") ?? [];
      expect(at).equals(`${PAGE}/.well-known/oauth-protected-resource/mcp`);
      for (const address of [new URL(at).pathname, "/.well-known/oauth-protected-resource"]) {
        const { body } = await request(platform.made.app).get(address);
        expect(body)
          .include({ resource: RESOURCE })
          .and.deep.include({ authorization_servers: [PAGE], scopes_supported: ["read"] });
      }
      const { body } = await request(platform.made.app).get("/.well-known/oauth-authorization-server");
      expect(body).deep.include({
        issuer: PAGE,
        token_endpoint: `${PAGE}/oauth/token`,
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
      });
    });

    it("says nothing that a request says of the host", async () => {
      const { text } = await request(platform.made.app)
        .get("/.well-known/oauth-authorization-server")
        .set({ host: "evil.example", "x-forwarded-host": "evil.example" });
      expect(text).not.contain("evil");
    });

    it("is only where LUCRA_PUBLIC_URL is https or loopback", () => {
      expect(agentPlaceOf("http://lucra.example.com")).equals(undefined);
      expect(agentPlaceOf("http://localhost:3000")?.resource).equals("http://localhost:3000/mcp");
      expect(agentPlaceOf("https://example.com/lucra")?.resourceMetadata).contain(
        "/.well-known/oauth-protected-resource/lucra/mcp",
      );
    });

    it("is absent without LUCRA_PUBLIC_URL, and without the platform", async () => {
      for (const wanted of [{ hasPublicUrl: false }, { isOff: true }]) {
        const other = await Platform.open(wanted);
        const { app } = other.made;
        expect((await request(app).get("/.well-known/oauth-authorization-server")).status).equals(404);
        expect((await request(app).post("/oauth/token")).status).oneOf([404, 405]);
        await other.remove();
      }
    });
  });

  describe("authorization", () => {
    it("leads to the Explorer, and looks nothing up before somebody has signed in", async () => {
      const query = new URLSearchParams(flow.asked({ client_id: "https://unknown.example/x" })).toString();
      const { status, headers } = await request(platform.made.app).get(`/oauth/authorize?${query}`);
      expect(status).equals(303);
      expect(headers.location).equals(`${PAGE}/explorer#/agent?${query}`);
      expect((await platform.page("get", `/platform/me/agent-request?${query}`)).status).equals(401);
    });

    it("shows who asks, and where the answer goes", async () => {
      const { body } = await flow.look();
      expect(body).deep.include({
        client: { name: "Agent", host: null },
        redirectHost: "127.0.0.1:5000",
        isLocal: true,
      });
      const refused = new URL(body.refusedAt);
      expect(Object.fromEntries(refused.searchParams)).deep.equal({ error: "access_denied", state: "s-1", iss: PAGE });
    });

    it("answers with code, state and iss; with the code an agent gets its tokens", async () => {
      const { body } = await flow.consent();
      const { searchParams } = new URL(body.location);
      expect(body.location).match(/^http:\/\/127\.0\.0\.1:5000\/callback\?/);
      expect(searchParams.get("iss")).equals(PAGE);
      expect(searchParams.get("state")).equals("s-1");
      const { status, body: tokens, headers } = await flow.redeem(searchParams.get("code") ?? "");
      expect(status).equals(200);
      expect(tokens).include({ token_type: "Bearer", expires_in: 3600, scope: "read" });
      expect(headers["cache-control"]).equals("no-store");
      expect((await flow.mcp(tokens.access_token)).status).equals(200);
    });

    it("keeps hashes alone, and the log has neither code nor token nor state", async () => {
      const code = await flow.code({ state: "state-of-the-client" });
      const { access_token: access, refresh_token: refresh } = (await flow.redeem(code)).body;
      await flow.mcp(access);
      const written = await platform.written();
      const logs = platform.made.log.join("\n");
      for (const secret of [code, ...access.split("."), ...refresh.split("."), "state-of-the-client", VERIFIER])
        expect(written.includes(secret) || logs.includes(secret), secret).equals(false);
      expect(JSON.stringify(await platform.audit.entries(OURS))).contain("agents.add");
    });

    it("is a change of a person's: a key, another page and a foreign organization are refused", async () => {
      expect((await flow.consent({}, THEIRS)).status).equals(403);
      const key = await platform.credentials.create({ name: "test", organizations: [OURS] });
      const session = await platform.sessions.start(key.client_id, key.client_secret);
      const ofKey = new OauthFlow(platform, `lucra_session=${session.token}`);
      ofKey.clientId = flow.clientId;
      expect((await ofKey.look()).status).equals(403);
      expect((await ofKey.consent()).status).equals(403);
      expect((await flow.consent().set("origin", "https://evil.example")).status).equals(403);
    });

    for (const [what, changed] of Object.entries({
      "no PKCE": { code_challenge: undefined, code_challenge_method: undefined },
      "plain PKCE": { code_challenge: VERIFIER, code_challenge_method: "plain" },
      "PKCE without a method": { code_challenge_method: undefined },
      "another redirect address": { redirect_uri: "https://evil.example/callback" },
      "a longer redirect address": { redirect_uri: `${REDIRECT}/more` },
      "a redirect address with a user": { redirect_uri: "http://127.0.0.1:5000@evil.example/callback" },
      "another resource": { resource: "https://other.example/mcp" },
      "another scope": { scope: "write" },
      "another response": { response_type: "token" },
      "an unknown client": { client_id: "agent_unknown" },
    })) {
      it(`refuses ${what}, when looked at and when consented to`, async () => {
        for (const { status, body } of [await flow.look(changed), await flow.consent(changed)]) {
          expect(status).equals(400);
          expect(JSON.stringify(body)).not.contain("location");
        }
        expect(await flow.platform.agents.of("ana@example.com")).deep.equal([]);
      });
    }

    it("takes any port of this machine, and nothing else that differs", () => {
      const registered = ["http://127.0.0.1/callback", "https://app.example/callback"];
      expect(isRegistered(registered, "http://127.0.0.1:9999/callback")).equals(true);
      for (const other of [
        "http://localhost:9999/callback",
        "http://127.0.0.1/other",
        "https://app.example:444/callback",
        "https://app.example/callback/",
        "https://APP.example/callback",
        "https://app.example/callback?x=1",
        "https://app.example/./callback",
        "https://app.example\\@evil.example/callback",
      ])
        expect(isRegistered(registered, other), other).equals(false);
      for (const never of [
        "http://app.example/x",
        "cursor://x/y",
        "javascript:alert(1)",
        "https://a.example/#x",
        "data:,x",
      ])
        expect(redirectIn(never), never).equals(undefined);
    });
  });

  describe("codes", () => {
    it("work once: a second use ends the tokens", async () => {
      const code = await flow.code();
      const first = (await flow.redeem(code)).body;
      expect(await flow.works(first.access_token)).equals(true);
      const second = await flow.redeem(code);
      expect([second.status, second.body.error]).deep.equal([400, "invalid_grant"]);
      expect(await flow.works(first.access_token)).equals(false);
      expect((await flow.refresh(first.refresh_token)).body.error).equals("invalid_grant");
    });

    it("sent at once by several give tokens to one at most, which end", async () => {
      const code = await flow.code();
      const answers = await Promise.all(Array.from({ length: 8 }, () => flow.redeem(code)));
      const given = answers.filter(({ status }) => status === 200);
      expect(given.length).equals(1);
      expect(await flow.works(given[0]?.body.access_token)).equals(false);
    });

    it("sent to two services at once give tokens to one at most", async () => {
      const code = await flow.code();
      const other = await Platform.open({}, platform.dataDir);
      const there = new OauthFlow(other, flow.cookie);
      there.clientId = flow.clientId;
      const answers = await Promise.all([flow, there, flow, there].map((one) => one.redeem(code)));
      expect(answers.filter(({ status }) => status === 200)).length(1);
      expect(await platform.agents.of("ana@example.com")).deep.equal([]);
    });

    it("end after a minute", async () => {
      const code = await flow.code();
      platform.now += MINUTE_MS;
      expect((await flow.redeem(code)).body.error).equals("invalid_grant");
    });

    for (const [what, changed] of Object.entries({
      "another client": { client_id: "agent_other" },
      "another redirect address": { redirect_uri: "http://127.0.0.1:5001/callback" },
      "another verifier": { code_verifier: "v".repeat(43) },
      "the challenge for a verifier": { code_verifier: challengeOf(VERIFIER) },
    })) {
      it(`are bound: with ${what} they give nothing, and are used up`, async () => {
        const code = await flow.code();
        expect((await flow.redeem(code, changed)).body.error).equals("invalid_grant");
        expect((await flow.redeem(code)).body.error).equals("invalid_grant");
      });
    }

    it("are refused without a verifier, for another resource, or by a parameter that is sent twice", async () => {
      const code = await flow.code();
      expect((await flow.redeem(code, { code_verifier: undefined })).body.error).equals("invalid_request");
      expect((await flow.redeem(code, { resource: "https://other.example" })).body.error).equals("invalid_target");
      expect((await flow.redeem(code, { client_id: undefined })).body.error).equals("invalid_client");
      const twice = await request(platform.made.app)
        .post("/oauth/token")
        .type("form")
        .send(`grant_type=authorization_code&code=${code}&code=x&client_id=${flow.clientId}`);
      expect(twice.body.error).equals("invalid_request");
      expect((await request(platform.made.app).post("/oauth/token").send({ code })).status).equals(415);
    });
  });

  describe("tokens", () => {
    it("are for /mcp alone, never in an address, and for one organization with a viewer's rights", async () => {
      const { access_token: access, refresh_token: refresh } = await flow.tokens();
      const { app } = platform.made;
      const elsewhere = [
        request(app).get(`/v1/profitability/cards?organizationId=${OURS}`).set("authorization", `Bearer ${access}`),
        request(app)
          .get("/platform/me")
          .set({ authorization: `Bearer ${access}`, "x-lucra-page": "1", host: "lucra.example.com" }),
        request(app).get("/explorer/session").set("authorization", `Bearer ${access}`),
      ];
      const [cards, me, session] = await Promise.all(elsewhere);
      expect([cards?.status, me?.status]).deep.equal([401, 401]);
      expect(session?.body.signedIn).equals(false);
      expect((await flow.mcp(undefined).query({ access_token: access })).status).equals(401);
      expect(await flow.works(refresh)).equals(false);
      const own = (await flow.mcp(access, "list_organizations")).text;
      expect(own).contain(OURS).and.not.contain(THEIRS);
    });

    it("never have more than the person has now", async () => {
      const { access_token: access, refresh_token: refresh } = await flow.tokens();
      await platform.people.remove("ana@example.com", OURS);
      expect(await flow.works(access)).equals(false);
      expect((await flow.refresh(refresh)).body.error).equals("invalid_grant");
      // The role that is given again is another one.
      await platform.people.add("ana@example.com", { organizations: [OURS], role: "viewer" });
      expect((await flow.refresh(refresh)).body.error).equals("invalid_grant");
    });

    it("end with the role, when it is taken or changed by the page", async () => {
      const boss = await platform.signedIn("boss@example.com", { [OURS]: "admin" });
      const address = `/platform/organizations/${OURS}/people/ana@example.com`;
      const first = await flow.tokens();
      expect((await platform.replaced("put", address, boss, { role: "admin" })).ok).equals(true);
      expect(await flow.works(first.access_token)).equals(false);
      const second = await flow.tokens();
      expect((await platform.replaced("delete", address, boss)).ok).equals(true);
      await platform.people.add("ana@example.com", { organizations: [OURS], role: "viewer" });
      expect(await flow.works(second.access_token)).equals(false);
    });

    it("last an hour; a refresh gives new ones for 90 days, or until 30 without use", async () => {
      let tokens = await flow.tokens();
      platform.now += 60 * MINUTE_MS;
      expect(await flow.works(tokens.access_token)).equals(false);
      for (let day = 0; day < 80; day += 20) {
        platform.now += 20 * DAY_MS;
        tokens = (await flow.refresh(tokens.refresh_token)).body;
        expect(await flow.works(tokens.access_token), `day ${day}`).equals(true);
      }
      platform.now += 9 * DAY_MS;
      tokens = (await flow.refresh(tokens.refresh_token)).body;
      expect(tokens).property("access_token");
      platform.now += DAY_MS;
      expect((await flow.refresh(tokens.refresh_token)).body.error).equals("invalid_grant");
      const again = new OauthFlow(platform, await platform.sessionOf("ana@example.com"));
      again.clientId = flow.clientId;
      const other = await again.tokens();
      platform.now += 30 * DAY_MS;
      expect((await flow.refresh(other.refresh_token)).body.error).equals("invalid_grant");
    });

    it("let a client refresh in parallel: it stays signed in", async () => {
      const { refresh_token: refresh } = await flow.tokens();
      const answers = await Promise.all(Array.from({ length: 6 }, () => flow.refresh(refresh)));
      expect(answers.map(({ status }) => status)).deep.equal(Array(6).fill(200));
      for (const { body } of answers) {
        expect(await flow.works(body.access_token)).equals(true);
        expect((await flow.refresh(body.refresh_token)).status).equals(200);
      }
      expect(await platform.agents.of("ana@example.com")).length(1);
    });

    it("end when a replaced one is sent after two minutes", async () => {
      const first = await flow.tokens();
      const second = (await flow.refresh(first.refresh_token)).body;
      platform.now += 2 * MINUTE_MS - 1;
      const third = (await flow.refresh(first.refresh_token)).body;
      expect(third).property("access_token");
      platform.now += 1;
      expect((await flow.refresh(first.refresh_token)).body.error).equals("invalid_grant");
      for (const { access_token } of [second, third]) expect(await flow.works(access_token)).equals(false);
      expect((await flow.refresh(third.refresh_token)).body.error).equals("invalid_grant");
    });

    it("of another client are refused, and stay", async () => {
      const { refresh_token: refresh } = await flow.tokens();
      expect((await flow.refresh(refresh, { client_id: await flow.registered() })).body.error).equals("invalid_grant");
      expect((await flow.refresh(refresh)).status).equals(200);
    });

    it("that have ended, or none, are no failed credentials; guesses are", async () => {
      const { access_token: access } = await flow.tokens();
      platform.now += 60 * MINUTE_MS;
      const times = Array.from({ length: 40 });
      const ended = await Promise.all(times.map(async () => (await flow.mcp(access)).status));
      const without = await Promise.all(times.map(async () => (await flow.mcp(undefined)).status));
      const guesses = await Promise.all(
        times.map(async () => (await flow.mcp(`${"g".repeat(22)}.${"g".repeat(43)}`)).status),
      );
      expect([...ended, ...without].every((status) => status === 401)).equals(true);
      expect(guesses.filter((status) => status === 429)).length(10);
    });

    it("have a rate of their own", async () => {
      const { access_token: access } = await flow.tokens();
      const statuses = await Promise.all(Array.from({ length: 101 }, async () => (await flow.mcp(access)).status));
      expect(statuses.filter((status) => status === 429)).length(1);
      const other = await flow.tokens();
      expect(await flow.works(other.access_token)).equals(true);
    });

    it("are revoked by the program [RFC 7009]", async () => {
      const { access_token: access, refresh_token: refresh } = await flow.tokens();
      const revoke = (token: string, client_id = flow.clientId) => flow.form("/oauth/revoke", { token, client_id });
      expect((await revoke(refresh, "agent_other")).status).equals(400);
      expect((await revoke("nothing")).status).equals(200);
      expect((await revoke(access)).status).equals(200);
      expect(await flow.works(access)).equals(false);
      const next = (await flow.refresh(refresh)).body;
      expect((await revoke(next.refresh_token)).status).equals(200);
      expect(await flow.works(next.access_token)).equals(false);
    });

    it("are listed and revoked among the person's sessions, by nobody else", async () => {
      const { access_token: access } = await flow.tokens();
      const { body } = await platform.page("get", "/platform/me/agents", flow.cookie);
      const [{ id, ...listed }] = body.data;
      expect(body.data).length(1);
      expect(listed).include({ organization: OURS, organizationName: "Shop 1", clientName: "Agent", clientHost: null });
      const other = await platform.signedIn("bea@example.com", { [OURS]: "admin" });
      const address = `/platform/me/agents/${id}`;
      expect((await platform.page("get", address, other)).status).equals(404);
      expect((await platform.replaced("delete", address, flow.cookie)).ok).equals(true);
      expect(await flow.works(access)).equals(false);
    });
  });

  describe("registration", () => {
    it("gives public clients alone, without a secret", async () => {
      const sent = {
        client_name: "A\u202e\nB",
        redirect_uris: [REDIRECT, "cursor://x"],
        token_endpoint_auth_method: "client_secret_post",
      };
      const { status, body } = await flow.register(sent);
      expect(status).equals(201);
      expect(body).deep.include({ client_name: "A B", redirect_uris: [REDIRECT], token_endpoint_auth_method: "none" });
      expect(body).not.property("client_secret");
    });

    it("refuses what it cannot use", async () => {
      for (const metadata of [
        [],
        {},
        { redirect_uris: ["http://evil.example"] },
        { redirect_uris: [REDIRECT], grant_types: ["implicit"] },
      ])
        expect((await flow.register(metadata)).status).equals(400);
    });

    it("ends after a day without a consent", async () => {
      const other = await flow.registered();
      await flow.code();
      platform.now += DAY_MS;
      const cookie = await platform.sessionOf("ana@example.com");
      const later = new OauthFlow(platform, cookie);
      later.clientId = flow.clientId;
      expect((await later.look()).status).equals(200);
      expect((await later.look({ client_id: other })).status).equals(400);
    });

    it("takes 20 an hour of a network address", async () => {
      const proxied = await Platform.open({ trustedProxies: ["127.0.0.1"] });
      const statuses: number[] = [];
      for (let n = 0; n < 21; n++) {
        const sent = request(proxied.made.app).post("/oauth/register").set("x-forwarded-for", "198.51.100.7");
        statuses.push((await sent.send({ redirect_uris: [REDIRECT] })).status);
      }
      expect(statuses.slice(0, 20).every((status) => status === 201)).equals(true);
      expect(statuses.at(-1)).equals(429);
      await proxied.remove();
    });

    it("has at most 300 that nobody let in", async () => {
      const file = path.join(platform.dataDir, "agent-clients.json");
      const { clients } = JSON.parse(await readFile(file, "utf8"));
      const many = Array.from({ length: 300 }, (_, n) => ({ ...clients[0], id: `agent_${n}` }));
      await writeFile(file, JSON.stringify({ clients: many }));
      const last = await flow.registered();
      const kept = JSON.parse(await readFile(file, "utf8")).clients as { id: string }[];
      expect([kept.length, kept[0]?.id, kept.at(-1)?.id]).deep.equal([300, "agent_1", last]);
    });
  });

  it("only reads where the service writes nothing: tokens work, and none are given", async () => {
    const { access_token: access, refresh_token: refresh } = await flow.tokens();
    const reading = await Platform.open({ readOnly: true }, platform.dataDir);
    const there = new OauthFlow(reading, flow.cookie);
    there.clientId = flow.clientId;
    expect(await there.works(access)).equals(true);
    for (const answer of [
      await there.refresh(refresh),
      await there.register(),
      await there.form("/oauth/revoke", { token: refresh }),
    ])
      expect([answer.status, answer.body.error]).deep.equal([503, "temporarily_unavailable"]);
    expect((await there.consent()).status).equals(403);
  });
});
