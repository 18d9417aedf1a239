/** The longest redirect address. */
const LONGEST = 500;

export const isLoopbackHost = (hostname: string): boolean => ["localhost", "127.0.0.1", "[::1]"].includes(hostname);

/** Where a browser may be sent with a code: https, or this machine. */
export function redirectIn(text: unknown): URL | undefined {
  // What an address would lose or gain when it is read is compared as it is sent.
  if (typeof text !== "string" || text.length > LONGEST || !/^[!-~]+$/.test(text) || /[\\#]/.test(text))
    return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.username !== "" || url.password !== "") return undefined;
  const isLocal = url.protocol === "http:" && isLoopbackHost(url.hostname);
  return url.protocol === "https:" || isLocal ? url : undefined;
}

/** Whether a client is registered for an address: the same text; at this machine any port will do [RFC 8252]. */
export function isRegistered(registered: readonly string[], sent: string): boolean {
  const asked = redirectIn(sent);
  if (!asked) return false;
  return registered.some((text) => text === sent || isSameButPort(redirectIn(text), asked));
}

function isSameButPort(one: URL | undefined, other: URL): boolean {
  if (one?.protocol !== "http:" || other.protocol !== "http:") return false;
  return one.hostname === other.hostname && one.pathname === other.pathname && one.search === other.search;
}

/** The address with the answer to a request. */
export function answerAt(redirect: string, answer: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(redirect);
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}
