import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as FormerClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FormerTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Generation } from "./mcp.ts";

/** Where an agent waits for its answer: a program on this machine. */
export interface Callback {
  readonly address: string;
  /** A page of another site that leads to an address by a link. */
  linkTo(address: string): string;
  /** The parameters of the next answer. */
  next(): Promise<URLSearchParams>;
  close(): void;
}

export async function openCallback(): Promise<Callback> {
  const arrived: URLSearchParams[] = [];
  const waiting: ((answer: URLSearchParams) => void)[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    response.setHeader("content-type", "text/html");
    if (pathname === "/link") {
      const to = (searchParams.get("to") ?? "").replaceAll("&", "&amp;");
      return void response.end(`<a id="go" href="${to}">connect</a>`);
    }
    if (pathname === "/callback") {
      const next = waiting.shift();
      if (next) next(searchParams);
      else arrived.push(searchParams);
    }
    response.end("<p id=arrived>arrived</p>");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address: `${base}/callback`,
    linkTo: (address) => `${base}/link?to=${encodeURIComponent(address)}`,
    next: () => {
      const one = arrived.shift();
      return one ? Promise.resolve(one) : new Promise((done) => void waiting.push(done));
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What an official client keeps of its sign-in: in memory, like most programs' own. */
export class KeptSignIn {
  readonly redirectUrl: string;
  /** Where the client wants its person to go. */
  asked: URL | undefined;
  kept: Record<string, unknown> | undefined;
  readonly #state = randomUUID();
  #information: Record<string, unknown> | undefined;
  #verifier = "";

  constructor(redirectUrl: string) {
    this.redirectUrl = redirectUrl;
  }

  get clientMetadata() {
    return {
      client_name: "Official client",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
  }
  state = (): string => this.#state;
  clientInformation = () => this.#information as never;
  saveClientInformation = (information: unknown): void => {
    this.#information = information as Record<string, unknown>;
  };
  tokens = () => this.kept as never;
  saveTokens = (tokens: unknown): void => {
    this.kept = tokens as Record<string, unknown>;
  };
  invalidateCredentials = (scope: string): void => {
    if (scope === "tokens" || scope === "all") this.kept = undefined;
  };
  redirectToAuthorization = (address: URL): void => {
    this.asked = address;
  };
  saveCodeVerifier = (verifier: string): void => {
    this.#verifier = verifier;
  };
  codeVerifier = (): string => this.#verifier;
}

export interface OfficialClient {
  /** The names of the tools, or the failure of the client. */
  list(): Promise<string[]>;
  finish(answer: URLSearchParams): Promise<void>;
}

/** A client of the protocol's authors that signs in by itself. */
export function officialClient(address: string, signIn: KeptSignIn, generation: Generation): OfficialClient {
  const url = new URL(address);
  const made = () =>
    generation === "2026"
      ? {
          client: new Client({ name: "official", version: "1" }, { versionNegotiation: { mode: "auto" } }),
          transport: new StreamableHTTPClientTransport(url, { authProvider: signIn as never }),
        }
      : {
          client: new FormerClient({ name: "official", version: "1" }),
          transport: new FormerTransport(url, { authProvider: signIn as never }),
        };
  return {
    list: async () => {
      const { client, transport } = made();
      await client.connect(transport as Transport as never);
      const { tools } = await client.listTools();
      await client.close();
      return tools.map(({ name }) => name);
    },
    finish: async (answer) => {
      const { transport } = made();
      if (transport instanceof StreamableHTTPClientTransport) await transport.finishAuth(answer);
      else await transport.finishAuth(answer.get("code") ?? "");
    },
  };
}
