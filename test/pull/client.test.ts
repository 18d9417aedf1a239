import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { Client, LIMITS, type Limits } from "../../src/features/pull/client.ts";
import { meta } from "../../src/features/pull/connectors/meta.ts";
import type { PullDeclaration, PullError } from "../../src/features/pull/declaration.ts";
import { FAULTS, FakeVendor, TOKEN } from "./fakeVendor.ts";

const FAST: Limits = { ...LIMITS, connectMs: 1_000, headersMs: 400, silenceMs: 400, firstBackOffMs: 20, tries: 4 };
const ADSETS = "v1/act_1/adsets";

describe("the client of a pull [D64]", () => {
  let vendor: FakeVendor;
  let client: Client;
  const open = (limits = FAST, declaration: PullDeclaration = meta): Client =>
    new Client({
      declaration,
      account: {},
      secrets: { accessToken: TOKEN },
      set: { keys: ["accessToken"] },
      baseUrl: vendor.url,
      tokenUrl: undefined,
      signal: new AbortController().signal,
      limits,
    });
  const ask = (): Promise<unknown> => client.json("GET", ADSETS, undefined);
  const failure = (): Promise<PullError> =>
    ask().then(
      () => Promise.reject(new Error("it succeeded")),
      (error: PullError) => error,
    );

  beforeEach(async () => {
    vendor = await FakeVendor.start();
    client = open();
  });

  afterEach(async () => {
    await client.close();
    await vendor.stop();
  });

  for (const fault of ["throttle", "broken", "html", "cut", "unparsable"] as const) {
    it(`asks again after ${fault}`, async () => {
      vendor.faults = [fault, fault];
      await ask();
      expect(vendor.requests).to.have.lengthOf(3);
      expect(client.counts.requests).to.equal(3);
    });
  }

  it("gives up after its tries, with the reason", async () => {
    vendor.always = "html";
    const { kind, message } = await failure();
    expect([kind, vendor.requests.length]).to.deep.equal(["transient", 4]);
    expect(message).to.include("an HTML page").and.include("4 tries");
  });

  it("keeps to the vendor's wait, for all requests", async () => {
    vendor.faults = ["throttle"];
    await Promise.all([ask(), ask()]);
    const [first = 0, ...others] = vendor.at;
    expect(others.every((at) => at - first >= 190)).to.equal(true);
    expect(client.counts.waitedMs).to.be.at.least(190);
  });

  it("gives up at a wait of more than an hour, and says when to come back", async () => {
    vendor.always = "longWait";
    const { kind, message, retryAt } = await failure();
    expect([kind, vendor.requests.length]).to.deep.equal(["throttled", 1]);
    expect(message).to.include("come back later").and.include("try again after");
    expect((retryAt?.getTime() ?? 0) - Date.now()).to.be.within(7_000_000, 7_200_000);
  });

  it("does not try refused credentials again, and no message has them", async () => {
    vendor.always = "refused";
    const { kind, message } = await failure();
    expect([kind, vendor.requests.length]).to.deep.equal(["credentials", 1]);
    expect(message).to.include("Invalid token").and.not.include(TOKEN);
    expect((await failure()).kind).to.equal("credentials");
    expect(vendor.requests).to.have.lengthOf(1);
  });

  it("follows no redirect, and sends credentials to no other server", async () => {
    vendor.always = "elsewhere";
    expect((await failure()).message).to.include("redirects are not followed");
    const other = await client.json("GET", "https://elsewhere.example/next", undefined).catch((error) => error);
    expect(other.message).to.include("another server");
    expect(vendor.requests).to.have.lengthOf(1);
  });

  it("bounds a body, and what is parsed", async () => {
    client = open({ ...FAST, bodyBytes: 10, tries: 2 });
    expect((await failure()).message).to.include("a body of more than 10 bytes");
    client = open({ ...FAST, parsedBytes: 10 });
    expect((await failure()).kind).to.equal("tooMuch");
  });

  it("keeps to the declared pace, concurrency and budget", async () => {
    const paces = { all: { requests: 2, perMs: 300 } };
    client = open(FAST, { ...meta, paces, budget: 4 });
    const asked = performance.now();
    await Promise.all([ask(), ask(), ask(), ask()]);
    // The third may leave 300 ms after the first left, which may have taken any time to arrive.
    expect((vendor.at[2] ?? 0) - asked).to.be.at.least(290);
    expect((await failure()).kind).to.equal("budget");
  });

  it("streams lines to a file and removes what is no JSON", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "lucra-lines-"));
    try {
      const file = path.join(folder, "lines");
      expect(await client.lines(ADSETS, file)).to.equal(1);
      expect(await readFile(file, "utf8")).to.include('"Set"');
      vendor.always = "unparsable";
      const error = await client.lines(ADSETS, file).catch((error) => error);
      expect(error.message).to.include("no JSON");
      await readFile(file).then(
        () => expect.fail("the file is there"),
        () => {},
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("has a test for every fault", () => {
    expect(Object.keys(FAULTS)).to.have.lengthOf(10);
  });
});
