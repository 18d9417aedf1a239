import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as FormerClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FormerTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

const CLIENT = { name: "test", version: "1.0.0" };

/** The result of a tool, as clients of both generations have it. */
export interface Called {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: Record<string, unknown>;
}

export interface Agent {
  list(): Promise<readonly { readonly name: string; readonly [more: string]: unknown }[]>;
  call(name: string, args?: Record<string, unknown>): Promise<Called>;
  resource(uri: string): Promise<string>;
  close(): Promise<void>;
}

/** A client of the present generation, or of the one before. */
export type Generation = "2026" | "2025";
export const GENERATIONS: readonly Generation[] = ["2026", "2025"];

const called = (result: Record<string, unknown>): Called => ({
  isError: result.isError === true,
  text: (result.content as { text: string }[])[0]?.text ?? "",
  structured: (result.structuredContent ?? {}) as Record<string, unknown>,
});

const textOf = (content: object | undefined): string => (content && "text" in content ? String(content.text) : "");

type Connected = Pick<Client, "listTools" | "callTool" | "readResource" | "close">;

function agent(client: Connected): Agent {
  return {
    list: async () => (await client.listTools()).tools,
    call: async (name, args = {}) => called(await client.callTool({ name, arguments: args })),
    resource: async (uri) => textOf((await client.readResource({ uri })).contents[0]),
    close: () => client.close(),
  };
}

/** A client of a server at this address. */
export async function connect(
  address: string,
  headers: Record<string, string>,
  generation: Generation = "2026",
): Promise<Agent> {
  const url = new URL(address);
  if (generation === "2026") {
    const client = new Client(CLIENT, { versionNegotiation: { mode: "auto" } });
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    return agent(client);
  }
  const client = new FormerClient(CLIENT);
  await client.connect(new FormerTransport(url, { requestInit: { headers } }) as Transport);
  return agent(client as unknown as Connected);
}

/** The service at an address of its own, until it is closed. */
export async function opened(app: RequestListener): Promise<{ address: string; close(): void }> {
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, close };
}

/** Whether a value is a part of another one: the same, or with fewer members, or with fewer elements in any order. */
export function isPartOf(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part))
    return Array.isArray(whole) && part.every((one) => whole.some((other) => isPartOf(one, other)));
  if (typeof part !== "object" || part === null) return part === whole;
  if (typeof whole !== "object" || whole === null) return false;
  return Object.entries(part).every(
    ([name, value]) => Object.hasOwn(whole, name) && isPartOf(value, (whole as Record<string, unknown>)[name]),
  );
}
