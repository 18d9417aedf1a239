import { type LookupAddress, lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

type Network = readonly [address: string, bits: number];

/** IPv4 that is not of the public network: private, local, multicast, reserved. */
const RESERVED_4: readonly Network[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];
/** Only this part of IPv6 is public, except what carries IPv4 addresses (Teredo, 6to4) or is reserved. */
const PUBLIC_6: Network = ["2000::", 3];
const RESERVED_6: readonly Network[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

function listOf(networks: readonly Network[]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of networks) list.addSubnet(address, bits, familyOf(address));
  return list;
}

const familyOf = (address: string): "ipv4" | "ipv6" => (isIP(address) === 6 ? "ipv6" : "ipv4");
const reserved = listOf([...RESERVED_4, ...RESERVED_6]);
const public6 = listOf([PUBLIC_6]);

/** An address that a webhook must not reach. */
export class ForbiddenAddress extends Error {}

/** The addresses that webhooks may reach: public ones over https, and those of the operator's networks. */
export class Networks {
  readonly #allowed: BlockList;

  constructor(allowed: readonly string[]) {
    this.#allowed = listOf(
      allowed.map((network) => {
        const [address = "", bits] = network.split("/");
        return [address, Number(bits)];
      }),
    );
  }

  /** Throws if the host of an address is an IP address that is not allowed. A name is checked by `lookup`. */
  check({ hostname, protocol }: URL): void {
    const address = hostname.replace(/^\[(.*)\]$/, "$1");
    if (isIP(address)) this.#check(address, protocol);
  }

  /** Resolves names for connections: a connection is made to the very address that was checked. */
  lookup(protocol: string): LookupFunction {
    return (hostname, options, callback) =>
      lookup(hostname, { ...options, all: true }, (error, addresses) => {
        if (error) return callback(error, "");
        try {
          for (const { address } of addresses) this.#check(address, protocol);
        } catch (forbidden) {
          return callback(forbidden as Error, "");
        }
        const { address, family } = addresses[0] as LookupAddress;
        if (options.all) callback(null, addresses);
        else callback(null, address, family);
      });
  }

  #check(address: string, protocol: string): void {
    const family = familyOf(address);
    if (this.#allowed.check(address, family)) return;
    const isPublic = !reserved.check(address, family) && (family === "ipv4" || public6.check(address, family));
    if (!isPublic) {
      throw new ForbiddenAddress(
        `${address} is not a public address: LUCRA_WEBHOOK_NETWORKS allows networks of your own`,
      );
    }
    if (protocol !== "https:") throw new ForbiddenAddress("a public address needs https");
  }
}
