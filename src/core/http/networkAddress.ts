import type { IncomingMessage } from "node:http";
import { ipKeyGenerator } from "express-rate-limit";
import proxyAddress from "proxy-addr";

/** Requests for a link from one network address in an hour. */
const MOST = 20;
const HOUR_MS = 3_600_000;
/** Addresses that are remembered; with more, those that asked first are forgotten. */
const MOST_ADDRESSES = 100_000;

const LOOPBACK = /^(::ffff:)?127\.|^::1$/;

/**
 * The network address of a request, an IPv6 network of 64 bits as one; undefined for a connection from this machine itself,
 * behind which everybody may be. What a proxy says counts only if it is named.
 */
export function networkAddressOf(request: IncomingMessage, proxies: readonly string[]): string | undefined {
  const address = proxyAddress(request, proxies.length === 0 ? () => false : proxyAddress.compile([...proxies]));
  return !address || LOOPBACK.test(address) ? undefined : ipKeyGenerator(withoutPort(address), 64);
}

/** Some proxies say the port as well, which differs for each connection. */
const withoutPort = (address: string): string =>
  /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.[1] ?? /^\[([^\]]+)\](:\d+)?$/.exec(address)?.[1] ?? address;

/** Counts the requests of network addresses in a moving hour. */
export class HourlyRequests {
  readonly #times = new Map<string, number[]>();
  readonly #clock: () => number;

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /** Whether the address may ask once more; that counts. */
  admits(address: string): boolean {
    const now = this.#clock();
    const times = (this.#times.get(address) ?? []).filter((time) => time > now - HOUR_MS);
    if (times.length >= MOST) return false;
    this.#times.delete(address);
    this.#times.set(address, [...times, now]);
    const [oldest] = this.#times.keys();
    if (this.#times.size > MOST_ADDRESSES && oldest !== undefined) this.#times.delete(oldest);
    return true;
  }
}
