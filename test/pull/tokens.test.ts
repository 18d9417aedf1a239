import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { expect } from "chai";
import { jwtVerify } from "jose";
import { Client, LIMITS } from "../../src/features/pull/client.ts";
import { ga4 } from "../../src/features/pull/connectors/ga4.ts";
import { hubspot } from "../../src/features/pull/connectors/hubspot.ts";
import type { PullDeclaration, PullError, Secrets } from "../../src/features/pull/declaration.ts";
import { REFRESH, TokenVendor } from "./tokenVendor.ts";

const FAST = { ...LIMITS, firstBackOffMs: 10, longestBackOffMs: 50, headersMs: 2_000, tries: 4 };

describe("the access tokens of a pull [D61]", () => {
  let vendor: TokenVendor;
  let client: Client;
  const open = (secrets: Secrets = REFRESH, declaration: PullDeclaration = hubspot): Client => {
    const set = declaration.secrets.find(({ keys }) => keys.every((key) => key in secrets));
    if (!set) throw new Error("no set of secrets");
    return new Client({
      // Without paces: the vendor's answers alone hold the requests back.
      declaration: { ...declaration, paces: {}, concurrent: 4 },
      account: { propertyId: "1" },
      secrets,
      set,
      baseUrl: vendor.url,
      tokenUrl: `${vendor.url}/token`,
      signal: new AbortController().signal,
      limits: FAST,
    });
  };
  const ask = (): Promise<unknown> => client.json("GET", "crm/v3/objects/contacts", undefined);
  const failure = (): Promise<PullError> =>
    ask().then(
      () => Promise.reject(new Error("it succeeded")),
      (error: PullError) => error,
    );

  beforeEach(async () => {
    vendor = await TokenVendor.start();
    client = open();
  });

  afterEach(async () => {
    await client.close();
    vendor.stop();
  });

  it("asks for one token, with the refresh token, for requests at the same time", async () => {
    await Promise.all([ask(), ask(), ask()]);
    expect(vendor.forms.map((form) => Object.fromEntries(form))).to.deep.equal([
      {
        grant_type: "refresh_token",
        client_id: REFRESH.clientId,
        client_secret: REFRESH.clientSecret,
        refresh_token: REFRESH.refreshToken,
      },
    ]);
  });

  it("renews a token that has expired, once for all requests", async () => {
    vendor.uses = 4;
    for (let n = 0; n < 12; n++) await ask();
    expect(vendor.forms).to.have.lengthOf(3);
    vendor.uses = 0;
    expect((await failure()).kind).to.equal("credentials");
    // The one that had expired, and a new one that does not work either.
    expect(vendor.forms).to.have.lengthOf(4);
  });

  it("renews it before it ends", async () => {
    vendor.more = { expires_in: 0.1 };
    await ask();
    await new Promise((go) => setTimeout(go, 60));
    await ask();
    expect(vendor.forms).to.have.lengthOf(2);
  });

  it("sends no request before a wait is over, whoever was told to wait: a request, or that for a token", async () => {
    vendor.uses = 3;
    for (const throttled of [
      [1, 2],
      [6, 7],
      [5, 9],
    ]) {
      vendor.requests = 0;
      vendor.throttled = (request) => throttled.includes(request);
      await client.close();
      client = open();
      await Promise.all(Array.from({ length: 8 }, ask));
      expect(vendor.early, `throttled ${throttled}`).to.equal(0);
    }
  });

  it("says at once that the vendor refuses the secrets, without them", async () => {
    vendor.refusal = {
      status: 400,
      body: { error: "invalid_grant", error_description: `Token ${REFRESH.refreshToken} was revoked.` },
    };
    const { kind, message } = await failure();
    expect([kind, vendor.requests]).to.deep.equal(["credentials", 1]);
    expect(message).to.include("invalid_grant: Token … was revoked.");
    expect((await failure()).kind).to.equal("credentials");
    expect(vendor.requests).to.equal(1);
  });

  it("tries again at a token endpoint that fails, and refuses an answer without a token", async () => {
    vendor.refusal = { status: 503, body: {} };
    const { kind, message } = await failure();
    expect([kind, vendor.requests]).to.deep.equal(["transient", 4]);
    expect(message).to.include("4 tries");
    vendor.refusal = { status: 200, body: { token_type: "bearer" } };
    expect((await failure()).message).to.include("without an access token");
  });

  it("takes an issued token out of messages", async () => {
    vendor.uses = 0;
    const { message } = await failure();
    expect(message).to.include("is not valid").and.not.include("issued-token");
  });

  it("knows when the refresh token ends, if the vendor says so", async () => {
    await ask();
    expect(client.secretsEnd).to.equal(undefined);
    vendor.more = { refresh_token_expires_in: 86_400 };
    client = open();
    await ask();
    expect((client.secretsEnd?.getTime() ?? 0) - Date.now()).to.be.within(86_300_000, 86_400_000);
  });

  describe("of a service account", () => {
    let keys: { publicKey: KeyObject; privateKey: KeyObject };
    let keyFile: Secrets;

    before(() => {
      keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
      keyFile = {
        type: "service_account",
        client_email: "lucra@project.example",
        private_key_id: "key-7",
        private_key: keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      };
    });

    it("are asked for with an assertion that its key has signed", async () => {
      client = open(keyFile, ga4);
      await ask();
      const [form] = vendor.forms;
      expect(form?.get("grant_type")).to.equal("urn:ietf:params:oauth:grant-type:jwt-bearer");
      const { payload, protectedHeader } = await jwtVerify(form?.get("assertion") ?? "", keys.publicKey, {
        issuer: keyFile.client_email ?? "",
        audience: `${vendor.url}/token`,
        algorithms: ["RS256"],
      });
      expect(protectedHeader.kid).to.equal("key-7");
      expect(payload.scope).to.equal("https://www.googleapis.com/auth/analytics.readonly");
      expect((payload.exp ?? 0) - (payload.iat ?? 0)).to.be.within(1, 3_600);
    });

    it("are not asked for with a broken key, whose text is in no message", async () => {
      client = open({ ...keyFile, private_key: "-----BEGIN PRIVATE KEY-----\nbroken-key-text\n" }, ga4);
      const { kind, message } = await failure();
      expect([kind, vendor.requests]).to.deep.equal(["credentials", 0]);
      expect(message).to.include("private_key").and.not.include("broken-key-text");
    });
  });
});
