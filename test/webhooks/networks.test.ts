import { expect } from "chai";
import { readConfig } from "../../src/core/config.ts";
import { ForbiddenAddress, Networks } from "../../src/features/webhooks/networks.ts";

const refuses = (networks: Networks, url: string): boolean => {
  try {
    networks.check(new URL(url));
    return false;
  } catch (error) {
    expect(error).to.be.instanceOf(ForbiddenAddress);
    return true;
  }
};

const PRIVATE = [
  ..."0.0.0.0 10.1.2.3 100.64.0.1 100.127.255.255 127.0.0.1 127.255.0.1 169.254.169.254 172.16.0.1 172.31.255.255".split(
    " ",
  ),
  ..."192.0.0.1 192.0.2.1 192.168.1.1 198.18.0.1 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.250 255.255.255.255".split(
    " ",
  ),
  // Other spellings of the same addresses.
  ..."2130706433 0x7f.1 0177.0.0.1 127.1 0xa9fea9fe".split(" "),
  ..."[::] [::1] [::ffff:127.0.0.1] [::ffff:a9fe:a9fe] [::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::a00:1]".split(" "),
  ..."[fc00::1] [fd00:ec2::254] [fe80::1] [fec0::1] [ff02::1] [2001::1] [2001:db8::1] [2002:7f00:1::] [3fff::1]".split(
    " ",
  ),
];
const PUBLIC = "8.8.8.8 1.1.1.1 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 223.255.255.255".split(" ");
const PUBLIC_6 = "[2606:4700::1111] [2a00:1450:4001::200e] [2003::1]".split(" ");

describe("The networks that webhooks may reach", () => {
  const none = new Networks([]);

  it("are public ones, over https", () => {
    for (const host of [...PUBLIC, ...PUBLIC_6]) {
      expect(refuses(none, `https://${host}/`), host).to.equal(false);
      expect(refuses(none, `http://${host}/`), host).to.equal(true);
    }
  });

  it("are not private, local, reserved or multicast, however the address is spelled", () => {
    for (const host of PRIVATE) expect(refuses(none, `https://${host}/`), host).to.equal(true);
  });

  it("are those that the operator allows, also over http", () => {
    const own = new Networks(["10.0.0.0/8", "127.0.0.1/32", "fd00::/8"]);
    for (const host of ["10.9.8.7", "127.0.0.1", "[::ffff:127.0.0.1]", "[fd00:ec2::254]"])
      expect(refuses(own, `http://${host}/`), host).to.equal(false);
    for (const host of ["127.0.0.2", "192.168.1.1", "[fe80::1]"])
      expect(refuses(own, `https://${host}/`), host).to.equal(true);
  });

  it("are found by the name that a connection resolves, and one address inside refuses a name", (done) => {
    none.lookup("https:")("localhost", { all: true }, (error) => {
      expect(error).to.be.instanceOf(ForbiddenAddress);
      new Networks(["127.0.0.0/8", "::1/128"]).lookup("http:")("localhost", {}, (error, address) => {
        expect([error, ["127.0.0.1", "::1"].includes(String(address))]).to.deep.equal([null, true]);
        done();
      });
    });
  });

  it("come from the environment, which names what is none", () => {
    expect(readConfig({ LUCRA_WEBHOOK_NETWORKS: "10.1.0.0/16,fd00::/8" }).webhookNetworks).to.deep.equal([
      "10.1.0.0/16",
      "fd00::/8",
    ]);
    for (const wrong of ["10.1.0.0", "10.1.0.0/33", "fd00::/129", "example.com/8", "10.0.0.0/8/8", "10.0.0.0/"])
      expect(() => readConfig({ LUCRA_WEBHOOK_NETWORKS: wrong }), wrong).to.throw(wrong);
  });
});
