import { createServer } from "node:net";
import { expect } from "chai";
import { Webhook } from "standardwebhooks";
import { Networks } from "../../src/features/webhooks/networks.ts";
import { send } from "../../src/features/webhooks/send.ts";
import { freePort } from "../support/data.ts";
import { startReceiver } from "../support/receiver.ts";

describe("A request to a webhook", () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const networks = new Networks(["127.0.0.0/8"]);
  const post = (url: string, deadlines = { connectMs: 300, totalMs: 600 }) =>
    send({ url, secret, id: "msg_1", body: "{}" }, networks, new AbortController().signal, deadlines);

  it("is signed as Standard Webhooks describes", async () => {
    const receiver = await startReceiver();
    await post(receiver.url);
    const [{ text, headers } = { text: "", headers: {} }] = receiver.received;
    const sent = headers as Record<string, string>;
    expect(new Webhook(secret).verify(text, sent)).to.deep.equal({});
    expect(() => new Webhook(secret).verify("[]", sent)).to.throw("No matching signature");
    expect(() => new Webhook(secret).verify(text, { ...sent, "webhook-id": "msg_2" })).to.throw(
      "No matching signature",
    );
    await receiver.close();
  });

  it("ends if the receiver accepts connections and is silent", async () => {
    const silent = createServer(() => {});
    await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
    const { port } = silent.address() as { port: number };
    expect(await post(`http://127.0.0.1:${port}/`)).to.deep.equal({
      outcome: "failed",
      reason: "no answer within 0.6 seconds",
      text: "",
    });
    expect((await post(`https://127.0.0.1:${port}/`)).reason, "no TLS").to.equal("no connection within 0.3 seconds");
    silent.close();
  });

  it("counts by its status if the body never ends, is long, or breaks off", async () => {
    const receiver = await startReceiver();
    receiver.answer = (response) => void response.write("beginning");
    expect(await post(receiver.url)).to.deep.equal({ outcome: "delivered", status: 200, text: "beginning" });
    receiver.answer = (response) => {
      const more = (): void =>
        void (response.write(Buffer.alloc(65_536, 120)) ? setImmediate(more) : response.once("drain", more));
      more();
    };
    const { outcome, text } = await post(receiver.url, { connectMs: 10_000, totalMs: 60_000 });
    expect([outcome, text.length]).to.deep.equal(["delivered", 65_536]);
    receiver.answer = (response) => {
      response.writeHead(500, { "Content-Length": "1000" });
      response.write("half", () => response.destroy());
    };
    expect(await post(receiver.url)).to.include({ outcome: "failed", status: 500 });
    receiver.answer = (response) => void response.destroy();
    expect(await post(receiver.url)).to.deep.equal({ outcome: "failed", reason: "socket hang up", text: "" });
    await receiver.close();
  });

  it("reports a receiver that does not exist", async () => {
    expect((await post(`http://127.0.0.1:${await freePort()}/`)).reason).to.match(/ECONNREFUSED/);
    expect((await post("https://does-not-exist.invalid/", { connectMs: 10_000, totalMs: 15_000 })).reason).to.match(
      /ENOTFOUND|EAI_AGAIN|no connection/,
    );
  });
});
